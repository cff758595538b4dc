"""Section 5.2 and Appendix C: generalized linear bandits."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from warmer import bounds
from warmer.claims.claim import Expected, Inequality, claim
from warmer.claims.instances.kinds import AtScale, Generator, InSpace
from warmer.claims.instances.tables import linear, products, scale
from warmer.model import Problem
from warmer.problems import conference
from warmer.problems.extremal import linear_counterexample


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
