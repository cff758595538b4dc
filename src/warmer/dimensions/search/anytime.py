"""One search for all measures: two ends that close in until they meet, or until somebody stops it."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

import numpy as np

from warmer.dimensions.bracket import Bracket, Witness
from warmer.model import Problem
from warmer.model.time_limit import Clock, OutOfTime

Progress = Callable[[Any, Any], Any]
"""Called with the lower and the upper end whenever they may have moved."""

Made = TypeVar("Made")
_SMALL = 12  # rows and columns of the table on which a measure is rehearsed


class Anytime:
    """Both ends of a measure while they are sought, the reason for the upper one, the clock, and who is told.

    What is known before the search comes with it; what was found on the way, and proves an end, may be kept in `found`.
    """

    def __init__(
        self, time_limit: float | None, progress: Progress | None = None, *, upper: Any = math.inf, reason: str = ""
    ) -> None:
        self.clock = Clock(time_limit)
        self.lower: Any = 0
        self.upper, self.reason = upper, reason
        self.stopped = ""
        self.found: Any = None
        self._progress = progress
        self._told: tuple[Any, ...] = ()

    @property
    def is_closed(self) -> bool:
        """Whether both ends meet."""
        return bool(self.lower >= self.upper)

    @property
    def has_audience(self) -> bool:
        """Whether anybody is told how far the search is."""
        return self._progress is not None

    @contextmanager
    def running(self) -> Iterator[None]:
        """A block that a time limit or Ctrl-C ends, which `stopped` then says; nobody is told what comes after it."""
        with self._stoppable():
            yield
        self._progress = None

    def prepare(self, make: Callable[[Clock], Made]) -> Made | None:
        """What is made before the search; None, and `stopped` says why, where there was no time for it."""
        with self._stoppable():
            return make(self.clock)
        return None

    @contextmanager
    def _stoppable(self) -> Iterator[None]:
        try:
            yield
        except OutOfTime:
            self.stopped = "time limit"
        except KeyboardInterrupt:
            self.stopped = "interrupted"

    def rehearse(
        self, measure: Callable[..., Any], problem: Problem, *, is_symmetric: bool = False, **options: Any
    ) -> None:
        """Compile what a measure needs on problems of this kind, by computing it on a small one, mostly off the clock.

        Without a time limit there is no need.
        """
        if self.clock.time_limit is not None:
            with self.clock.loading():
                kind = problem.is_square, is_symmetric, problem.rational is not None
                _on_a_small_table(measure, *kind, *options.items())

    def move(self, *, lower: Any = None, upper: Any = None, reason: str = "exhausted search") -> None:
        """Raise the lower end, or bring the upper one down for a reason; an end never moves back."""
        if lower is not None:
            self.lower = max(self.lower, lower)
        if upper is not None and max(upper, self.lower) < self.upper:
            self.upper, self.reason = max(upper, self.lower), reason
        self.tell(self.lower, self.upper)

    def bracket(self, witness: Witness | None) -> Bracket:
        """What is known now; where the ends have not met, the reason begins with what stopped the search."""
        is_open = self.stopped and not self.is_closed
        reason = f"{self.stopped}; upper bound: {self.reason}" if is_open else self.reason
        return Bracket(lower=self.lower, upper=max(self.lower, self.upper), witness=witness, reason=reason)

    def tell(self, *ends: Any) -> None:
        """Report two ends, if they are not those reported last."""
        if self._progress is not None and ends != self._told:
            self._told = ends
            self._progress(*ends)


@cache
def _on_a_small_table(
    measure: Callable[..., Any], is_square: bool, is_symmetric: bool, is_exact: bool, *options: tuple[str, Any]
) -> None:
    """Compute a measure with these options on a small table of this kind."""
    table = np.random.default_rng(0).integers(-8, 9, (_SMALL, _SMALL))
    table = np.triu(table) + np.triu(table, 1).T if is_symmetric else table
    np.fill_diagonal(table, 8)
    entries = {"rho": table, "denominator": 8} if is_exact else {"rho": table / 8}
    build: Any = Problem.from_similarity if is_square else Problem.from_table
    measure(build(**entries), **dict(options))
