"""Bounds on whole classes at one scale, beside the exact search."""

import math
from fractions import Fraction

import numpy as np
import pytest

from warmer import bounds
from warmer.dimensions import dissimilarity_dimension
from warmer.model import Problem
from warmer.model.errors import HypothesisError
from warmer.problems import conference

FRACTIONS = sorted({Fraction(p, q) for q in range(1, 13) for p in range(1, 2 * q + 1)})


def needles(n_arms: int) -> Problem:
    """One function for each arm, 1 there and 0 elsewhere: no other functions in [0, 1] make longer sequences."""
    return Problem.from_similarity(np.eye(n_arms, dtype=int))


def test_a_float_is_the_same_fraction_in_bounds_and_in_the_exact_search() -> None:
    assert bounds.arms_dimension(n_arms=4, alpha=2 / 3, epsilon=4 / 3) == 4
    assert dissimilarity_dimension(needles(4), alpha=2 / 3, epsilon=4 / 3).value == 4


def test_nine_arms_follow_the_exact_search_at_every_small_fraction_given_as_a_float() -> None:
    problem = needles(9)
    for alpha in (each for each in FRACTIONS if each <= 1):
        for epsilon in FRACTIONS:
            level, scale = float(alpha), float(epsilon)
            exact = dissimilarity_dimension(problem, alpha=level, epsilon=scale).value
            assert bounds.arms_dimension(n_arms=9, alpha=level, epsilon=scale) == exact, (alpha, epsilon)


@pytest.mark.parametrize("n", [1, 2, 3, 10])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 1.5, 2.0, 3.0, 6.0])
def test_the_sphere_holds_no_longer_sequence_than_unit_vectors_allow(n: int, epsilon: float) -> None:
    """The definition of the bound, length by length: some d unit vectors have a product of -1/(d-1) or more."""
    most = 2 if n == 1 else 2 * n + 1
    allowed = [d for d in range(2, most + 1) if 1 - epsilon * (1 - 1 / math.sqrt(d)) >= -1 / (d - 1) - 1e-9]
    assert bounds.sphere_dimension_bound(n=n, epsilon=epsilon) == max(allowed, default=1)


def test_a_bound_too_long_to_sum_is_refused() -> None:
    with pytest.raises(HypothesisError, match="too large, or epsilon too small"):
        bounds.linear_dimension_bound(n=10**15, alpha=0.5, epsilon=0.1)
    assert bounds.linear_dimension_bound(n=1, alpha=0.5, epsilon=1e-200) > 1000


@pytest.mark.parametrize("q", [5, 9, 13])
def test_two_sided_linear_sequences_are_at_most_2n_plus_1_long_and_conferences_attain_it(q: int) -> None:
    extremal = conference(q)
    n = (q - 1) // 2
    found = dissimilarity_dimension(extremal.problem, alpha=1, epsilon=extremal.epsilon, sided="two").value
    assert found == bounds.class_dimensions.two_sided_linear_dimension_bound(n=n) == 2 * n + 1
