"""Section 4 and Appendix B: the strong SQ dimension, and how many statistical queries are needed."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import scipy

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import AtScale, Instance, Sized, exact
from warmer.claims.instances.tables import (
    antipodes,
    draw_class,
    flips,
    hypotheses,
    n_queries_needed,
    nearly_orthogonal,
    parity_class,
)
from warmer.dimensions import DissimilarityWitness, StrongSQWitness, dissimilarity_dimension, strong_sq_dimension
from warmer.dimensions.converters import dissimilarity_from_strong_sq, strong_sq_from_dissimilarity
from warmer.dimensions.strong_sq import sq_lower_bound
from warmer.model import Array
from warmer.model.errors import HypothesisError
from warmer.problems import from_hypotheses, parities


def _four(instance: AtScale, *, least: int, absolute: bool = True) -> Iterator[Inequality]:
    """The four inequalities as printed, where the dissimilarity dimension is at least `least`."""
    problem, e = instance.problem, instance.epsilon

    def s(epsilon: Fraction) -> int:
        return strong_sq_dimension(problem, epsilon=epsilon, absolute=absolute).value

    r = instance.dissimilarity(e).value
    if r >= least:
        yield Inequality(min(s(e), math.floor(4 * e**2 * s(e) ** 2)), r, "(1) left")
        quarter = s(e / 4)
        yield Inequality(r, max(Fraction(quarter), 4 * e**2 * (quarter + 1) ** 2), "(1) right")
    wide = instance.dissimilarity(4 * e).value
    if wide >= least:
        root = math.isqrt(math.floor(wide / (64 * e**2)))
        yield Inequality(min(wide, root), s(e), "(2) left")
        yield Inequality(Fraction(s(e)) ** 2, max(Fraction(r) ** 2, (r + 1) / (4 * e**2)), "(2) right, squared")


@Claim("lem:ssqd_to_newdim", Expected.REFUTED, "E2", draw=hypotheses, given=antipodes)
def _four_printed(instance: AtScale) -> Iterator[Inequality]:
    """Each of the two dimensions is bounded by a polynomial in the other: four inequalities.

    If: dissimilarity dimension at least 2.
    """
    return _four(instance, least=2)


@Claim("lem:ssqd_to_newdim/repaired", Expected.REPAIRED, "E2", draw=hypotheses, given=nearly_orthogonal)
def _four_repaired(instance: AtScale) -> Iterator[Inequality]:
    """The four inequalities. If: dissimilarity dimension at least 3."""
    yield from _four(instance, least=3)
    e, at = instance.epsilon, bounds.strong_sq
    s, quarter = (strong_sq_dimension(instance.problem, epsilon=scale).value for scale in (e, e / 4))
    r, wide = instance.dissimilarity(e).value, instance.dissimilarity(4 * e).value
    yield Inequality(at.dissimilarity_lower_bound(strong_sq=s, epsilon=e), r, "lower bound on d")
    yield Inequality(r, at.dissimilarity_upper_bound(strong_sq=quarter, epsilon=e), "upper bound on d")
    yield Inequality(s, at.strong_sq_upper_bound(dissimilarity=r, epsilon=e), "upper bound on SQ")
    if wide >= 3:
        yield Inequality(at.strong_sq_lower_bound(dissimilarity=wide, epsilon=e), s, "lower bound on SQ")


@Claim("lem:ssqd_to_newdim/signed", Expected.REPAIRED, "E2", draw=hypotheses, given=antipodes)
def _four_signed(instance: AtScale) -> Iterator[Inequality]:
    """The four inequalities, without the absolute value in the strong SQ dimension.

    If: dissimilarity dimension at least 2.
    """
    return _four(instance, least=2, absolute=False)


@Claim(
    "lem:ssqd_to_newdim/construction",
    draw=hypotheses,
    given=lambda: [AtScale("parities of 4 bits", parities(4), Fraction(1), Fraction(1, 8))],
)
def _constructions(instance: AtScale) -> Iterator[Inequality]:
    """A prefix of a witness of one dimension is a witness of the other. If: dissimilarity dimension at least 3."""
    problem, e = instance.problem, instance.epsilon
    strong = strong_sq_dimension(problem, epsilon=e)
    assert isinstance(strong.witness, StrongSQWitness)
    back = dissimilarity_from_strong_sq(strong.witness, problem)
    yield Inequality(min(strong.value, math.floor(4 * e**2 * strong.value**2)), len(back), "SQ to dissimilarity")
    wide = instance.dissimilarity(4 * e)
    if wide.value >= 3:
        assert isinstance(wide.witness, DissimilarityWitness)
        there = strong_sq_from_dissimilarity(wide.witness, problem)
        least = min(wide.value, math.isqrt(math.floor(wide.value / (64 * e**2))))
        yield Inequality(least, len(there), "dissimilarity to SQ")


_SUCCESS = Fraction(2, 3)
_MOST_SAMPLES = 3
_few_parities = partial(draw_class, share=0.3)


def _without_queries(instance: AtScale, *, is_strict: bool) -> Iterator[Inequality]:
    """With no query at all one hypothesis may serve every target; the theorem wants m > s^(1/3)/12 > 0."""
    s = len(instance.strong_sq())
    if s < 11:
        return
    n_needed = n_queries_needed(instance.problem, instance.epsilon, is_strict=is_strict)
    yield Inequality(bounds.statistical_queries.sq_lower_bound(strong_sq=s), n_needed, f"queries, SQ dimension {s}")


@Claim("thm:lb", Expected.REFUTED, "E4", given=flips)
def _printed(instance: AtScale) -> Iterator[Inequality]:
    """More than s^(1/3)/12 samples are needed for an eps-approximation, rho >= 1 - eps.

    If: s, the strong SQ dimension at 2 eps, is at least 11; success with probability 2/3.
    """
    return _without_queries(instance, is_strict=False)


@Claim("thm:lb/strict", Expected.REPAIRED, "E4", draw=parity_class, given=flips)
def _strict(instance: AtScale) -> Iterator[Inequality]:
    """More than s^(1/3)/12 samples are needed for a strict eps-approximation, rho > 1 - eps.

    If: s at least 11; success with probability 2/3.
    """
    return _without_queries(instance, is_strict=True)


@Claim("thm:lb/bayes", Expected.REPAIRED, "E4", draw=_few_parities)
def _lower_bounds(instance: AtScale) -> Iterator[Inequality]:
    """One sample less than s^(1/3)/12, (4s/27)^(1/3) or about 1.09 sqrt(s): success below 2/3.

    If: strict approximation, s at least 11, 16 or 3; the target drawn uniformly; up to 3 samples.
    """
    # With one query less than a bound wants, the best possible algorithm succeeds with less than 2/3.
    targets = instance.strong_sq()
    s = len(targets)
    if s < 3:
        return
    wanted = {"sharper": bounds.statistical_queries.sharper_sq_lower_bound(strong_sq=s)}
    if s >= 11:
        wanted["printed"] = bounds.statistical_queries.sq_lower_bound(strong_sq=s)
    if s >= 16:
        wanted["cube root"] = bounds.statistical_queries.cube_root_sq_lower_bound(strong_sq=s)
    correlations = instance.problem.rho.astype(float)[:, np.array(targets)]
    serves = (correlations > 1 - float(instance.epsilon) + 1e-12).astype(float)
    for name, n_queries in wanted.items():
        if n_queries - 1 <= _MOST_SAMPLES:
            best = _bayes_success(correlations, serves, np.full(s, 1 / s), n_queries - 1)
            yield Inequality(best, float(_SUCCESS) - 1e-9, f"{name}: success with {n_queries - 1} of {n_queries}")


def _orthogonal() -> Iterator[AtScale]:
    for n_bits in (2, 3, 4):
        yield AtScale(f"the {2**n_bits} parities of {n_bits} bits", parities(n_bits), Fraction(1), Fraction(1, 8))
    triples = [signs for signs in product((1, -1), repeat=3) if abs(sum(signs)) == 1]
    problem = from_hypotheses(np.array([*zip(*triples, strict=True), [sum(signs) for signs in triples]]))
    yield AtScale("three functions of which two always agree, and their majority", problem, Fraction(1), Fraction(1, 8))


@Claim("thm:lb/linear", Expected.BEYOND, "E4", draw=_few_parities, given=_orthogonal)
def _certified(instance: AtScale) -> Iterator[Inequality]:
    """The steps of the bound that is linear in s, and one sample less than it: success below 2/3.

    If: strict approximation; the target drawn uniformly; up to 3 samples.
    """
    try:
        found = sq_lower_bound(instance.problem, epsilon=instance.epsilon)
    except HypothesisError:
        return
    n_targets = len(found.targets)
    numerators, denominator = exact(instance.problem)
    table = numerators[:, np.array(found.targets)].astype(object) * Fraction(1, denominator)
    means = table.sum(axis=1) * Fraction(1, n_targets)
    for row, mean in zip(table, means, strict=True):
        yield Inequality(((row - mean) ** 2).sum() * Fraction(1, n_targets), found.eigenvalue, "spread of a query")
        yield Inequality(mean**2, found.mean_correlation, "its mean, squared")
    if found.n_queries - 1 <= _MOST_SAMPLES:
        serves = (table > 1 - instance.epsilon).astype(float)
        weights = np.full(n_targets, 1 / n_targets)
        best = _bayes_success(table.astype(float), serves, weights, found.n_queries - 1)
        yield Inequality(best, float(_SUCCESS) - 1e-9, f"success with {found.n_queries - 1} of {found.n_queries}")


@Claim("thm:lb/divergence", Expected.BEYOND, "E4", given=lambda: [Instance("two coins, on a grid of means")])
def _divergence(instance: Instance) -> Iterator[Inequality]:
    """The divergence of two answers with means v and v + D is at most D^2/(2(1 - |v| - D)). If: D < 1 - |v|."""
    for mean in (0.0, 0.3, -0.3, 0.9, -0.9, 0.99):
        for share in (0.01, 0.1, 0.5, 0.9):
            distance = share * (1 - abs(mean))
            bound = bounds.statistical_queries.answer_divergence_bound(mean=mean, distance=distance)
            for other in (mean + distance, mean - distance):
                chances = np.array([1 + mean, 1 - mean]) / 2, np.array([1 + other, 1 - other]) / 2
                yield Inequality(float(scipy.special.rel_entr(*chances).sum()), bound, f"mean {mean}, {distance}")


def _sizes() -> Iterator[Sized]:
    for s in (16, 64, 256, 1024, 4096, 2**16, 10**6):
        yield Sized(f"{s} parities", parities(2), Fraction(1), Fraction(1, 8), s)


@Claim("thm:lb/elimination", Expected.BEYOND, "E4", given=_sizes)
def _elimination(instance: Sized) -> Iterator[Inequality]:
    """For s parities the larger of both bounds is below what elimination needs, about 4s/3 samples, up to s = 10^6."""
    # Try candidates in random order and move on at the first -1: success E[min(s, 1 + Bin(m, 1/2))]/s.
    s = instance.n
    bound = bounds.statistical_queries.linear_sq_lower_bound(strong_sq=s, gap=1, eigenvalue=1)
    yield Inequality(bound, samples_of_elimination(s), "samples")


def samples_of_elimination(size: int) -> int:
    """The least m with which elimination finds one of so many parities with probability 2/3.

    Examples
    --------
    >>> samples_of_elimination(16), samples_of_elimination(10**6)
    (20, 1333332)
    """

    def is_too_few(m: int) -> bool:
        middle, far = m / 2, 20 * math.sqrt(m)  # further off the chance is 1, or 0, up to e^(-800)
        start, end = max(0, math.floor(middle - far)), min(size - 1, math.ceil(middle + far))
        reached = 1 + min(start, size - 1) + float(scipy.stats.binom.sf(np.arange(start, end), m, 0.5).sum())
        return reached < 2 * size / 3 - 1e-6

    low, high = 0, 2 * size
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_too_few(middle) else (low, middle)
    return high


def _bayes_success(correlations: Array, serves: Array, weights: Array, n_queries: int) -> float:
    """The best probability of success after so many samples, the target being drawn with these weights."""
    if n_queries == 0:
        return float((serves @ weights).max())
    if n_queries == 1:
        up, down = (weights * (1 + sign * correlations) / 2 for sign in (1, -1))
        return float(((up @ serves.T).max(axis=1) + (down @ serves.T).max(axis=1)).max())
    rows = np.unique(correlations, axis=0)
    return max(
        sum(_bayes_success(correlations, serves, weights * (1 + sign * row) / 2, n_queries - 1) for sign in (1, -1))
        for row in rows
    )


_ROOT = 13**3
"""The K functions of the corollary are a sixth power, so that everything is rational: K is the square of this."""


@Claim(
    "cor:sq_dissim_lb",
    Expected.REFUTED,
    "E3",
    given=lambda: [Instance(f"10 parities and K = {_ROOT**2} functions that are -1 at one of K places")],
)
def _corollary_printed(instance: Instance) -> Iterator[Inequality]:
    """More than d^(1/3)/12 samples are needed, d the dissimilarity dimension at eps.

    If: strong SQ dimension at 2 eps at least 11, eps <= 1/(2 sqrt d).
    """
    # What the corollary asserts of the class, where each hypothesis of it has been checked.
    size = _ROOT**2
    # the K functions have correlations 1 - 4/K: all are dissimilar at eps = (4/K)/(1 - 1/sqrt K)
    epsilon, value = Fraction(4, size) / (1 - Fraction(1, _ROOT)), 1 - Fraction(4, size)
    dimension = bounds.class_dimensions.equal_correlations_dimension(size=size, correlation=value, epsilon=epsilon)
    most = bounds.class_dimensions.union_dimension_bound(dimensions=[dimension, 10])
    asserted = bounds.statistical_queries.sq_lower_bound(strong_sq=dimension)  # the least m with m > d^(1/3)/12
    success = _success_of_trying(asserted - 1) - Fraction(2 * (asserted - 1), size)
    steps = [
        *_parts_of_the_class(),
        Inequality(4 * epsilon**2 * most, 1, "eps <= 1/(2 sqrt d)"),
        Inequality(1 - epsilon, value, "one of the functions approximates all, strictly", is_strict=True),
        Inequality(_SUCCESS, success, "the algorithm is good enough for the corollary to speak of it"),
    ]
    if all(step.holds for step in steps):
        yield Inequality(asserted, asserted - 1, f"queries of an algorithm with success {float(success):.4f}")


def _parts_of_the_class() -> Iterator[Inequality]:
    """The same class with few functions, where all dimensions can be computed; parities do not correlate with them."""
    for k in (16, 25):
        parity = np.repeat(scipy.linalg.hadamard(16)[1:11], k, axis=1)
        points = np.tile(np.where(np.eye(k, dtype=bool), -1, 1), (1, 16))
        problem = from_hypotheses(np.concatenate([parity, points]))
        epsilon = Fraction(4, k) / (1 - Fraction(1, math.isqrt(k)))
        found = dissimilarity_dimension(problem, alpha=1, epsilon=epsilon)
        formula = bounds.class_dimensions.equal_correlations_dimension(
            size=k, correlation=1 - Fraction(4, k), epsilon=epsilon
        )
        yield Inequality(formula, found.value, f"dimension of {k} functions, computed")
        yield Inequality(11, strong_sq_dimension(problem, epsilon=Fraction(1, 100)).value, "ten parities and one more")


def _success_of_trying(n_queries: int) -> Fraction:
    """Try 11 candidates in random order, moving on at the first -1: E[min(11, 1 + Bin(m, 1/2))]/11."""
    counts = (math.comb(n_queries, k) * min(11, 1 + k) for k in range(n_queries + 1))
    return Fraction(sum(counts), 11 * 2**n_queries)


@Claim("cor:sq_dissim_lb/repaired", Expected.REPAIRED, "E3", draw=_few_parities)
def _corollary_repaired(instance: AtScale) -> Iterator[Inequality]:
    """More than d^(1/3)/12 samples are needed, d the dissimilarity dimension at 8 eps.

    If: d at least 3, eps <= 1/(16 sqrt d).
    """
    # At 8 eps the dissimilarity dimension is at most the strong SQ dimension at 2 eps, and `thm:lb` applies.
    problem, epsilon = instance.problem, instance.epsilon / 64
    r = instance.dissimilarity(8 * epsilon).value
    if r < 3 or 256 * epsilon**2 * r > 1:
        return
    s = strong_sq_dimension(problem, epsilon=2 * epsilon).value
    yield Inequality(r, s, "d at 8 eps against SQ at 2 eps")
    bound = bounds.statistical_queries.dissimilarity_sq_lower_bound(dissimilarity=r, epsilon=epsilon)
    yield Inequality(bound, bounds.statistical_queries.sharper_sq_lower_bound(strong_sq=s), "queries")
