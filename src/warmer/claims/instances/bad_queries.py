"""Traces that do as badly as the theorems allow, exactly."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.claims.instances.kinds import AtScale, Generator, exact
from warmer.claims.instances.tables import any_table, equally_similar
from warmer.model import Problem
from warmer.problems.extremal import ladder


@dataclass(frozen=True, eq=False)
class Traced(AtScale):
    """A table and a trace on it: the rho(z_t|z*) of queries with large self-evaluations, and the error budget kept.

    The budget is the largest sum over i < t of (rho(z_i|z_t) - rho(z_i|z*))^2.
    """

    values: tuple[Fraction, ...]
    error_budget: Fraction

    @property
    def horizon(self) -> int:
        """How many queries there are."""
        return len(self.values)

    @property
    def regret(self) -> float:
        """How far they fall short of alpha in all."""
        return float(sum(self.alpha - value for value in self.values))

    @property
    def large_budget(self) -> float:
        """The error budget, or the ln 2T that the theorems ask for."""
        return max(float(self.error_budget), math.log(2 * self.horizon))

    def n_bad(self, epsilon: Fraction) -> int:
        """How many queries earn less than alpha - epsilon."""
        return sum(value < self.alpha - epsilon for value in self.values)


def printed_count(dimension: int, error_budget: Fraction | float, epsilon: Fraction | float) -> float:
    """How many queries may be bad at a scale, by the first form of the lemma."""
    budget, gap = float(error_budget), float(epsilon)
    return bounds.bad_queries_bound(form="printed", dimension=dimension, error_budget=budget, epsilon=gap)


def draw_trace(rng: Generator, *, is_exact: bool = False, horizon: int = 40) -> Traced:
    """A random table, a truth, and an adversary that prefers bad queries as long as its error budget lasts.

    With `is_exact` the budget is 0, as it is where rewards are exact: every query agrees with all that was seen.
    """
    instance = any_table(rng)
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    table, denominator = exact(problem)
    reaches = np.array(table * alpha.denominator >= alpha.numerator * denominator, dtype=bool)
    queries, targets = np.nonzero(reaches & np.eye(len(table), dtype=bool) if problem.is_square else reaches)
    truth = int(targets[rng.integers(len(targets))])  # somebody who reaches alpha
    budget = 0 if is_exact else int(rng.integers(0, 8)) * denominator**2
    spent = np.zeros(len(queries), dtype=object)
    values, worst = [], 0
    for _ in range(horizon):
        legal = np.flatnonzero(spent <= budget)
        if not len(legal):
            break
        bad = legal[[Fraction(int(table[queries[k], truth]), denominator) < alpha - epsilon for k in legal]]
        k = int(rng.choice(bad if len(bad) else legal))
        worst = max(worst, int(spent[k]))
        row = table[queries[k]].astype(object)
        spent = spent + (row[targets] - row[truth]) ** 2
        values.append(Fraction(int(row[truth]), denominator))
    kept = Fraction(worst, denominator**2)
    name = f"{instance.name}, truth {truth}, {len(values)} queries, C={kept}"
    return Traced(name, problem, alpha, epsilon, tuple(values), kept)


def equal_similarities() -> Iterator[Traced]:
    """Alternatives that only exclude themselves: with exact rewards, n-1 bad queries; and an eps beyond 4."""
    for n in (2, 5, 12):
        yield needle(n, Fraction(0), alpha=Fraction(1), epsilon=Fraction(3, 4))
    one = Problem.from_similarity([[1]])
    yield Traced("one alternative, alpha=1, eps=5", one, Fraction(1), Fraction(5), (Fraction(1),), Fraction(0))


def needle(n: int, value: Fraction, *, alpha: Fraction, epsilon: Fraction) -> Traced:
    """All alternatives but the truth asked, of one similarity to it."""
    name = f"{n} alternatives of similarity {value}, all but the truth asked, alpha={alpha}, eps={epsilon}"
    return Traced(name, equally_similar(n, value), alpha, epsilon, (value,) * (n - 1), Fraction(0))


def two_queries() -> Iterator[Traced]:
    """One bad query, asked as often as the error budget allows: the regret is sqrt(C T), and d = 2."""
    for gap, budget in ((Fraction(1, 2), 12), (Fraction(1), 40), (Fraction(1, 8), 12)):
        horizon = int(budget / gap**2) + 1
        values, kept = (1 - gap,) * horizon, (horizon - 1) * gap**2
        name = f"a query {gap} worse than the truth asked {horizon} times, C={kept}"
        yield Traced(name, equally_similar(2, 1 - gap), Fraction(1), gap * Fraction(99, 100), values, kept)


def ladders() -> Iterator[Traced]:
    """As many bad queries as the coloured count allows at C = 0, which Algorithm 1 makes too."""
    for dimension, epsilon in ((2, Fraction(1, 50)), (3, Fraction(1, 5)), (5, Fraction(1, 3)), (8, Fraction(9, 10))):
        found = ladder(dimension, epsilon)
        problem, truth = found.problem, found.n_bad
        values = tuple(problem.entry(query, truth) for query in range(truth))
        name = f"a ladder of dimension {dimension}, alpha=1, eps={epsilon}, C=0"
        yield Traced(name, problem, found.alpha, found.epsilon, values, found.error_budget)


def strangers() -> Iterator[Traced]:
    """Two queries of gap 2 of which the second does not predict the first: d = 2, and C leaves room for one such."""
    for error in (Fraction(3, 2), Fraction(147, 100)):
        problem = Problem.from_similarity([[1, error - 1, -1], [1, 1, -1], [1, 1, 1]])
        name = f"two queries of gap 2, one error of {error}, alpha=1, eps=199/100"
        yield Traced(name, problem, Fraction(1), Fraction(199, 100), (Fraction(-1), Fraction(-1)), error**2)
