"""Whatever is passed in, a learner answers in one sentence of ours, at construction."""

import math
from fractions import Fraction

import numpy as np
import pytest

from warmer import (
    PAC,
    ExactPAC,
    HypothesisError,
    InvalidValueError,
    LeastSquares,
    Optimistic,
    OracleLeastSquares,
    Problem,
    Session,
    UntilCertified,
    bounds,
    environments,
    goals,
    simulate,
)
from warmer.estimation import AggregatingForecaster
from warmer.families import KArms, Linear, LinearBall, Separation, Sphere
from warmer.learners import Settings, Thompson, build

PROBLEM = Problem.from_table([[0.25, 0.5], [0.625, 0.0]])
BASE = LeastSquares(PROBLEM, alpha=0.5)
RADII = np.array([0.1, 0.2])
TOO_SMALL = "the numbers given to (.*pac_.*|bad_queries_bound) are too large or too small"
NO_COUNT = "no number of queries below .* is enough for epsilon"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: Optimistic(PROBLEM, RADII), InvalidValueError, r"radius must be a number, got array"),
        (lambda: Optimistic(Sphere(3), RADII), InvalidValueError, r"radius must be a number, got array"),
        (lambda: Optimistic(PROBLEM, None), InvalidValueError, r"radius must be a number, got None"),
        (lambda: Optimistic(None), InvalidValueError, "a learner needs a Problem or a family, got NoneType"),
        (lambda: Optimistic(PROBLEM, "paper", horizon=9, sigma="text"), InvalidValueError, "sigma must be a number"),
        (lambda: Optimistic(PROBLEM, 1.0, sigma=-1.0), InvalidValueError, "sigma must be greater than 0"),
        (lambda: Optimistic(PROBLEM, "anytime", horizon="text"), InvalidValueError, "horizon must be a whole number"),
        (
            lambda: OracleLeastSquares(PROBLEM, AggregatingForecaster(PROBLEM), radius=RADII),
            InvalidValueError,
            "radius must be a number, got array",
        ),
        (
            lambda: OracleLeastSquares(PROBLEM, AggregatingForecaster(PROBLEM), alpha=0.5, horizon="text"),
            InvalidValueError,
            "horizon must be a whole number",
        ),
        (lambda: OracleLeastSquares(PROBLEM, None, radius="paper", horizon=5), InvalidValueError, "regressor must be"),
        (lambda: LeastSquares(PROBLEM, alpha=Fraction(9, 10)), InvalidValueError, r"the best is 0\.625, got 0\.9"),
        (
            lambda: OracleLeastSquares(PROBLEM, AggregatingForecaster(PROBLEM), alpha=Fraction(9, 10)),
            InvalidValueError,
            r"the best is 0\.625, got 0\.9",
        ),
        (
            lambda: Optimistic(PROBLEM, sigma=Fraction(10**200)),
            InvalidValueError,
            "sigma must be a deviation of rewards",
        ),
        (lambda: PAC(BASE, epsilon=0.1, error_budget=3.0), InvalidValueError, "error_budget must be a function"),
        *(
            (
                lambda value=value: PAC(BASE, epsilon=0.1, dimension=2, error_budget=lambda horizon: value),
                InvalidValueError,
                r"error_budget\(horizon\) must be a",
            )
            for value in (None, "3", RADII, math.nan)
        ),
        (lambda: PAC(BASE, epsilon=1e-200, dimension=2), HypothesisError, TOO_SMALL),
        (lambda: PAC(BASE, epsilon=1e-200, horizon=5), HypothesisError, TOO_SMALL),
        (lambda: PAC(BASE, epsilon=1e-12, horizon=5), HypothesisError, NO_COUNT),
        (lambda: PAC(BASE, epsilon=0.1, dimension=10**400), HypothesisError, TOO_SMALL),
        (lambda: PAC(BASE, epsilon=0.1, horizon=10**19), InvalidValueError, "horizon must be at most"),
        (lambda: PAC(BASE, epsilon=0.1, horizon=9, n_candidates=10**12), InvalidValueError, "n_candidates must be at"),
        (lambda: ExactPAC(BASE, epsilon=0.1, dimension=10**400), HypothesisError, TOO_SMALL),
        (
            lambda: PAC(LeastSquares, epsilon=0.1),
            InvalidValueError,
            r"such as LeastSquares\(problem, ...\), got the class",
        ),
        (lambda: ExactPAC(LeastSquares, epsilon=0.1), InvalidValueError, "got the class itself"),
        (lambda: UntilCertified(LeastSquares, goals.BestQuery(0.1)), InvalidValueError, "got the class itself"),
        (lambda: Session(LeastSquares), InvalidValueError, "a session needs a learner, .* got the class itself"),
        (
            lambda: simulate(LeastSquares, environments.Coin(PROBLEM, 0), horizon=3, seed=0),
            InvalidValueError,
            "simulate needs a learner, .* got the class itself",
        ),
        (lambda: simulate(None, environments.Coin(PROBLEM, 0), horizon=3, seed=0), InvalidValueError, "got NoneType"),
        (lambda: simulate(BASE, environments.Coin, horizon=3, seed=0), InvalidValueError, "an environment answers"),
    ],
)
def test_what_means_nothing_is_refused_in_one_sentence(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_where_no_budget_is_known_nothing_is_promised_and_nothing_is_raised():
    bumpy = PAC(LeastSquares(Separation(2), alpha=1.0), horizon=20, dimension=7, epsilon=0.3).promise
    assert not bumpy
    assert "no error budget is known, as it would need a finite cover" in bumpy.reason
    endless = PAC(BASE, horizon=20, dimension=7, epsilon=0.3, error_budget=lambda horizon: math.inf).promise
    assert not endless
    assert "nothing is known of horizon 20: no horizon below" in endless.reason
    thompson = PAC(Thompson(PROBLEM), horizon=20, dimension=7, epsilon=0.3).promise
    assert not thompson
    assert "Thompson may ask what no good target would" in thompson.reason
    narrow = PAC(BASE, horizon=20, n_repeats=5, dimension=7, epsilon=1e-200).promise
    assert not narrow
    assert "nothing is known of n_repeats 5: the numbers given to pac_repeats are too large" in narrow.reason
    assert not ExactPAC(BASE, horizon=20, dimension=10**400, epsilon=0.1).promise


def test_a_promise_prints_whatever_number_epsilon_came_as():
    for epsilon in (Fraction(1, 4), np.float32(0.25), 0.25):
        promise = PAC(BASE, epsilon=epsilon, dimension=2).promise
        assert promise
        assert "the output is within 0.25 of it" in str(promise)
        assert "within 0.25" in str(ExactPAC(BASE, epsilon=epsilon, dimension=2).promise)


@pytest.mark.parametrize(
    ("family", "reach"), [(Linear([[0.5, 0.0], [0.3, 0.4]], 0.8), 0.4), (LinearBall(2, 0.5), 0.5)], ids=repr
)
def test_least_squares_on_a_linear_class_has_the_budget_of_its_cover(family, reach):
    base = LeastSquares(family, alpha=0.1)
    log_cover = bounds.coverings.log_cover_of_ball(dimension=2, width=4 / 50 / reach)
    expected = bounds.budgets.cover_error_budget(log_cover=log_cover, horizon=50, delta=0.1, sigma=1.0)
    assert base.error_budget(horizon=50, delta=0.1) == pytest.approx(expected)
    learner = PAC(base, epsilon=0.5, dimension=7)
    assert learner.promise
    horizon = learner.plan.horizon
    budget = base.error_budget(horizon=horizon, delta=0.025)
    low, high = family.reward_range
    asked = {"dimension": 7, "error_budget": budget, "epsilon": 0.375, "scale": (high - low) / 2}
    n_bad = bounds.bad_queries_bound(**asked, reach=0.1 - low)
    assert 2 * n_bad <= horizon <= 64 * 7**2.5 * budget / 0.25


@pytest.mark.parametrize("horizon", [*range(1, 40), 1001])
def test_algorithm_2_of_the_catalogue_keeps_within_its_horizon(horizon):
    learner = build("pac", PROBLEM, Settings(alpha=0.5, delta=0.05, sigma=0.5, horizon=horizon))
    assert learner.plan.n_queries <= horizon
    rng = np.random.default_rng(horizon)
    state, n_asked = learner.init(rng), 0
    while not learner.is_done(state):
        state, n_asked = learner.tell(state, learner.ask(state, rng), float(rng.uniform(-1, 1))), n_asked + 1
    assert n_asked <= learner.plan.n_queries


def test_k_arms_take_a_number_for_delta_only():
    with pytest.raises(InvalidValueError, match="delta must be a number"):
        Optimistic(KArms(2), delta=RADII)
