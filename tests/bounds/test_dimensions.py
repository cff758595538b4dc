"""Bounds on dimensions: strong SQ, classes, packings."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warmer import HypothesisError, InvalidValueError, bounds
from warmer.dimensions import covering_number, dissimilarity_dimension
from warmer.model import Problem

sizes = st.integers(1, 500)
scales = st.fractions(Fraction(1, 64), 4, max_denominator=64)


@given(sizes, scales)
def test_the_strong_sq_inequalities_undo_each_other(size, epsilon):
    """The right halves are the left halves read backwards, so the best counterpart is never excluded."""
    low = bounds.strong_sq.dissimilarity_lower_bound(strong_sq=size, epsilon=epsilon)
    assert low <= size
    assert bounds.strong_sq.strong_sq_upper_bound(dissimilarity=low, epsilon=epsilon) >= size
    if size >= 3:
        narrow = bounds.strong_sq.strong_sq_lower_bound(dissimilarity=size, epsilon=epsilon / 4)
        assert narrow <= size
        assert bounds.strong_sq.dissimilarity_upper_bound(strong_sq=narrow, epsilon=epsilon) >= size


@given(sizes, scales)
def test_the_strong_sq_roots_are_exact(size, epsilon):
    most = bounds.strong_sq.strong_sq_upper_bound(dissimilarity=size, epsilon=epsilon)
    # the largest s that min{s, floor(4 eps^2 s^2)} <= r allows
    assert min(most, math.floor(4 * epsilon**2 * most**2)) <= size
    more = most + 1
    assert min(more, math.floor(4 * epsilon**2 * more**2)) > size


@given(st.integers(1, 40), st.fractions(-1, Fraction(49, 50), max_denominator=50), scales)
def test_equal_correlations_follow_the_definition(size, value, epsilon):
    d = bounds.class_dimensions.equal_correlations_dimension(size=size, correlation=value, epsilon=epsilon)
    gap = 1 - value

    def is_feasible(length):
        rest = epsilon - gap  # eps (1 - 1/sqrt d) <= gap, squared
        return rest <= 0 or length * rest**2 <= epsilon**2

    assert is_feasible(d)
    assert d == size or not is_feasible(d + 1)


@given(st.integers(1, 30), st.fractions(0, 1, max_denominator=16), scales)
def test_arms_never_have_more_than_their_number(n_arms, alpha, epsilon):
    found = bounds.arms_dimension(n_arms=n_arms, alpha=alpha, epsilon=epsilon)
    assert 1 <= found <= n_arms
    assert (found == n_arms) == (n_arms == 1 or epsilon * (1 - 1 / math.sqrt(n_arms)) <= float(alpha) + 1e-12)


@given(st.integers(1, 4), st.integers(1, 10**12))
def test_the_linear_lower_bound_is_its_largest_block(n, inverse):
    epsilon = Fraction(1, inverse)
    k = bounds.class_dimensions.linear_dimension_lower_bound(n=n, epsilon=epsilon) // n
    assert epsilon**2 * (n * k) ** (k - 1) <= 1
    assert epsilon**2 * (n * (k + 1)) ** k > 1


@settings(max_examples=60, deadline=None)  # scipy is loaded at the first call
@given(st.integers(1, 8), st.floats(1e-3, 1.0))
def test_the_relu_bounds_are_in_order_and_the_papers_upper_one_is_true(n, epsilon):
    lower = bounds.class_dimensions.relu_dimension_lower_bound(n=n, epsilon=epsilon)
    upper = bounds.relu_dimension_bound(n=n, epsilon=epsilon)
    assert lower <= upper <= bounds.class_dimensions.relu_paper_bound(n=n, epsilon=epsilon)


@pytest.mark.parametrize("epsilon", [1.0, 0.5, 0.1, 1e-2, 1e-3, 1e-4])
def test_on_the_circle_caps_and_angles_are_the_same_bound(epsilon):
    assert bounds.class_dimensions.relu_circle_dimension(epsilon=epsilon) == bounds.relu_dimension_bound(
        n=2, epsilon=epsilon
    )


def test_an_eluder_sequence_that_determinants_allow_is_within_the_bounds_of_russo_and_van_roy():
    """Each of k independent actions multiplies a determinant by 1 + 1/(2r^2); its trace allows (1 + ak/n)^n."""
    k = np.arange(1, 100_000)
    for n, epsilon, ratio in product((1, 2, 5, 20), (0.001, 0.1, 1.0), (1.0, 2.0, 5.0)):
        is_allowed = (k - 1) / n * np.log1p(1 / (2 * ratio**2)) <= np.log1p((2 / epsilon) ** 2 * (k - 1) / n)
        slopes = {"slope_low": 1 / ratio, "slope_high": 1.0}
        assert k[is_allowed].max() <= bounds.eluder_dimensions.glm_eluder_bound(n=n, epsilon=epsilon, **slopes)


def test_the_horizon_of_relu_bandits_has_the_order_of_the_sphere():
    for n in (2, 3, 5):
        few, many = (bounds.eluder_dimensions.relu_horizon_lower_bound(n=n, epsilon=e) for e in (1e-4, 1e-6))
        assert many / few == pytest.approx(100 ** ((n - 1) / 2), rel=0.02)


def test_the_relu_orders_are_those_of_the_sphere():
    for n in (2, 3, 4):
        ratios = [
            bounds.relu_dimension_bound(n=n, epsilon=epsilon) * epsilon ** ((n - 1) / 2) for epsilon in (1e-3, 1e-4)
        ]
        assert ratios[0] == pytest.approx(ratios[1], rel=0.05)
        low = bounds.class_dimensions.relu_dimension_lower_bound(n=n, epsilon=1e-4) * 1e-4 ** ((n - 1) / 2)
        assert ratios[1] / 2 ** (1.5 * n) < low


def test_an_icosahedron_is_within_the_relu_bounds():
    golden = (1 + math.sqrt(5)) / 2
    corners = [(0, a, b * golden) for a in (-1, 1) for b in (-1, 1)]
    points = np.array([np.roll(corner, k) for corner in corners for k in range(3)]) / math.sqrt(1 + golden**2)
    epsilon = 0.777
    table = np.maximum(0, points @ points.T - (1 - epsilon))
    found = dissimilarity_dimension(Problem.from_table(table), alpha=epsilon, epsilon=epsilon).value
    assert found == 12
    low, high = (
        bounds.class_dimensions.relu_dimension_lower_bound(n=3, epsilon=epsilon),
        bounds.relu_dimension_bound(n=3, epsilon=epsilon),
    )
    assert low <= 12 <= high


@pytest.mark.parametrize("radius", [0.25, 1.0, 1.5, 1.99])
def test_a_line_of_parameters_needs_no_more_centers_than_the_covering_bound(radius):
    line = Problem.from_table([np.linspace(-1, 1, 65)])
    assert covering_number(line, epsilon=radius).value <= bounds.coverings.linear_covering_bound(n=1, radius=radius)
    assert bounds.coverings.linear_covering_bound(n=2, radius=4.0) == 2.25


def test_numbers_are_read_exactly():
    assert bounds.arms_dimension(n_arms=9, alpha=0.2, epsilon=0.3) == 9  # 0.3 (1 - 1/3) = 0.2, with equality
    with pytest.raises(InvalidValueError, match="epsilon must be a finite number such as"):
        bounds.arms_dimension(n_arms=9, alpha=1, epsilon="x")
    with pytest.raises(InvalidValueError, match="epsilon must be greater than 0, got 0"):
        bounds.arms_dimension(n_arms=9, alpha=1, epsilon=0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: bounds.strong_sq.strong_sq_lower_bound(dissimilarity=2, epsilon=1),
            "at least 3, got 2: two antipodes",
        ),
        (lambda: bounds.strong_sq.strong_sq_upper_bound(dissimilarity=0, epsilon=1), "alpha exceeds"),
        (lambda: bounds.linear_dimension_bound(n=2, alpha="1/2"), "below it the paper's 4n\\+3 is false"),
        (lambda: bounds.class_dimensions.linear_dimension_lower_bound(n=2, epsilon=2), "must be at most 1, got 2"),
        (lambda: bounds.arms_dimension(n_arms=2, alpha=2, epsilon=1), "alpha must lie there, got 2"),
        (
            lambda: bounds.class_dimensions.equal_correlations_dimension(size=2, correlation=1, epsilon=1),
            "must be below 1",
        ),
        (
            lambda: bounds.glm_dimension_bound(n=1, slope_low=2, slope_high=1, epsilon=1),
            "slope_high must be at least slope_low = 2, got 1",
        ),
        (lambda: bounds.coverings.ball_covering_bounds(n=1, radius=2), "radii up to 1, got 2"),
        (lambda: bounds.relu_dimension_bound(n=1, epsilon=1.5), "epsilon is at most 1 - b"),
        (lambda: bounds.class_dimensions.relu_dimension_lower_bound(n=1, epsilon=1.5), "epsilon is at most 1 - b"),
        (lambda: bounds.class_dimensions.relu_circle_dimension(epsilon=1.5), "epsilon is at most 1 - b"),
        (lambda: bounds.class_dimensions.relu_paper_bound(n=1, epsilon=1.5), "epsilon is at most 1 - b"),
    ],
)
def test_outside_its_hypotheses_a_theorem_is_silent(call, message):
    with pytest.raises(HypothesisError, match=message):
        call()
