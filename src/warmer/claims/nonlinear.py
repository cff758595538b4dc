"""Section 5.2 and Appendix C: generalized linear and ReLU bandits."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Comparison, Expected, Instance
from warmer.claims.generators import Generator, linear, rational_points, scale
from warmer.dimensions import (
    dissimilarity_dimension,
)
from warmer.model import Problem

__all__ = ["CLAIMS"]

_SECTION = "5 Bandits, Appendix C"


def _draw_glm(rng: Generator) -> Instance:
    """g(x) = (5x + x^3)/8 on inner products in [-1, 1]: slopes from 5/8 to 1."""
    base = linear(rng)
    products = [[_link(sum(map(Fraction.__mul__, a, t), Fraction(0))) for t in base.parameters] for a in base.actions]
    alpha = max(max(row) for row in products)
    epsilon = scale(rng)
    parts = {"problem": Problem.from_table(products), "alpha": alpha, "epsilon": epsilon, "n": base.n}
    return Instance(f"g(x) = (5x+x^3)/8 in R^{base.n}, eps={epsilon}", parts)


def _link(x: Fraction) -> Fraction:
    return (5 * x + x**3) / 8


def _glm(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon, monotone=True)
    bound = bounds.glm_dimension_bound(n=instance.n, slope_low=5 / 8, slope_high=1.0, epsilon=float(instance.epsilon))
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


def _draw_relu(rng: Generator) -> Instance:
    n, size = int(rng.integers(1, 4)), int(rng.integers(2, 9))
    points = rational_points(rng, n, size)
    b = Fraction(int(rng.integers(0, 8)), 8)
    table = [[max(Fraction(0), sum(map(Fraction.__mul__, u, v), Fraction(0)) - b) for v in points] for u in points]
    epsilon = (1 - b) * Fraction(int(rng.integers(1, 5)), 4)
    parts = {"problem": Problem.from_table(table), "alpha": 1 - b, "epsilon": epsilon, "n": n}
    return Instance(f"ReLU with b={b} on {size} points in R^{n}, eps={epsilon}", parts)


def _polygons() -> Iterator[Instance]:
    for epsilon in (1.0, 0.5, 0.2, 0.1):
        size = bounds.relu_circle_dimension(epsilon=epsilon)
        yield _polygon(size, epsilon)


def _polygon(size: int, epsilon: float) -> Instance:
    angles = 2 * math.pi / size * np.arange(size)
    table = np.maximum(0.0, np.cos(angles[:, None] - angles[None, :]) - (1 - epsilon))
    np.fill_diagonal(table, epsilon)
    parts = {"problem": Problem.from_table(table), "alpha": epsilon, "epsilon": epsilon, "n": 2}
    return Instance(f"ReLU with b=1-eps on the regular {size}-gon, eps={epsilon:g}", parts)


def _relu_upper(instance: Instance) -> Iterator[Comparison]:
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    sharper = bounds.relu_dimension_bound(n=instance.n, epsilon=float(instance.epsilon))
    yield Comparison(found, sharper, "caps on the sphere")
    yield Comparison(sharper, bounds.relu_paper_bound(n=instance.n, epsilon=float(instance.epsilon)), "as printed")


def _relu_scales() -> Iterator[Instance]:
    for n, epsilon in ((1, 1 / 50), (2, 1e-2), (2, 1e-3), (2, 1e-4)):
        yield Instance(f"ReLU in R^{n}, b=1-eps, eps={epsilon:g}", {"n": n, "epsilon": epsilon})


def _relu_truth(n: int, epsilon: float) -> int:
    """For n = 1 by computing it: 1 and -1 are the only unit vectors. For n = 2 by the angles that fit in a circle."""
    if n == 1:
        size = Fraction(epsilon)
        both = Problem.from_table([[size, Fraction(0)], [Fraction(0), size]])
        return dissimilarity_dimension(both, alpha=size, epsilon=size).value
    return bounds.relu_circle_dimension(epsilon=epsilon)


def _relu_lower_printed(instance: Instance) -> Iterator[Comparison]:
    n, epsilon = instance.n, instance.epsilon
    yield Comparison((1 / (2 * epsilon)) ** (n / 2), _relu_truth(n, epsilon), "(1/2eps)^(n/2) against the dimension")


def _relu_lower(instance: Instance) -> Iterator[Comparison]:
    n, epsilon = instance.n, instance.epsilon
    truth = _relu_truth(n, epsilon) if n <= 2 else bounds.relu_dimension_bound(n=n, epsilon=epsilon)
    yield Comparison(bounds.relu_dimension_lower_bound(n=n, epsilon=epsilon), truth, "order eps^(-(n-1)/2)")
    yield Comparison(truth, bounds.relu_dimension_bound(n=n, epsilon=epsilon), "between both bounds")


def _draw_relu_scale(rng: Generator) -> Instance:
    n, epsilon = int(rng.integers(1, 7)), float(rng.uniform(0.02, 1.0))
    return Instance(f"ReLU in R^{n}, b=1-eps, eps={epsilon:.4g}", {"n": n, "epsilon": epsilon})


def _relu_circle(instance: Instance) -> Iterator[Comparison]:
    """The polygon of the formula is feasible, and one more point is too many for a regular polygon."""
    size = instance.problem.n_targets
    found = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    yield Comparison(size, found, "every point of the polygon is used")
    larger = _polygon(size + 1, float(instance.epsilon))
    more = dissimilarity_dimension(larger.problem, alpha=larger.alpha, epsilon=larger.epsilon).value
    yield Comparison(more, size, "one more point is too many")


CLAIMS = (
    Claim(
        label="theorem::glm_dim_bound",
        section=_SECTION,
        statement="Generalized linear bandits have dimension O(n r^2 log(h/eps)).",
        hypotheses="every eps > 0",
        check=_glm_logarithm,
        draw=_draw_glm,
        given=_steep_scale,
        expected=Expected.REFUTED,
        erratum="S11",
    ),
    Claim(
        label="theorem::glm_dim_bound/repaired",
        section=_SECTION,
        statement="They have dimension at most 9 max(1, eluder bound), the eluder bound as recalled (unverified).",
        hypotheses="slopes between h_low and h_high",
        check=_glm,
        draw=_draw_glm,
        expected=Expected.REPAIRED,
        erratum="S11",
    ),
    Claim(
        label="theorem::relu_dim_bound",
        section=_SECTION,
        statement="ReLU bandits at b = 1 - eps have dimension at least (1/2eps)^(n/2).",
        hypotheses="alpha = eps",
        check=_relu_lower_printed,
        given=_relu_scales,
        expected=Expected.REFUTED,
        erratum="E5",
    ),
    Claim(
        label="theorem::relu_dim_bound/lower",
        section=_SECTION,
        statement="They have at least as many as caps of angle arccos(1-eps) that cover the sphere.",
        hypotheses="alpha = eps, b = 1 - eps",
        check=_relu_lower,
        draw=_draw_relu_scale,
        given=_relu_scales,
        expected=Expected.REPAIRED,
        erratum="E5",
    ),
    Claim(
        label="theorem::relu_dim_bound/circle",
        section=_SECTION,
        statement="On the circle it is the largest d with d arccos(1-eps(1-1/sqrt d)) <= 2 pi (fact N15).",
        hypotheses="n = 2, alpha = eps, b = 1 - eps",
        check=_relu_circle,
        given=_polygons,
        expected=Expected.REPAIRED,
        erratum="E5",
    ),
    Claim(
        label="theorem::relu_dim_bound/upper",
        section=_SECTION,
        statement="ReLU bandits have dimension at most (4/sqrt(eps))^n or 9, and at most the caps on the sphere.",
        hypotheses="alpha = 1 - b, eps at most 1 - b",
        check=_relu_upper,
        draw=_draw_relu,
        given=_polygons,
    ),
)
