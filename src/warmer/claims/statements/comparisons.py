"""Section 5.2: what the paper compares its bounds with, eluder dimensions, the star number and the regret of ReLU."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Inequality
from warmer.claims.instances.kinds import Generator, Instance, Sized
from warmer.claims.instances.tables import linear
from warmer.dimensions import eluder_dimension, star_number
from warmer.dimensions.converters import eluder_from_star
from warmer.dimensions.stars import StarWitness
from warmer.environments import Exact
from warmer.learners import LeastSquares
from warmer.model import Array, Problem
from warmer.simulation import simulate

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Scale(Instance):
    """So many coordinates, a scale, and the ratio of the slopes of a link."""

    n: int
    epsilon: float
    ratio: float


def _draw_scale(rng: Generator) -> Scale:
    n, epsilon, ratio = int(rng.integers(1, 8)), float(10 ** rng.uniform(-3, 0.5)), float(rng.uniform(1, 3))
    return Scale(f"R^{n}, eps={epsilon:.4g}, slopes from 1/{ratio:.4g} to 1", n, epsilon, ratio)


@Claim("subsec:bandit_examples/tighter", draw=_draw_scale, at_most=60)
def _tighter(instance: Scale) -> Iterator[Inequality]:
    """Bounds of the dissimilarity dimension are below those by way of Russo and Van Roy's eluder dimension.

    If: for linear bandits 2n+1 at alpha = 1, below it and for generalized linear ones the determinant bounds.
    """
    n, epsilon, at = instance.n, instance.epsilon, bounds.eluder_dimensions
    linear_eluder = at.linear_eluder_bound(n=n, epsilon=epsilon)
    yield Inequality(bounds.linear_dimension_bound(n=n, alpha=1), linear_eluder, "2n+1 against the eluder bound itself")
    nine = 9 * at.linear_eluder_bound(n=n, epsilon=2 * epsilon / 3)
    below = bounds.linear_dimension_bound(n=n, alpha=0.5, epsilon=epsilon)
    yield Inequality(below, nine, "at alpha = 1/2, against 9 times it")
    slopes: dict[str, Any] = {"slope_low": 1 / instance.ratio, "slope_high": 1.0}
    nine = 9 * at.glm_eluder_bound(n=n, epsilon=2 * epsilon / 3, **slopes)
    glm = bounds.glm_dimension_bound(n=n, epsilon=epsilon, **slopes)
    yield Inequality(glm, nine, "generalized linear, against 9 times its eluder bound")


def _powers() -> Iterator[Sized]:
    """Powers of 1/2 as parameters and as actions: the value functions fall by halves."""
    for k in (4, 8):
        values = [Fraction(1, 2**i) for i in range(k)]
        problem = Problem.from_table([[x * y for y in values] for x in values])
        yield Sized(f"the powers 1 to 2^-{k - 1} in R^1", problem, Fraction(1), Fraction(1, 2**k), 1)


@Claim(
    "subsec:bandit_examples/eluder",
    draw=linear,
    given=_powers,
    notices="a twelfth of it would be noticed",
)
def _eluder(instance: Sized) -> Iterator[Inequality]:
    """Linear bandits have eluder dimension at most 3n e/(e-1) ln(3 + 12/eps^2) + 1 (Russo and Van Roy).

    If: parameters and actions in the unit ball.
    """
    found = eluder_dimension(instance.problem, epsilon=instance.epsilon, monotone=True, time_limit=10)
    bound = bounds.eluder_dimensions.linear_eluder_bound(n=instance.n, epsilon=float(instance.epsilon))
    yield Inequality(found.lower, bound)


@dataclass(frozen=True, eq=False)
class Neurons(Instance):
    """Unit vectors, for a neuron each with b = 1 - eps."""

    n: int
    epsilon: float
    code: Array

    @property
    def table(self) -> Array:
        """What the neuron of each vector (a column) gives for each vector."""
        table: Array = np.maximum(0.0, self.code @ self.code.T - (1 - self.epsilon))
        table[table < _ROUNDING] = 0.0  # cosines of exactly 1 - eps
        np.fill_diagonal(table, self.epsilon)
        return table


def _neurons(code: Array, epsilon: float, what: str) -> Neurons:
    size, n = code.shape
    return Neurons(f"ReLU with b=1-eps on {what} of {size} points in R^{n}, eps={epsilon:.4g}", n, epsilon, code)


def _binary_codes() -> Iterator[Neurons]:
    """Vectors with coordinates of one size, any two of which differ in a quarter of their signs or more."""
    for n in (4, 8, 12):
        left = np.array(list(product((1, -1), repeat=n)))
        words = left[:0]
        while len(left):
            words = np.vstack([words, left[0]])
            left = left[(left != left[0]).sum(axis=1) >= n // 4]
        yield _neurons(words / math.sqrt(n), 0.5, "a binary code")


@Claim("subsec:bandit_examples/relu-growth", given=_binary_codes)
def _relu_growth(instance: Neurons) -> Iterator[Inequality]:
    """The star number and the eluder dimension of ReLU bandits grow at least exponentially with n.

    If: b = 1 - eps, at scales below eps; with the parameter 0 the unit vectors of a code are a star.
    """
    table = np.hstack([np.zeros((len(instance.code), 1)), instance.table])
    problem, scale = Problem.from_table(table), instance.epsilon / 2
    star = star_number(problem, epsilon=scale, monotone=False, time_limit=10)
    assert isinstance(star.witness, StarWitness)
    eluder = eluder_from_star(star.witness, problem)
    least = bounds.eluder_dimensions.relu_star_lower_bound(n=instance.n, epsilon=instance.epsilon)
    yield Inequality(least, star.lower, "the formula against the star number")
    yield Inequality(len(instance.code), star.lower, "every vector is in the star")
    yield Inequality(star.lower, len(eluder), "the star as a sequence of independent actions")
    yield Inequality(2 ** (instance.n / 2), star.lower, "2^(n/2), at eps = 1/2")


def _draw_apart(rng: Generator) -> Neurons:
    """Unit vectors with angles of twice arccos(1 - eps) or more, and no room for another, as far as 2000 can tell."""
    n, epsilon = int(rng.choice([2, 3])), float(rng.uniform(0.03, 0.25))
    points, code = rng.normal(size=(2000, n)), np.empty((0, n))
    for point in points / np.linalg.norm(points, axis=1, keepdims=True):
        if (code @ point).max(initial=-1.0) <= 2 * (1 - epsilon) ** 2 - 1:
            code = np.vstack([code, point])
    return _neurons(code, epsilon, "a code of twice the angle")


def _axes() -> Iterator[Neurons]:
    for n in (2, 3, 8):
        yield _neurons(np.vstack([np.eye(n), -np.eye(n)]), 1 - math.sqrt(0.5), "both ends of all axes")


@Claim("subsec:bandit_examples/relu-horizon", given=_axes, draw=_draw_apart, at_most=30)
def _relu_horizon(instance: Neurons) -> Iterator[Inequality]:
    """ReLU bandits cannot have a regret of eps T/2 before T is of the order eps^(-(n-1)/2), exponential in n.

    If: b = 1 - eps; on average over the vectors of a code. The paper quotes eps^-(n-2) for one-layer networks.
    """
    # Algorithm 1 with exact answers, on every truth in turn: at every T its regret is at least that of the proof.
    size, epsilon = len(instance.code), instance.epsilon
    least = bounds.eluder_dimensions.relu_horizon_lower_bound(n=instance.n, epsilon=epsilon)
    yield Inequality(least, size - 1, "the formula against the code")
    problem = Problem.from_table(instance.table)
    learner = LeastSquares(problem, alpha=epsilon)
    runs = [simulate(learner, Exact(problem, truth), horizon=size, seed=0) for truth in range(size)]
    gaps = np.mean([epsilon - run.means[0] for run in runs], axis=0).cumsum()
    rounds = np.arange(1, size + 1)
    proved = epsilon * (1 - rounds / size).cumsum()
    worst = int((gaps - proved).argmin())
    yield Inequality(float(proved[worst]), float(gaps[worst]), f"regret of {worst + 1} queries on average")
    if size > 2:
        half = epsilon * (size - 2) / 2
        yield Inequality(half, float(gaps[size - 3]), f"eps T/2 against the regret of T = {size - 2} queries")
