"""Section 5.1 and Appendix C: the eluder dimension, and the class that separates the two dimensions."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from warmer import bounds
from warmer.claims.claim import Expected, Inequality, claim
from warmer.claims.instances import eluder as instances
from warmer.claims.instances.kinds import AtScale
from warmer.claims.instances.tables import bandit
from warmer.dimensions import DissimilarityWitness, covering_number, dissimilarity_dimension, eluder_dimension
from warmer.dimensions.converters import eluder_from_dissimilarity
from warmer.problems import separation

_both = partial(instances.separations, 1, 2)


def _eluder(instance: AtScale, *, is_repaired: bool) -> Iterator[Inequality]:
    eluder = eluder_dimension(instance.problem, epsilon=instance.epsilon, monotone=True).value
    found = instance.monotone_dimension(instance.epsilon * Fraction(3, 2))
    bound = bounds.eluder_comparison(eluder=eluder) if is_repaired else 9 * eluder
    yield Inequality(found, bound, "monotone dimension at 3/2 eps vs 9 eluder")


@claim("theorem::upper_eluder", Expected.REFUTED, "E6", draw=bandit, given=instances.close_functions)
def _upper_eluder(instance: AtScale) -> Iterator[Inequality]:
    """The monotone dissimilarity dimension at 3/2 eps is at most 9 times the monotone eluder at eps.

    Hypotheses: a bandit.
    """
    return _eluder(instance, is_repaired=False)


@claim(
    "theorem::upper_eluder/repaired",
    Expected.REPAIRED,
    "E6",
    draw=bandit,
    given=lambda: (*instances.close_functions(), *instances.needles()),
    notices="no instance comes near it, and a quarter of it would be noticed",
)
def _upper_eluder_repaired(instance: AtScale) -> Iterator[Inequality]:
    """The same with the eluder dimension replaced by 1 where it is 0.

    Hypotheses: a bandit.
    """
    return _eluder(instance, is_repaired=True)


@claim("theorem::upper_eluder/construction", draw=instances.draw_long, given=instances.needles, at_most=60)
def _construction(instance: AtScale) -> Iterator[Inequality]:
    """Of d >= 10 dissimilar alternatives at tau the first d/9 are independent actions at 2/3 tau.

    Hypotheses: d at least 10.
    """
    found = instance.dissimilarity()
    if found.value < 10:
        return
    assert isinstance(found.witness, DissimilarityWitness)
    witness = eluder_from_dissimilarity(found.witness, instance.problem)
    yield Inequality(-(-found.value // 9), len(witness), "length of the eluder witness")


@claim("prop::separation_eluder_dissimilarity", erratum="E9", given=_both)
def _separation(instance: instances.Bumps) -> Iterator[Inequality]:
    """F_{N,eps} has dissimilarity dimension at most 16 and eluder dimension at least N.

    Hypotheses: eps in (0, 1/2), alpha = 1; here on 12 rational points of the circle.
    """
    yield from _semicircle_dissimilarity.check(instance)
    yield from _semicircle_eluder.check(instance)


@claim("lemma::lower_bound_star_eluder_special_class", erratum="E9", given=_both)
def _semicircle_eluder(instance: instances.Bumps) -> Iterator[Inequality]:
    """The eluder dimension of F_{N,eps} is at least N; even at least the points of a semicircle.

    Hypotheses: as above.
    """
    eluder = eluder_dimension(instance.problem, epsilon=Fraction(1, 4), time_limit=20)
    yield Inequality(instance.bumps, eluder.lower, "eluder at least N")
    yield Inequality(5, eluder.lower, "eluder at least the points of a semicircle")


@claim("lemma::dissimilarity_dimension_upper_bound", erratum="E9", given=_both)
def _semicircle_dissimilarity(instance: instances.Bumps) -> Iterator[Inequality]:
    """The dissimilarity dimension of F_{N,eps} at alpha = 1 is at most 16; even at most 6.

    Hypotheses: as above.
    """
    found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=Fraction(1, 4)).value
    yield Inequality(found, 16, "dissimilarity, as printed")
    sharper = bounds.class_dimensions.separation_dimension_bound(epsilon=Fraction(1, 4), height=Fraction(1, 4))
    yield Inequality(found, sharper, "dissimilarity, 3 of each kind")


@claim("prop::separation_eluder_dissimilarity/value", Expected.BEYOND, "E9", given=partial(instances.separations, 1))
def _separation_value(instance: instances.Bumps) -> Iterator[Inequality]:
    """Its dissimilarity dimension is between 4 and 6.

    Hypotheses: alpha = 1, eps at most 2.
    """
    for epsilon in (Fraction(1, 8), Fraction(1, 4), Fraction(1, 2), Fraction(2)):
        found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=epsilon).value
        yield Inequality(4, found, f"at least 4 at eps={epsilon}")
        most = bounds.class_dimensions.separation_dimension_bound(epsilon=epsilon, height=Fraction(1, 4))
        yield Inequality(found, most, f"at most 6 at eps={epsilon}")


@claim("prop::separation_eluder_dissimilarity/regret", Expected.REFUTED, "E9", given=partial(instances.separations, 2))
def _separation_cover(instance: instances.Bumps) -> Iterator[Inequality]:
    """The regret bound does not depend on N (the covering number inside it does not grow).

    Hypotheses: noisy rewards.

    The covering number in the regret bound at a radius below 2 eps, against that of N = 1.
    """
    radius = Fraction(1, 8)
    first = covering_number(separation(1), epsilon=radius, time_limit=20)
    found = covering_number(instance.problem, epsilon=radius, time_limit=20)
    yield Inequality(found.lower, first.upper, "ln of this enters the regret bound; at N=1")


@claim("lemma::subaditivity_newdim", draw=instances.draw_union)
def _subadditive(instance: instances.Halves) -> Iterator[Inequality]:
    """The dimension of a union is at most the sum, for the plain and the monotone dimension.

    Hypotheses: the parts may overlap.
    """
    parts = [instances.part(instance.problem, places) for places in instance.halves]
    for monotone in (False, True):
        whole, *two = (
            dissimilarity_dimension(each, alpha=instance.alpha, epsilon=instance.epsilon, monotone=monotone).value
            for each in (instance.problem, *parts)
        )
        bound = bounds.class_dimensions.union_dimension_bound(dimensions=two)
        yield Inequality(whole, bound, "monotone" if monotone else "plain")
