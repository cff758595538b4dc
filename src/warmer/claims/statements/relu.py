"""Section 5.2 and Appendix C: ReLU bandits, held against codes on the sphere and points on the circle."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import Generator, Instance, Sized
from warmer.claims.instances.tables import rational_points
from warmer.dimensions import dissimilarity_dimension
from warmer.model import Array, Problem
from warmer.model.checks import at_most


@dataclass(frozen=True, eq=False)
class Scaled(Instance):
    """A class of so many coordinates at a scale, with b = 1 - eps."""

    n: int
    epsilon: float


@dataclass(frozen=True, eq=False)
class Code(Scaled):
    """The same with these unit vectors."""

    code: Array


def _draw_relu(rng: Generator) -> Sized:
    n, size = int(rng.integers(1, 4)), int(rng.integers(2, 9))
    points = rational_points(rng, n, size)
    b = Fraction(int(rng.integers(0, 8)), 8)
    problem = Problem.from_table(np.maximum(points @ points.T - b, 0))
    epsilon = (1 - b) * Fraction(int(rng.integers(1, 5)), 4)
    return Sized(f"ReLU with b={b} on {size} points in R^{n}, eps={epsilon}", problem, 1 - b, epsilon, n)


def _polygons(*more: float) -> Iterator[Sized]:
    for epsilon in (1.0, 0.5, 0.2, 0.1, 0.01, *more):
        yield _polygon(_most_on_the_circle(epsilon), epsilon)


def _most_on_the_circle(epsilon: float) -> int:
    """The most points of the circle that the definition allows at b = 1 - eps = 1 - alpha, whatever their order.

    Of d points some two are as close as neighbours of the regular d-gon or closer. Their value is at most
    c + eps/sqrt(d), and c at most alpha - eps = 0; what d points satisfy, fewer do.
    """
    d = 2
    while at_most(max(0.0, math.cos(2 * math.pi / (d + 1)) - (1 - epsilon)), epsilon / math.sqrt(d + 1)):
        d += 1
    return d


def _polygon(size: int, epsilon: float) -> Sized:
    angles = 2 * math.pi / size * np.arange(size)
    problem = _relu_bandit(np.cos(angles[:, None] - angles[None, :]), epsilon)
    name, exact = f"ReLU with b=1-eps on the regular {size}-gon, eps={epsilon:g}", Fraction(epsilon)
    return Sized(name, problem, exact, exact, 2)


def _relu_bandit(cosines: Array, epsilon: float) -> Problem:
    """Unit vectors with these inner products, as parameters and actions, b = 1 - eps."""
    table = np.maximum(0.0, cosines - (1 - epsilon))
    np.fill_diagonal(table, epsilon)
    return Problem.from_table(table)


def _relu_scales() -> Iterator[Scaled]:
    for n, epsilon in ((1, 1 / 50), (2, 1e-2), (2, 1e-3), (2, 1e-4)):
        yield Scaled(f"ReLU in R^{n}, b=1-eps, eps={epsilon:g}", n, epsilon)


def _code_dimension(code: Array, epsilon: float) -> int:
    """The dissimilarity dimension of the ReLU bandit of these unit vectors."""
    return dissimilarity_dimension(_relu_bandit(code @ code.T, epsilon), alpha=epsilon, epsilon=epsilon).value


def _draw_code(rng: Generator) -> Code:
    """A maximal code, as far as 3000 random points of the sphere can tell: each has one within the angle."""
    n, epsilon = int(rng.choice([2, 3, 4])), float(rng.uniform(0.15, 1.0))
    points = rng.normal(size=(3000, n))
    code = np.empty((0, n))
    for point in points / np.linalg.norm(points, axis=1, keepdims=True):
        if (code @ point).max(initial=-1.0) <= 1 - epsilon:
            code = np.vstack([code, point])
    return _code(code, epsilon, "a maximal code")


def _thin_codes() -> Iterator[Code]:
    """Maximal codes with few points: their caps just cover the sphere."""
    golden = (1 + math.sqrt(5)) / 2
    corners = [(0, s, t * golden) for s, t in product((1, -1), repeat=2)]
    icosahedron = np.array([np.roll(corner, shift) for corner in corners for shift in range(3)]) / math.hypot(1, golden)
    yield _code(np.array([[1.0], [-1.0]]), 0.02, "both unit vectors")
    yield _code(np.vstack([np.eye(3), -np.eye(3)]), 0.43, "the octahedron")
    yield _code(icosahedron, 0.21, "the icosahedron")
    yield _code(np.vstack([np.eye(4), -np.eye(4)]), 0.5, "the 16-cell")


def _code(code: Array, epsilon: float, name: str) -> Code:
    name = f"{name} of {len(code)} points in R^{code.shape[1]}, b=1-eps, eps={epsilon:.4g}"
    return Code(name, code.shape[1], epsilon, code)


@Claim("theorem::relu_dim_bound", Expected.REFUTED, "E5", given=_relu_scales)
def _relu_lower_printed(instance: Scaled) -> Iterator[Inequality]:
    """ReLU bandits at b = 1 - eps have dimension at least (1/2eps)^(n/2). If: alpha = eps."""
    # The dimension, computed: for n = 1 there are two unit vectors, for n = 2 the circle.
    n, epsilon = instance.n, instance.epsilon
    truth = _code_dimension(np.array([[1.0], [-1.0]]), epsilon) if n == 1 else _most_on_the_circle(epsilon)
    yield Inequality((1 / (2 * epsilon)) ** (n / 2), truth, "(1/2eps)^(n/2) against the dimension")


@Claim("theorem::relu_dim_bound/lower", Expected.REPAIRED, "E5", draw=_draw_code, given=_thin_codes, at_most=60)
def _relu_lower(instance: Code) -> Iterator[Inequality]:
    """They have at least as many as caps of angle arccos(1-eps) that cover the sphere.

    If: alpha = eps, b = 1 - eps; on maximal codes in R^2, R^3 and R^4, their dimension computed.
    """
    n, epsilon = instance.n, instance.epsilon
    found = _code_dimension(instance.code, epsilon)
    least = bounds.class_dimensions.relu_dimension_lower_bound(n=n, epsilon=epsilon)
    yield Inequality(least, found, "caps against the code")
    yield Inequality(found, bounds.relu_dimension_bound(n=n, epsilon=epsilon), "the code against half the caps")


@Claim("theorem::relu_dim_bound/circle", Expected.BEYOND, "E5", given=partial(_polygons, 1e-3))
def _relu_circle(instance: Sized) -> Iterator[Inequality]:
    """On the circle: the largest d with d arccos(1-eps(1-1/sqrt d)) <= 2 pi (N15). If: alpha = eps, b = 1 - eps."""
    # The polygon is feasible by computation, one more point is not by the definition, and the formula agrees.
    epsilon, size, found = float(instance.epsilon), instance.problem.n_targets, instance.dissimilarity().value
    yield Inequality(size, found, "every point of the polygon is used")
    formula = bounds.class_dimensions.relu_circle_dimension(epsilon=epsilon)
    yield Inequality(formula, size, "the formula is at most what the definition allows")
    yield Inequality(found, formula, "the formula is at least what was found")
    if size < 100:
        more = _polygon(size + 1, epsilon).dissimilarity().value
        yield Inequality(more, size, "one more point is too many")


@Claim("theorem::relu_dim_bound/upper", draw=_draw_relu, given=_polygons)
def _relu_upper(instance: Sized) -> Iterator[Inequality]:
    """ReLU bandits have dimension at most (4/sqrt(eps))^n or 9, and at most the caps on the sphere.

    If: alpha = 1 - b, eps at most 1 - b.
    """
    n, epsilon = instance.n, float(instance.epsilon)
    sharper = bounds.relu_dimension_bound(n=n, epsilon=epsilon)
    yield Inequality(instance.dissimilarity().value, sharper, "caps on the sphere")
    yield Inequality(sharper, bounds.class_dimensions.relu_paper_bound(n=n, epsilon=epsilon), "as printed")
