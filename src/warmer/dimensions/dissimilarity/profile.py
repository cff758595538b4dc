r"""The dissimilarity dimension as a step function of epsilon, exactly.

A sequence of length $d\ge2$ with forward values in $[m,M]$ is feasible at the epsilons from $\sqrt d\,(M-m)/2$ to
$(\alpha-M)\sqrt d/(\sqrt d-1)$ and at no others (fact N6). So for each length only the windows matter that no other
window beats both in its width $M-m$ and in its top $M$.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from warmer.dimensions.bracket import Bracket, require_table
from warmer.dimensions.dissimilarity.staircase import Staircase, Window, highest
from warmer.dimensions.dissimilarity.tolerance import ExactTolerance, FloatTolerance, make_tolerance, make_witness
from warmer.dimensions.dissimilarity.window_search import sequences
from warmer.dimensions.dissimilarity.window_table import window_table
from warmer.dimensions.dissimilarity.witness import Number
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.model import Problem
from warmer.model.checks import check_positive
from warmer.model.errors import ProtocolError
from warmer.model.numbers import as_number
from warmer.model.time_limit import interruptible

_ROUNDING = 1e-14  # how far, relatively, two breakpoints that are equal may lie apart after rounding


class Piece(NamedTuple):
    """The dimension between `low` and `high`, or at the single point where they are equal."""

    low: float
    high: float
    value: int


@dataclass(frozen=True)
class Profile:
    r"""The dimension at every epsilon, for one table and one alpha.

    Call it with an epsilon. `windows` are the sequences that matter: the rest follows from them and the arithmetic of
    the definition, `tolerance`. Where a time limit ended the search, the dimension is not known at the epsilons up to
    `undecided_to`, unless it is `size` there.

    Examples
    --------
    >>> square = Problem.from_similarity([[1, 0, -1, 0], [0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1]])
    >>> profile = dissimilarity_profile(square, alpha=1)
    >>> [profile(epsilon) for epsilon in ("1/2", 1, 2, "5/2")], profile("1/2", monotone=True)
    ([2, 4, 4, 2], 4)
    >>> [(round(piece.low, 3), round(piece.high, 3), piece.value) for piece in profile.pieces()]
    [(0.0, 0.866, 2), (0.866, 1.0, 3), (1.0, 2.0, 4), (2.0, 2.366, 3), (2.366, 6.828, 2), (6.828, inf, 1)]
    """

    tolerance: ExactTolerance | FloatTolerance
    size: int
    windows: tuple[Window, ...] = ()
    first: Window | None = None
    undecided_to: float = 0.0

    def __repr__(self) -> str:
        largest = max((window.length for window in self.windows), default=int(self.first is not None))
        known = "exact" if self.is_exact else f"undecided up to {self.undecided_to:g}"
        return f"Profile(alpha={self.alpha}, largest dimension {largest}, {known})"

    @property
    def alpha(self) -> Number:
        """The optimality level."""
        return self.tolerance.alpha

    @property
    def is_exact(self) -> bool:
        """Whether the dimension is known at every epsilon."""
        return self.undecided_to == 0.0

    def __call__(self, epsilon: Any, *, monotone: bool = False) -> int:
        """The dimension at one epsilon; raises `ProtocolError` where a time limit left it undecided."""
        found = self.bracket(epsilon, monotone=monotone)
        if not found.is_exact:
            raise ProtocolError(
                f"the dimension at epsilon = {epsilon} is at least {found.lower}, but the search of the profile was "
                f"not finished for epsilons up to {self.undecided_to:g}; allow a longer time_limit."
            )
        return found.value

    def bracket(self, epsilon: Any, *, monotone: bool = False) -> Bracket:
        """What `dissimilarity_dimension` says at one epsilon, with a witness and without another search."""
        number = as_number("epsilon", epsilon)
        check_positive("epsilon", number)
        scale: Any = number if isinstance(self.tolerance, ExactTolerance) else float(number)
        tolerance = replace(self.tolerance, epsilon=scale, is_monotone=monotone)
        holding = [each for each in self.windows if tolerance.is_feasible(each.bottom, each.top, each.length)]
        window = max(holding, key=lambda window: window.length, default=self.first)
        if window is None:
            return Bracket(lower=0, upper=0, witness=None, reason="no alternative reaches alpha")
        is_open = float(number) <= self.undecided_to
        return Bracket(
            lower=window.length,
            upper=self.size if is_open else window.length,
            witness=make_witness(tolerance, *window),
            reason="the profile's search was not finished; upper bound: all used" if is_open else "exhausted search",
        )

    @property
    def breakpoints(self) -> list[float]:
        """The epsilons at which the dimension, plain or monotone, can change, in increasing order."""
        ends = sorted(end for window in self.windows for end in window.epsilons(self.tolerance) if end > 0)
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
            at_end, value = self._near(low, monotone), self._near(inside, monotone)
            if pieces and at_end > max(pieces[-1].value, value):
                pieces.append(Piece(low, low, at_end))
            if pieces and pieces[-1].value == value:
                pieces[-1] = pieces[-1]._replace(high=high)
            else:
                pieces.append(Piece(low, high, value))
        return pieces

    @property
    def _merge(self) -> float:
        """Breakpoints nearer than this, relatively, are one."""
        return self.tolerance.slack if isinstance(self.tolerance, FloatTolerance) else _ROUNDING

    def _near(self, epsilon: float, monotone: bool) -> int:
        """The dimension at an end, where the end's own windows count, up to rounding."""
        lengths = [int(self.first is not None)]
        for window in self.windows:
            low, high = window.epsilons(self.tolerance)
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
    require_table(problem, "the dissimilarity profile", instead="dissimilarity_dimension or a theorem of warmer.bounds")
    search = Anytime(time_limit, progress)
    level = as_number("alpha", alpha)
    table, tolerance = window_table(problem, level), make_tolerance(problem, level, Fraction(0), is_monotone=True)
    if len(table.targets) == 0:
        return Profile(tolerance, 0)
    search.rehearse(dissimilarity_profile, problem, is_symmetric=table.is_symmetric, alpha=1)
    first = Window(*table.named([table.first]), None, None)
    table = search.prepare(table.sorted) or table
    within = sequences(table)
    if search.stopped:
        least: Any = table.table[table.is_entry].min(initial=np.iinfo(np.int64).max)
        return Profile(tolerance, within.size, (), first, max(0.0, highest(tolerance, least, 2)))
    staircase = Staircase(table, tolerance, within, search.clock)
    with search.running():
        is_longer = len(table.values) > 0
        while is_longer and staircase.length <= within.size:
            search.tell(staircase.length, staircase.unsettled_to)
            is_longer = staircase.climb()
    undecided_to = staircase.unsettled_to if search.stopped else 0.0
    return Profile(tolerance, within.size, tuple(staircase.windows), first, undecided_to)
