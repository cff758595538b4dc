"""Section 5.2 and Appendix C: linear bandits, their covers, and generalized linear bandits."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import AtScale, Generator, Matrix, Sized, exact
from warmer.claims.instances.tables import conferences, extremal, linear, rational_points, scale
from warmer.dimensions import covering_number, dissimilarity_dimension
from warmer.dimensions.dissimilarity.rank import rank_at_most
from warmer.model import Problem
from warmer.problems import conference
from warmer.problems.extremal import linear_counterexample, linear_geometric, linear_greedy_counterexample

_conferences = partial(conferences, most=13)


def _counterexamples() -> Iterator[Sized]:
    """Linear bandits with more than 4n+3 dissimilar alternatives, and one whose actions are best."""
    for n in (1, 2, 3):
        yield extremal(linear_counterexample(n, product=True), n, f"all parameters and actions of {4 * n + 4} in R^{n}")
        yield extremal(linear_counterexample(n), n, f"{4 * n + 4} alternatives in R^{n}")
    yield extremal(linear_greedy_counterexample(), 2, "12 parameters with their best actions in R^2")


def _geometric() -> Iterator[Sized]:
    """Blocks of powers, one for each coordinate."""
    for n, k in ((1, 8), (1, 12), (2, 8), (3, 6)):
        yield extremal(linear_geometric(n, k), n, f"{n} blocks of {k} powers")


@Claim("theorem::linear_dim_bound", Expected.REFUTED, "E1", given=_counterexamples)
def _linear_bound(instance: Sized) -> Iterator[Inequality]:
    """Linear bandits in the unit ball of R^n have dimension at most 4n+3, at every eps. If: alpha at most alpha*."""
    found = instance.dissimilarity().lower
    yield Inequality(found, 4 * instance.n + 3, f"dimension in R^{instance.n} against 4n+3")


@Claim("theorem::linear_dim_bound/epsilon", Expected.REFUTED, "E1", given=_geometric)
def _linear_bound_without_epsilon(instance: Sized) -> Iterator[Inequality]:
    """The bound for linear bandits does not depend on 1/eps: 4n+3 holds however small epsilon is. If: alpha below 1."""
    return _linear_bound.check(instance)


@Claim("theorem::linear_dim_bound/growth", Expected.BEYOND, "E1", given=_geometric)
def _grows(instance: Sized) -> Iterator[Inequality]:
    """It grows like n ln(1/eps): nk alternatives at alpha = eps <= (nk)^(-(k-1)/2) (fact N14). If: alpha = eps."""
    found = instance.dissimilarity().value
    promised = bounds.class_dimensions.linear_dimension_lower_bound(n=instance.n, epsilon=instance.epsilon)
    yield Inequality(promised, found, "what the formula promises")
    yield Inequality(instance.problem.n_targets, found, "every alternative is dissimilar")


def _draw_unit_linear(rng: Generator) -> Sized:
    """Unit parameters and actions."""
    n, size = int(rng.integers(1, 4)), int(rng.integers(2, 7))
    points = rational_points(rng, n, size)
    problem, epsilon = Problem.from_table(points @ points.T), scale(rng)
    return Sized(f"{size} unit parameters and actions in R^{n}, eps={epsilon}", problem, Fraction(1), epsilon, n)


@Claim("theorem::linear_dim_bound/one", draw=_draw_unit_linear, given=_conferences)
def _linear_at_one(instance: Sized) -> Iterator[Inequality]:
    """At alpha = 1 linear bandits in R^n have dimension at most 2n+1. If: alpha = 1."""
    found = instance.dissimilarity(time_limit=10)
    yield Inequality(found.lower, bounds.linear_dimension_bound(n=instance.n, alpha=1))


@Claim(
    "theorem::linear_dim_bound/two-sided",
    Expected.REPAIRED,
    "E1",
    draw=linear,
    given=lambda: (*_counterexamples(), *_conferences()),
)
def _linear_two_sided(instance: Sized) -> Iterator[Inequality]:
    """At most 2n+1 alternatives of a linear bandit are dissimilar both ways; conferences attain it.

    If: every pair i != j constrained, any alpha.
    """
    # A matrix of rank r, 1 on the diagonal and at most 1/sqrt(d) off it: d = trace <= sqrt(r) Frobenius, r > d/2.
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, sided="two")
    yield Inequality(found.lower, bounds.class_dimensions.two_sided_linear_dimension_bound(n=instance.n))


@Claim(
    "theorem::linear_dim_bound/certified",
    Expected.REPAIRED,
    "E1",
    draw=linear,
    given=lambda: (*_counterexamples(), *_geometric()),
)
def _linear_certified(instance: Sized) -> Iterator[Inequality]:
    """The determinant bound O(n log(1/eps)) of bounds.linear_dimension_bound. If: vectors of the unit ball."""
    found = instance.dissimilarity()
    bound = bounds.linear_dimension_bound(n=instance.n, alpha=instance.alpha, epsilon=instance.epsilon)
    yield Inequality(found.lower, bound)


def _draw_perturbed(rng: Generator) -> Matrix:
    """A symmetric matrix of whole numbers: unit diagonal D, other entries at most D/sqrt(d) in absolute value."""
    size, unit = int(rng.integers(1, 10)), 12
    most = math.isqrt(unit**2 // size)
    signs = rng.choice([-1, 1], size)
    table = np.triu(rng.integers(-most, most + 1, (size, size)), 1)
    if rng.random() < 0.5:  # as close to low rank as it gets: all entries at the limit
        table = np.triu(np.outer(signs, signs) * most, 1)
    table = table + table.T + unit * np.eye(size, dtype=np.int64)
    return Matrix(f"{size} x {size} perturbed identity", table)


def _conference_identities() -> Iterator[Matrix]:
    """Perturbed identities of the least rank."""
    for q in (9, 25):  # squares: I + S/sqrt(q) is rational
        root = math.isqrt(q)
        core = np.where(np.eye(q, dtype=bool), 0, np.where(conference(q).problem.rho > 0, 1, -1))
        yield Matrix(f"I + S/{root} of order {q}", core + root * np.eye(q, dtype=np.int64))


@Claim("lemma:perturbed", draw=_draw_perturbed, given=_conference_identities)
def _perturbed(instance: Matrix) -> Iterator[Inequality]:
    """A symmetric d x d matrix, 1 on the diagonal and at most 1/sqrt(d) off it, has rank over d/2. If: symmetric."""
    table, size = instance.entries, len(instance.entries)
    rank = rank_at_most(table, size)
    assert rank is not None
    yield Inequality(bounds.lemmas.perturbed_identity_rank(size=size), rank, "rank")
    yield Inequality(Fraction(size, 2), rank, "more than d/2", is_strict=True)


@Claim("lemma:perturbed/low-rank", draw=linear)
def _low_rank(instance: Sized) -> Iterator[Inequality]:
    """Inner products in R^n have rank at most n; minus a constant, at most n+1. If: linear bandits in R^n."""
    numerators, denominator = exact(instance.problem)
    center = instance.alpha - instance.epsilon
    shifted = numerators.astype(object) * center.denominator - center.numerator * denominator
    for table, most in ((numerators.astype(object), instance.n), (shifted, instance.n + 1)):
        rank = rank_at_most(table, min(table.shape))
        yield Inequality(min(table.shape) if rank is None else rank, most)


def _two_points() -> Iterator[Sized]:
    """Two parameters that no one ball of radius 1 covers properly."""
    yield Sized("Theta = {-1, 1}, A = {1}, radius 1", Problem.from_table([[-1, 1]]), Fraction(1), Fraction(1), 1)


def _draw_cover(rng: Generator) -> Sized:
    """A linear bandit, its epsilon the radius of a cover."""
    instance = linear(rng)
    radius = Fraction(int(rng.integers(1, 9)), 8)
    return replace(instance, name=f"{instance.name}, radius {radius}", epsilon=radius)


@Claim("eq::def_norm_cov/linear", Expected.REFUTED, "new", given=_two_points)
def _cover(instance: Sized) -> Iterator[Inequality]:
    """The covering number of a linear bandit is at most that of the unit ball. If: centers in the class, as defined."""
    if instance.epsilon == 1:
        yield Inequality(covering_number(instance.problem, epsilon=1).value, 1, "against one ball of radius 1")


@Claim("eq::def_norm_cov/linear-repaired", Expected.REPAIRED, "new", draw=_draw_cover, given=_two_points)
def _cover_repaired(instance: Sized) -> Iterator[Inequality]:
    """The covering number of a linear bandit in R^n is at most (1+2/r)^n. If: r at most 1, centers in the class."""
    found = covering_number(instance.problem, epsilon=instance.epsilon).value
    yield Inequality(found, bounds.coverings.linear_covering_bound(n=instance.n, radius=float(instance.epsilon)))


@dataclass(frozen=True, eq=False)
class Linked(Sized):
    """Rewards through a link with slopes from `slope` to 1."""

    slope: float


def _draw_glm(rng: Generator) -> Linked:
    """g(x) = (5x + x^3)/8 on inner products in [-1, 1]: slopes from 5/8 to 1."""
    base = linear(rng)
    numerators, denominator = exact(base.problem)
    x = numerators.astype(object) * Fraction(1, denominator)
    rewards = (5 * x + x**3) / 8
    alpha, epsilon = Fraction(rewards.max()), scale(rng)
    name = f"g(x) = (5x+x^3)/8 in R^{base.n}, eps={epsilon}"
    return Linked(name, Problem.from_table(rewards), alpha, epsilon, base.n, 5 / 8)


def _without_link() -> Iterator[Linked]:
    """Linear bandits, g(x) = x: the longest sequences that are known."""
    for n, found in ((1, linear_counterexample(1)), (2, linear_counterexample(2)), (2, conference(5))):
        name = f"g(x) = x, {found.problem.n_targets} dissimilar alternatives in R^{n}"
        yield Linked(name, found.problem, Fraction(found.alpha), Fraction(found.epsilon), n, 1.0)


def _steep_scale() -> Iterator[AtScale]:
    problem = Problem.from_table([[Fraction(3, 4)]])
    yield AtScale("one parameter and one action, slope at most 1, eps=2", problem, Fraction(3, 4), Fraction(2))


@Claim("theorem::glm_dim_bound", Expected.REFUTED, "S11", draw=_draw_glm, given=_steep_scale)
def _glm_logarithm(instance: AtScale) -> Iterator[Inequality]:
    """Generalized linear bandits have dimension O(n r^2 log(h/eps)).

    If: every eps > 0; tried at eps >= h only, where the log is not positive: the lost ln r is not shown.
    """
    # Whatever the constant, the right-hand side is at most 0 where the slope is at most epsilon.
    if instance.epsilon < 1:
        return
    found = instance.dissimilarity().value
    yield Inequality(found, math.log(1 / float(instance.epsilon)), "d against n r^2 log(h/eps) up to a constant")


@Claim(
    "theorem::glm_dim_bound/repaired",
    Expected.REPAIRED,
    "S11",
    draw=_draw_glm,
    given=_without_link,
    notices="an eighth of it would be noticed",
)
def _glm(instance: Linked) -> Iterator[Inequality]:
    """Their dimension is at most what the determinant argument leaves. If: slopes between h_low and h_high."""
    epsilon = float(instance.epsilon)
    bound = bounds.glm_dimension_bound(n=instance.n, slope_low=instance.slope, slope_high=1.0, epsilon=epsilon)
    yield Inequality(instance.monotone_dimension(), bound)


def _bent(problem: Problem, name: str, n: int, *, bend: Fraction, slope: Fraction) -> Linked:
    """Points of the sphere through a link of the given slope up to the bend, and of slope 1 beyond it."""
    numerators, denominator = exact(problem)
    x = numerators.astype(object) * Fraction(1, denominator)
    rewards = np.where(abs(x) <= bend, slope * x, np.sign(x) * (slope * bend + abs(x) - bend))
    top = slope * bend + 1 - bend
    return Linked(f"{name}, r={float(1 / slope):.3g}", Problem.from_similarity(rewards), top, top, n, float(slope))


def _equiangular() -> Iterator[Linked]:
    """28 lines in R^7 with cosines of 1/3 up to sign, and a regular pentagon without a link."""
    pairs = [(i, j) for i in range(8) for j in range(i)]
    cosines = np.array([[len({*one} & {*other}) for other in pairs] for one in pairs])  # of (3, 3, -1, ..., -1)
    table = Problem.from_similarity(np.choose(cosines, [-1, 1, 3]), denominator=3)
    yield _bent(table, "28 equiangular lines in R^7", 7, bend=Fraction(1, 3), slope=Fraction(1000, 2146))
    plain = conference(5)
    yield Linked("5 points of the circle, g(x) = x", plain.problem, Fraction(1), Fraction(plain.epsilon), 2, 1.0)


def _draw_top(rng: Generator) -> Linked:
    """Rational points of the sphere through a link with two slopes."""
    n = int(rng.integers(2, 4))
    points = rational_points(rng, n, int(rng.integers(4, 10)))
    bend, slope = Fraction(int(rng.integers(1, 8)), 8), Fraction(1, int(rng.integers(1, 5)))
    problem = Problem.from_similarity(points @ points.T)
    found = _bent(problem, f"points of the sphere in R^{n}", n, bend=bend, slope=slope)
    return replace(found, epsilon=found.alpha * Fraction(int(rng.integers(1, 9)), 8))


@Claim("theorem::glm_dim_bound/top", Expected.BEYOND, "S11", draw=_draw_top, given=_equiangular)
def _glm_at_top(instance: Linked) -> Iterator[Inequality]:
    """At alpha = g(1) their dimension is below (1 + r^2)(n + 1), whatever eps is.

    If: alpha = g(1), slopes between h_low and h_high = r h_low.
    """
    shared: dict[str, Any] = {"n": instance.n, "slope_low": instance.slope, "slope_high": 1.0}
    found = instance.dissimilarity(monotone=True, time_limit=10).lower
    yield Inequality(found, bounds.glm_dimension_bound(**shared, at_top=True))
    epsilon = float(instance.epsilon)
    yield Inequality(found, bounds.glm_dimension_bound(**shared, epsilon=epsilon, at_top=True), "at this eps")


@Claim(
    "theorem::glm_dim_bound/two-sided",
    Expected.BEYOND,
    "S11",
    draw=_draw_glm,
    given=lambda: (*_equiangular(), *_without_link()),
)
def _glm_two_sided(instance: Linked) -> Iterator[Inequality]:
    """Two-sided, their dimension is below (1 + r^2)(n + 1) at every alpha. If: values close to c for all i != j."""
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon
    found = dissimilarity_dimension(problem, alpha=alpha, epsilon=epsilon, sided="two", time_limit=10).lower
    shared: dict[str, Any] = {"n": instance.n, "slope_low": instance.slope, "slope_high": 1.0}
    yield Inequality(found, bounds.glm_dimension_bound(**shared, two_sided=True))


@Claim("theorem::glm_dim_bound/below", Expected.BEYOND, "S11", given=_geometric)
def _glm_below_top(instance: Sized) -> Iterator[Inequality]:
    """Below g(1) no such bound holds, one-sided: for r = 1 the dimension exceeds 2(n + 1). If: alpha < g(1)."""
    beyond = bounds.glm_dimension_bound(n=instance.n, slope_low=1.0, slope_high=1.0, at_top=True)
    yield Inequality(beyond, instance.dissimilarity(time_limit=10).lower, "the bound at g(1)", is_strict=True)
