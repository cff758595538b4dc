"""Tables at any level, points on the sphere, equal similarities."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from warmer.claims.instances.kinds import AtScale, Generator, InSpace
from warmer.claims.instances.tables import any_table, inner, rational_points, scale
from warmer.model import Problem
from warmer.problems import conference


@dataclass(frozen=True, eq=False)
class Centered(InSpace):
    """Points with a center of their products."""

    center: Fraction | float


def draw_any_level(rng: Generator) -> AtScale:
    """A table with a level that perhaps nobody reaches."""
    instance = any_table(rng)
    alpha = instance.alpha + Fraction(int(rng.integers(0, 5)), 4)
    return AtScale(f"{instance.name}, raised to {alpha}", instance.problem, alpha, instance.epsilon)


def draw_sphere(rng: Generator) -> InSpace:
    """Rational points on the sphere."""
    n, size = int(rng.integers(1, 4)), int(rng.integers(2, 9))
    points = rational_points(rng, n, size)
    gram = [[inner(u, v) for v in points] for u in points]
    alpha, epsilon = Fraction(int(rng.integers(-4, 9)), 8), scale(rng)
    name = f"{size} points on the sphere in {n} dimensions, alpha={alpha}, eps={epsilon}"
    return InSpace(name, Problem.from_similarity(gram), alpha, epsilon, n)


def conferences() -> Iterator[Centered]:
    """Points of conference matrices."""
    for q in (5, 9, 13, 17, 25, 29):
        extremal = conference(q)
        name = f"{q} points of a conference matrix in {(q - 1) // 2} dimensions"
        alpha, epsilon = Fraction(extremal.alpha), Fraction(extremal.epsilon)
        yield Centered(name, extremal.problem, alpha, epsilon, (q - 1) // 2, extremal.center)


def draw_equal(rng: Generator) -> AtScale:
    """Alternatives of one similarity to each other."""
    size, value, epsilon = int(rng.integers(1, 13)), Fraction(int(rng.integers(-8, 8)), 8), scale(rng)
    table = [[Fraction(1) if i == j else value for j in range(size)] for i in range(size)]
    name = f"{size} alternatives of similarity {value}, eps={epsilon}"
    return AtScale(name, Problem.from_similarity(table), Fraction(1), epsilon)
