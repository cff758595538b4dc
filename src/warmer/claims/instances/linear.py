"""Linear bandits: random, extremal, and the matrices of their proofs."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from warmer.claims.instances.kinds import Generator, InSpace, Instance
from warmer.claims.instances.tables import extremal, linear, products, rational_points, scale
from warmer.model import Array, Problem
from warmer.problems import conference
from warmer.problems.extremal import linear_counterexample, linear_geometric, linear_greedy_counterexample


@dataclass(frozen=True, eq=False)
class Square(Instance):
    """A square matrix of whole numbers."""

    table: Array


@dataclass(frozen=True, eq=False)
class Covered(Instance):
    """A linear bandit and the radius of a cover."""

    problem: Problem
    n: int
    radius: Fraction


def linear_counterexamples() -> Iterator[InSpace]:
    """Linear bandits with more than 4n+3 dissimilar alternatives, and one whose actions are best."""
    for n in (1, 2, 3):
        yield extremal(linear_counterexample(n, product=True), n, f"all parameters and actions of {4 * n + 4} in R^{n}")
        yield extremal(linear_counterexample(n), n, f"{4 * n + 4} alternatives in R^{n}")
    yield extremal(linear_greedy_counterexample(), 2, "12 parameters with their best actions in R^2")


def draw_unit_linear(rng: Generator) -> InSpace:
    """Unit parameters and actions."""
    n, size = int(rng.integers(1, 4)), int(rng.integers(2, 7))
    problem, epsilon = Problem.from_table(products(rational_points(rng, n, size))), scale(rng)
    return InSpace(f"{size} unit parameters and actions in R^{n}, eps={epsilon}", problem, Fraction(1), epsilon, n)


def geometric() -> Iterator[InSpace]:
    """Blocks of powers, one for each coordinate."""
    for n, k in ((1, 8), (1, 12), (2, 8), (3, 6)):
        yield extremal(linear_geometric(n, k), n, f"{n} blocks of {k} powers")


def draw_perturbed(rng: Generator) -> Square:
    """A symmetric matrix of whole numbers: unit diagonal D, other entries at most D/sqrt(d) in absolute value."""
    size, unit = int(rng.integers(1, 10)), 12
    most = math.isqrt(unit**2 // size)
    signs = rng.choice([-1, 1], size)
    table = np.triu(rng.integers(-most, most + 1, (size, size)), 1)
    if rng.random() < 0.5:  # as close to low rank as it gets: all entries at the limit
        table = np.triu(np.outer(signs, signs) * most, 1)
    table = table + table.T + unit * np.eye(size, dtype=np.int64)
    return Square(f"{size} x {size} perturbed identity", table)


def conference_identities() -> Iterator[Square]:
    """Perturbed identities of the least rank."""
    for q in (9, 25):  # squares: I + S/sqrt(q) is rational
        root = math.isqrt(q)
        core = np.where(np.eye(q, dtype=bool), 0, np.where(conference(q).problem.rho > 0, 1, -1))
        yield Square(f"I + S/{root} of order {q}", core + root * np.eye(q, dtype=np.int64))


def two_points() -> Iterator[Covered]:
    """Two parameters that no one ball of radius 1 covers properly."""
    problem = Problem.from_table([[-1, 1]])
    yield Covered("Theta = {-1, 1}, A = {1}, radius 1", problem, 1, Fraction(1))


def draw_cover(rng: Generator) -> Covered:
    """A linear bandit with the radius of a cover."""
    instance = linear(rng)
    radius = Fraction(int(rng.integers(1, 9)), 8)
    return Covered(f"{instance.name}, radius {radius}", instance.problem, instance.n, radius)
