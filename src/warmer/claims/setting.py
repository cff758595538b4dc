"""Section 2: the dissimilarity dimension and what is said of it in passing."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from warmer import bounds
from warmer.claims.claim import Claim, Comparison, Expected, Instance
from warmer.claims.generators import Generator, any_table, bandit, rational_points, scale, symmetric
from warmer.dimensions import dissimilarity_dimension, dissimilarity_profile
from warmer.dimensions.dissimilarity.rank import rank_at_most
from warmer.model import Problem
from warmer.problems import conference

__all__ = ["CLAIMS"]

_SECTION = "2 Setting"


def _at_least_one(instance: Instance) -> Iterator[Comparison]:
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    assert problem.rational is not None
    numerators, denominator = problem.rational
    own = numerators.diagonal() if problem.is_square else numerators.max(axis=0)
    is_reached = any(Fraction(int(value), denominator) >= alpha for value in own)
    found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon).value
    yield Comparison(int(is_reached), found, "1 where somebody reaches alpha")
    yield Comparison(found, int(is_reached) * len(own), "0 where nobody does")


def _draw_any_level(rng: Generator) -> Instance:
    instance = any_table(rng)
    alpha = instance.alpha + Fraction(int(rng.integers(0, 5)), 4)
    return Instance(f"{instance.name}, raised to {alpha}", {**instance.parts, "alpha": alpha})


def _monotone(instance: Instance) -> Iterator[Comparison]:
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    scales = [epsilon, epsilon * Fraction(3, 2), epsilon * 2]
    plain = [dissimilarity_dimension(problem, alpha=alpha, epsilon=e).value for e in scales]
    monotone = [dissimilarity_dimension(problem, alpha=alpha, epsilon=e, monotone=True).value for e in scales]
    for larger, smaller in pairwise(monotone):
        yield Comparison(smaller, larger, "non-increasing")
    for below, above in zip(plain, monotone, strict=True):
        yield Comparison(below, above, "an upper bound")
    pieces = dissimilarity_profile(problem, alpha=alpha).pieces()
    largest = max((piece.value for piece in pieces if piece.high >= float(epsilon) * (1 - 1e-12)), default=0)
    yield Comparison(monotone[0], largest, "the tightest one")


def _few_alternatives(instance: Instance) -> Iterator[Comparison]:
    problem = instance.problem
    assert problem.rational is not None
    numerators, denominator = problem.rational
    viable = sum(Fraction(int(value), denominator) >= instance.alpha for value in numerators.max(axis=0))
    found = dissimilarity_dimension(problem, alpha=instance.alpha, epsilon=instance.epsilon, monotone=True).value
    yield Comparison(found, min(int(viable), problem.n_queries))


def _draw_sphere(rng: Generator) -> Instance:
    n, size = int(rng.integers(1, 4)), int(rng.integers(2, 9))
    points = rational_points(rng, n, size)
    gram = [[sum(map(Fraction.__mul__, u, v), Fraction(0)) for v in points] for u in points]
    alpha, epsilon = Fraction(int(rng.integers(-4, 9)), 8), scale(rng)
    name = f"{size} points on the sphere in {n} dimensions, alpha={alpha}, eps={epsilon}"
    return Instance(name, {"problem": Problem.from_similarity(gram), "alpha": alpha, "epsilon": epsilon, "n": n})


def _conferences() -> Iterator[Instance]:
    for q in (5, 9, 13, 17, 25, 29):
        extremal = conference(q)
        name = f"{q} points of a conference matrix in {(q - 1) // 2} dimensions"
        parts = {"problem": extremal.problem, "alpha": extremal.alpha, "epsilon": extremal.epsilon}
        yield Instance(name, {**parts, "n": (q - 1) // 2, "center": extremal.center})


def _sphere(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(
        instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, monotone=True, time_limit=10
    )
    yield Comparison(found.lower, bounds.sphere_dimension_bound(n=instance.n))


def _sphere_as_printed(instance: Instance) -> Iterator[Comparison]:
    for comparison in _sphere(instance):
        yield Comparison(comparison.left, 4 * instance.n + 3)


def _sphere_is_tight(instance: Instance) -> Iterator[Comparison]:
    """That a conference matrix gives 2n+1 points of R^n, by whole numbers alone, and the dimension that it has."""
    problem, n = instance.problem, instance.n
    q = 2 * n + 1
    center = float(instance.center)
    core = [[0 if i == j else 1 if problem.rho[i, j] > center else -1 for j in range(q)] for i in range(q)]
    # entries c + S sqrt(q)/(q-1): then (entry - c)^2 = q/(q-1)^2 = epsilon^2/q, with equality
    worst = max(
        abs(problem.rho[i, j] - (core[i][j] * q**0.5 - 1) / (q - 1)) for i in range(q) for j in range(q) if i != j
    )
    yield Comparison(float(worst), 1e-12, "the entries are (+-sqrt(q) - 1)/(q - 1)")
    yield Comparison(instance.epsilon**2 / q, Fraction(q, (q - 1) ** 2), "distance to the center")
    yield Comparison(Fraction(q, (q - 1) ** 2), instance.epsilon**2 / q, "distance to the center")
    # S symmetric, S1 = 0 and S^2 = qI - J give rank (q-1)/2 and a Gram matrix
    for i in range(q):
        yield Comparison(abs(sum(core[i])), 0, "rows of the core add up to 0")
        for j in range(q):
            product = sum(core[i][k] * core[k][j] for k in range(q))
            yield Comparison(abs(product - (q * (i == j) - 1)), 0, "the core's square is qI - J")
            yield Comparison(abs(core[i][j] - core[j][i]), 0, "the core is symmetric")
    if problem.rational is not None:
        yield Comparison(rank_at_most(problem.rational.numerators, q) or q, n, "rank, exactly")
    found = dissimilarity_dimension(problem, alpha=1, epsilon=instance.epsilon, time_limit=10)
    assert found.witness is not None
    found.witness.check(problem)
    yield Comparison(2 * n + 1, found.lower, "2n+1 is attained")


def _rank(instance: Instance) -> Iterator[Comparison]:
    assert instance.problem.rational is not None
    rank = rank_at_most(instance.problem.rational.numerators, instance.problem.n_targets)
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, monotone=True)
    assert rank is not None
    yield Comparison(found.value, bounds.class_dimensions.symmetric_dimension_bound(rank=rank))


def _draw_equal(rng: Generator) -> Instance:
    size, value, epsilon = int(rng.integers(1, 13)), Fraction(int(rng.integers(-8, 8)), 8), scale(rng)
    table = [[Fraction(1) if i == j else value for j in range(size)] for i in range(size)]
    name = f"{size} alternatives of similarity {value}, eps={epsilon}"
    return Instance(name, {"problem": Problem.from_similarity(table), "value": value, "epsilon": epsilon})


def _equal(instance: Instance) -> Iterator[Comparison]:
    size = instance.problem.n_targets
    formula = bounds.class_dimensions.equal_correlations_dimension(
        size=size, correlation=instance.value, epsilon=instance.epsilon
    )
    found = dissimilarity_dimension(instance.problem, alpha=1, epsilon=instance.epsilon).value
    yield Comparison(found, formula, "at most the formula")
    yield Comparison(formula, found, "at least the formula")


CLAIMS = (
    Claim(
        label="def:new_dim/positive",
        section=_SECTION,
        statement="The dissimilarity dimension is 0 if nobody reaches alpha, and at least 1 otherwise.",
        hypotheses="none",
        check=_at_least_one,
        draw=_draw_any_level,
    ),
    Claim(
        label="def:new_dim/monotone",
        section=_SECTION,
        statement="The monotone dimension is the tightest upper bound on the dimension that falls as epsilon grows.",
        hypotheses="none",
        check=_monotone,
        draw=any_table,
    ),
    Claim(
        label="def:new_dim/size",
        section=_SECTION,
        statement="A dissimilar sequence of a bandit repeats neither actions nor functions (fact N3).",
        hypotheses="a bandit",
        check=_few_alternatives,
        draw=bandit,
        expected=Expected.BEYOND,
    ),
    Claim(
        label="def:new_dim/equal",
        section=_SECTION,
        statement="The dimension of alternatives of one similarity is given by a formula (fact N13).",
        hypotheses="similarity below 1, alpha = 1",
        check=_equal,
        draw=_draw_equal,
        expected=Expected.BEYOND,
    ),
    Claim(
        label="ex:sphere",
        section=_SECTION,
        statement="Points on the sphere of R^n have monotone dimension at most 4n+3, at every alpha and epsilon.",
        hypotheses="unit vectors",
        check=_sphere_as_printed,
        draw=_draw_sphere,
    ),
    Claim(
        label="ex:sphere/sharper",
        section=_SECTION,
        statement="Points on the sphere of R^n have monotone dimension at most 2n+1, at every alpha and epsilon.",
        hypotheses="unit vectors",
        check=_sphere,
        draw=_draw_sphere,
        given=_conferences,
        expected=Expected.BEYOND,
        erratum="E1",
    ),
    Claim(
        label="ex:sphere/tight",
        section=_SECTION,
        statement="2n+1 is attained on the sphere for n = 2, 4, 6, 8, 12, 14, by conference matrices.",
        hypotheses="2n+1 a prime, or the square of one, that leaves 1 when divided by 4",
        check=_sphere_is_tight,
        given=_conferences,
        expected=Expected.BEYOND,
    ),
    Claim(
        label="ex:sphere/rank",
        section=_SECTION,
        statement="A symmetric rho of rank r has monotone dimension at most 2r+1, at every alpha (fact N8).",
        hypotheses="rho symmetric",
        check=_rank,
        draw=symmetric,
        expected=Expected.BEYOND,
        erratum="E1",
    ),
)
