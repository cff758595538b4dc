"""Section 5.2 and Appendix C: generalized linear bandits."""

import math
from collections.abc import Iterator
from fractions import Fraction

from warmer import bounds
from warmer.claims.claim import Claim, Comparison, Expected, Instance
from warmer.claims.generators import Generator, linear, scale
from warmer.dimensions import dissimilarity_dimension
from warmer.model import Problem
from warmer.problems import conference, linear_counterexample

__all__ = ["CLAIMS"]

_SECTION = "5 Bandits, Appendix C"


def _draw_glm(rng: Generator) -> Instance:
    """g(x) = (5x + x^3)/8 on inner products in [-1, 1]: slopes from 5/8 to 1."""
    base = linear(rng)
    products = [[_link(sum(map(Fraction.__mul__, a, t), Fraction(0))) for t in base.parameters] for a in base.actions]
    alpha = max(max(row) for row in products)
    epsilon = scale(rng)
    parts = {"problem": Problem.from_table(products), "alpha": alpha, "epsilon": epsilon, "n": base.n, "slope": 5 / 8}
    return Instance(f"g(x) = (5x+x^3)/8 in R^{base.n}, eps={epsilon}", parts)


def _link(x: Fraction) -> Fraction:
    return (5 * x + x**3) / 8


def _without_link() -> Iterator[Instance]:
    """Linear bandits, g(x) = x: the longest sequences that are known."""
    for n, extremal in ((1, linear_counterexample(1)), (2, linear_counterexample(2)), (2, conference(5))):
        parts = {"problem": extremal.problem, "alpha": extremal.alpha, "epsilon": extremal.epsilon, "n": n}
        name = f"g(x) = x, {extremal.problem.n_targets} dissimilar alternatives in R^{n}"
        yield Instance(name, {**parts, "slope": 1.0})


def _glm(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, monotone=True)
    epsilon = float(instance.epsilon)
    bound = bounds.glm_dimension_bound(n=instance.n, slope_low=instance.slope, slope_high=1.0, epsilon=epsilon)
    yield Comparison(found.value, bound)


def _steep_scale() -> Iterator[Instance]:
    parts = {"problem": Problem.from_table([[Fraction(3, 4)]]), "alpha": Fraction(3, 4), "epsilon": Fraction(2)}
    yield Instance("one parameter and one action, slope at most 1, eps=2", parts)


def _glm_logarithm(instance: Instance) -> Iterator[Comparison]:
    """Whatever the constant, the right-hand side is at most 0 where the slope is at most epsilon."""
    if instance.epsilon < 1:
        return
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    yield Comparison(found, math.log(1 / float(instance.epsilon)), "d against n r^2 log(h/eps) up to a constant")


CLAIMS = (
    Claim(
        label="theorem::glm_dim_bound",
        section=_SECTION,
        statement="Generalized linear bandits have dimension O(n r^2 log(h/eps)).",
        hypotheses="every eps > 0; tried at eps >= h only, where the log is not positive: the lost ln r is not shown",
        check=_glm_logarithm,
        draw=_draw_glm,
        given=_steep_scale,
        expected=Expected.REFUTED,
        erratum="S11",
    ),
    Claim(
        label="theorem::glm_dim_bound/repaired",
        section=_SECTION,
        statement="Their dimension is at most what the determinant argument leaves.",
        hypotheses="slopes between h_low and h_high",
        check=_glm,
        draw=_draw_glm,
        given=_without_link,
        notices="an eighth of it would be noticed",
        expected=Expected.REPAIRED,
        erratum="S11",
    ),
)
