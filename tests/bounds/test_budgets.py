"""Error budgets of classes without a table: against their proofs, and against least squares that is played."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from warmer import LeastSquares, Optimistic, families
from warmer.bounds import budgets, coverings, radii

DELTA, HORIZON, N_RUNS = 0.1, 300, 30
numbers = st.floats(0.01, 100)


@given(numbers, st.integers(1, 10**6), st.floats(1e-6, 0.9), numbers, numbers)
def test_the_budget_of_a_cover_is_the_largest_error_that_its_proof_allows(log_cover, horizon, delta, sigma, scale):
    error = budgets.cover_error_budget(log_cover=log_cover, horizon=horizon, delta=delta, sigma=sigma, scale=scale)
    width = 4 * scale / horizon
    noise = 2 * (2 * scale) * horizon * width  # of 2 xi times the width, over all rounds
    near = (math.sqrt(error) + math.sqrt(horizon) * width) ** 2
    assert error == pytest.approx(noise + near / 2 + 4 * sigma**2 * (log_cover + math.log(1 / delta)))


def test_without_a_width_to_pay_for_the_budget_of_a_cover_is_the_anytime_budget():
    covered = budgets.cover_error_budget(log_cover=math.log(20), horizon=10**9, delta=0.05, sigma=1e6)
    assert covered == pytest.approx(budgets.anytime_error_budget(n_targets=20, delta=0.05, sigma=1e6))


@given(st.integers(1, 5), st.integers(1, 400), st.floats(1e-4, 0.9), numbers)
def test_the_budget_of_arms_is_four_times_what_all_intervals_hold_at_their_widest(n_arms, horizon, delta, sigma):
    widest = max(radii.arm_radius(n, n_arms=n_arms, delta=delta, sigma=sigma) for n in range(1, horizon + 1))
    budget = budgets.arms_error_budget(n_arms=n_arms, horizon=horizon, delta=delta, sigma=sigma)
    assert budget == pytest.approx(4 * n_arms * float(widest))


@given(st.integers(1, 4), st.integers(1, 20), numbers, st.floats(0.1, 10))
def test_the_budget_of_an_ellipsoid_is_attained_by_actions_that_take_turns(n, rounds_each, ridge, longest):
    """Two parameters at opposite ends of the ellipsoid, after actions that determine as much as actions can."""
    moments = ridge * np.eye(n) + rounds_each * longest**2 * np.eye(n)
    log_det = float(np.linalg.slogdet(moments / ridge)[1])
    noise = {"delta": 0.1, "sigma": 0.5, "ridge": ridge, "norm": 2.0}
    apart = (2 * math.sqrt(radii.self_normalised_radius(log_det_ratio=log_det, **noise))) ** 2
    budget = budgets.ellipsoid_error_budget(n=n, horizon=n * rounds_each, longest=longest, **noise)
    assert budget == pytest.approx(apart)


@given(numbers, numbers)
def test_the_budget_of_a_ball_is_attained_on_a_line(center, radius):
    """The truth, the center and the target, in this order, predict for one query what lies this far apart."""
    truth, middle = 0.0, math.sqrt(center)
    target = middle + math.sqrt(radius) - truth
    assert budgets.ball_error_budget(center=center, radius=radius) == pytest.approx(target**2)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("width", [0.3, 0.5, 1.0, 1.9, 2.5])
def test_packings_of_the_sphere_keep_to_its_cover(n, width):
    rng = np.random.default_rng(n)
    directions = rng.normal(size=(3000, n))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    packed = directions[:1]
    for point in directions:
        if np.linalg.norm(packed - point, axis=1).min() > width:
            packed = np.vstack([packed, point])
    assert len(packed) <= math.exp(coverings.log_cover_of_sphere(dimension=n, width=width)) * (1 + 1e-9)


def test_on_two_points_and_on_lines_covers_are_known():
    assert math.exp(coverings.log_cover_of_sphere(dimension=1, width=0.1)) == pytest.approx(2)
    assert math.exp(coverings.log_cover_of_sphere(dimension=3, width=2.0)) == pytest.approx(8)
    area = math.exp(coverings.log_cover_of_sphere(dimension=3, width=0.01)) * math.pi * 0.005**2 / (4 * math.pi)
    assert area == pytest.approx(1.5, rel=1e-3)  # of caps that are disjoint: 3/2 times too many, n/2 in general
    for steps in (1, 2, 7):  # intervals of length 2w
        grid = coverings.log_cover_of_box(dimension=2, width=1 / (2 * steps))
        assert math.exp(grid) == pytest.approx(steps**2)
        assert math.exp(coverings.log_cover_of_box(dimension=1, width=1 / (2 * steps) - 1e-3)) > steps + 0.5


def worst_error(learner, truth, query_values, rng):
    """The largest sum of squared differences between what the learner expects and the truth, on its queries so far."""
    family, state = learner.problem, learner.init(rng)
    asked, worst = [], 0.0
    for _ in range(HORIZON):
        query = learner.ask(state, rng)
        expected = learner.estimate(state)
        if asked:
            past = np.array(asked)
            worst = max(worst, float(((family.evaluate(past, expected) - family.evaluate(past, truth)) ** 2).sum()))
        asked.append(query)
        state = learner.tell(state, query, query_values(query, rng))
    return worst


@pytest.mark.parametrize("kind", ["arms", "optimistic arms", "sphere", "ellipsoid"])
def test_what_is_played_keeps_the_budget_of_its_class(kind):
    rng = np.random.default_rng(5)
    family = families.KArms(3) if "arms" in kind else families.Sphere(2) if kind == "sphere" else families.LinearBall(2)
    truth = np.array([0.5, 0.4, 0.6]) if "arms" in kind else np.array([0.6, 0.8])
    alpha = 0.6 if "arms" in kind else 1.0
    is_greedy = kind in ("arms", "sphere")
    learner = LeastSquares(family, alpha=alpha) if is_greedy else Optimistic(family, delta=DELTA, sigma=1.0)
    plan = {"horizon": HORIZON, "delta": DELTA, "sigma": 1.0}
    cover = coverings.log_cover_of_sphere(dimension=2, width=4 / HORIZON)
    budget = {
        "arms": lambda: budgets.arms_error_budget(n_arms=3, **plan),
        "optimistic arms": lambda: budgets.arms_error_budget(n_arms=3, **plan),
        "sphere": lambda: budgets.cover_error_budget(log_cover=cover, **plan),
        "ellipsoid": lambda: budgets.ellipsoid_error_budget(n=2, ridge=1.0, norm=1.0, **plan),
    }[kind]()

    def coin(query, rng):
        return 1.0 if rng.random() < (1 + family.evaluate(query, truth)) / 2 else -1.0

    errors = np.array([worst_error(learner, truth, coin, rng) for _ in range(N_RUNS)])
    assert (errors > budget).sum() <= binom.isf(1e-6, N_RUNS, DELTA)
    assert budget < 4 * HORIZON  # more than that no error can be: the budget could fail
