"""Section 5.2 and Appendix C: covers of linear bandits, and generalized linear bandits."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import AtScale, Generator, Sized, exact
from warmer.claims.instances.tables import linear, scale
from warmer.dimensions import covering_number
from warmer.model import Problem
from warmer.problems import conference
from warmer.problems.extremal import linear_counterexample


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
    """The covering number of a linear bandit is at most that of the unit ball.

    Hypotheses: centers in the class, as defined.
    """
    if instance.epsilon == 1:
        yield Inequality(covering_number(instance.problem, epsilon=1).value, 1, "against one ball of radius 1")


@Claim("eq::def_norm_cov/linear-repaired", Expected.REPAIRED, "new", draw=_draw_cover, given=_two_points)
def _cover_repaired(instance: Sized) -> Iterator[Inequality]:
    """The covering number of a linear bandit in R^n is at most (1+2/r)^n.

    Hypotheses: radius r at most 1, centers in the class.
    """
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

    Hypotheses: every eps > 0; tried at eps >= h only, where the log is not positive: the lost ln r is not shown.

    Whatever the constant, the right-hand side is at most 0 where the slope is at most epsilon.
    """
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
    """Their dimension is at most what the determinant argument leaves.

    Hypotheses: slopes between h_low and h_high.
    """
    epsilon = float(instance.epsilon)
    bound = bounds.glm_dimension_bound(n=instance.n, slope_low=instance.slope, slope_high=1.0, epsilon=epsilon)
    yield Inequality(instance.monotone_dimension(), bound)
