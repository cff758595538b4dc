"""Section 4 and Appendix B: the strong SQ dimension against the dissimilarity dimension."""

import math
from collections.abc import Iterator
from fractions import Fraction

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import AtScale
from warmer.claims.instances.statistical_queries import antipodes
from warmer.claims.instances.tables import hypotheses
from warmer.dimensions import DissimilarityWitness, StrongSQWitness, strong_sq_dimension
from warmer.dimensions.converters import dissimilarity_from_strong_sq, strong_sq_from_dissimilarity
from warmer.problems import parities


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

    Hypotheses: dissimilarity dimension at least 2.
    """
    return _four(instance, least=2)


@Claim("lem:ssqd_to_newdim/repaired", Expected.REPAIRED, "E2", draw=hypotheses)
def _four_repaired(instance: AtScale) -> Iterator[Inequality]:
    """The four inequalities.

    Hypotheses: dissimilarity dimension at least 3.
    """
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

    Hypotheses: dissimilarity dimension at least 2.
    """
    return _four(instance, least=2, absolute=False)


@Claim(
    "lem:ssqd_to_newdim/construction",
    draw=hypotheses,
    given=lambda: [AtScale("parities of 4 bits", parities(4), Fraction(1), Fraction(1, 8))],
)
def _constructions(instance: AtScale) -> Iterator[Inequality]:
    """A prefix of a witness of one dimension is a witness of the other.

    Hypotheses: dissimilarity dimension at least 3.
    """
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
