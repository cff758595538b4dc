"""Section 2: the dissimilarity dimension and what is said of it in passing."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality, both_ways
from warmer.claims.instances import tables
from warmer.claims.instances.kinds import AtScale, Generator, Sized, exact
from warmer.dimensions import dissimilarity_profile
from warmer.dimensions.dissimilarity.rank import rank_at_most
from warmer.model import Problem


def _draw_any_level(rng: Generator) -> AtScale:
    """A table with a level that perhaps nobody reaches."""
    instance = tables.any_table(rng)
    alpha = instance.alpha + Fraction(int(rng.integers(0, 5)), 4)
    return AtScale(f"{instance.name}, raised to {alpha}", instance.problem, alpha, instance.epsilon)


@Claim("def:new_dim/positive", draw=_draw_any_level)
def _at_least_one(instance: AtScale) -> Iterator[Inequality]:
    """The dissimilarity dimension is 0 if nobody reaches alpha, and at least 1 otherwise."""
    n_viable, found = _n_viable(instance), instance.dissimilarity().value
    yield Inequality(min(1, n_viable), found, "1 where somebody reaches alpha")
    yield Inequality(found, n_viable, "0 where nobody does")


def _n_viable(instance: AtScale) -> int:
    """How many targets reach alpha, by the best of their entries or their own."""
    numerators, denominator = exact(instance.problem)
    own = numerators.diagonal() if instance.problem.is_square else numerators.max(axis=0)
    return sum(Fraction(int(value), denominator) >= instance.alpha for value in own)


@Claim("def:new_dim/monotone", draw=tables.any_table)
def _monotone(instance: AtScale) -> Iterator[Inequality]:
    """The monotone dimension is the tightest upper bound on the dimension that falls as epsilon grows."""
    scales = [instance.epsilon * factor for factor in (1, Fraction(3, 2), 2)]
    plain = [instance.dissimilarity(epsilon).value for epsilon in scales]
    monotone = [instance.monotone_dimension(epsilon) for epsilon in scales]
    for larger, smaller in pairwise(monotone):
        yield Inequality(smaller, larger, "non-increasing")
    for below, above in zip(plain, monotone, strict=True):
        yield Inequality(below, above, "an upper bound")
    pieces, least = dissimilarity_profile(instance.problem, alpha=instance.alpha).pieces(), float(instance.epsilon)
    largest = max((piece.value for piece in pieces if piece.high >= least * (1 - 1e-12)), default=0)
    yield Inequality(monotone[0], largest, "the tightest one")


@Claim("def:new_dim/size", Expected.BEYOND, draw=tables.bandit)
def _few_alternatives(instance: AtScale) -> Iterator[Inequality]:
    """A dissimilar sequence of a bandit repeats neither actions nor functions (fact N3). If: a bandit."""
    yield Inequality(instance.monotone_dimension(), min(_n_viable(instance), instance.problem.n_queries))


def _draw_equal(rng: Generator) -> AtScale:
    size, value, epsilon = int(rng.integers(1, 13)), Fraction(int(rng.integers(-8, 8)), 8), tables.scale(rng)
    name = f"{size} alternatives of similarity {value}, eps={epsilon}"
    return AtScale(name, tables.equally_similar(size, value), Fraction(1), epsilon)


@Claim("def:new_dim/equal", Expected.BEYOND, draw=_draw_equal)
def _equal(instance: AtScale) -> Iterator[Inequality]:
    """The dimension of alternatives of one similarity has a formula (fact N13). If: similarity below 1, alpha = 1."""
    size = instance.problem.n_targets
    formula = bounds.class_dimensions.equal_correlations_dimension(
        size=size, correlation=instance.problem.entry(0, size - 1) if size > 1 else 0, epsilon=instance.epsilon
    )
    yield from both_ways(instance.dissimilarity().value, formula, "the formula")


def _draw_sphere(rng: Generator) -> Sized:
    n, size = int(rng.integers(1, 4)), int(rng.integers(2, 9))
    points = tables.rational_points(rng, n, size)
    problem = Problem.from_similarity(points @ points.T)
    alpha, epsilon = Fraction(int(rng.integers(-4, 9)), 8), tables.scale(rng)
    return Sized(
        f"{size} points on the sphere in {n} dimensions, alpha={alpha}, eps={epsilon}", problem, alpha, epsilon, n
    )


@Claim("ex:sphere", draw=_draw_sphere)
def _sphere_as_printed(instance: Sized) -> Iterator[Inequality]:
    """Points on the sphere of R^n have monotone dimension at most 4n+3, at every alpha and eps. If: unit vectors."""
    yield Inequality(instance.dissimilarity(monotone=True, time_limit=10).lower, 4 * instance.n + 3)


@Claim("ex:sphere/sharper", Expected.BEYOND, "E1", draw=_draw_sphere, given=tables.conferences)
def _sphere_sharper(instance: Sized) -> Iterator[Inequality]:
    """Points on the sphere of R^n have monotone dimension at most 2n+1, at every alpha and eps. If: unit vectors."""
    found = instance.dissimilarity(monotone=True, time_limit=10)
    yield Inequality(found.lower, bounds.sphere_dimension_bound(n=instance.n))


@Claim("ex:sphere/tight", Expected.BEYOND, given=tables.conferences)
def _sphere_is_tight(instance: Sized) -> Iterator[Inequality]:
    """2n+1 is attained on the sphere for n = 2, 4, 6, 8, 12, 14, by conference matrices.

    If: 2n+1 a prime, or the square of one, that leaves 1 when divided by 4.
    """
    # That a conference matrix gives 2n+1 points of R^n, by whole numbers alone, and the dimension that it has.
    problem, n = instance.problem, instance.n
    q, unit = 2 * n + 1, np.eye(2 * n + 1, dtype=int)
    core = np.where(problem.rho > -1 / (q - 1), 1, -1) * (1 - unit)  # -1/(q-1) is the center
    # entries c + S sqrt(q)/(q-1): then (entry - c)^2 = q/(q-1)^2 = epsilon^2/q, with equality
    worst = np.abs(problem.rho - (core * q**0.5 - 1) / (q - 1))[unit == 0].max()
    yield Inequality(float(worst), 1e-12, "the entries are (+-sqrt(q) - 1)/(q - 1)")
    yield from both_ways(instance.epsilon**2 / q, Fraction(q, (q - 1) ** 2), "distance to the center")
    # S symmetric, S1 = 0 and S^2 = qI - J give rank (q-1)/2 and a Gram matrix
    yield Inequality(int(np.abs(core.sum(axis=1)).max()), 0, "rows of the core add up to 0")
    yield Inequality(int(np.abs(core @ core - (q * unit - 1)).max()), 0, "the core's square is qI - J")
    yield Inequality(int(np.abs(core - core.T).max()), 0, "the core is symmetric")
    if problem.rational is not None:
        yield Inequality(rank_at_most(problem.rational.numerators, q) or q, n, "rank, exactly")
    found = instance.dissimilarity(time_limit=10)
    assert found.witness is not None
    found.witness.check(problem)
    yield Inequality(2 * n + 1, found.lower, "2n+1 is attained")


def _draw_symmetric(rng: Generator) -> AtScale:
    """Alternatives with a symmetric similarity of small rank, with the rank's factors."""
    n, rank = int(rng.integers(2, 8)), int(rng.integers(1, 4))
    factors = rng.integers(-2, 3, (n, rank))
    signs = np.where(rng.random(rank) < 0.8, 1, -1)
    table = (factors * signs) @ factors.T
    denominator = max(1, int(np.abs(table).max()))
    problem = Problem.from_similarity(table, denominator=denominator)
    return tables.at_some_level(rng, problem, f"{n} alternatives of rank at most {rank}")


@Claim("ex:sphere/rank", Expected.BEYOND, "E1", draw=_draw_symmetric)
def _rank(instance: AtScale) -> Iterator[Inequality]:
    """A symmetric rho of rank r has monotone dimension at most 2r+1, at every alpha (fact N8). If: rho symmetric."""
    rank = rank_at_most(exact(instance.problem).numerators, instance.problem.n_targets)
    assert rank is not None
    yield Inequality(instance.monotone_dimension(), bounds.class_dimensions.symmetric_dimension_bound(rank=rank))
