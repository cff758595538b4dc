"""Section 5.1 and Appendix C: the eluder dimension, and the class that separates the two dimensions."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances import AtScale, Generator, Instance
from warmer.claims.instances.tables import any_table, bandit
from warmer.dimensions import DissimilarityWitness, covering_number, dissimilarity_dimension, eluder_dimension
from warmer.dimensions.converters import eluder_from_dissimilarity
from warmer.model import Problem
from warmer.problems import needle, separation

__all__ = ["CLAIMS"]


def _eluder(instance: AtScale, *, is_repaired: bool) -> Iterator[Inequality]:
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    eluder = eluder_dimension(problem, epsilon=epsilon, monotone=True).value
    found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon * Fraction(3, 2), monotone=True).value
    bound = bounds.eluder_comparison(eluder=eluder) if is_repaired else 9 * eluder
    yield Inequality(found, bound, "monotone dimension at 3/2 eps vs 9 eluder")


def _close_functions() -> Iterator[AtScale]:
    one = Problem.from_table([[1], [Fraction(1, 2)]])
    yield AtScale("one function", one, Fraction(1), Fraction(1, 2))
    half = Fraction(1, 2)
    two = Problem.from_table([[Fraction(1), half], [half, Fraction(1)]])
    yield AtScale("functions (1, 1/2) and (1/2, 1)", two, Fraction(1), half)


def _needles() -> Iterator[AtScale]:
    for n in (10, 14, 19, 28):
        yield AtScale(f"a needle in {n} arms", needle(n), Fraction(1), Fraction(1, 2))


def _construction(instance: AtScale) -> Iterator[Inequality]:
    problem, epsilon = instance.problem, instance.epsilon
    found = dissimilarity_dimension(problem, alpha=instance.alpha, epsilon=epsilon)
    if found.value < 10:
        return
    assert isinstance(found.witness, DissimilarityWitness)
    witness = eluder_from_dissimilarity(found.witness, problem)
    witness.check(problem)
    yield Inequality(-(-found.value // 9), len(witness), "length of the eluder witness")


def _draw_long(rng: Generator) -> AtScale:
    """Functions that are large at their own action and nearly constant elsewhere: long dissimilar sequences."""
    n = int(rng.integers(10, 21))
    table = rng.integers(0, 2, (n, n))
    np.fill_diagonal(table, 8)
    epsilon = Fraction(int(rng.integers(4, 9)), 8)
    problem = Problem.from_table(table, denominator=8)
    return AtScale(f"{n} functions with a peak each, eps={epsilon}", problem, Fraction(1), epsilon)


@dataclass(frozen=True, eq=False)
class Bumps(Instance):
    """The separation class with so many bumps."""

    problem: Problem
    bumps: int


def _separations() -> Iterator[Bumps]:
    for bumps in (1, 2):
        yield Bumps(f"12 points of the circle, N={bumps}, eps=1/4", separation(bumps), bumps)


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


@dataclass(frozen=True, eq=False)
class Halves(AtScale):
    """A table in two parts, by the places of their targets."""

    halves: list[list[int]]


def _subadditive(instance: Halves) -> Iterator[Inequality]:
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    parts = [_part(problem, places) for places in instance.halves]
    for monotone in (False, True):
        whole, *two = (
            dissimilarity_dimension(part, alpha=alpha, epsilon=epsilon, monotone=monotone).value
            for part in (problem, *parts)
        )
        yield Inequality(
            whole, bounds.class_dimensions.union_dimension_bound(dimensions=two), "monotone" if monotone else "plain"
        )


def _draw_union(rng: Generator) -> Halves:
    while True:
        instance = any_table(rng)
        n = instance.problem.n_targets
        if n >= 2:
            break
    cut, overlap = int(rng.integers(1, n)), int(rng.integers(0, 2))
    halves = [list(range(min(n, cut + overlap))), list(range(cut, n))]
    return Halves(f"{instance.name}, cut at {cut}", instance.problem, instance.alpha, instance.epsilon, halves)


def _part(problem: Problem, places: list[int]) -> Problem:
    assert problem.rational is not None
    numerators, denominator = problem.rational
    if problem.is_square:
        return Problem.from_similarity(numerators[np.ix_(places, places)], denominator=denominator)
    return Problem.from_table(numerators[:, places], denominator=denominator)


CLAIMS = (
    Claim(
        label="theorem::upper_eluder",
        statement="The monotone dissimilarity dimension at 3/2 eps is at most 9 times the monotone eluder at eps.",
        hypotheses="a bandit",
        check=lambda instance: _eluder(instance, is_repaired=False),
        draw=bandit,
        given=_close_functions,
        expected=Expected.REFUTED,
        erratum="E6",
    ),
    Claim(
        label="theorem::upper_eluder/repaired",
        statement="The same with the eluder dimension replaced by 1 where it is 0.",
        hypotheses="a bandit",
        check=lambda instance: _eluder(instance, is_repaired=True),
        draw=bandit,
        given=lambda: (*_close_functions(), *_needles()),
        notices="no instance comes near it, and a quarter of it would be noticed",
        expected=Expected.REPAIRED,
        erratum="E6",
    ),
    Claim(
        label="theorem::upper_eluder/construction",
        statement="Of d >= 10 dissimilar alternatives at tau the first d/9 are independent actions at 2/3 tau.",
        hypotheses="d at least 10",
        check=_construction,
        draw=_draw_long,
        given=_needles,
        at_most=60,
    ),
    Claim(
        label="prop::separation_eluder_dissimilarity",
        statement="F_{N,eps} has dissimilarity dimension at most 16 and eluder dimension at least N.",
        hypotheses="eps in (0, 1/2), alpha = 1; here on 12 rational points of the circle",
        check=_separation,
        given=_separations,
        erratum="E9",
    ),
    Claim(
        label="lemma::lower_bound_star_eluder_special_class",
        statement="The eluder dimension of F_{N,eps} is at least N; even at least the points of a semicircle.",
        hypotheses="as above",
        check=_separation_eluder,
        given=_separations,
        erratum="E9",
    ),
    Claim(
        label="lemma::dissimilarity_dimension_upper_bound",
        statement="The dissimilarity dimension of F_{N,eps} at alpha = 1 is at most 16; even at most 6.",
        hypotheses="as above",
        check=_separation_dissimilarity,
        given=_separations,
        erratum="E9",
    ),
    Claim(
        label="prop::separation_eluder_dissimilarity/value",
        statement="Its dissimilarity dimension is between 4 and 6.",
        hypotheses="alpha = 1, eps at most 2",
        check=_separation_value,
        given=lambda: (instance for instance in _separations() if instance.bumps == 1),
        expected=Expected.BEYOND,
        erratum="E9",
    ),
    Claim(
        label="prop::separation_eluder_dissimilarity/regret",
        statement="The regret bound does not depend on N (the covering number inside it does not grow).",
        hypotheses="noisy rewards",
        check=_separation_cover,
        given=lambda: (instance for instance in _separations() if instance.bumps == 2),
        expected=Expected.REFUTED,
        erratum="E9",
    ),
    Claim(
        label="lemma::subaditivity_newdim",
        statement="The dimension of a union is at most the sum, for the plain and the monotone dimension.",
        hypotheses="the parts may overlap",
        check=_subadditive,
        draw=_draw_union,
    ),
)
