"""Builders of bandits: sizes, labels, seeds, and what they refuse."""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from warmer import dissimilarity_dimension, problems
from warmer.model import Problem
from warmer.model.errors import InvalidValueError


def test_arms_take_every_combination_of_levels() -> None:
    problem = problems.arms(2, levels=3)
    assert list(problem.queries) == ["arm 1", "arm 2"]
    assert list(problem.targets)[:4] == ["(0, 0)", "(0, 1/2)", "(0, 1)", "(1/2, 0)"]
    assert problem.rho[:, 1].tolist() == [0.0, 0.5]


def test_every_needle_is_the_best_arm_of_its_own_function() -> None:
    problem = problems.needle(5)
    assert problem.best_queries.tolist() == [0, 1, 2, 3, 4]
    assert problem.targets[2] == "needle in arm 3"
    assert not problem.is_square


def test_a_seed_fixes_what_is_drawn() -> None:
    for builder in (problems.linear, problems.random_table, problems.sphere):
        assert np.array_equal(builder(seed=3).rho, builder(seed=3).rho)
        assert not np.array_equal(builder(seed=3).rho, builder(seed=4).rho)


def test_a_linear_bandit_has_the_rank_of_its_dimension() -> None:
    problem = problems.linear(10, 12, dimension=3)
    assert problem.rho.shape == (10, 12)
    assert np.linalg.matrix_rank(problem.rho) == 3
    assert problem.queries[9] == "action 10"
    assert problem.targets[0] == "theta 1"


def test_random_tables_stay_between_their_ends() -> None:
    rho = problems.random_table(30, 40, low=0.25, high=0.5).rho
    assert rho.min() >= 0.25
    assert rho.max() <= 0.5


def test_features_are_multiplied_exactly_where_they_are_rational() -> None:
    problem = problems.from_features([[Fraction(1, 3), 0]], [[1, 5], [2, 5]], targets=["s", "t"])
    assert problem.rational is not None
    assert problem.rational.numerators.tolist() == [[1, 2]]
    assert problem.rational.denominator == 3
    assert problems.from_features([[1, 0]], [[0.5, 0.5]]).rational is None
    assert problems.from_features([[1, 2]], [[3, 4]], reward_range=(0, 20)).rho.tolist() == [[11.0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: problems.arms(0), "n_arms must be at least 1, got 0."),
        (lambda: problems.arms(2.5), "n_arms must be a whole number, got 2.5."),
        (lambda: problems.arms(2, levels=1), "levels must be at least 2, got 1."),
        (
            lambda: problems.arms(15),
            "may hold at most 10,000,000 entries, this one needs 15 x 14,348,907; lower n_arms",
        ),
        (lambda: problems.arms(10**9), "lower n_arms or levels"),
        (lambda: problems.needle(10**5), "lower n_arms, or give your own array to Problem.from_table."),
        (lambda: problems.linear(0), "n_actions must be at least 1, got 0."),
        (lambda: problems.linear(dimension=0), "dimension must be at least 1, got 0."),
        (lambda: problems.linear(seed=-1), "seed must be at least 0, got -1."),
        (lambda: problems.linear(10**4, 10**4), "lower n_actions or n_parameters"),
        (lambda: problems.random_table(10**4, 10**4), "lower n_queries or n_targets"),
        (
            lambda: problems.random_table(low=0.5, high=0.5),
            "random_table needs -1 <= low < high <= 1, got low=0.5 and high=0.5.",
        ),
        (lambda: problems.random_table(high=2), "random_table needs -1 <= low < high <= 1"),
        (lambda: problems.random_table(low="cold"), "low must be a number, got 'cold'."),
        (
            lambda: problems.from_features([[1, 0]], [[1]]),
            "actions and parameters must have the same dimension, got 2 and 1.",
        ),
        (
            lambda: problems.from_features([[1, 0], [1]], [[1, 0]]),
            "actions must be numbers in rows of the same length",
        ),
        (lambda: problems.from_features([1, 0], [[1, 0]]), "actions must be numbers in rows of the same length"),
        (
            lambda: problems.from_features([], [[1, 0]]),
            "actions must be numbers in rows of the same length, at least one, got shape (0,).",
        ),
        (lambda: problems.from_features([[1, "x"]], [[1, 0]]), "actions must be numbers in rows of the same length"),
        (
            lambda: problems.from_features([[1.0, 0]], [[np.inf, 0]]),
            "parameters must be finite numbers in rows of the same length, got inf in row 0.",
        ),
        (
            lambda: problems.from_features([[2, 0]], [[1, 0]]),
            "the entry of query 0 and target 0 must lie in [-1, 1], got 2.0",
        ),
    ],
)
def test_a_bandit_that_cannot_be_built_is_refused(make: Callable[[], Problem], message: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        make()


@pytest.mark.parametrize("vectors", [np.eye(3), np.eye(3, dtype=int), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]])
def test_vectors_come_in_any_form(vectors: Any) -> None:
    assert problems.from_features(vectors, vectors).rho.tolist() == np.eye(3).tolist()


def test_a_logistic_bandit_is_the_table_of_its_family():
    table = problems.glm(7, 9, dimension=2, norm=2.0, seed=3)
    family_like = problems.linear(7, 9, dimension=2, seed=3)
    assert table.rho == pytest.approx(1 / (1 + np.exp(-2.0 * family_like.rho)))
    assert table.reward_range == (0, 1)
    with pytest.raises(InvalidValueError, match="norm must be greater than 0"):
        problems.glm(norm=0)


def test_a_relu_bandit_is_the_table_of_its_family():
    table = problems.relu(6, dimension=3, bias=0.25, seed=4)
    points = problems.sphere(6, dimension=3, seed=4).rho
    assert table.rho == pytest.approx(np.maximum(points - 0.25, 0))
    assert table.best_queries.tolist() == list(range(6))
    with pytest.raises(InvalidValueError, match=r"bias must lie in \[0, 1\), got 1"):
        problems.relu(bias=1.0)


def test_a_link_of_ones_own_goes_over_the_inner_products():
    table = problems.from_features([[1, 0], [0, 1]], [[0.6, 0.8]], link=lambda x: np.maximum(x - 0.5, 0))
    assert table.rho == pytest.approx(np.array([[0.1], [0.3]]))
    with pytest.raises(InvalidValueError, match=r"link must keep the shape \(2, 1\) of its array, got \(\)"):
        problems.from_features([[1, 0], [0, 1]], [[0.6, 0.8]], link=np.sum)


@pytest.mark.parametrize("recipe", ["glm:n_actions=4,n_parameters=6,norm=2", "relu:n_points=5,bias=0.25"])
def test_dimensions_of_nonlinear_bandits_are_exact_by_name(recipe):
    problem = problems.catalog.parse(recipe).build()
    alpha = float(problem.self_evaluations.min())
    assert dissimilarity_dimension(problem, alpha=alpha, epsilon=0.2).is_exact
