"""Section 5.1 and Appendix C: the eluder dimension, and the class that separates the two dimensions."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import AtScale, Generator, Sized
from warmer.claims.instances.tables import any_table, bandit
from warmer.dimensions import DissimilarityWitness, covering_number, dissimilarity_dimension, eluder_dimension
from warmer.dimensions.converters import eluder_from_dissimilarity
from warmer.model import Problem
from warmer.problems import needle, separation

_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)


def _close_functions() -> Iterator[AtScale]:
    """Classes whose eluder dimension is 0."""
    yield AtScale("one function", Problem.from_table([[1], [_HALF]]), Fraction(1), _HALF)
    two = Problem.from_table([[Fraction(1), _HALF], [_HALF, Fraction(1)]])
    yield AtScale("functions (1, 1/2) and (1/2, 1)", two, Fraction(1), _HALF)


def _needles() -> Iterator[AtScale]:
    for n in (10, 14, 19, 28):
        yield AtScale(f"a needle in {n} arms", needle(n), Fraction(1), _HALF)


def _draw_long(rng: Generator) -> AtScale:
    """Functions that are large at their own action and nearly constant elsewhere: long dissimilar sequences."""
    n = int(rng.integers(10, 21))
    table = rng.integers(0, 2, (n, n))
    np.fill_diagonal(table, 8)
    epsilon = Fraction(int(rng.integers(4, 9)), 8)
    problem = Problem.from_table(table, denominator=8)
    return AtScale(f"{n} functions with a peak each, eps={epsilon}", problem, Fraction(1), epsilon)


def _separations(*n_bumps: int) -> Iterator[Sized]:
    for n in n_bumps:
        yield Sized(f"12 points of the circle, N={n}, eps=1/4", separation(n), Fraction(1), _QUARTER, n)


_both = partial(_separations, 1, 2)


def _eluder(instance: AtScale, *, is_repaired: bool) -> Iterator[Inequality]:
    eluder = eluder_dimension(instance.problem, epsilon=instance.epsilon, monotone=True).value
    found = instance.monotone_dimension(instance.epsilon * Fraction(3, 2))
    bound = bounds.eluder_comparison(eluder=eluder) if is_repaired else 9 * eluder
    yield Inequality(found, bound, "monotone dimension at 3/2 eps vs 9 eluder")


@Claim("theorem::upper_eluder", Expected.REFUTED, "E6", draw=bandit, given=_close_functions)
def _upper_eluder(instance: AtScale) -> Iterator[Inequality]:
    """The monotone dissimilarity dimension at 3/2 eps is at most 9 times the monotone eluder at eps. If: a bandit."""
    return _eluder(instance, is_repaired=False)


@Claim(
    "theorem::upper_eluder/repaired",
    Expected.REPAIRED,
    "E6",
    draw=bandit,
    given=lambda: (*_close_functions(), *_needles()),
    notices="no instance comes near it, and a quarter of it would be noticed",
)
def _upper_eluder_repaired(instance: AtScale) -> Iterator[Inequality]:
    """The same with max(9, 5e + 4, (27e - 1)/5) for 9 times the eluder dimension e. If: a bandit."""
    return _eluder(instance, is_repaired=True)


@Claim("theorem::upper_eluder/construction", draw=_draw_long, given=_needles, at_most=60)
def _construction(instance: AtScale) -> Iterator[Inequality]:
    """Of d >= 10 dissimilar alternatives at tau d/9 are independent actions at 2/3 tau, and min(d/5, 1 + 5d/27) too.

    If: d at least 10; both rounded, the first up, the others down.
    """
    found = instance.dissimilarity()
    if found.value < 10:
        return
    assert isinstance(found.witness, DissimilarityWitness)
    witness = eluder_from_dissimilarity(found.witness, instance.problem)
    yield Inequality(-(-found.value // 9), len(witness), "length of the eluder witness")
    longer = bounds.class_dimensions.eluder_length(dissimilarity=found.value)
    yield Inequality(longer, len(witness), "length by blocks of five")


@Claim("prop::separation_eluder_dissimilarity", erratum="E9", given=_both)
def _separation(instance: Sized) -> Iterator[Inequality]:
    """F_{N,eps} has dissimilarity dimension at most 16 and eluder dimension at least N.

    If: eps in (0, 1/2), alpha = 1; here on 12 rational points of the circle.
    """
    yield from _semicircle_dissimilarity.check(instance)
    yield from _semicircle_eluder.check(instance)


@Claim("lemma::lower_bound_star_eluder_special_class", erratum="E9", given=_both)
def _semicircle_eluder(instance: Sized) -> Iterator[Inequality]:
    """The eluder dimension of F_{N,eps} is at least N; even at least the points of a semicircle. If: as above."""
    eluder = eluder_dimension(instance.problem, epsilon=instance.epsilon, time_limit=20)
    yield Inequality(instance.n, eluder.lower, "eluder at least N")
    yield Inequality(5, eluder.lower, "eluder at least the points of a semicircle")


@Claim("lemma::dissimilarity_dimension_upper_bound", erratum="E9", given=_both)
def _semicircle_dissimilarity(instance: Sized) -> Iterator[Inequality]:
    """The dissimilarity dimension of F_{N,eps} at alpha = 1 is at most 16; even at most 6. If: as above."""
    found = instance.dissimilarity().value
    yield Inequality(found, 16, "dissimilarity, as printed")
    sharper = bounds.class_dimensions.separation_dimension_bound(epsilon=instance.epsilon, height=_QUARTER)
    yield Inequality(found, sharper, "dissimilarity, 3 of each kind")


@Claim("prop::separation_eluder_dissimilarity/value", Expected.BEYOND, "E9", given=partial(_separations, 1))
def _separation_value(instance: Sized) -> Iterator[Inequality]:
    """Its dissimilarity dimension is between 4 and 6. If: alpha = 1, eps at most 2."""
    for epsilon in (Fraction(1, 8), _QUARTER, _HALF, Fraction(2)):
        found = instance.dissimilarity(epsilon).value
        yield Inequality(4, found, f"at least 4 at eps={epsilon}")
        most = bounds.class_dimensions.separation_dimension_bound(epsilon=epsilon, height=_QUARTER)
        yield Inequality(found, most, f"at most 6 at eps={epsilon}")


@Claim("prop::separation_eluder_dissimilarity/regret", Expected.REFUTED, "E9", given=partial(_separations, 2))
def _separation_cover(instance: Sized) -> Iterator[Inequality]:
    """The regret bound does not depend on N (the covering number inside it does not grow). If: noisy rewards."""
    # The covering number in the regret bound at a radius below 2 eps, against that of N = 1.
    radius = Fraction(1, 8)
    first = covering_number(separation(1), epsilon=radius, time_limit=20)
    found = covering_number(instance.problem, epsilon=radius, time_limit=20)
    yield Inequality(found.lower, first.upper, "ln of this enters the regret bound; at N=1")


@dataclass(frozen=True, eq=False)
class Union(AtScale):
    """A table that is put together from two."""

    halves: tuple[Problem, Problem]


def _draw_union(rng: Generator) -> Union:
    """A table cut in two, the parts at times overlapping."""
    whole = any_table(rng)
    while (n := whole.problem.n_targets) < 2:
        whole = any_table(rng)
    cut, overlap = int(rng.integers(1, n)), int(rng.integers(0, 2))
    halves = whole.problem.drop(targets=range(cut + overlap, n)), whole.problem.drop(targets=range(cut))
    return Union(f"{whole.name}, cut at {cut}", whole.problem, whole.alpha, whole.epsilon, halves)


@Claim("lemma::subaditivity_newdim", draw=_draw_union)
def _subadditive(instance: Union) -> Iterator[Inequality]:
    """The dimension of a union, plain or monotone, is at most the sum. If: the parts may overlap."""
    for monotone in (False, True):
        whole, *two = (
            dissimilarity_dimension(each, alpha=instance.alpha, epsilon=instance.epsilon, monotone=monotone).value
            for each in (instance.problem, *instance.halves)
        )
        bound = bounds.class_dimensions.union_dimension_bound(dimensions=two)
        yield Inequality(whole, bound, "monotone" if monotone else "plain")
