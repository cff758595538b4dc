"""Section 5.1 and Appendix C: the eluder dimension, and the class that separates the two dimensions."""

from collections.abc import Iterator
from fractions import Fraction

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.eluder import (
    Bumps,
    Halves,
    close_functions,
    draw_long,
    draw_union,
    needles,
    part,
    separations,
)
from warmer.claims.instances.kinds import AtScale
from warmer.claims.instances.tables import bandit
from warmer.dimensions import DissimilarityWitness, covering_number, dissimilarity_dimension, eluder_dimension
from warmer.dimensions.converters import eluder_from_dissimilarity
from warmer.problems import separation


def _eluder(instance: AtScale, *, is_repaired: bool) -> Iterator[Inequality]:
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    eluder = eluder_dimension(problem, epsilon=epsilon, monotone=True).value
    found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon * Fraction(3, 2), monotone=True).value
    bound = bounds.eluder_comparison(eluder=eluder) if is_repaired else 9 * eluder
    yield Inequality(found, bound, "monotone dimension at 3/2 eps vs 9 eluder")


def _construction(instance: AtScale) -> Iterator[Inequality]:
    problem, epsilon = instance.problem, instance.epsilon
    found = dissimilarity_dimension(problem, alpha=instance.alpha, epsilon=epsilon)
    if found.value < 10:
        return
    assert isinstance(found.witness, DissimilarityWitness)
    witness = eluder_from_dissimilarity(found.witness, problem)
    witness.check(problem)
    yield Inequality(-(-found.value // 9), len(witness), "length of the eluder witness")


def _separation(instance: Bumps) -> Iterator[Inequality]:
    yield from _separation_dissimilarity(instance)
    yield from _separation_eluder(instance)


def _separation_dissimilarity(instance: Bumps) -> Iterator[Inequality]:
    found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=Fraction(1, 4)).value
    yield Inequality(found, 16, "dissimilarity, as printed")
    sharper = bounds.class_dimensions.separation_dimension_bound(epsilon=Fraction(1, 4), height=Fraction(1, 4))
    yield Inequality(found, sharper, "dissimilarity, 3 of each kind")


def _separation_eluder(instance: Bumps) -> Iterator[Inequality]:
    eluder = eluder_dimension(instance.problem, epsilon=Fraction(1, 4), time_limit=20)
    yield Inequality(instance.bumps, eluder.lower, "eluder at least N")
    yield Inequality(5, eluder.lower, "eluder at least the points of a semicircle")


def _separation_value(instance: Bumps) -> Iterator[Inequality]:
    for epsilon in (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(2)):
        found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=epsilon).value
        yield Inequality(4, found, f"at least 4 at eps={epsilon}")
        most = bounds.class_dimensions.separation_dimension_bound(epsilon=epsilon, height=Fraction(1, 4))
        yield Inequality(found, most, f"at most 6 at eps={epsilon}")


def _separation_cover(instance: Bumps) -> Iterator[Inequality]:
    """The covering number in the regret bound at a radius below 2 eps, against that of N = 1."""
    radius = Fraction(1, 8)
    first = covering_number(separation(1), epsilon=radius, time_limit=20)
    found = covering_number(instance.problem, epsilon=radius, time_limit=20)
    yield Inequality(found.lower, first.upper, "ln of this enters the regret bound; at N=1")


def _subadditive(instance: Halves) -> Iterator[Inequality]:
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    parts = [part(problem, places) for places in instance.halves]
    for monotone in (False, True):
        whole, *two = (
            dissimilarity_dimension(part, alpha=alpha, epsilon=epsilon, monotone=monotone).value
            for part in (problem, *parts)
        )
        yield Inequality(
            whole, bounds.class_dimensions.union_dimension_bound(dimensions=two), "monotone" if monotone else "plain"
        )


CLAIMS = (
    Claim(
        label="theorem::upper_eluder",
        statement="The monotone dissimilarity dimension at 3/2 eps is at most 9 times the monotone eluder at eps.",
        hypotheses="a bandit",
        check=lambda instance: _eluder(instance, is_repaired=False),
        draw=bandit,
        given=close_functions,
        expected=Expected.REFUTED,
        erratum="E6",
    ),
    Claim(
        label="theorem::upper_eluder/repaired",
        statement="The same with the eluder dimension replaced by 1 where it is 0.",
        hypotheses="a bandit",
        check=lambda instance: _eluder(instance, is_repaired=True),
        draw=bandit,
        given=lambda: (*close_functions(), *needles()),
        notices="no instance comes near it, and a quarter of it would be noticed",
        expected=Expected.REPAIRED,
        erratum="E6",
    ),
    Claim(
        label="theorem::upper_eluder/construction",
        statement="Of d >= 10 dissimilar alternatives at tau the first d/9 are independent actions at 2/3 tau.",
        hypotheses="d at least 10",
        check=_construction,
        draw=draw_long,
        given=needles,
        at_most=60,
    ),
    Claim(
        label="prop::separation_eluder_dissimilarity",
        statement="F_{N,eps} has dissimilarity dimension at most 16 and eluder dimension at least N.",
        hypotheses="eps in (0, 1/2), alpha = 1; here on 12 rational points of the circle",
        check=_separation,
        given=separations,
        erratum="E9",
    ),
    Claim(
        label="lemma::lower_bound_star_eluder_special_class",
        statement="The eluder dimension of F_{N,eps} is at least N; even at least the points of a semicircle.",
        hypotheses="as above",
        check=_separation_eluder,
        given=separations,
        erratum="E9",
    ),
    Claim(
        label="lemma::dissimilarity_dimension_upper_bound",
        statement="The dissimilarity dimension of F_{N,eps} at alpha = 1 is at most 16; even at most 6.",
        hypotheses="as above",
        check=_separation_dissimilarity,
        given=separations,
        erratum="E9",
    ),
    Claim(
        label="prop::separation_eluder_dissimilarity/value",
        statement="Its dissimilarity dimension is between 4 and 6.",
        hypotheses="alpha = 1, eps at most 2",
        check=_separation_value,
        given=lambda: (instance for instance in separations() if instance.bumps == 1),
        expected=Expected.BEYOND,
        erratum="E9",
    ),
    Claim(
        label="prop::separation_eluder_dissimilarity/regret",
        statement="The regret bound does not depend on N (the covering number inside it does not grow).",
        hypotheses="noisy rewards",
        check=_separation_cover,
        given=lambda: (instance for instance in separations() if instance.bumps == 2),
        expected=Expected.REFUTED,
        erratum="E9",
    ),
    Claim(
        label="lemma::subaditivity_newdim",
        statement="The dimension of a union is at most the sum, for the plain and the monotone dimension.",
        hypotheses="the parts may overlap",
        check=_subadditive,
        draw=draw_union,
    ),
)
