r"""The dissimilarity dimension as a step function of epsilon, exactly.

A sequence of length $d\ge2$ with forward values in $[m,M]$ is feasible at the epsilons from $\sqrt d\,(M-m)/2$ to
$(\alpha-M)\sqrt d/(\sqrt d-1)$ and at no others (fact N6). So for each length only the windows matter that no other
window beats both in its width $M-m$ and in its top $M$.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from warmer.dimensions.dissimilarity.dimension import make_tolerance
from warmer.dimensions.dissimilarity.tolerance import Tolerance
from warmer.dimensions.dissimilarity.window_search import Sequences, sequences
from warmer.dimensions.dissimilarity.window_sweep import halves, is_wide
from warmer.dimensions.dissimilarity.window_table import Element, WindowTable, window_table
from warmer.dimensions.dissimilarity.witness import Number
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.dimensions.search.time_limit import Clock, interruptible
from warmer.dimensions.search.warmup import kind_of, on_a_small_table
from warmer.model import Problem
from warmer.model.checks import check_positive
from warmer.model.errors import ProtocolError
from warmer.model.numbers import as_number

__all__ = ["Piece", "Profile", "Window", "dissimilarity_profile"]

_SLICE = 4_000
_ROUNDING = 1e-14
"""How far, relatively, two breakpoints that are equal may lie apart after rounding."""


class Window(NamedTuple):
    """The values from bottom to top hold a sequence of this length."""

    length: int
    bottom: Number
    top: Number

    def epsilons(self, alpha: Number) -> tuple[float, float]:
        """The least and the largest epsilon at which such a sequence is feasible, rounded."""
        root = math.sqrt(self.length)
        return root * float(self.top - self.bottom) / 2, float(alpha - self.top) * root / (root - 1)


class Piece(NamedTuple):
    """The dimension between `low` and `high`, or at the single point where they are equal."""

    low: float
    high: float
    value: int


@dataclass(frozen=True)
class Profile:
    r"""The dimension at every epsilon, for one table and one alpha.

    Call it with an epsilon. `windows` are the sequences that matter: the rest follows from them. Where a time limit
    ended the search, the dimension is not known at the epsilons up to `undecided_to`, unless it is `size` there.

    Examples
    --------
    >>> square = Problem.from_similarity([[1, 0, -1, 0], [0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1]])
    >>> profile = dissimilarity_profile(square, alpha=1)
    >>> [profile(epsilon) for epsilon in ("1/2", 1, 2, "5/2")], profile("1/2", monotone=True)
    ([2, 4, 4, 2], 4)
    >>> [(round(piece.low, 3), round(piece.high, 3), piece.value) for piece in profile.pieces()]
    [(0.0, 0.866, 2), (0.866, 1.0, 3), (1.0, 2.0, 4), (2.0, 2.366, 3), (2.366, 6.828, 2), (6.828, inf, 1)]
    """

    alpha: Number
    size: int
    windows: tuple[Window, ...]
    slack: float = 0.0
    undecided_to: float = 0.0
    has_alternatives: bool = True

    @property
    def is_exact(self) -> bool:
        """Whether the dimension is known at every epsilon."""
        return self.undecided_to == 0.0

    def __call__(self, epsilon: Any, *, monotone: bool = False) -> int:
        """The dimension at one epsilon; raises `ProtocolError` where a time limit left it undecided."""
        number = as_number("epsilon", epsilon)
        check_positive("epsilon", number)
        found = self._at(number if self.slack == 0 else float(number), monotone)
        if float(number) <= self.undecided_to and found < self.size:
            raise ProtocolError(
                f"the dimension at epsilon = {epsilon} is at least {found}, but the search of the profile was not "
                f"finished for epsilons up to {self.undecided_to:g}; allow a longer time_limit."
            )
        return found

    @property
    def breakpoints(self) -> list[float]:
        """The epsilons at which the dimension, plain or monotone, can change, in increasing order."""
        ends = sorted(end for window in self.windows for end in window.epsilons(self.alpha) if end > 0)
        return [end for place, end in enumerate(ends) if place == 0 or end > ends[place - 1] * (1 + self._merge)]

    def pieces(self, *, monotone: bool = False) -> list[Piece]:
        """The step function as intervals and single points, to infinity, in order.

        Where two pieces meet the larger value holds; one that holds at a single point only has a piece of its own. They
        start at 0, or at `undecided_to` where a time limit left something undecided.
        """
        known = [end for end in self.breakpoints if end > self.undecided_to]
        stops = [self.undecided_to, *known, math.inf]
        pieces: list[Piece] = []
        for low, high in pairwise(stops):
            inside = 2 * low + 1 if math.isinf(high) else (low + high) / 2
            if pieces:
                point = Piece(low, low, self._near(low, monotone))
                if point.value > max(pieces[-1].value, self._near(inside, monotone)):
                    pieces.append(point)
            value = self._near(inside, monotone)
            if pieces and pieces[-1].value == value:
                pieces[-1] = pieces[-1]._replace(high=high)
            else:
                pieces.append(Piece(low, high, value))
        return pieces

    @property
    def _merge(self) -> float:
        """Breakpoints nearer than this, relatively, are one."""
        return self.slack or _ROUNDING

    def _at(self, epsilon: Any, monotone: bool) -> int:
        lengths = [window.length for window in self.windows if self._holds(window, epsilon, monotone)]
        return max(lengths, default=int(self.has_alternatives))

    def _holds(self, window: Window, epsilon: Any, monotone: bool) -> bool:
        """Whether the window's sequence is feasible at epsilon, or above it."""
        length, width, excess = window.length, window.top - window.bottom, window.top - self.alpha + epsilon
        if self.slack:
            tolerance = epsilon / math.sqrt(length)
            tolerance += self.slack * max(1.0, tolerance)
            return bool(excess <= tolerance and (monotone or width <= 2 * tolerance))
        is_low_enough = excess <= 0 or length * excess**2 <= epsilon**2
        return bool(is_low_enough and (monotone or length * width**2 <= 4 * epsilon**2))

    def _near(self, epsilon: float, monotone: bool) -> int:
        """The dimension at an end, where the end's own windows count, up to rounding."""
        lengths = [int(self.has_alternatives)]
        for window in self.windows:
            low, high = window.epsilons(self.alpha)
            high = max(low, high)  # a single point may have its ends in the wrong order, by the slack
            if epsilon <= high * (1 + self._merge) and (monotone or epsilon >= low * (1 - self._merge)):
                lengths.append(window.length)
        return max(lengths)


@interruptible()
def dissimilarity_profile(
    problem: Problem,
    *,
    alpha: Any,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Profile:
    r"""Compute $d_\rho(Z,\alpha,\epsilon)$ and $\bar d_\rho(Z,\alpha,\epsilon)$ for every $\epsilon$ at once.

    Parameters
    ----------
    problem
        A finite table.
    alpha
        A number, or a string such as "5/4".
    time_limit
        Seconds after which the profile found so far is returned; Ctrl-C does the same. It then says at which epsilons
        it is not decided.
    progress
        Called with the length of the sequences looked for, and with the epsilon above which all is decided.

    Examples
    --------
    >>> two = Problem.from_similarity([[1, 0], [0, 1]])
    >>> [round(epsilon, 6) for epsilon in dissimilarity_profile(two, alpha=1).breakpoints]
    [3.414214]
    """
    search = Anytime(time_limit, progress)
    level = as_number("alpha", alpha)
    table = window_table(problem, level)
    number: Number = level if problem.rational else float(level)
    slack = 0.0 if problem.rational else problem.slack
    if len(table.targets) == 0:
        return Profile(number, 0, (), slack, has_alternatives=False)
    search.warm_up(on_a_small_table, _at_one, *kind_of(problem, is_symmetric=table.is_symmetric))
    within = sequences(table)
    tolerance = make_tolerance(problem, level, Fraction(0), is_monotone=True)
    over = problem.rational.denominator if problem.rational else None
    staircase = _Staircase(table, tolerance, within, least_step=slack or 1, clock=search.clock)
    with search.running():
        is_longer = len(table.values) > 0
        while is_longer and staircase.length <= within.size:
            search.tell(staircase.length, staircase.unsettled(over).epsilons(number)[1])
            is_longer = staircase.climb()
    undecided_to = staircase.unsettled(over).epsilons(number)[1] if search.stopped else 0.0
    found = tuple(Window(length, _number(low, over), _number(high, over)) for length, low, high in staircase.windows)
    return Profile(number, within.size, found, slack, undecided_to)


def _at_one(problem: Problem) -> Profile:
    return dissimilarity_profile(problem, alpha=1)


class _Staircase:
    """For each length the windows that no other beats in both width and top: the narrower, the higher."""

    def __init__(
        self, table: WindowTable, tolerance: Tolerance, within: Sequences, *, least_step: float, clock: Clock
    ) -> None:
        self._table, self._tolerance, self._within = table, tolerance, within
        self._values = table.values
        self._least_step, self._clock = least_step, clock
        self.length, self._first = 2, 0
        self.windows: list[tuple[int, Any, Any]] = []

    def unsettled(self, over: int | None) -> Window:
        """A window that bounds, from above, the epsilons where longer sequences may yet be found."""
        top = _number(self._values[self._first], over)
        return Window(self.length, top, top)

    def climb(self) -> bool:
        """Find the windows of this length, from the lowest top up, and go to the next; whether there were any."""
        start, cap, is_first = self._first, None, True
        while cap is None or cap >= 0:
            top, elements = self._lowest(start, cap)
            if not elements:
                break
            if is_first:
                self._first, is_first = top, False
            bottom = self._narrowest(top, elements)
            self.windows.append((self.length, self._values[bottom], self._values[top]))
            start, cap = top + 1, self._values[top] - self._values[bottom] - self._least_step
        self.length += 1
        return not is_first

    def _lowest(self, start: int, cap: Any) -> tuple[int, list[Element]]:
        """The lowest top from `start` on with a sequence no wider than `cap`, if there is one, and that sequence."""
        runs = [(start, self._tolerance.n_tops(self._values, self.length))]
        while runs:
            low, high = runs.pop()
            if low >= high:
                continue
            bottom = self._bottom(low, cap)
            if is_wide(self._values, low, high, bottom):
                runs += reversed(halves(self._values, low, high))
                continue
            elements = self._search(bottom, high - 1)
            if elements and high - low == 1:
                return low, elements
            if elements:
                runs += reversed(halves(self._values, low, high))
        return start, []

    def _narrowest(self, top: int, elements: list[Element]) -> int:
        """The highest bottom below this top with a sequence, starting from one."""
        low, high = self._place_of_least(elements), top + 1
        while high - low > 1:
            middle = (low + high) // 2
            narrower = self._search(middle, top)
            if narrower:
                low = self._place_of_least(narrower)
            else:
                high = middle
        return low

    def _bottom(self, top: int, cap: Any) -> int:
        bottom = self._tolerance.bottom(self._values, top, self.length)
        if cap is None:
            return bottom
        return max(bottom, int(np.searchsorted(self._values, self._values[top] - cap, side="left")))

    def _place_of_least(self, elements: list[Element]) -> int:
        least, _ = self._table.ends(elements[: self.length], is_two_sided=False)
        return int(np.searchsorted(self._values, least, side="left"))

    def _search(self, bottom: int, top: int) -> list[Element]:
        length = self.length
        if self._table.starts[top + 1] - self._table.starts[bottom] < length * (length - 1) // 2:
            return []
        search = self._within.search(bottom, top, more_than=length - 1, enough=length)
        while not search.is_finished:
            self._clock.check()
            search.advance(_SLICE)
        self._clock.check()
        return search.found[:length]


def _number(value: Any, over: int | None) -> Number:
    return float(value) if over is None else Fraction(int(value), over)
