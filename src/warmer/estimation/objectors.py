"""A cheap answer to "is anything proven yet?", asked after every answer."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from warmer.model import Array, Problem
from warmer.model.checks import at_most, check_positive

__all__ = ["Objectors"]

_MOST_KEPT = 1 << 26
"""Entries up to which it is written down once who objects to what; beyond, a row is worked out when it is needed."""


@dataclass(frozen=True, eq=False)
class Objectors:
    """For each query one target that objects to it: while all of them are possible, nothing is proven.

    A target objects to a query that it values more than epsilon below its own best. When an objector has become
    impossible the likeliest other one takes its place, and that one mostly stays; so an answer costs little more than
    a look at one target a query.

    Examples
    --------
    >>> table = Problem.from_table([[1.0, 0.0], [0.0, 1.0], [0.75, 0.75]])
    >>> is_proven = Objectors(table, epsilon=0.1).watch()
    >>> is_proven(np.array([0.0, 0.5]), 1.0), is_proven(np.array([0.0, 2.0]), 1.0)
    (False, True)
    """

    problem: Problem
    epsilon: float

    def __post_init__(self) -> None:
        check_positive("epsilon", self.epsilon)

    def watch(self) -> Callable[[Array, float], bool]:
        """A fresh watch: given losses and the largest possible one, whether all possible targets agree on a query."""
        n_queries = self.problem.legal_queries.size
        watched = np.zeros(n_queries, dtype=np.intp)
        objects = np.zeros(n_queries, dtype=bool)

        def is_proven(losses: Array, limit: float) -> bool:
            if objects.all() and losses[watched].max() <= limit:
                return False
            for place in np.flatnonzero(~(objects & (losses[watched] <= limit))).tolist():
                objecting = np.where(self._row(place), losses, np.inf)
                watched[place] = objecting.argmin()
                objects[place] = objecting[watched[place]] <= limit
                if not objects[place]:
                    return True
            return False

        return is_proven

    def _row(self, place: int) -> Array:
        """Which targets object to the legal query at that place."""
        return self._rows[place] if self.problem.rho.size <= _MOST_KEPT else self._judged(place)

    @cached_property
    def _rows(self) -> Array:
        return np.stack([self._judged(place) for place in range(self.problem.legal_queries.size)])

    def _judged(self, place: int) -> Array:
        gaps = self.problem.self_evaluations - self.problem.rho[self.problem.legal_queries[place]]
        return np.asarray(~at_most(gaps, self.epsilon, self.problem.slack))
