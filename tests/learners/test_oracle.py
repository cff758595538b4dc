"""Algorithm 4, its optimistic form, and what they do when no target is left."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from tests.learners import reference
from tests.strategies import similarities
from warmer import (
    PAC,
    HypothesisError,
    InvalidValueError,
    OracleLeastSquares,
    Problem,
    Session,
    analysis,
    environments,
    simulate,
)
from warmer.estimation import AggregatingForecaster, MeanForecaster, RegretAudit, TableFit, VovkAzouryWarmuth
from warmer.families import KArms, Linear, LinearBall

TABLE = Problem.from_table(np.random.default_rng(11).integers(-7, 8, (6, 9)) / 8)
rewards_told = st.lists(st.integers(-8, 8).map(lambda k: k / 8), min_size=1, max_size=10)


class Repeating:
    """An oracle that predicts whatever was told last, in eighths, so that sums of squares are exact."""

    def __init__(self, claim=1e6):
        self.claim = claim

    def init(self):
        return 0.0

    def predict(self, state, query):
        return state

    def update(self, state, query, reward):
        return reward

    def regression_regret(self, horizon):
        return self.claim


def asked(learner, rewards):
    """What it asks, the pairs of query and prediction before that, and its state."""
    rng = np.random.default_rng(0)
    state, predictions = learner.init(rng), []
    for reward in rewards:
        query = learner.ask(state, rng)
        yield query, list(predictions), state
        predictions.append((query, learner.regressor.predict(state.regressor, query)))
        state = learner.tell(state, query, reward)


@given(similarities(), rewards_told, st.data())
@settings(max_examples=200, deadline=None)
def test_with_alpha_it_is_algorithm_4(problem, rewards, data):
    alpha = data.draw(st.sampled_from(sorted(set(problem.self_evaluations.tolist()))))
    learner = OracleLeastSquares(problem, Repeating(), alpha=alpha)
    for query, predictions, _ in asked(learner, rewards):
        expected = reference.algorithm_4(range(problem.n_targets), lambda q, z: problem.rho[q, z], alpha, predictions)
        assert query == expected


@given(similarities(), rewards_told, st.integers(0, 24).map(lambda k: k / 8))
@settings(max_examples=300, deadline=None)
def test_with_a_radius_it_is_the_optimistic_form_and_an_empty_set_is_reported(problem, rewards, radius):
    learner = OracleLeastSquares(problem, Repeating(), radius=radius)
    alternatives = range(problem.n_targets)

    def rho(query, target):
        return problem.rho[query, target]

    for query, predictions, state in asked(learner, rewards):
        expected = reference.optimistic_algorithm_4(alternatives, rho, radius, predictions)
        assert learner.is_misspecified(state) == (expected is None)
        nearest = reference.algorithm_1(alternatives, rho, -1.0, predictions)
        assert query == (nearest if expected is None else expected)


def test_the_named_radii_are_the_formulas_in_the_units_of_the_problem():
    wide = Problem.from_table([[25.0, 50.0]], reward_range=(0, 100))
    oracle = AggregatingForecaster(wide)
    regret = 2 * 2500 * math.log(2)
    anytime = OracleLeastSquares(wide, oracle, radius="anytime", delta=0.1)
    assert anytime.ball.radius(5) == pytest.approx(2 * regret + 8 * 2500 * math.log(10))
    paper = OracleLeastSquares(wide, oracle, radius="paper", delta=0.1, horizon=30)
    assert paper.ball.radius(5) == pytest.approx(8 * regret + 64 * 100**2 * math.log(300))


def test_the_anytime_radius_grows_with_the_oracles_regret():
    problem = Problem.from_table([[1.0, 0.0], [0.0, 1.0]])
    learner = OracleLeastSquares(problem, VovkAzouryWarmuth(np.eye(2)), radius="anytime")
    assert learner.ball.radius(0) == learner.ball.radius(1) < learner.ball.radius(100)


@pytest.mark.parametrize("kind", [AggregatingForecaster, MeanForecaster])
@pytest.mark.parametrize("options", [{"alpha": 0.5}, {"radius": "anytime"}])
def test_its_estimation_error_stays_within_its_budget_and_the_truth_in_its_set(kind, options):
    delta, runs = 0.1, 100
    environment = environments.Coin(TABLE, 4)
    options = {**options, "alpha": float(environment.means.max())} if "alpha" in options else options
    learner = OracleLeastSquares(TABLE, kind(TABLE), delta=delta, **options)
    played = simulate(learner, environment, horizon=150, runs=runs, seed=3)
    errors = analysis.estimation_errors(played).max(axis=1)
    failures = int((errors > learner.error_budget(horizon=150, delta=delta)).sum())
    # a run fails with probability at most delta: more failures than this come with probability below 1e-6
    assert failures <= binom.isf(1e-6, runs, delta)
    lost = 0
    for queries, rewards in zip(played.queries, played.rewards, strict=True):
        state, distance, is_lost = learner.init(np.random.default_rng(0)), 0.0, False
        for t, (query, reward) in enumerate(zip(queries.tolist(), rewards.tolist(), strict=True), start=1):
            distance += (learner.regressor.predict(state.regressor, query) - environment.means[query]) ** 2
            state = learner.tell(state, query, reward)
            is_lost = is_lost or distance > learner.ball.radius(t)
        lost += is_lost
    assert lost <= binom.isf(1e-6, runs, delta)


def test_it_finds_the_truth():
    environment = environments.UniformNoise(TABLE, 4, width=0.5)
    for options in ({"alpha": float(environment.means.max())}, {"radius": "anytime", "sigma": environment.sigma}):
        learner = OracleLeastSquares(TABLE, AggregatingForecaster(TABLE), **options)
        played = simulate(learner, environment, horizon=400, runs=5, seed=1)
        assert (played.queries[:, -50:] == environment.means.argmax()).mean() > 0.9


def test_an_empty_set_is_misspecification_and_the_session_says_so():
    problem = Problem.from_table([[1.0, 0.5], [0.5, 1.0]])
    session = Session(OracleLeastSquares(problem, VovkAzouryWarmuth(np.eye(2), norm=1.2), radius="anytime", sigma=0.25))
    assert not session.is_misspecified
    for _ in range(40):
        session.tell(session.ask(), -1.0)
    assert session.learner.is_misspecified(session.state)
    assert session.is_misspecified
    assert session.ask() in (0, 1)


def test_a_mean_of_several_answers_is_refused_and_changes_nothing():
    """Predictions within a batch would depend on its noise, which the radius does not allow."""
    learner = OracleLeastSquares(TABLE, AggregatingForecaster(TABLE), radius="anytime")
    session = Session(learner, seed=0)
    with pytest.raises(InvalidValueError, match=r"cannot learn from the mean of 20; tell the answers one by one"):
        session.tell(0, 0.5, count=20)
    assert len(session.history) == 0
    session.tell(0, 0.5)
    assert len(session.history) == 1


def test_it_carries_algorithm_2():
    learner = OracleLeastSquares(TABLE, AggregatingForecaster(TABLE), alpha=0.5)
    promise = PAC(learner, epsilon=0.5, dimension=5).promise
    assert promise
    regret = 2 * math.log(9)
    assert learner.error_budget(horizon=9, delta=0.1) == pytest.approx(8 * regret + 32 * math.log(10))
    ball = OracleLeastSquares(TABLE, AggregatingForecaster(TABLE), radius=60.0)
    inner = 2 * regret + 8 * math.log(10)
    expected = (math.sqrt(60.0) + math.sqrt(inner)) ** 2
    assert ball.error_budget(horizon=9, delta=0.1) == pytest.approx(expected)
    with pytest.raises(HypothesisError, match="if its radius is at least"):
        OracleLeastSquares(TABLE, AggregatingForecaster(TABLE), radius=1.0).error_budget(horizon=9, delta=0.1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give alpha= .* or radius="),
        ({"alpha": 0.5, "radius": 1.0}, "one of the two"),
        ({"alpha": 2.0}, "alpha must be reached by some target"),
        ({"alpha": math.nan}, "alpha must be a finite number"),
        ({"radius": "papier"}, 'radius must be a number, "anytime" or "paper"'),
        ({"radius": -1.0}, "radius must be at least 0, got -1"),
        ({"radius": "paper"}, "give horizon=T"),
        ({"radius": "paper", "horizon": 0}, "horizon must be at least 1"),
        ({"alpha": 0.5, "delta": 0.0}, "delta must lie strictly"),
        ({"radius": "anytime", "sigma": -1.0}, "sigma must be greater than 0"),
    ],
)
def test_a_configuration_that_means_nothing_is_refused(options, message):
    with pytest.raises(InvalidValueError, match=message):
        OracleLeastSquares(TABLE, AggregatingForecaster(TABLE), **options)


@pytest.mark.parametrize(
    ("regressor", "message"),
    [
        (AggregatingForecaster, "such as AggregatingForecaster.* got the class AggregatingForecaster"),
        (None, "online regression oracle such as AggregatingForecaster.* got None"),
        (
            AggregatingForecaster(Problem.from_table([[0.5]])),
            "for the table of the learner, Problem.* built for Problem",
        ),
        (MeanForecaster(Problem.from_table(-TABLE.rho)), "must be built for the table of the learner"),
        (VovkAzouryWarmuth([[1.0, 0.0]]), "it was built for 1 queries"),
        (VovkAzouryWarmuth(3), "it was built for queries that are vectors"),
    ],
)
def test_a_regressor_for_another_table_is_refused(regressor, message):
    with pytest.raises(InvalidValueError, match=message):
        OracleLeastSquares(TABLE, regressor, alpha=0.5)


def test_a_regressor_for_an_equal_table_will_do():
    twin = AggregatingForecaster(Problem.from_table(TABLE.rho))
    assert OracleLeastSquares(TABLE, twin, alpha=0.5).regressor is twin


FEATURES = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
PLANE = Problem.from_table(FEATURES @ np.array([[0.6, 0.1], [0.8, 0.2]]), targets=["far", "near"])


@pytest.mark.parametrize(
    ("regressor", "error", "message"),
    [
        (VovkAzouryWarmuth(FEATURES, reward_range=(0, 0.1)), InvalidValueError, r"rewards in \[0, 0.1\], and those of"),
        (
            VovkAzouryWarmuth(FEATURES, reward_range=(-1, 0.5)),
            InvalidValueError,
            r"give the regressor reward_range=\(-1",
        ),
        (VovkAzouryWarmuth(FEATURES, norm=1e-3), HypothesisError, "norm at most 0.001, and target 'far' has norm 1;"),
        (VovkAzouryWarmuth(FEATURES, norm=0.5), HypothesisError, "target 'far' has norm 1; give the regressor a norm"),
        (VovkAzouryWarmuth(FEATURES[:, :1]), HypothesisError, "target 'far' is none: the nearest misses a reward by"),
    ],
)
def test_a_regressor_whose_regret_is_not_against_every_target_is_refused(regressor, error, message):
    """Its regret bounds nothing then, and the anytime set would lose the truth without a word."""
    for options in ({"radius": "anytime", "sigma": 0.2}, {"alpha": 0.1}):
        with pytest.raises(error, match=message):
            OracleLeastSquares(PLANE, regressor, **options)


def test_misspecified_is_not_said_of_an_alpha_that_is_too_large():
    """The truth is a candidate; no candidate that reaches alpha is near the answers."""
    problem = Problem.from_table([[0.9, 0.0], [0.0, 0.2]], targets=["bright", "dim"])
    learner = OracleLeastSquares(problem, AggregatingForecaster(problem), alpha=0.9, sigma=0.1)
    state, rng = learner.init(np.random.default_rng(0)), np.random.default_rng(0)
    for _ in range(300):
        query = learner.ask(state, rng)
        state = learner.tell(state, query, float(problem.rho[query, 1]))  # "dim" is the truth, and alpha* is 0.2
    assert not learner.is_misspecified(state)
    assert learner.has_doubtful_alpha(state)
    assert learner.estimate(state) == 0


def test_answers_near_no_candidate_are_misspecification_with_alpha_too():
    problem = Problem.from_table([[1.0, 0.5], [0.5, 1.0]])
    learner = OracleLeastSquares(problem, VovkAzouryWarmuth(np.eye(2), norm=1.2), alpha=0.9, sigma=0.25)
    state = learner.init(np.random.default_rng(0))
    for k in range(40):
        state = learner.tell(state, k % 2, -1.0)
    assert learner.is_misspecified(state)
    assert learner.has_doubtful_alpha(state)


def test_a_claim_of_regret_that_is_broken_is_said_and_then_nothing_is_promised():
    problem = Problem.from_table([[0.5, -0.5]])
    learner = OracleLeastSquares(problem, Repeating(claim=0.5), alpha=0.5)
    state, rng = learner.init(np.random.default_rng(0)), np.random.default_rng(0)
    state = learner.tell(state, learner.ask(state, rng), 0.5)  # predicted 0: regret 1/4
    assert learner.broken_claim(state) == ""
    for reward in (-1.0, 1.0, -1.0, 1.0):
        state = learner.tell(state, 0, reward)
    # after two answers it has lost 0.25 + 2.25, and the target that always says -0.5 has lost 1 + 0.25
    assert learner.broken_claim(state).startswith("the regret of Repeating after 2 answers is 1.25, ")
    assert "it claims at most 0.5: nothing that rests on its claim is promised" in learner.broken_claim(state)
    for _ in range(50):
        state = learner.tell(state, 0, 1.0 if _ % 2 else -1.0)
    assert not learner.is_misspecified(state)
    assert not learner.has_doubtful_alpha(state)


def test_the_regret_that_is_audited_is_the_definition():
    rng = np.random.default_rng(5)
    audit = RegretAudit(TableFit(TABLE), claim=lambda horizon: -math.inf)
    state, pairs = audit.start(), []
    for _ in range(30):
        query, reward, prediction = int(rng.integers(6)), float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1))
        state = audit.update(state, query, reward=reward, prediction=prediction)
        pairs.append((query, reward, prediction))
    errors = sum((prediction - reward) ** 2 for _, reward, prediction in pairs)
    least = min(sum((TABLE.rho[query, z] - reward) ** 2 for query, reward, _ in pairs) for z in range(9))
    assert state.errors - audit.fit.loss(state.fitted, audit.fit.estimate(state.fitted)) == pytest.approx(
        errors - least
    )


ACTIONS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8], [-0.8, 0.6]])


@pytest.mark.parametrize("family", [Linear(ACTIONS, 1.0), LinearBall(2, 1.0)], ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_algorithm_4_on_linear_classes_is_the_printed_one(family, seed):
    """Forward ridge predictions from their formula, and the target nearest to them from a grid of parameters."""
    features = ACTIONS if isinstance(family, Linear) else 2
    learner = OracleLeastSquares(family, VovkAzouryWarmuth(features), alpha=0.5)
    radii, angles = np.meshgrid(np.linspace(0, 1, 41), np.linspace(0, 2 * np.pi, 121))
    grid = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=-1).reshape(-1, 2)
    rng, truth = np.random.default_rng(seed), np.array([0.6, 0.64])
    state, seen, predictions, rewards = learner.init(rng), [], [], []
    for _ in range(25):
        estimate, query = learner.estimate(state), learner.ask(state, rng)
        vector = ACTIONS[query] if isinstance(family, Linear) else query
        assert family.self_evaluation(estimate) >= 0.5 - 1e-9
        assert family.evaluate(query, estimate) == pytest.approx(family.best_value(estimate))
        if seen:
            viable = np.array([family.best_value(theta) >= 0.5 for theta in grid])
            losses = ((grid[viable] @ np.array(seen).T - predictions) ** 2).sum(axis=1)
            assert ((np.array(seen) @ estimate - predictions) ** 2).sum() <= losses.min() + 1e-9
        seen.append(vector)
        moments = np.eye(2) + np.array(seen).T @ np.array(seen)
        before = sum((r * x for r, x in zip(rewards, seen[:-1], strict=True)), np.zeros(2))
        predictions.append(float(np.clip(vector @ np.linalg.solve(moments, before), -1, 1)))
        rewards.append(float(np.clip(vector @ truth + rng.uniform(-0.2, 0.2), -1, 1)))
        state = learner.tell(state, query, rewards[-1])
        assert state.predicted.everyone.squares == pytest.approx(sum(p * p for p in predictions))
    assert not learner.is_misspecified(state)


def test_on_a_linear_class_the_distance_of_the_nearest_target_decides():
    learner = OracleLeastSquares(LinearBall(2), VovkAzouryWarmuth(2), alpha=0.5, sigma=0.1)
    state = learner.init(np.random.default_rng(0))
    for _ in range(400):  # a parameter that is worth 0.5 is not worth -0.9 there
        state = learner.tell(state, learner.ask(state, np.random.default_rng(0)), -0.9)
    assert learner.ball.fit.loss(state.predicted.viable, learner.estimate(state)) > learner.ball.radius(400)
    assert learner.has_doubtful_alpha(state)


@pytest.mark.parametrize(
    ("family", "regressor", "options", "message"),
    [
        (LinearBall(2), VovkAzouryWarmuth(3), {"alpha": 0.5}, "built for queries that are vectors of 3 numbers"),
        (
            LinearBall(2),
            VovkAzouryWarmuth(2),
            {"radius": 1.0},
            r"through all targets, and LinearBall has infinitely many",
        ),
        (
            KArms(2),
            VovkAzouryWarmuth(2),
            {"alpha": 0.5},
            r"Algorithm 4 needs the loss of every answer by itself, .* got KArms",
        ),
        (Linear(ACTIONS), VovkAzouryWarmuth(ACTIONS[:2]), {"alpha": 0.5}, "built for 2 queries"),
        (
            Linear(ACTIONS),
            VovkAzouryWarmuth(ACTIONS[:, :1]),
            {"alpha": 0.5},
            "coordinate 1 is none: the nearest misses",
        ),
        (Linear(ACTIONS), VovkAzouryWarmuth(2 * ACTIONS, norm=0.4), {"alpha": 0.5}, "has norm 0.5; give the regressor"),
        (LinearBall(2), VovkAzouryWarmuth(2, norm=0.5), {"alpha": 0.5}, "has norm 1; give the regressor a norm of"),
    ],
)
def test_a_regressor_for_another_class_is_refused(family, regressor, options, message):
    with pytest.raises((InvalidValueError, HypothesisError), match=message):
        OracleLeastSquares(family, regressor, **options)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_linear_regressor_for_a_linear_table_keeps_the_truth(dtype):
    problem = Problem.from_table(PLANE.rho.astype(dtype))
    learner = OracleLeastSquares(problem, VovkAzouryWarmuth(FEATURES), radius="anytime", sigma=0.2)
    state, rng = learner.init(np.random.default_rng(0)), np.random.default_rng(0)
    for _ in range(300):
        query = learner.ask(state, rng)
        state = learner.tell(state, query, float(problem.rho[query, 0]))
    assert not learner.is_misspecified(state)
    assert learner.estimate(state) == 0


def test_algorithm_2_promises_nothing_on_a_regret_that_is_only_claimed():
    promise = PAC(OracleLeastSquares(TABLE, Repeating(), alpha=0.5), epsilon=0.5, dimension=5).promise
    assert not promise
    assert "the regret of Repeating is only its own claim" in promise.reason
