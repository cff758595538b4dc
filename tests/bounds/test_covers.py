"""Covers and packings of balls and linear bandits, against ones that were built."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warmer import Problem, bounds, covering_number


def net(points, radius):
    """The points taken one by one that are further than the radius from all taken before: a packing, and a cover."""
    taken = points[:1]
    for point in points[1:]:
        if ((taken - point) ** 2).sum(axis=1).min() > radius**2:
            taken = np.vstack([taken, point])
    return taken


def grid(n, step):
    """Points of the unit ball; every point of the ball is within step sqrt(n) of one of them."""
    line = np.arange(-1, 1 + step / 2, step)
    points = np.stack(np.meshgrid(*[line] * n), axis=-1).reshape(-1, n)
    return points[(points**2).sum(axis=1) <= 1]


@pytest.mark.parametrize(("n", "step"), [(1, 1e-3), (2, 0.02), (3, 0.08)])
@pytest.mark.parametrize("radius", [0.25, 0.4, 0.7, 1.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_nets_of_the_ball_lie_between_both_bounds(n, step, radius, seed):
    points = np.random.default_rng(seed).permutation(grid(n, step))
    size = len(net(points, radius))
    assert (
        size <= bounds.coverings.ball_covering_bounds(n=n, radius=radius)[1]
    )  # a packing with distances above the radius
    wide = radius + step * math.sqrt(n)  # the same points cover the whole ball at this radius
    if wide <= 1:
        assert size >= bounds.coverings.ball_covering_bounds(n=n, radius=wide)[0]


@given(st.integers(1, 60))
def test_on_the_line_the_covering_number_is_known(k):
    """Intervals of length 2r cover [-1, 1] if there are at least 1/r of them."""
    low, high = bounds.coverings.ball_covering_bounds(n=1, radius=1 / k)
    assert low == pytest.approx(k)
    assert k <= high


@given(st.integers(1, 3), st.integers(1, 7), st.integers(2, 400), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_the_budget_of_a_linear_bandit_is_enough_for_every_set_of_parameters(n, size, horizon, seed):
    """Corollary cor:alg:MAIN1 with the covering number itself, at 4/T."""
    rng = np.random.default_rng(seed)
    parameters, actions = (points / np.linalg.norm(points, axis=1)[:, None] for points in rng.normal(size=(2, size, n)))
    n_cover = covering_number(Problem.from_table(np.clip(actions @ parameters.T, -1, 1)), epsilon=4 / horizon).value
    needed = bounds.budgets.covering_error_budget(
        beta=2, beta_prime=4, covering_number=n_cover, horizon=horizon, delta=0.1
    )
    assert linear_error_budget(n=n, horizon=horizon, delta=0.1) >= needed


def linear_error_budget(*, n, horizon, delta, scale=1.0, reach=1.0):
    """The corollary for any part of a ball, whose parameters and actions have products up to the reach."""
    log_cover = bounds.coverings.log_cover_of_ball(dimension=n, width=4 * scale / (horizon * reach))
    return bounds.radii.cover_radius(log_cover=log_cover, horizon=horizon, delta=delta, scale=scale)


def test_a_line_of_parameters_comes_close_to_its_cover():
    """At T = 80 the parameters k/20 need a cover as large as the line's, so ln N is of the right order."""
    parameters = [Fraction(k, 20) for k in range(-20, 21)]
    n_cover = covering_number(Problem.from_table([parameters]), epsilon=Fraction(4, 80)).value
    assert n_cover == 14  # each covers three
    assert math.log(n_cover) > bounds.coverings.log_cover_of_ball(dimension=1, width=4 / 80) / 2


def test_the_budget_of_a_linear_bandit_is_its_formula_in_any_units():
    expected = 128 * (3 * math.log(1 + 50) + math.log(200 / 0.1))
    assert linear_error_budget(n=3, horizon=100, delta=0.1) == pytest.approx(expected)
    wide = linear_error_budget(n=3, horizon=100, delta=0.1, scale=50, reach=50)
    assert wide == pytest.approx(2500 * expected)
