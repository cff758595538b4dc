"""Least squares under constraints on the norm: nothing better is found, and the hard case is no exception."""

import numpy as np
import pytest

from tests.families.reference import best_feasible, best_on_sphere, quadratic_loss, random_moments
from warmer.families import LinearBall, Sphere
from warmer.families.solvers.quadratic import in_shell, on_sphere, spectrum


def told(fit, state, queries, rewards, counts):
    for query, reward, count in zip(queries, rewards, counts, strict=True):
        state = fit.update(state, query, reward, int(count))
    return state


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_no_better_point_of_the_sphere_is_found(n):
    rng = np.random.default_rng(n)
    fit = Sphere(n).fit()
    for n_answers in [0, 1, n - 1, n, 3 * n, 30]:
        state = told(fit, fit.start(), *random_moments(rng, n, max(n_answers, 0)))
        estimate = fit.estimate(state)
        assert np.linalg.norm(estimate) == pytest.approx(1, abs=1e-12)

        def loss(theta, state=state):
            return quadratic_loss(state.gram, state.sums, theta)

        assert loss(estimate) <= best_on_sphere(loss, n, 1.0, rng) + 1e-9


@pytest.mark.parametrize(
    ("gram", "sums", "expected"),
    [
        (np.zeros((3, 3)), np.zeros(3), [1, 0, 0]),  # nothing known: the first axis
        (np.diag([0.0, 1.0, 1.0]), np.zeros(3), [1, 0, 0]),
        (np.diag([1.0, 0.0, 0.0]), np.array([0.6, 0, 0]), [0.6, 0.8, 0]),  # hard case: the lowest axis that is free
        (np.diag([2.0, 1.0, 1.0]), np.zeros(3), [0, 1, 0]),
        (np.diag([2.0, 1.0, 3.0]), np.array([0.5, 0.0, 0.0]), [0.5, np.sqrt(0.75), 0]),  # hard, positive multiplier
        (np.diag([2.0, 1.0, 3.0]), np.array([2.0, 0.0, 0.0]), [1, 0, 0]),  # orthogonal, yet not hard
        (np.eye(3), np.array([0.0, -5.0, 0.0]), [0, -1, 0]),
        (np.zeros((3, 3)), np.array([0.0, 0.0, 1e-8]), [0, 0, 1]),
    ],
)
def test_the_hard_case_and_its_neighbours(gram, sums, expected):
    assert on_sphere(spectrum(gram, sums), 1.0) == pytest.approx(np.array(expected, dtype=float), abs=1e-9)


@pytest.mark.parametrize("push", [1e-5, 1e-8, 1e-11, 1e-14, 1e-17])
def test_near_the_hard_case_the_loss_is_still_least(push):
    gram, sums = np.diag([1.0, 3.0, 4.0]), np.array([-push, 0.3, 0.2])
    found = on_sphere(spectrum(gram, sums), 1.0)
    exact = on_sphere(spectrum(gram, np.array([0, 0.3, 0.2])), 1.0) * [-1, 1, 1]
    assert np.linalg.norm(found) == pytest.approx(1, abs=1e-12)
    assert quadratic_loss(gram, sums, found) <= quadratic_loss(gram, sums, exact) + 1e-12


@pytest.mark.parametrize(("n", "alpha"), [(1, 0.3), (2, 0.0), (2, 0.8), (5, None), (5, 0.5), (5, 1.0)])
def test_no_better_point_of_the_shell_is_found(n, alpha):
    rng = np.random.default_rng(n)
    fit = LinearBall(n).fit()
    for n_answers in [0, 1, n, 4 * n]:
        state = told(fit, fit.start(alpha), *random_moments(rng, n, n_answers))
        estimate = fit.estimate(state)
        assert (alpha or 0) - 1e-9 <= np.linalg.norm(estimate) <= 1 + 1e-12

        def loss(theta, state=state):
            return quadratic_loss(state.gram, state.sums, theta)

        constraints = [lambda x: 1 - x @ x, lambda x: x @ x - (alpha or 0) ** 2]
        assert loss(estimate) <= best_feasible(loss, n, constraints, rng) + 1e-7


def test_inside_the_ball_it_is_plain_least_squares():
    gram, sums = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([0.3, 0.2])
    found = in_shell(spectrum(gram, sums), inner=0.0, outer=1.0)
    assert found == pytest.approx(np.linalg.solve(gram, sums), rel=1e-9)


@pytest.mark.parametrize("radius", [0.0, 0.1, 1.0, 20.0, "anytime", "paper"])
def test_the_longest_vector_of_the_ellipsoid(radius):
    rng = np.random.default_rng(0)
    fit = LinearBall(4).fit()
    ball = {
        "anytime": lambda: fit.anytime_ball(delta=0.05, sigma=0.5),
        "paper": lambda: fit.paper_ball(delta=0.05, horizon=100),
    }.get(radius, lambda: fit.ball(radius))()
    for n_answers in [0, 1, 3, 30]:
        state = told(ball, ball.start(), *random_moments(rng, 4, n_answers))
        matrix = state.gram + np.eye(4)
        log_det = np.linalg.slogdet(matrix)[1]
        size = ball.radius.at(0, log_det)
        center = fit.estimate(state) if radius == "paper" else np.linalg.solve(matrix, state.sums)
        found = ball.most_optimistic(state)
        assert (found - center) @ matrix @ (found - center) == pytest.approx(size, rel=1e-8, abs=1e-12)
        root = np.linalg.inv(np.linalg.cholesky(matrix)).T
        directions = rng.standard_normal((20_000, 4))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        others = center + np.sqrt(size) * directions @ root.T
        assert np.linalg.norm(found) >= np.linalg.norm(others, axis=1).max() - 1e-9


def test_the_self_normalised_ellipsoid_keeps_the_truth():
    """400 runs; more than 5% + 4 standard errors of failures would refute the bound."""
    missed = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        theta = rng.standard_normal(3)
        theta /= np.linalg.norm(theta)
        ball = LinearBall(3).fit().anytime_ball(delta=0.05, sigma=0.5 / np.sqrt(3))
        state, is_out = ball.start(), False
        for _ in range(60):
            query = rng.standard_normal(3)
            query /= np.linalg.norm(query)
            state = ball.update(state, query, query @ theta + rng.uniform(-0.5, 0.5))
            matrix = state.gram + np.eye(3)
            gap = theta - np.linalg.solve(matrix, state.sums)
            is_out |= gap @ matrix @ gap > ball.radius.at(0, np.linalg.slogdet(matrix)[1])
        missed += is_out
    assert missed / 400 <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / 400)
