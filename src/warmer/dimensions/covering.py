r"""Covering numbers: how many targets predict nearly everything that any target predicts.

A cover proves the upper end, a packing the lower one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import scipy

from warmer.dimensions import kernels, latex
from warmer.dimensions.bracket import Bracket, brief, check_epsilon, check_places, is_at_most, require_table, shown
from warmer.dimensions.dissimilarity.window_table import ceiling, comparable
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.model import Array, Label, Problem
from warmer.model.errors import CertificateError
from warmer.model.numbers import check_scale
from warmer.model.time_limit import Clock, interruptible

_MAX_PAIRS = 1 << 30
"""How many pairs of targets may be held at once, a byte for each; beyond it the ends of a sweep must do."""

_MAX_PROGRAM = 4_000_000
"""How many close pairs an integer program may have; beyond it a greedy cover and a packing must do."""

_WORK = 1 << 22  # pairs that a sweep compares between two looks at the clock
_WORK_WHOLE = 1 << 14  # the same in Python's own numbers
_FIRST_SLICE = 2.0  # seconds of the first run of the integer program
_LEAST_SLICE = 1e-3  # seconds that it may run at least
_PROGRAM = "integer program (HiGHS)"
_OUT_OF_TIME = 1  # what HiGHS answers when its time is up


def prediction_distance(problem: Problem, first: Label, second: Label) -> Fraction | float:
    r"""The largest difference between what two targets predict: $\psi(z_1,z_2)=\sup_z|\rho(z|z_1)-\rho(z|z_2)|$.

    The supremum is over the queries that may be asked; a fraction where the table is rational.

    Examples
    --------
    >>> weather = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], targets=["rain", "sun"])
    >>> prediction_distance(weather, "rain", "sun")
    0.8
    """
    left, right = problem.targets.position(first), problem.targets.position(second)
    columns = columns_of(problem)
    return _number(problem, abs(columns[left] - columns[right]).max())


@dataclass(frozen=True)
class _Chosen:
    targets: Sequence[int]
    epsilon: Any

    def __len__(self) -> int:
        return len(self.targets)

    def __repr__(self) -> str:
        return brief(self)

    def _members(self, problem: Problem) -> Array:
        return np.array(check_places("target", self.targets, problem.n_targets), dtype=np.intp)


@dataclass(frozen=True, repr=False)
class Cover(_Chosen):
    r"""Targets such that every target is within $\epsilon$ of one: the covering number is at most their count."""

    def to_latex(self, problem: Problem | None = None) -> str:
        r"""The centers and what is true of them, as a formula without its dollar signs; with the labels of a problem.

        Examples
        --------
        >>> print(Cover((0, 2), 0.5).to_latex())
        N=\{0,\ 2\},\quad \max_z\min_{z'\in N}\psi(z,z')\le0.5
        """
        chosen = _set(self.targets, problem)
        return latex.described(f"N={chosen}", rf"\max_z\min_{{z'\in N}}\psi(z,z')\le{latex.number(self.epsilon)}")

    def check(self, problem: Problem) -> float:
        r"""Return $\epsilon$ minus the largest distance to the cover, or name a target that is left out."""
        epsilon, members = check_epsilon(self, problem), self._members(problem)
        target, found = 0, math.inf
        if members.size:
            target, found = _nearest(kernels.covering.farthest, problem, members)
        away = _number(problem, found) if members.size else math.inf
        if not is_at_most(away, epsilon, problem):
            raise CertificateError(
                f"target {problem.targets[target]!r} is {float(away):.6g} away from the cover, "
                f"more than epsilon = {float(epsilon):.6g}."
            )
        return float(epsilon) - float(away)


@dataclass(frozen=True, repr=False)
class Packing(_Chosen):
    r"""Targets no two of which are within $\epsilon$ of a common one: the covering number is at least their count."""

    def to_latex(self, problem: Problem | None = None) -> str:
        r"""The targets and what is true of them, as a formula without its dollar signs; with the labels of a problem.

        Examples
        --------
        >>> print(Packing((0, 2), 0.5).to_latex())
        P=\{0,\ 2\},\quad \max\{\psi(z,z'),\psi(z,z'')\}>0.5\ (z'\ne z''\in P)
        """
        scale = latex.number(self.epsilon)
        far = rf"\max\{{\psi(z,z'),\psi(z,z'')\}}>{scale}\ (z'\ne z''\in P)"
        return latex.described(f"P={_set(self.targets, problem)}", far)

    def check(self, problem: Problem) -> float:
        r"""Return how far the second nearest member is beyond $\epsilon$, or name a target that is near two."""
        epsilon, members = check_epsilon(self, problem), self._members(problem)
        if members.size < 2:
            return math.inf
        places, found = _nearest(kernels.covering.least_second, problem, members)
        distance = _number(problem, found)
        if is_at_most(distance, epsilon, problem):
            target, first, second = (problem.targets[place] for place in (places[0], *sorted(places[1:])))
            raise CertificateError(f"target {target!r} is within epsilon of both {first!r} and {second!r}.")
        return float(distance) - float(epsilon)


@dataclass(frozen=True)
class CoverAndPacking:
    """Evidence for both ends of a covering number: the cover for the upper, the packing for the lower.

    Where the integer program proved more than the packing shows, the lower end of the bracket says so in its reason.
    """

    cover: Cover
    packing: Packing

    __repr__ = brief

    def to_latex(self, problem: Problem | None = None) -> str:
        """The cover and the packing, as one formula."""
        return latex.described(self.cover.to_latex(problem), self.packing.to_latex(problem))

    def check(self, problem: Problem) -> float:
        """Check both, and that they speak of one epsilon; the margin is the smaller one."""
        if not (isinstance(self.cover, Cover) and isinstance(self.packing, Packing)):
            raise CertificateError("both ends of a covering number need a Cover and a Packing.")
        margin = min(self.cover.check(problem), self.packing.check(problem))
        if check_epsilon(self.cover, problem) != check_epsilon(self.packing, problem):
            raise CertificateError(
                f"the cover is about epsilon = {shown(self.cover.epsilon)}, "
                f"the packing about {shown(self.packing.epsilon)}."
            )
        return margin


def columns_of(problem: Problem) -> Array:
    """What each target predicts for each query that may be asked: whole numbers where the table is rational."""
    kind = float if problem.rational is None else None
    return np.ascontiguousarray(comparable(problem)[problem.legal_queries].T, dtype=kind)


def run(kernel: Any, columns: Array, *arguments: Any) -> Any:
    """What a kernel says; numbers that are too large for the machine are compared by Python."""
    return (kernel.py_func if columns.dtype == object else kernel)(columns, *arguments)


def _nearest(kernel: Any, problem: Problem, members: Array) -> Any:
    columns = columns_of(problem)
    return run(kernel, columns, members, np.iinfo(np.int64).max if columns.dtype == np.int64 else math.inf)


def _number(problem: Problem, distance: Any) -> Fraction | float:
    return float(distance) if problem.rational is None else Fraction(int(distance), problem.rational.denominator)


@interruptible()
def covering_number(
    problem: Problem, *, epsilon: Any, time_limit: float | None = None, progress: Progress | None = None
) -> Bracket:
    r"""Bracket the covering number $\mathcal N(\mathcal Z,\epsilon)$: the least size of a (proper) $\epsilon$-cover.

    Every target must be within $\epsilon$ of a chosen one in the distance $\psi$ of `prediction_distance`
    (Definition 7). A sweep over the targets gives a packing below and then a cover above; small instances are settled
    by an integer program (HiGHS), and where there are too many targets to compare all pairs at once, the ends of the
    sweep are what is known. An interrupt (Ctrl-C) during the program gives the bracket reached so far. `progress` is
    called with the lower and the upper end whenever they may have moved.

    Examples
    --------
    >>> line = Problem.from_table([[0, 0.25, 0.5, 0.75, 1]])
    >>> bracket = covering_number(line, epsilon=0.25)
    >>> bracket.value, bracket.witness.cover.targets
    (2, (1, 4))
    """
    require_table(problem, "the covering number", instead="a bound of warmer.bounds.coverings")
    epsilon = check_scale("epsilon", epsilon)
    search = Anytime(time_limit, progress)
    search.rehearse(covering_number, problem, epsilon=0.5)
    sweep = _Sweep(problem, epsilon)
    packing = sweep.run(search, kernels.covering.pack, share=0.5)[0] or [0]
    search.move(lower=len(packing))
    taken, left_out = sweep.run(search, kernels.covering.cover)
    search.found = sorted(taken + left_out)
    search.move(upper=len(search.found), reason="best cover found" if taken else "all targets used")
    if not search.is_closed and not search.stopped:
        packing = _compare_all(problem, epsilon, search, packing)
    if search.is_closed and search.reason != _PROGRAM:
        search.reason = "packing and cover have equal size"
    return search.bracket(CoverAndPacking(Cover(tuple(search.found), epsilon), Packing(tuple(packing), epsilon)))


class _Sweep:
    """A packing and a cover that need no table of pairs: the targets in the order of what they predict for one query.

    That is the query for which predictions differ most, so that few other targets are near.
    """

    def __init__(self, problem: Problem, epsilon: Any) -> None:
        columns = columns_of(problem)
        self._key = int((columns.max(axis=0) - columns.min(axis=0)).argmax())
        self._order = np.argsort(columns[:, self._key], kind="stable")
        self._columns, self._threshold = columns[self._order], ceiling(problem, epsilon)
        self._work = _WORK_WHOLE if columns.dtype == object else _WORK

    def run(self, search: Anytime, kernel: Any, *, share: float = 1.0) -> tuple[list[int], list[int]]:
        """The targets that it takes in a share of the time left, and those that are near none of them."""
        taken, seen = np.zeros((2, len(self._order)), dtype=bool)
        search.prepare(partial(self._go_through, kernel, taken, seen, share))
        return sorted(self._order[taken].tolist()), self._order[~seen].tolist()

    def _go_through(self, kernel: Any, taken: Array, seen: Array, share: float, clock: Clock) -> None:
        part, place = Clock(clock.share(share)), 0
        while place < len(taken) and not part.is_over:
            place = run(kernel, self._columns, self._key, self._threshold, place, self._work, taken, seen)
        clock.check()


def _compare_all(problem: Problem, epsilon: Any, search: Anytime, packing: list[int]) -> list[int]:
    """The best packing once all pairs are compared, where they fit into memory; the cover is the search's."""
    if problem.n_targets**2 > _MAX_PAIRS:
        search.stopped = "too many targets to compare all pairs at once"
        return packing
    close = search.prepare(partial(_closeness, problem, epsilon))
    if close is None:
        return packing
    packing = max(_greedy_packing(close), packing, key=len)
    search.move(lower=len(packing))
    search.found = min(_greedy_cover(close), search.found, key=len)
    search.move(upper=len(search.found), reason="best cover found")
    if not search.is_closed:
        if int(close.sum()) <= _MAX_PROGRAM:
            with search.running():
                _solve(close, search)
        else:
            search.stopped = "too large for the integer program"
    return packing


def _closeness(problem: Problem, epsilon: Any, clock: Clock) -> Array:
    """For each two targets, whether their predictions are within epsilon."""
    columns, n, threshold = columns_of(problem), problem.n_targets, ceiling(problem, epsilon)
    close = np.zeros((n, n), dtype=bool)
    for rows in clock.blocks(n, columns.size):
        run(kernels.covering.within, columns, threshold, rows.start, rows.stop, close)
    return close


def _greedy_cover(close: Array) -> list[int]:
    """Take the target that covers most of what is left, until nothing is; then drop what is not needed."""
    left = np.ones(len(close), dtype=bool)
    gains = close.sum(axis=1)
    chosen: list[int] = []
    while left.any():
        chosen.append(int(gains.argmax()))
        new = close[chosen[-1]] & left
        left &= ~new
        for part in np.array_split(np.flatnonzero(new), 1 + new.sum() * len(close) // _MAX_PROGRAM):
            gains -= close[part].sum(axis=0)
    times = close[chosen].sum(axis=0)
    for center in list(chosen):
        if (times[close[center]] >= 2).all():
            chosen.remove(center)
            times = times - close[center]
    return sorted(chosen)


def _greedy_packing(close: Array) -> list[int]:
    """Take the target that excludes fewest, skip whoever shares a center with one taken."""
    packing: list[int] = []
    covered = np.zeros(len(close), dtype=bool)
    for target in np.argsort(close.sum(axis=1), kind="stable"):
        if not covered[close[target]].any():
            packing.append(int(target))
            covered |= close[target]
    return sorted(packing)


def _solve(close: Array, search: Anytime) -> None:
    """Close in on the least cover by an integer program.

    An interrupt waits for HiGHS to return, and it reports nothing before. It is therefore run for longer and longer
    slices: each begins anew, and doubling costs no more than all slices before.
    """
    seconds = _FIRST_SLICE
    while not search.is_closed:
        search.clock.check()
        search.move()
        left = search.clock.left
        if left is not None and left < 3 * seconds:  # no time for this slice and one of twice its length
            seconds = max(left, _LEAST_SLICE)
        result = scipy.optimize.milp(
            np.ones(len(close)),
            integrality=np.ones(len(close), dtype=int),
            bounds=scipy.optimize.Bounds(0, 1),
            constraints=scipy.optimize.LinearConstraint(scipy.sparse.csr_array(close).astype(float), lb=1.0),
            options={"mip_rel_gap": 0.0, "time_limit": seconds},
        )
        _take(result, close, search)
        if not search.is_closed and result.status != _OUT_OF_TIME:
            search.stopped = f"the integer program stopped early: {result.message}"
            return
        seconds *= 2


def _take(result: Any, close: Array, search: Anytime) -> None:
    """The cover and the lower bound of one run of the integer program."""
    if result.x is not None:
        found = [int(target) for target in np.flatnonzero(result.x > 0.5)]
        if len(found) < search.upper and close[found].any(axis=0).all():
            search.found = found
            search.move(upper=len(found), reason="best cover found")
    bound = result.mip_dual_bound
    if result.status == 0:
        search.lower = search.upper
    elif bound is not None and math.isfinite(bound):
        search.lower = max(search.lower, min(search.upper, math.ceil(bound - 1e-6)))
    if search.is_closed:
        search.reason = _PROGRAM
    search.move()


def _set(targets: Sequence[int], problem: Problem | None) -> str:
    return rf"\{{{latex.NEXT.join(latex.labels(targets, latex.of_targets(problem)))}\}}"
