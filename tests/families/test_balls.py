"""A number as the radius means what the contract says, class by class; and how large radii get."""

from types import SimpleNamespace

import numpy as np
import pytest

from warmer import Problem
from warmer.estimation import TableFit
from warmer.families import GLM, KArms, Linear, LinearBall, ReLU, Separation, Sphere, logistic
from warmer.families.solvers.radii import Smooth
from warmer.model import Fit

ACTIONS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [-0.8, 0.6]])
CLASSES = {
    "table": Problem.from_table(np.random.default_rng(3).uniform(-1, 1, (6, 40))),
    "arms": KArms(4, reward_range=(-1, 1)),
    "relu": ReLU(2, bias=0.25),
    "linear": Linear(ACTIONS, 0.9),
    "linear ball": LinearBall(2, 0.9),
    "glm": GLM(ACTIONS, logistic, norm=2.0, reward_range=(-1, 1)),
}


def told(problem, seed, n=12):
    """A fit, a ball of a number, both told the same answers, and the answers."""
    rng = np.random.default_rng(seed)
    fit = TableFit(problem) if isinstance(problem, Problem) else problem.fit()
    ball = fit.ball(0.3)
    fitted, inside, queries = fit.start(), ball.start(), []
    for _ in range(n):
        if problem.query_shape:
            query = rng.standard_normal(2)
            query /= np.linalg.norm(query) * rng.uniform(1, 2)
        else:
            query = int(rng.integers(4))
        reward, count = float(rng.uniform(-0.5, 1)), int(rng.integers(1, 4))
        fitted, inside = fit.update(fitted, query, reward, count), ball.update(inside, query, reward, count)
        queries += [(query, reward)] * count
    return fit, ball, fitted, inside, queries


def vectors(problem, queries):
    actions = np.array([query if problem.query_shape else ACTIONS[query] for query, _ in queries])
    return actions, np.array([reward for _, reward in queries])


@pytest.mark.parametrize("name", ["table", "arms", "relu"])
@pytest.mark.parametrize("seed", range(5))
def test_a_number_as_radius_is_the_distance_ball_where_the_contract_says_so(name, seed):
    problem = CLASSES[name]
    fit, ball, fitted, inside, queries = told(problem, seed)
    center, found = fit.estimate(fitted), ball.most_optimistic(inside)
    gaps = [problem.evaluate(query, found) - problem.evaluate(query, center) for query, _ in queries]
    assert np.square(gaps).sum() <= 0.3 + 1e-6
    assert problem.self_evaluation(found) >= problem.self_evaluation(center) - 1e-9


@pytest.mark.parametrize("name", ["linear", "linear ball", "glm"])
@pytest.mark.parametrize("seed", range(5))
def test_a_number_as_radius_is_an_ellipsoid_where_the_contract_says_so(name, seed):
    problem = CLASSES[name]
    fit, ball, fitted, inside, queries = told(problem, seed)
    actions, rewards = vectors(problem, queries)
    matrix = np.eye(2) + actions.T @ actions
    center = fit.estimate(fitted) if name == "glm" else np.linalg.solve(matrix, actions.T @ rewards)
    size = 0.3 / problem.slopes[0] ** 2 if name == "glm" else 0.3
    found = ball.most_optimistic(inside)
    assert (found - center) @ matrix @ (found - center) == pytest.approx(size)
    directions = np.stack([np.cos(np.linspace(0, 7, 500)), np.sin(np.linspace(0, 7, 500))])
    rim = center[:, None] + np.sqrt(size) * np.linalg.solve(np.linalg.cholesky(matrix).T, directions)
    tops = np.linalg.norm(rim, axis=0) if name == "linear ball" else (ACTIONS @ rim).max(axis=0)
    best = np.linalg.norm(found) if name == "linear ball" else (ACTIONS @ found).max()
    assert best >= tops.max() - 1e-9


@pytest.mark.parametrize("family", [Sphere(2), Separation(1)], ids=repr)
def test_where_all_self_evaluations_are_equal_the_ball_is_its_center(family):
    fit = family.fit()
    query = family.best_query(fit.estimate(fit.start()))
    for radius in (0.0, 5.0):
        ball = fit.ball(radius)
        state = ball.update(ball.start(), query, 0.25)
        assert np.array_equal(family.best_query(ball.most_optimistic(state)), family.best_query(fit.estimate(state)))


def test_the_contract_names_every_class_of_the_room():
    words = Fit.ball.__doc__ or ""
    assert all(
        f"`{name}`" in words for name in ("KArms", "ReLU", "Linear", "LinearBall", "GLM", "Sphere", "Separation")
    )


@pytest.mark.parametrize("sigma", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("lipschitz", [0.1, 1.0, 20.0])
def test_no_smooth_radius_up_to_the_horizon_is_larger_than_the_most(sigma, lipschitz):
    family = SimpleNamespace(targets=SimpleNamespace(n=2), lipschitz=lipschitz, norm=1.5, scale=1.0)
    radius = Smooth(family, delta=0.1, sigma=sigma, factor=2.0, margin=0.5)
    for horizon in (1, 2, 5, 30, 1000):
        largest = max(radius.at(t) for t in range(1, horizon + 1))
        assert largest <= radius.most(horizon) <= 9 * largest
        assert radius.most(horizon) == pytest.approx(2 * radius.center(horizon) + 0.5)
