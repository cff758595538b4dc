r"""The strong SQ dimension: how many hypotheses can have nearly equal, not too large correlations."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from warmer.dimensions import kernels
from warmer.dimensions.bracket import Bracket, check_epsilon, check_flag, check_places
from warmer.dimensions.dissimilarity.window_table import comparable
from warmer.dimensions.search.clique import maximum_clique
from warmer.dimensions.search.time_limit import Clock, OutOfTime, Progress, interruptible
from warmer.dimensions.search.warmup import rehearse
from warmer.model import Array, Problem
from warmer.model.checks import at_most
from warmer.model.errors import CertificateError, InvalidValueError
from warmer.model.numbers import as_fraction, check_scale

__all__ = ["StrongSQWitness", "check_symmetric", "strong_sq_dimension"]

_FEW_VALUES = 64
"""Up to how many different values are taken as windows; with more, each edge is the last of its cliques."""

_EDGES = 200_000
"""Edges swept between two looks at the clock."""


@dataclass(frozen=True)
class StrongSQWitness:
    r"""Targets $h_1,\dots,h_d$ with $|\langle h_i,h_j\rangle|\le1-\epsilon$, all within $1/d$ of each other.

    With `absolute=False` the first condition has no absolute value, as the repaired proposition needs.

    Examples
    --------
    >>> parities = Problem.from_similarity([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> StrongSQWitness((0, 1, 2), epsilon=0.5).check(parities)
    0.3333333333333333
    """

    targets: Sequence[int]
    epsilon: Any
    absolute: bool = True

    def __len__(self) -> int:
        return len(self.targets)

    def check(self, problem: Problem) -> float:
        r"""Re-read Definition 4; return the margin of both conditions, or raise `CertificateError`."""
        if not problem.is_square:
            raise CertificateError("the strong SQ dimension needs a square problem; this one is a table of two sides.")
        check_flag("absolute", self.absolute)
        targets = check_places("target", self.targets, problem.n_targets)
        length = len(targets)
        pairs = list(combinations(targets, 2))
        values = [problem.entry(i, j) for i, j in pairs]
        exact = problem.rational is not None
        highest: Any = 1 - check_epsilon(self, problem)
        slack = 0.0 if exact else problem.slack
        for (i, j), value in zip(pairs, values, strict=True):
            names = f"{problem.targets[i]!r} and {problem.targets[j]!r}"
            if i == j:
                raise CertificateError(f"target {problem.targets[i]!r} stands twice in the sequence.")
            if not _is_at_most(abs(value) if self.absolute else value, highest, slack):
                raise CertificateError(
                    f"targets {names} have correlation {float(value):.6g}, beyond 1 - epsilon = {float(highest):.6g}."
                )
            if not abs(value - problem.entry(j, i)) <= slack:
                raise CertificateError(f"targets {names} are not evaluated alike both ways.")
        worst = max((abs(value) if self.absolute else value for value in values), default=-math.inf)
        if len(values) < 2:
            return float(highest - worst)
        low, high = min(values), max(values)
        if not _is_at_most((high - low) * length if exact else high - low, 1 if exact else 1 / length, slack):
            (i, j), (k, m) = pairs[values.index(low)], pairs[values.index(high)]
            raise CertificateError(
                f"targets {problem.targets[i]!r} and {problem.targets[j]!r} have correlation {float(low):.6g}, "
                f"targets {problem.targets[k]!r} and {problem.targets[m]!r} {float(high):.6g}: "
                f"more than 1/{length} apart."
            )
        return min(float(highest - worst), 1 / length - float(high - low))


@interruptible()
def strong_sq_dimension(
    problem: Problem,
    *,
    epsilon: Any,
    absolute: bool = True,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the strong SQ dimension of a symmetric similarity (Definition 4).

    The largest $d$ for which some $h_1,\dots,h_d$ satisfy (a) $|\langle h_i,h_j\rangle|\le1-\epsilon$ and (b) all
    $\langle h_i,h_j\rangle$, $i<j$, lie within $1/d$ of each other. A single hypothesis always will do, so the least
    value is 1.

    Parameters
    ----------
    problem
        A symmetric square problem of correlations in $[-1,1]$.
    epsilon
        The scale, greater than 0. For rational tables a float is the simplest fraction that rounds to it.
    absolute
        False drops the absolute value in (a).
    time_limit, progress
        As in `eluder_dimension`.

    Examples
    --------
    >>> antipodes = Problem.from_similarity([[1, -1], [-1, 1]])
    >>> strong_sq_dimension(antipodes, epsilon=0.25).value
    1
    >>> strong_sq_dimension(antipodes, epsilon=0.25, absolute=False).value
    2
    """
    epsilon = check_scale("epsilon", epsilon)
    clock = Clock(time_limit)
    check_symmetric(problem, "the strong SQ dimension")
    if problem.reward_range != (-1.0, 1.0):
        low, high = problem.reward_range
        raise InvalidValueError(
            f"the strong SQ dimension is about correlations in [-1, 1]; this problem's range is [{low:g}, {high:g}]."
        )
    if time_limit is not None:
        clock.start += rehearse(_at_half, problem, is_symmetric=True)
    run = _Run(_Edges.of(problem, epsilon=epsilon, absolute=absolute), clock, progress)
    reason = run.close()
    witness = StrongSQWitness(tuple(run.best), epsilon, absolute)
    witness.check(problem)
    return Bracket(lower=len(run.best), upper=run.upper, witness=witness, reason=reason)


def _at_half(problem: Problem) -> Bracket:
    return strong_sq_dimension(problem, epsilon=0.5)


def check_symmetric(problem: Problem, what: str) -> None:
    """Raise unless the problem is square and symmetric, naming two alternatives that see each other differently."""
    if not problem.is_square:
        raise InvalidValueError(f"{what} needs a square problem; build it with Problem.from_similarity.")
    for row in range(problem.n_queries):
        if problem.rational is not None:
            differs = problem.rational.numerators[row] != problem.rational.numerators[:, row]
        else:
            differs = np.abs(problem.rho[row] - problem.rho[:, row]) > problem.slack
        if differs.any():
            column = int(np.flatnonzero(differs)[0])
            raise InvalidValueError(
                f"{what} needs a symmetric table, but rho[{problem.queries[row]!r}, {problem.targets[column]!r}] is "
                f"{problem.rho[row, column]} and the other way round it is {problem.rho[column, row]}."
            )


@dataclass(frozen=True, eq=False)
class _Edges:
    """The pairs that satisfy (a), in the order of their values."""

    n: int
    firsts: Array
    seconds: Array
    values: Array
    width: Callable[[int], Any]

    @classmethod
    def of(cls, problem: Problem, *, epsilon: Any, absolute: bool) -> "_Edges":
        n = problem.n_targets
        firsts, seconds = np.triu_indices(n, 1)
        if problem.rational is not None:
            denominator = problem.rational.denominator
            values = comparable(problem)[firsts, seconds]
            highest: Any = math.floor((1 - as_fraction(epsilon)) * denominator)
            # no two values differ by more than 2^62, and beyond it NumPy's integers overflow
            width: Callable[[int], Any] = lambda length: min(denominator // length, 1 << 62)  # noqa: E731
        else:
            slack = problem.slack
            values = np.asarray(problem.rho[firsts, seconds], dtype=float)
            highest = 1 - float(epsilon) + slack * max(1.0, abs(1 - float(epsilon)))
            width = lambda length: 1 / length + slack  # noqa: E731 (a two-word rule)
        allowed = np.flatnonzero((np.abs(values) if absolute else values) <= highest)
        order = allowed[np.argsort(values[allowed], kind="stable")]
        return cls(n, firsts[order].astype(np.int32), seconds[order].astype(np.int32), values[order], width)

    def lows(self, length: int) -> Array:
        """For each edge the first one whose value lies within the width of that length below its own."""
        return np.asarray(np.searchsorted(self.values, self.values - self.width(length), side="left"))

    def holds_enough(self, length: int) -> bool:
        """Whether some window of this length's width has as many edges as a clique needs."""
        if length == 1 or not self.values.size:
            return length == 1
        most = int((np.arange(1, self.values.size + 1) - self.lows(length)).max())
        return most >= length * (length - 1) // 2

    @cached_property
    def has_few_values(self) -> bool:
        """Whether the graph of each window can be searched by itself."""
        return np.unique(self.values).size <= _FEW_VALUES


class _Run:
    def __init__(self, edges: _Edges, clock: Clock, progress: Progress | None) -> None:
        self.edges, self.clock, self.progress = edges, clock, progress
        self.best = [0]
        self.upper = edges.n
        self._refuted = 0
        self._is_settled = True

    def close(self) -> str:
        """Ask for one more element until there is none, or time is up, or someone interrupts; say which."""
        try:
            self._lower_upper()
            self._tell()
            while len(self.best) < self.upper:
                found, is_proved = self._longer()
                if found is None:
                    if not is_proved:
                        return "time limit"
                    self.upper = len(self.best)
                else:
                    self.best = found
                self._tell()
        except OutOfTime:
            return "time limit"
        except KeyboardInterrupt:
            return "interrupted"
        return "exhausted search" if self.upper < self.edges.n else "every target is used"

    def _lower_upper(self) -> None:
        """Lower the upper end to the largest length whose windows hold edges enough."""
        low = 1
        while low < self.upper:  # windows narrow as lengths grow
            self.clock.check()
            middle = (low + self.upper + 1) // 2
            if self.edges.holds_enough(middle):
                low = middle
            else:
                self.upper = middle - 1

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(len(self.best), self.upper)

    def _longer(self) -> tuple[list[int] | None, bool]:
        """A sequence longer than the best, or None and whether that is proved."""
        length = len(self.best) + 1
        self._is_settled = True
        for members in self._in_windows(length) if self.edges.has_few_values else self._at_edges(length):
            return self._as_long_as_possible(members, length), True
        return None, self._is_settled

    def _in_windows(self, length: int) -> Iterator[Array]:
        """Cliques in the graph of each window of values."""
        lows = self.edges.lows(length)
        ends = np.flatnonzero(np.append(self.edges.values[1:] != self.edges.values[:-1], True))
        for end in ends[np.append(lows[ends][1:] != lows[ends][:-1], True)]:  # windows that no other contains
            edges = slice(lows[end], end + 1)
            adjacency = np.zeros((self.edges.n, self.edges.n), dtype=bool)
            adjacency[self.edges.firsts[edges], self.edges.seconds[edges]] = True
            vertices = np.arange(self.edges.n)
            yield from self._clique(adjacency | adjacency.T, vertices, length)

    def _at_edges(self, length: int) -> Iterator[Array]:
        """Cliques that contain an edge and otherwise only edges before it, for each edge."""
        edges, lows = self.edges, self.edges.lows(length)
        adjacency = np.zeros((edges.n, kernels.bits.n_words(edges.n)), dtype=np.uint64)
        core = np.zeros(adjacency.shape[1], dtype=np.uint64)
        place = low = 0
        while place < edges.values.size:
            stop = min(place + _EDGES, edges.values.size)
            edge, low = kernels.strong_sq.next_promising(
                edges.firsts, edges.seconds, lows, adjacency, place, low, self._refuted, length - 2, stop, core
            )
            if edge < stop:
                ends = np.array([edges.firsts[edge], edges.seconds[edge]])
                shared = np.flatnonzero(_unpack(core, edges.n))
                graph = _unpack(adjacency[shared], edges.n)[:, shared]
                for members in self._clique(graph, shared, length - 2):
                    # removing an element that is no end of this edge shows: no longer clique ends before it
                    self._refuted = edge if length >= 3 else 0
                    yield np.concatenate([ends, members])
            place = min(edge + 1, stop)
            if self.clock.is_over:
                self._is_settled = False
                return

    def _clique(self, graph: Array, vertices: Array, size: int) -> Iterator[Array]:
        """A largest clique of the graph if it has at least this size."""
        if size <= 0:
            yield vertices[:0]
            return
        clique, is_proved = maximum_clique(graph, more_than=size - 1, clock=self.clock)
        self._is_settled = self._is_settled and (is_proved or clique.size > 0)
        if clique.size:
            yield vertices[clique]

    def _as_long_as_possible(self, members: Array, length: int) -> list[int]:
        """As many of the members as the spread of their values allows, at least `length`."""
        chosen = np.zeros(self.edges.n, dtype=bool)
        chosen[members] = True
        values = self.edges.values[chosen[self.edges.firsts] & chosen[self.edges.seconds]]
        spread = values[-1] - values[0]
        while length < members.size and spread <= self.edges.width(length + 1):
            length += 1
        return [int(member) for member in np.sort(members)[:length]]


def _unpack(words: Array, n: int) -> Array:
    return np.unpackbits(words.view(np.uint8), axis=-1, count=n, bitorder="little").astype(bool)


def _is_at_most(left: Any, right: Any, slack: float) -> bool:
    return bool(at_most(left, right, slack) if slack else left <= right)
