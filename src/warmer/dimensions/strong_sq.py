r"""The strong SQ dimension: how many hypotheses can have nearly equal, not too large correlations.

Like the dissimilarity dimension it asks for values in a window that narrows with the length, and so it is searched. The
checker of its witness shares no code with the search.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from warmer.bounds.statistical_queries import spread_sq_lower_bound
from warmer.dimensions import latex
from warmer.dimensions.bracket import Bracket, brief, check_epsilon, check_flag, check_places, is_at_most, require_table
from warmer.dimensions.dissimilarity.tolerance import Tolerance, Values, as_steps
from warmer.dimensions.dissimilarity.window_search import sequences
from warmer.dimensions.dissimilarity.window_sweep import Sweep
from warmer.dimensions.dissimilarity.window_table import WindowTable, ceiling, comparable
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.model import Problem
from warmer.model.errors import CertificateError, HypothesisError, InvalidValueError
from warmer.model.numbers import as_fraction, as_number, as_positive, check_scale
from warmer.model.time_limit import interruptible


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

    __repr__ = brief

    def __len__(self) -> int:
        return len(self.targets)

    def to_latex(self, problem: Problem | None = None) -> str:
        r"""The hypotheses and what is true of them, as a formula without its dollar signs; with a problem's labels.

        Examples
        --------
        >>> print(StrongSQWitness((0, 2), epsilon=0.5).to_latex())
        (0,\ 2),\quad |\langle h_i,h_j\rangle|\le1-0.5,\quad \max\langle h_i,h_j\rangle-\min\langle h_i,h_j\rangle\le1/2
        """
        value = r"\langle h_i,h_j\rangle"
        return latex.described(
            latex.sequence(latex.labels(self.targets, latex.of_targets(problem))),
            rf"{f'|{value}|' if self.absolute else value}\le1-{latex.number(self.epsilon)}",
            rf"\max{value}-\min{value}\le1/{len(self)}",
        )

    def check(self, problem: Problem) -> float:
        r"""Re-read Definition 4; return the margin of both conditions, or raise `CertificateError`."""
        if not problem.is_square:
            raise CertificateError("the strong SQ dimension needs a square problem; here queries and targets differ.")
        check_flag("absolute", self.absolute)
        targets = check_places("target", self.targets, problem.n_targets)
        length = len(targets)
        pairs = list(combinations(targets, 2))
        values = [problem.entry(i, j) for i, j in pairs]
        exact = problem.rational is not None
        highest: Any = 1 - check_epsilon(self, problem)
        for (i, j), value in zip(pairs, values, strict=True):
            names = f"{problem.targets[i]!r} and {problem.targets[j]!r}"
            if i == j:
                raise CertificateError(f"target {problem.targets[i]!r} appears twice in the sequence.")
            if not is_at_most(abs(value) if self.absolute else value, highest, problem):
                raise CertificateError(
                    f"targets {names} have correlation {float(value):.6g}, beyond 1 - epsilon = {float(highest):.6g}."
                )
            if not abs(value - problem.entry(j, i)) <= (0 if exact else problem.slack):
                raise CertificateError(f"the table is not symmetric for targets {names}.")
        worst = max((abs(value) if self.absolute else value for value in values), default=-math.inf)
        if len(values) < 2:
            return float(highest - worst)
        low, high = min(values), max(values)
        if not is_at_most(high - low, Fraction(1, length) if exact else 1 / length, problem):
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
    require_table(problem, "the strong SQ dimension")
    epsilon = check_scale("epsilon", epsilon)
    search = Anytime(time_limit, progress, upper=problem.n_targets, reason="all targets used")
    check_symmetric(problem, "the strong SQ dimension")
    if problem.reward_range != (-1.0, 1.0):
        low, high = problem.reward_range
        raise InvalidValueError(
            f"the strong SQ dimension is about correlations in [-1, 1]; this problem's range is [{low:g}, {high:g}]."
        )
    search.rehearse(strong_sq_dimension, problem, is_symmetric=True, epsilon=0.5)
    table = _correlations(problem, epsilon, absolute=absolute)
    table = search.prepare(table.sorted) or table
    one = 1.0 if problem.rational is None else problem.rational.denominator
    tolerance = _WithinOneOverLength(one, problem.slack)
    elements = Sweep(table, tolerance, sequences(table), search).run()
    witness = StrongSQWitness(tuple(sorted(int(element.column) for element in elements)), epsilon, absolute)
    witness.check(problem)
    return search.bracket(witness)


def check_symmetric(problem: Problem, what: str) -> None:
    """Raise unless the problem is square and symmetric, naming two alternatives that see each other differently."""
    if not problem.is_square:
        raise InvalidValueError(f"{what} needs a square problem; build it with Problem.from_similarity.")
    entries = comparable(problem)
    differs = np.abs(entries - entries.T) > (problem.slack if problem.rational is None else 0)
    for row, column in np.argwhere(differs)[:1].tolist():
        raise InvalidValueError(
            f"{what} needs a symmetric table, but rho[{problem.queries[row]!r}, {problem.targets[column]!r}] is "
            f"{problem.rho[row, column]} and the other way round it is {problem.rho[column, row]}."
        )


def _correlations(problem: Problem, epsilon: Any, *, absolute: bool) -> WindowTable:
    """The pairs that satisfy (a), in the order of their values."""
    table, highest = comparable(problem), ceiling(problem, 1 - as_fraction(epsilon))
    is_pair = np.triu(np.ones(table.shape, dtype=bool), 1)
    is_pair &= np.asarray((np.abs(table) if absolute else table) <= highest, dtype=bool)
    everyone = np.arange(len(table))
    return WindowTable(table, is_pair, np.eye(len(table), dtype=bool), everyone, everyone, is_symmetric=True)


@dataclass(frozen=True)
class _WithinOneOverLength(Tolerance):
    """Windows of width 1/d below any top, in units of the table's denominator."""

    one: Any
    slack: float

    def n_tops(self, values: Values, length: int) -> int:
        """Every value may be the largest."""
        return len(values)

    def widths(self, tops: Values, length: int) -> Values:
        """The same for each top."""
        if isinstance(self.one, float):
            return np.full(len(tops), self.one / length + self.slack)
        return as_steps([self.one // length] * len(tops), tops)


@dataclass(frozen=True)
class SQLowerBound:
    r"""Why no algorithm with fewer than `n_queries` $\pm1$ samples finds strict $\epsilon$-approximations so often.

    Targets with $\langle h_i,h_j\rangle\le1-2\epsilon$ and weights $w$; `eigenvalue`, not below any eigenvalue of
    $\sqrt{w_iw_j}\langle h_i-\bar h,h_j-\bar h\rangle$, where $\bar h=\sum_iw_ih_i$; `mean_correlation`, $|\bar h|^2$.

    Examples
    --------
    >>> from warmer.problems import parities
    >>> found = sq_lower_bound(parities(4), epsilon="1/4")
    >>> found.n_queries, found.eigenvalue, found.mean_correlation, found.check(parities(4))
    (5, Fraction(1, 16), Fraction(1, 16), 5)
    """

    targets: Sequence[int]
    weights: Sequence[Fraction]
    epsilon: Any
    success: Any
    eigenvalue: Fraction
    mean_correlation: Fraction
    n_queries: int

    __repr__ = brief

    def check(self, problem: Problem) -> int:
        """The number of queries, or `CertificateError`: by exact elimination, from the inequalities of the proof."""
        size, weights = len(self.targets), [as_fraction(weight) for weight in self.weights]
        if len(weights) != size or any(weight <= 0 for weight in weights) or sum(weights) != 1:
            raise CertificateError("there must be a weight above 0 for each target, and they must add up to 1.")
        check_places("target", self.targets, problem.n_targets)
        table = _exact_correlations(problem, self.targets)
        for i, j in combinations(range(size), 2):
            if table[i][j] != table[j][i] or table[i][j] > 1 - 2 * as_fraction(self.epsilon):
                raise CertificateError(
                    f"the correlation of targets {self.targets[i]} and {self.targets[j]} is too large."
                )
        if any(table[i][i] != 1 for i in range(size)) or not _is_semidefinite(table):
            raise CertificateError("the table is not one of correlations: it must be positive semidefinite, with ones.")
        means = [sum((w * value for w, value in zip(weights, row, strict=True)), Fraction(0)) for row in table]
        square = sum((w * mean for w, mean in zip(weights, means, strict=True)), Fraction(0))
        if square != self.mean_correlation:
            raise CertificateError(f"the mean correlation is {square}, not {self.mean_correlation}.")
        rest = [[means[i] + means[j] - square - table[i][j] for j in range(size)] for i in range(size)]
        for i in range(size):
            rest[i][i] += self.eigenvalue / weights[i]
        if not _is_semidefinite(rest):
            raise CertificateError(f"{self.eigenvalue} is below the largest eigenvalue.")
        excess = as_fraction(self.success) - max(weights)
        if self.n_queries < 1 or not _is_too_few(self.n_queries - 1, excess, self.eigenvalue, square):
            raise CertificateError(f"the proof does not exclude {self.n_queries - 1} queries.")
        return self.n_queries


def sq_lower_bound(
    problem: Problem,
    *,
    epsilon: Any,
    targets: Sequence[int] | None = None,
    weights: Sequence[Any] | None = None,
    success: Any = Fraction(2, 3),
) -> SQLowerBound:
    r"""Certify how many $\pm1$ samples strict $\epsilon$-approximations need, for a class at hand.

    `targets` have correlations of at most $1-2\epsilon$ (without them the first that fit, in order); `weights` is how
    the target is drawn among them, evenly by default. Proof: E4 of the errata. The check takes about $s^3$ exact steps.
    """
    scale, probability = as_positive("epsilon", epsilon), as_number("success", success)
    if problem.n_queries != problem.n_targets:
        raise HypothesisError("the lower bound is about correlations of hypotheses, a square table.")
    if targets is None:
        chosen: list[int] = []
        most = float(1 - 2 * scale) + problem.slack
        for target in range(problem.n_targets):
            if all(problem.rho[target, other] <= most for other in chosen):
                chosen.append(target)
        targets = chosen
    places = tuple(targets)
    check_places("target", places, problem.n_targets)
    table = _exact_correlations(problem, places)
    given = (
        [Fraction(1, len(places))] * len(places) if weights is None else [as_positive("weights", w) for w in weights]
    )
    if len(given) != len(places):
        raise InvalidValueError(f"weights needs one number for each of {len(places)} targets, got {len(given)}.")
    prior = [weight / sum(given) for weight in given]
    if not max(prior) < probability <= 1:
        raise HypothesisError(f"success must be a probability above the largest weight, {max(prior)}, got {success}.")
    exact = np.array(table, dtype=object)
    mass = np.array(prior, dtype=object)
    means = exact @ mass
    square = Fraction(mass @ means)
    centred = (exact - means[:, None] - means[None, :] + square).astype(float)
    root = np.sqrt(mass.astype(float))
    top = float(np.linalg.eigvalsh(root[:, None] * centred * root[None, :])[-1])
    simple = Fraction(top).limit_denominator(10**6)
    safe = Fraction(math.ceil(top * (1 + 1e-9) * 10**12) + 1, 10**12)
    for eigenvalue in (simple, safe):
        if eigenvalue <= 0 or eigenvalue > safe or not 0 <= square <= 1:
            continue
        n_queries = spread_sq_lower_bound(guess=max(prior), spread=eigenvalue, mean_square=square, success=probability)
        found = SQLowerBound(places, tuple(prior), scale, probability, eigenvalue, square, n_queries)
        try:
            found.check(problem)
        except CertificateError:
            if eigenvalue == safe:
                raise
        else:
            return found
    raise HypothesisError("the table is not one of correlations: it must be positive semidefinite.")


def _exact_correlations(problem: Problem, targets: Sequence[int]) -> list[list[Fraction]]:
    if problem.rational is None:
        raise HypothesisError("a certified lower bound needs exact correlations; give the table as fractions.")
    numerators, denominator = problem.rational
    return [[Fraction(int(numerators[i, j]), int(denominator)) for j in targets] for i in targets]


def _is_semidefinite(table: Sequence[Sequence[Fraction]]) -> bool:
    """Whether a symmetric table is positive semidefinite, by elimination."""
    rows = [list(row) for row in table]
    while rows:
        first = rows[0]
        if first[0] < 0 or (first[0] == 0 and any(first)):
            return False
        rows = [
            [value - row[0] * above / first[0] for value, above in zip(row[1:], first[1:], strict=True)]
            if row[0]
            else row[1:]
            for row in rows[1:]
        ]
    return True


def _is_too_few(n_queries: int, excess: Fraction, spread: Fraction, square: Fraction) -> bool:
    """Whether one of the two proofs shows that so many queries do not raise the guess by so much."""
    if 4 * excess**2 > n_queries**2 * spread:
        return True
    root = Fraction(math.isqrt(math.floor(square * 10**24)) + 1, 10**12)  # rounded up
    room = max(1 - root, (1 - square) / 2)
    if root**2 < square or room <= 0:
        return False
    for share in (Fraction(k, 50) for k in range(1, 50)):
        rest = excess - n_queries * spread / (share * room) ** 2
        if rest > 0 and rest**2 > n_queries * spread / (4 * (1 - share) * room):
            return True
    return False
