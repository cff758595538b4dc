"""Section 2: the dissimilarity dimension and what is said of it in passing."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from warmer import bounds
from warmer.claims.claim import Expected, Inequality, both_ways, claim
from warmer.claims.instances import tables
from warmer.claims.instances.kinds import AtScale, InSpace, exact
from warmer.dimensions import dissimilarity_dimension, dissimilarity_profile
from warmer.dimensions.dissimilarity.rank import rank_at_most


@claim("def:new_dim/positive", draw=tables.draw_any_level)
def _at_least_one(instance: AtScale) -> Iterator[Inequality]:
    """The dissimilarity dimension is 0 if nobody reaches alpha, and at least 1 otherwise.

    Hypotheses: none.
    """
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    numerators, denominator = exact(problem)
    own = numerators.diagonal() if problem.is_square else numerators.max(axis=0)
    is_reached = any(Fraction(int(value), denominator) >= alpha for value in own)
    found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon).value
    yield Inequality(int(is_reached), found, "1 where somebody reaches alpha")
    yield Inequality(found, int(is_reached) * len(own), "0 where nobody does")


@claim("def:new_dim/monotone", draw=tables.any_table)
def _monotone(instance: AtScale) -> Iterator[Inequality]:
    """The monotone dimension is the tightest upper bound on the dimension that falls as epsilon grows.

    Hypotheses: none.
    """
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    scales = [epsilon, epsilon * Fraction(3, 2), epsilon * 2]
    plain = [dissimilarity_dimension(problem, alpha=alpha, epsilon=e).value for e in scales]
    monotone = [dissimilarity_dimension(problem, alpha=alpha, epsilon=e, monotone=True).value for e in scales]
    for larger, smaller in pairwise(monotone):
        yield Inequality(smaller, larger, "non-increasing")
    for below, above in zip(plain, monotone, strict=True):
        yield Inequality(below, above, "an upper bound")
    pieces = dissimilarity_profile(problem, alpha=alpha).pieces()
    largest = max((piece.value for piece in pieces if piece.high >= float(epsilon) * (1 - 1e-12)), default=0)
    yield Inequality(monotone[0], largest, "the tightest one")


@claim("def:new_dim/size", Expected.BEYOND, draw=tables.bandit)
def _few_alternatives(instance: AtScale) -> Iterator[Inequality]:
    """A dissimilar sequence of a bandit repeats neither actions nor functions (fact N3).

    Hypotheses: a bandit.
    """
    problem = instance.problem
    numerators, denominator = exact(problem)
    viable = sum(Fraction(int(value), denominator) >= instance.alpha for value in numerators.max(axis=0))
    found = dissimilarity_dimension(problem, alpha=instance.alpha, epsilon=instance.epsilon, monotone=True).value
    yield Inequality(found, min(int(viable), problem.n_queries))


def _sphere(instance: InSpace) -> Iterator[Inequality]:
    found = instance.dissimilarity(monotone=True, time_limit=10)
    yield Inequality(found.lower, bounds.sphere_dimension_bound(n=instance.n))


@claim("def:new_dim/equal", Expected.BEYOND, draw=tables.draw_equal)
def _equal(instance: AtScale) -> Iterator[Inequality]:
    """The dimension of alternatives of one similarity is given by a formula (fact N13).

    Hypotheses: similarity below 1, alpha = 1.
    """
    size = instance.problem.n_targets
    formula = bounds.class_dimensions.equal_correlations_dimension(
        size=size, correlation=instance.problem.entry(0, size - 1) if size > 1 else 0, epsilon=instance.epsilon
    )
    found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=instance.epsilon).value
    yield from both_ways(found, formula, "the formula")


@claim("ex:sphere", draw=tables.draw_sphere)
def _sphere_as_printed(instance: InSpace) -> Iterator[Inequality]:
    """Points on the sphere of R^n have monotone dimension at most 4n+3, at every alpha and epsilon.

    Hypotheses: unit vectors.
    """
    for inequality in _sphere(instance):
        yield Inequality(inequality.left, 4 * instance.n + 3)


@claim("ex:sphere/sharper", Expected.BEYOND, "E1", draw=tables.draw_sphere, given=tables.conferences)
def _sphere_sharper(instance: InSpace) -> Iterator[Inequality]:
    """Points on the sphere of R^n have monotone dimension at most 2n+1, at every alpha and epsilon.

    Hypotheses: unit vectors.
    """
    return _sphere(instance)


@claim("ex:sphere/tight", Expected.BEYOND, given=tables.conferences)
def _sphere_is_tight(instance: tables.Centered) -> Iterator[Inequality]:
    """2n+1 is attained on the sphere for n = 2, 4, 6, 8, 12, 14, by conference matrices.

    Hypotheses: 2n+1 a prime, or the square of one, that leaves 1 when divided by 4.

    That a conference matrix gives 2n+1 points of R^n, by whole numbers alone, and the dimension that it has.
    """
    problem, n = instance.problem, instance.n
    q = 2 * n + 1
    center = float(instance.center)
    core = [[0 if i == j else 1 if problem.rho[i, j] > center else -1 for j in range(q)] for i in range(q)]
    # entries c + S sqrt(q)/(q-1): then (entry - c)^2 = q/(q-1)^2 = epsilon^2/q, with equality
    worst = max(
        abs(problem.rho[i, j] - (core[i][j] * q**0.5 - 1) / (q - 1)) for i in range(q) for j in range(q) if i != j
    )
    yield Inequality(float(worst), 1e-12, "the entries are (+-sqrt(q) - 1)/(q - 1)")
    yield from both_ways(instance.epsilon**2 / q, Fraction(q, (q - 1) ** 2), "distance to the center")
    # S symmetric, S1 = 0 and S^2 = qI - J give rank (q-1)/2 and a Gram matrix
    for i in range(q):
        yield Inequality(abs(sum(core[i])), 0, "rows of the core add up to 0")
        for j in range(q):
            product = sum(core[i][k] * core[k][j] for k in range(q))
            yield Inequality(abs(product - (q * (i == j) - 1)), 0, "the core's square is qI - J")
            yield Inequality(abs(core[i][j] - core[j][i]), 0, "the core is symmetric")
    if problem.rational is not None:
        yield Inequality(rank_at_most(problem.rational.numerators, q) or q, n, "rank, exactly")
    found = dissimilarity_dimension(problem, alpha=1, epsilon=instance.epsilon, time_limit=10)
    assert found.witness is not None
    found.witness.check(problem)
    yield Inequality(2 * n + 1, found.lower, "2n+1 is attained")


@claim("ex:sphere/rank", Expected.BEYOND, "E1", draw=tables.symmetric)
def _rank(instance: AtScale) -> Iterator[Inequality]:
    """A symmetric rho of rank r has monotone dimension at most 2r+1, at every alpha (fact N8).

    Hypotheses: rho symmetric.
    """
    assert instance.problem.rational is not None
    rank = rank_at_most(instance.problem.rational.numerators, instance.problem.n_targets)
    found = instance.dissimilarity(monotone=True)
    assert rank is not None
    yield Inequality(found.value, bounds.class_dimensions.symmetric_dimension_bound(rank=rank))
