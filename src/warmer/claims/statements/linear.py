"""Section 5.2 and Appendix C: linear bandits, and generalized linear ones."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from warmer import bounds
from warmer.claims.claim import Expected, Inequality, claim
from warmer.claims.instances import linear as instances
from warmer.claims.instances.kinds import AtScale, Generator, InSpace, exact
from warmer.claims.instances.tables import conferences, linear, products, scale
from warmer.dimensions import covering_number, dissimilarity_dimension
from warmer.dimensions.dissimilarity.rank import rank_at_most
from warmer.model import Problem
from warmer.problems import conference
from warmer.problems.extremal import linear_counterexample

_conferences = partial(conferences, most=13)


@claim("theorem::linear_dim_bound", Expected.REFUTED, "E1", given=instances.linear_counterexamples)
def _linear_bound(instance: InSpace) -> Iterator[Inequality]:
    """Linear bandits in the unit ball of R^n have dimension at most 4n+3, at every alpha and epsilon.

    Hypotheses: alpha at most alpha*.
    """
    found = instance.dissimilarity().lower
    yield Inequality(found, 4 * instance.n + 3, f"dimension in R^{instance.n} against 4n+3")


@claim("theorem::linear_dim_bound/epsilon", Expected.REFUTED, "E1", given=instances.geometric)
def _linear_bound_without_epsilon(instance: InSpace) -> Iterator[Inequality]:
    """The bound for linear bandits does not depend on 1/eps: 4n+3 holds however small epsilon is.

    Hypotheses: alpha below 1.
    """
    return _linear_bound.check(instance)


@claim("theorem::linear_dim_bound/growth", Expected.BEYOND, "E1", given=instances.geometric)
def _grows(instance: InSpace) -> Iterator[Inequality]:
    """It grows like n ln(1/eps): nk alternatives at alpha = eps <= (nk)^(-(k-1)/2) (fact N14).

    Hypotheses: alpha = eps.
    """
    found = instance.dissimilarity().value
    promised = bounds.class_dimensions.linear_dimension_lower_bound(n=instance.n, epsilon=instance.epsilon)
    yield Inequality(promised, found, "what the formula promises")
    yield Inequality(instance.problem.n_targets, found, "every alternative is dissimilar")


@claim("theorem::linear_dim_bound/one", draw=instances.draw_unit_linear, given=_conferences)
def _linear_at_one(instance: InSpace) -> Iterator[Inequality]:
    """At alpha = 1 linear bandits in R^n have dimension at most 2n+1.

    Hypotheses: alpha = 1.
    """
    found = instance.dissimilarity(time_limit=10)
    yield Inequality(found.lower, bounds.linear_dimension_bound(n=instance.n, alpha=1))


@claim(
    "theorem::linear_dim_bound/two-sided",
    Expected.REPAIRED,
    "E1",
    draw=linear,
    given=lambda: (*instances.linear_counterexamples(), *_conferences()),
)
def _linear_two_sided(instance: InSpace) -> Iterator[Inequality]:
    """At most 2n+1 alternatives of a linear bandit are dissimilar both ways; conferences attain it.

    Hypotheses: every pair i != j constrained, any alpha.

    A matrix of rank r, 1 on the diagonal and at most 1/sqrt(d) off it: d = trace <= sqrt(r) Frobenius, r > d/2.
    """
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, sided="two")
    yield Inequality(found.lower, bounds.class_dimensions.two_sided_linear_dimension_bound(n=instance.n))


@claim(
    "theorem::linear_dim_bound/certified",
    Expected.REPAIRED,
    "E1",
    draw=linear,
    given=lambda: (*instances.linear_counterexamples(), *instances.geometric()),
)
def _linear_certified(instance: InSpace) -> Iterator[Inequality]:
    """The determinant bound O(n log(1/eps)) of bounds.linear_dimension_bound.

    Hypotheses: parameters and actions in the unit ball.
    """
    found = instance.dissimilarity()
    bound = bounds.linear_dimension_bound(n=instance.n, alpha=instance.alpha, epsilon=instance.epsilon)
    yield Inequality(found.lower, bound)


@claim("lemma:perturbed", draw=instances.draw_perturbed, given=instances.conference_identities)
def _perturbed(instance: instances.Square) -> Iterator[Inequality]:
    """A symmetric d x d matrix, 1 on the diagonal and at most 1/sqrt(d) off it, has rank over d/2.

    Hypotheses: symmetric.
    """
    table, size = instance.table, len(instance.table)
    rank = rank_at_most(table, size)
    assert rank is not None
    yield Inequality(bounds.lemmas.perturbed_identity_rank(size=size), rank, "rank")
    yield Inequality(Fraction(size, 2), rank, "more than d/2", is_strict=True)


@claim("lemma:perturbed/low-rank", draw=linear)
def _low_rank(instance: InSpace) -> Iterator[Inequality]:
    """The matrix of inner products in R^n has rank at most n; minus a constant, at most n+1.

    Hypotheses: linear bandits in R^n.
    """
    numerators, denominator = exact(instance.problem)
    center = instance.alpha - instance.epsilon
    shifted = numerators.astype(object) * center.denominator - center.numerator * denominator
    for table, most in ((numerators.astype(object), instance.n), (shifted, instance.n + 1)):
        rank = rank_at_most(table, min(table.shape))
        yield Inequality(min(table.shape) if rank is None else rank, most)


@claim("eq::def_norm_cov/linear", Expected.REFUTED, "new", given=instances.two_points)
def _cover(instance: instances.Covered) -> Iterator[Inequality]:
    """The covering number of a linear bandit is at most that of the unit ball.

    Hypotheses: centers in the class, as defined.
    """
    if instance.radius == 1:
        yield Inequality(covering_number(instance.problem, epsilon=1).value, 1, "against one ball of radius 1")


@claim(
    "eq::def_norm_cov/linear-repaired", Expected.REPAIRED, "new", draw=instances.draw_cover, given=instances.two_points
)
def _cover_repaired(instance: instances.Covered) -> Iterator[Inequality]:
    """The covering number of a linear bandit in R^n is at most (1+2/r)^n.

    Hypotheses: radius r at most 1, centers in the class.
    """
    found = covering_number(instance.problem, epsilon=instance.radius).value
    yield Inequality(found, bounds.coverings.linear_covering_bound(n=instance.n, radius=float(instance.radius)))


@dataclass(frozen=True, eq=False)
class Linked(InSpace):
    """Rewards through a link with slopes from `slope` to 1."""

    slope: float


def _draw_glm(rng: Generator) -> Linked:
    """g(x) = (5x + x^3)/8 on inner products in [-1, 1]: slopes from 5/8 to 1."""
    base = linear(rng)
    rewards = [[(5 * x + x**3) / 8 for x in row] for row in products(base.actions, base.parameters)]
    alpha = max(map(max, rewards))
    epsilon = scale(rng)
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


@claim("theorem::glm_dim_bound", Expected.REFUTED, "S11", draw=_draw_glm, given=_steep_scale)
def _glm_logarithm(instance: AtScale) -> Iterator[Inequality]:
    """Generalized linear bandits have dimension O(n r^2 log(h/eps)).

    Hypotheses: every eps > 0; tried at eps >= h only, where the log is not positive: the lost ln r is not shown.

    Whatever the constant, the right-hand side is at most 0 where the slope is at most epsilon.
    """
    if instance.epsilon < 1:
        return
    found = instance.dissimilarity().value
    yield Inequality(found, math.log(1 / float(instance.epsilon)), "d against n r^2 log(h/eps) up to a constant")


@claim(
    "theorem::glm_dim_bound/repaired",
    Expected.REPAIRED,
    "S11",
    draw=_draw_glm,
    given=_without_link,
    notices="an eighth of it would be noticed",
)
def _glm(instance: Linked) -> Iterator[Inequality]:
    """Their dimension is at most what the determinant argument leaves.

    Hypotheses: slopes between h_low and h_high.
    """
    epsilon = float(instance.epsilon)
    bound = bounds.glm_dimension_bound(n=instance.n, slope_low=instance.slope, slope_high=1.0, epsilon=epsilon)
    yield Inequality(instance.monotone_dimension(), bound)
