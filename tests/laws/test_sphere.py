"""The deterministic theorem on the sphere: 2 d^1.5 ln(4/eps) bad queries at most, with d = 2n+1."""

import math

import numpy as np
import pytest

from warmer import LeastSquares, Optimistic, bounds, environments, simulate
from warmer.families import LinearBall, Sphere


def random_point(n, seed):
    point = np.random.default_rng(seed).standard_normal(n)
    return point / np.linalg.norm(point)


@pytest.mark.parametrize("seed", range(10))
def test_the_target_in_ten_dimensions_is_found_within_the_queries_of_the_theorem(seed):
    """One query more than can be bad; after it, in no round of as many again, is the target missed."""
    sphere, target = Sphere(10), random_point(10, seed)
    needed = bounds.exact_pac_horizon(dimension=bounds.sphere_dimension_bound(n=10), epsilon=1e-6)
    runs = simulate(LeastSquares(sphere, alpha=1.0), environments.Exact(sphere, target), horizon=2 * needed, seed=0)
    is_missed = np.linalg.norm(runs.queries[0] - target, axis=1) > 1e-6
    assert is_missed[0]
    assert not is_missed[needed - 1 :].any()
    assert (runs.means[0] < 1 - 1e-6).sum() < needed
    assert not is_missed[20:].any()  # far sooner than the theorem asks


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_every_count_of_bad_queries_obeys_the_theorem(n):
    sphere = Sphere(n)
    runs = simulate(
        LeastSquares(sphere, alpha=1.0), environments.Exact(sphere, random_point(n, 3)), horizon=200, seed=0
    )
    for epsilon in (1.0, 0.1, 0.01, 1e-4, 1e-8):
        assert (runs.means[0] < 1 - epsilon).sum() <= 2 * (2 * n + 1) ** 1.5 * math.log(4 / epsilon)


def test_optimism_asks_what_least_squares_asks_where_all_promise_the_same():
    sphere = Sphere(4)
    environment = environments.UniformNoise(sphere, random_point(4, 1), width=0.25)
    plain = simulate(LeastSquares(sphere, alpha=1.0), environment, horizon=50, seed=2)
    for radius in (0.5, "anytime"):
        assert (simulate(Optimistic(sphere, radius), environment, horizon=50, seed=2).queries == plain.queries).all()


def test_exact_answers_find_a_parameter_inside_the_ball():
    ball, target = LinearBall(6), 0.7 * random_point(6, 4)
    runs = simulate(LeastSquares(ball, alpha=0.7), environments.Exact(ball, target), horizon=60, seed=0)
    assert runs.means[0, -1] == pytest.approx(0.7, abs=1e-6)
