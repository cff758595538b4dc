"""Traces that do as badly as the theorems allow, or break a step of their proofs, exactly; and the cliques of those."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations

import numpy as np

from warmer import bounds
from warmer.claims.instances.kinds import AtScale, Generator, Instance, exact
from warmer.claims.instances.tables import any_table, equally_similar, fraction
from warmer.model import Array, Problem


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

    def n_bad(self, epsilon: Fraction) -> int:
        """How many queries earn less than alpha - epsilon."""
        return sum(value < self.alpha - epsilon for value in self.values)


def alternatives(problem: Problem, alpha: Fraction) -> tuple[Array, Array]:
    """The queries and targets of all alternatives that reach alpha: the diagonal, or all pairs of a bandit."""
    numerators, denominator = exact(problem)
    reaches = np.array(numerators * alpha.denominator >= alpha.numerator * denominator, dtype=bool)
    if problem.is_square:
        own = np.flatnonzero(reaches.diagonal())
        return own, own
    queries, targets = np.nonzero(reaches)
    return queries, targets


def draw_trace(rng: Generator, *, is_exact: bool = False, horizon: int = 40) -> Traced:
    """A random table, a truth, and an adversary that prefers bad queries as long as its error budget lasts.

    With `is_exact` the budget is 0, as it is where rewards are exact: every query agrees with all that was seen.
    """
    instance = any_table(rng)
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    queries, targets = alternatives(problem, alpha)
    table, denominator = exact(problem)
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


def gap() -> Iterator[AtScale]:
    """Three alternatives that the printed proof counts wrongly."""
    problem = Problem.from_similarity([[20, 13, -13], [20, 20, 13], [20, 20, 20]], denominator=20)
    yield AtScale("[[1,.65,-.65],[1,1,.65],[1,1,1]], alpha=eps=1", problem, Fraction(1), Fraction(1))


def two_queries() -> Iterator[Traced]:
    """One bad query, asked as often as the error budget allows: the regret is sqrt(C T), and d = 2."""
    for gap, budget in ((Fraction(1, 2), 12), (Fraction(1), 40), (Fraction(1, 8), 12)):
        horizon = int(budget / gap**2) + 1
        values, kept = (1 - gap,) * horizon, (horizon - 1) * gap**2
        name = f"a query {gap} worse than the truth asked {horizon} times, C={kept}"
        yield Traced(name, equally_similar(2, 1 - gap), Fraction(1), gap * Fraction(99, 100), values, kept)


def many_needles() -> Iterator[Traced]:
    """Needles of similarity 1 - 0.76 eps: at eps at most 17 are dissimilar, at 3/4 eps all are."""
    yield needle(110, 1 - Fraction(76, 100) * Fraction(5, 2), alpha=Fraction(1), epsilon=Fraction(5, 2))


@dataclass(frozen=True, eq=False)
class Plan(Instance):
    """The numbers that go into the length of Algorithm 2."""

    d: int
    epsilon: Fraction
    budget: float
    delta: float

    @cached_property
    def horizon(self) -> int:
        """The least T >= 64 d^2.5 C/eps^2."""
        epsilon = float(self.epsilon)
        return bounds.pac_horizon(dimension=self.d, epsilon=epsilon, error_budget=lambda horizon: self.budget)

    @property
    def large_budget(self) -> float:
        """The error budget, or the ln 2T that the theorem asks for."""
        return max(self.budget, math.log(2 * self.horizon))

    def printed_count(self, epsilon: float) -> float:
        """How many queries may be bad at a scale, by the first form of the lemma."""
        budget = self.large_budget
        return bounds.bad_queries_bound(form="printed", dimension=self.d, error_budget=budget, epsilon=epsilon)


def draw_plan(rng: Generator) -> Plan:
    """Random numbers for a plan."""
    d, epsilon = int(rng.integers(1, 65)), fraction(rng, 0, 2, 64) or Fraction(1, 64)
    budget, delta = float(rng.uniform(0, 200)), float(rng.uniform(1e-6, 0.9))
    name = f"d={d}, eps={epsilon}, C={budget:.4g}, delta={delta:.3g}"
    return Plan(name, d, epsilon, budget, delta)


def plan_at_scale_one() -> Iterator[Plan]:
    """A plan by hand."""
    yield Plan("d=2, eps=1, C=10", 2, Fraction(1), 10.0, 0.1)


def longest_loose_sequence(problem: Problem, alpha: Fraction, epsilon: Fraction, *, length: int) -> int:
    r"""The longest sequence whose forward values are within $\epsilon/\sqrt d$ of one center, for a given d.

    The definition has its own length in place of d, which is a smaller tolerance where the sequence is longer.
    """

    def is_loose(sequence: tuple[int, ...]) -> bool:
        values: list[Fraction] = [problem.entry(i, j) for i, j in combinations(sequence, 2)] or [alpha - epsilon]
        excess = max(Fraction(0), max(values) - alpha + epsilon)
        return length * max((max(values) - min(values)) / 2, excess) ** 2 <= epsilon**2

    return _longest(_viable(problem, alpha), is_loose)


def longest_close_clique(problem: Problem, alpha: Fraction, epsilon: Fraction, *, length: int) -> int:
    r"""The largest clique of the repaired proof: queries that the truth and each later query evaluate alike.

    All $\rho(z_s|z^*)$ are within $\epsilon/(2\sqrt{d})$ of a center of at most $\alpha-\epsilon$, and
    $|\rho(z_s|z_t)-\rho(z_s|z^*)|<\epsilon/(2\sqrt d)$ for $s<t$, for a given d; over all truths.
    """
    rho, viable = problem.entry, _viable(problem, alpha)

    def is_near(distance: Fraction) -> bool:
        return 4 * length * distance**2 < epsilon**2

    def is_close(clique: tuple[int, ...], truth: int, center: Fraction) -> bool:
        *before, z = clique
        return is_near(rho(z, truth) - center) and all(is_near(rho(s, z) - rho(s, truth)) for s in before)

    centers = {(truth, min(rho(z, truth), alpha - epsilon)) for truth in viable for z in viable}
    return max((_longest(viable, partial(is_close, truth=z, center=c)) for z, c in centers), default=0)


def _viable(problem: Problem, alpha: Fraction) -> list[int]:
    return [z for z in range(problem.n_targets) if problem.entry(z, z) >= alpha]


def _longest(items: list[int], fits: Callable[[tuple[int, ...]], bool], start: tuple[int, ...] = ()) -> int:
    """The length of the longest sequence of different items all beginnings of which fit."""
    longer = [(*start, item) for item in items if item not in start]
    return max((_longest(items, fits, each) for each in longer if fits(each)), default=len(start))
