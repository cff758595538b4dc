"""Section 1: what the paper says of the decision-estimation coefficient."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality, both_ways
from warmer.claims.instances.kinds import AtScale, Sized, exact
from warmer.dimensions import decision_estimation_coefficient
from warmer.problems import parities
from warmer.problems.extremal import revealing

_ROUNDING = 1e-9


def _parities() -> Iterator[AtScale]:
    for n_bits in (2, 4, 6):
        yield AtScale(f"the {2**n_bits} parities of {n_bits} bits", parities(n_bits), Fraction(1), Fraction(1, 8))


@Claim("sec:sq/dec", given=_parities)
def _dec(instance: AtScale) -> Iterator[Inequality]:
    """The decision-estimation coefficient does not capture SQ learning: it is 0 however many queries are needed.

    If: references from the class, gamma at least 1; parities. With one reference from its convex hull it is large.
    """
    # Against a reference h ask h itself: if h is the truth there is no regret, if not it tells at a price of gamma.
    problem, size = instance.problem, instance.problem.n_targets
    for gamma in (1, 4):
        found = decision_estimation_coefficient(problem, gamma=gamma)
        found.check(problem)
        yield Inequality(found.upper, _ROUNDING, f"the coefficient at gamma = {gamma}")
    queries = bounds.statistical_queries.sharper_sq_lower_bound(strong_sq=len(instance.strong_sq()))
    yield Inequality(math.sqrt(size), queries, "queries that a strict approximation needs")
    # Under the uniform mixture of the class as reference, and as prior, every query pays the same.
    numerators, denominator = exact(problem)
    values = numerators.astype(object) * Fraction(1, denominator)
    mixture = values.sum(axis=1) * Fraction(1, size)
    for gamma in (1, 4):
        losses = 1 - values - gamma * (values - mixture[:, np.newaxis]) ** 2
        least = (losses.sum(axis=1) * Fraction(1, size)).min()
        yield Inequality(1 - Fraction(1 + gamma, size), least, f"with the hull, at gamma = {gamma}")


def _revealing() -> Iterator[Sized]:
    for n in (2, 5, 12):
        found = revealing(n)
        name = f"{n} needles and one alternative that tells them apart"
        yield Sized(name, found.problem, found.alpha, found.epsilon, n)


@Claim("def:new_dim/learning", Expected.BEYOND, given=_revealing)
def _no_lower_bound(instance: Sized) -> Iterator[Inequality]:
    """The dissimilarity dimension is no lower bound on learning: it is n + 1, and one answer names the truth.

    If: exact answers.
    """
    yield from both_ways(instance.n + 1, instance.dissimilarity(instance.epsilon).value, "dimension")
    numerators, _ = exact(instance.problem)
    answers = max(len(set(row.tolist())) for row in numerators)
    yield Inequality(instance.problem.n_targets, answers, "truths that one query tells apart")
