"""Measures of continuous classes: a bracket, or one sentence that says why not and what to use instead."""

import numpy as np
import pytest

from warmer import bounds, families
from warmer.dimensions import (
    complexity,
    covering_number,
    decision_estimation_coefficient,
    dissimilarity_dimension,
    dissimilarity_profile,
    eluder_dimension,
    fractional_covering_number,
    strong_sq_dimension,
)
from warmer.model.errors import InvalidValueError

ACTIONS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
FAMILIES = {
    "sphere": families.Sphere(3),
    "ball": families.LinearBall(2),
    "long": families.LinearBall(2, 0.5),
    "arms": families.KArms(4),
    "linear": families.Linear(ACTIONS),
    "glm": families.GLM(ACTIONS, link=families.logistic),
    "relu": families.ReLU(2, bias=0.25),
    "separation": families.Separation(8, epsilon=0.2),
}
TABLES_ONLY = {
    "eluder": lambda family: eluder_dimension(family, epsilon=0.5),
    "strong SQ": lambda family: strong_sq_dimension(family, epsilon=0.5),
    "covering": lambda family: covering_number(family, epsilon=0.5),
    "fractional covering": lambda family: fractional_covering_number(family, gap=0.5),
    "decision-estimation": lambda family: decision_estimation_coefficient(family, gamma=1),
    "profile": lambda family: dissimilarity_profile(family, alpha=0.5),
    "complexity": lambda family: complexity(family, alpha=0.5, epsilon=0.5),
}


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
@pytest.mark.parametrize("measure", TABLES_ONLY.values(), ids=TABLES_ONLY)
def test_a_class_without_a_table_is_refused_in_a_sentence_that_says_what_to_use(family, measure):
    with pytest.raises(InvalidValueError, match=r"has infinitely many targets\..* take finitely many of them") as error:
        measure(family)
    assert repr(family) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("monotone", [False, True])
def test_the_sphere_has_a_bracket_between_a_witness_and_a_theorem(monotone):
    bracket = dissimilarity_dimension(families.Sphere(3), alpha=1, epsilon=1, monotone=monotone)
    assert 4 <= bracket.lower <= bracket.upper == bounds.sphere_dimension_bound(n=3, alpha=1, epsilon=1)
    assert bracket.witness.check() >= 0
    assert len(bracket.witness) == bracket.lower
    two = dissimilarity_dimension(families.Sphere(2), alpha=1, epsilon=1.25, sided="two")
    assert two.value == 5


def test_the_ball_has_a_bracket_and_says_where_two_sides_are_bounded():
    bracket = dissimilarity_dimension(families.LinearBall(1), alpha=1 / 128, epsilon=3 / 512)
    assert 8 <= bracket.lower <= bracket.upper
    assert bracket.witness.check() >= -1e-9
    with pytest.raises(InvalidValueError, match=r"use bounds.two_sided_linear_dimension_bound, which is 2n"):
        dissimilarity_dimension(families.LinearBall(1), alpha=0.5, epsilon=0.5, sided="two")


@pytest.mark.parametrize("name", ["long", "arms", "linear", "glm", "relu", "separation"])
def test_other_classes_are_sent_to_their_theorems(name):
    with pytest.raises(InvalidValueError, match=r"Use a theorem \(bounds.arms_dimension, .* with Problem.from_table"):
        dissimilarity_dimension(FAMILIES[name], alpha=0.5, epsilon=0.5)


def test_what_is_no_problem_at_all_is_refused_by_its_type():
    with pytest.raises(InvalidValueError, match=r"needs a Problem, got ndarray; use Problem.from_table"):
        eluder_dimension(np.eye(3), epsilon=0.5)
