"""Sequences of queries that do as badly as the two properties of the theorems allow, in exact arithmetic."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from warmer.claims.instances.kinds import AtScale, Generator, exact
from warmer.claims.instances.tables import any_table
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
