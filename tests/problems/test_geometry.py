"""Points on spheres and circles, and the class that lives on two semicircles."""

import re
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from tests.golden import golden
from warmer import problems
from warmer.model import Problem
from warmer.model.errors import InvalidValueError


def test_random_points_lie_on_the_sphere() -> None:
    problem = problems.sphere(20, dimension=4, seed=2)
    assert problem.is_square
    assert (problem.rho.diagonal() == 1).all()
    assert np.array_equal(problem.rho, problem.rho.T)
    assert np.linalg.matrix_rank(problem.rho) == 4
    assert problem.valid_targets.all()


def test_vectors_are_normalised_whatever_their_size() -> None:
    rho = problems.from_vectors([[3, 4], [6e200, 8e200], [-3e-200, 0]]).rho
    assert np.allclose(rho, [[1, 1, -0.6], [1, 1, -0.6], [-0.6, -0.6, 1]])


def test_rational_unit_vectors_are_exact_and_others_are_not() -> None:
    unit = problems.from_vectors([[Fraction(3, 5), Fraction(4, 5)], [1, 0]], labels=["u", "e"])
    assert unit.rational is not None
    assert unit.rational.numerators.tolist() == [[5, 3], [3, 5]]
    assert problems.from_vectors([[1, 1], [1, 0]]).rational is None


def test_the_regular_pentagon_is_the_golden_one() -> None:
    angles = 2 * np.pi * np.arange(5) / 5
    problem = problems.from_vectors(np.column_stack([np.cos(angles), np.sin(angles)]))
    assert np.allclose(problem.rho, golden()["regular_pentagon_eps5/4"]["rho"], atol=1e-12)


@pytest.mark.parametrize("n_points", [4, 12, 20, 28, 36])
def test_points_of_the_circle_are_distinct_and_of_length_one(n_points: int) -> None:
    problem = problems.circle(n_points)
    assert problem.n_queries == n_points
    assert (problem.rho.diagonal() == 1).all()
    assert (problem.rho == 1).sum() == n_points


@pytest.mark.parametrize(("n_bumps", "n_functions"), [(1, 140), (2, 560), (5, 448)])
def test_the_separation_class_has_every_choice_of_bumps(n_bumps: int, n_functions: int) -> None:
    problem = problems.separation(n_bumps)
    assert problem.n_targets == n_functions
    assert (problem.self_evaluations == 1).all()


def test_every_function_of_the_separation_class_obeys_its_definition() -> None:
    problem = problems.separation(2, epsilon=0.1, n_points=20)
    points = np.array(
        [[float(Fraction(part)) for part in str(name).strip("()").split(",")] for name in problem.queries]
    )
    for target, label in enumerate(problem.targets):
        found = re.fullmatch(r"v=\((.*?), (.*?)\), ([xy])>0: .*", str(label))
        assert found is not None
        v = np.array([float(Fraction(found[1])), float(Fraction(found[2]))])
        inside = points[:, "xy".index(found[3])] > 0
        assert v["xy".index(found[3])] <= 0
        values = problem.rho[:, target]
        assert sorted(set(np.abs(values[inside]))) == [0.0, 0.1]
        assert (values[inside] != 0).sum() == 2
        assert np.allclose(values[~inside], points[~inside] @ v, atol=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: problems.sphere(0), "n_points must be at least 1, got 0."),
        (lambda: problems.sphere(dimension=0), "dimension must be at least 1, got 0."),
        (lambda: problems.sphere(10**5), "lower n_points"),
        (lambda: problems.from_vectors([[1, 0], [0, 0]]), "a zero vector has no direction; vector 1 is zero."),
        (
            lambda: problems.from_vectors([[float("nan"), 0]]),
            "vectors must be finite numbers in rows of the same length, got nan in row 0.",
        ),
        (lambda: problems.circle(7), "n_points must be one of 4, 12, 20, 28, 36, got 7."),
        (lambda: problems.separation(0), "n_bumps must be at least 1, got 0."),
        (lambda: problems.separation(6), "n_bumps must be at most 5, the points in a semicircle, got 6."),
        (lambda: problems.separation(epsilon=0), "epsilon must lie in (0, 1], got 0."),
        (lambda: problems.separation(epsilon=1.5), "epsilon must lie in (0, 1], got 1.5."),
        (
            lambda: problems.separation(epsilon="small"),
            "epsilon must be a finite number such as 0.5 or \"5/4\", got 'small'.",
        ),
        (lambda: problems.separation(8, n_points=36), "lower n_bumps or n_points"),
    ],
)
def test_what_cannot_be_built_is_refused(make: Callable[[], Problem], message: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(message)):
        make()
