"""Online regression oracles: the printed forecasts, and their regret against whoever tries to raise it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import problems
from warmer import InvalidValueError, Problem
from warmer.estimation import AggregatingForecaster, MeanForecaster, VovkAzouryWarmuth

RATES = {AggregatingForecaster: 1 / 2, MeanForecaster: 1 / 8}  # times 1/Y^2
FINITE = sorted(RATES, key=lambda kind: kind.__name__)
sequences = st.lists(st.tuples(st.integers(0, 50), st.integers(-8, 8)), max_size=25)


def printed(kind, problem, past, query):
    """The forecast from its definition, with Y = 1 on [-1, 1]."""
    rate, targets = RATES[kind], range(problem.n_targets)
    weights = [math.exp(-rate * sum((problem.rho[q, z] - r) ** 2 for q, r in past)) for z in targets]
    if kind is MeanForecaster:
        return sum(w * problem.rho[query, z] for w, z in zip(weights, targets, strict=True)) / sum(weights)

    def mixture_loss(y):
        mixed = sum(
            w * math.exp(-rate * (problem.rho[query, z] - y) ** 2) for w, z in zip(weights, targets, strict=True)
        )
        return -math.log(mixed / sum(weights)) / rate

    return (mixture_loss(-1) - mixture_loss(1)) / 4


@pytest.mark.parametrize("kind", FINITE)
@given(problem=problems(), pairs=sequences)
@settings(max_examples=100, deadline=None)
def test_the_forecast_is_the_printed_one_and_never_loses_more_than_the_mixture(kind, problem, pairs):
    oracle = kind(problem)
    state, past, paid = oracle.init(), [], 0.0
    for number, eighths in pairs:
        query, reward = number % problem.n_queries, eighths / 8
        prediction = oracle.predict(state, query)
        assert prediction == pytest.approx(printed(kind, problem, past, query), abs=1e-9)
        assert problem.rho[query].min() - 1e-12 <= prediction <= problem.rho[query].max() + 1e-12
        paid += (prediction - reward) ** 2
        past.append((query, reward))
        state = oracle.update(state, query, reward)
    losses = np.array([sum((problem.rho[q, z] - r) ** 2 for q, r in past) for z in range(problem.n_targets)])
    # the potential that the proof follows: it implies the regret bound, and is sharper
    potential = -np.log(np.exp(-RATES[kind] * losses).mean()) / RATES[kind]
    assert paid <= potential + 1e-9
    assert paid - losses.min() <= oracle.regression_regret(len(pairs)) + 1e-9


def greedy_adversary(oracle, problem, horizon, rewards):
    """Each round the query and the reward that leave the largest regret; the regret after each."""
    state, losses, paid = oracle.init(), np.zeros(problem.n_targets), 0.0
    regrets = []
    for _ in range(horizon):
        best = None
        for query in range(problem.n_queries):
            prediction = oracle.predict(state, query)
            for reward in rewards:
                after = losses + (problem.rho[query] - reward) ** 2
                regret = paid + (prediction - reward) ** 2 - after.min()
                if best is None or regret > best[0]:
                    best = (regret, query, reward, (prediction - reward) ** 2, after)
        regret, query, reward, price, losses = best
        paid += price
        state = oracle.update(state, query, reward)
        regrets.append(regret)
    return regrets


@pytest.mark.parametrize("kind", FINITE)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_greedy_adversary_does_not_get_past_the_bound(kind, seed):
    problem = Problem.from_table(np.random.default_rng(seed).uniform(-1, 1, (4, 12)))
    regrets = greedy_adversary(kind(problem), problem, 40, (-1.0, 0.0, 1.0))
    assert max(regrets) <= kind(problem).regression_regret(40)
    assert max(regrets) > 0.1  # it does hurt


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(-1, 1)), min_size=1, max_size=20), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_an_oracle_predicts_before_it_is_told_and_its_regret_keeps_a_bound_that_never_falls(answers, seed):
    """The contract of the paper, after every round: a table with targets, and rows with parameters in the unit ball."""
    rng = np.random.default_rng(seed)
    rows, parameters = (matrix / np.linalg.norm(matrix, axis=0) for matrix in rng.normal(size=(2, 2, 3)))
    table = rows.T @ parameters
    problem = Problem.from_table(np.clip(table, -1, 1))
    for oracle in (*(kind(problem) for kind in FINITE), VovkAzouryWarmuth(rows.T)):
        state, regrets, bound = oracle.init(), np.zeros(3), 0.0
        for t, (query, reward) in enumerate(answers, start=1):
            prediction = oracle.predict(state, query)
            assert prediction == oracle.predict(state, query)  # asking changes nothing
            assert -1 <= prediction <= 1
            regrets += (prediction - reward) ** 2 - (table[query] - reward) ** 2
            state = oracle.update(state, query, reward)
            bound, before = oracle.regression_regret(t), bound
            assert regrets.max() <= bound + 1e-9
            assert bound >= before


@pytest.mark.parametrize("kind", FINITE)
def test_the_bound_is_in_the_units_of_the_reward(kind):
    plain = Problem.from_table(np.random.default_rng(3).uniform(-1, 1, (3, 5)))
    wide = Problem.from_table(50 + 50 * np.asarray(plain.rho), reward_range=(0, 100))
    narrow_oracle, wide_oracle = kind(plain), kind(wide)
    assert wide_oracle.regression_regret(1) == pytest.approx(2500 * narrow_oracle.regression_regret(1))
    narrow_state, wide_state = narrow_oracle.init(), wide_oracle.init()
    for t in range(12):
        query, reward = t % 3, (t % 5 - 2) / 2
        prediction = narrow_oracle.predict(narrow_state, query)
        assert wide_oracle.predict(wide_state, query) == pytest.approx(50 + 50 * prediction)
        narrow_state = narrow_oracle.update(narrow_state, query, reward)
        wide_state = wide_oracle.update(wide_state, query, 50 + 50 * reward)


def test_the_bounds_are_twice_and_eight_times_the_logarithm():
    problem = Problem.from_table(np.zeros((1, 20)))
    assert AggregatingForecaster(problem).regression_regret(7) == pytest.approx(2 * math.log(20))
    assert MeanForecaster(problem).regression_regret(7) == pytest.approx(8 * math.log(20))


def test_single_precision_tables_are_forecast_in_double():
    table = np.random.default_rng(3).uniform(-1, 1, (3, 5)).astype(np.float32)
    for kind in FINITE:
        oracle = kind(Problem.from_table(table))
        state = oracle.update(oracle.init(), 0, 0.5)
        expected = printed(kind, Problem.from_table(table.astype(float)), [(0, 0.5)], 1)
        assert oracle.predict(state, 1) == pytest.approx(expected, abs=1e-6)


def ridge_loss(features, rewards, regularization):
    """The least regularised loss of any parameter."""
    n = features.shape[1]
    gram = features.T @ features + regularization * np.eye(n)
    moments = features.T @ rewards
    return float(rewards @ rewards - moments @ np.linalg.solve(gram, moments))


def paid_by(oracle, queries, rewards):
    state, paid = oracle.init(), 0.0
    for query, reward in zip(queries, rewards, strict=True):
        paid += (oracle.predict(state, query) - reward) ** 2
        state = oracle.update(state, query, reward)
    return paid


@given(st.integers(1, 4), st.integers(0, 10**6), st.integers(1, 30), st.sampled_from([0.125, 1.0, 8.0]), st.booleans())
@settings(max_examples=200, deadline=None)
def test_forward_ridge_keeps_its_bound_on_any_sequence(n, seed, horizon, regularization, two_valued):
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(horizon, n))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    rewards = rng.uniform(-1, 1, horizon)
    if two_valued:
        rewards = np.where(rewards > 0, 1.0, -1.0)
    oracle = VovkAzouryWarmuth(n, regularization=regularization)
    extra = (
        oracle.regression_regret(horizon) - regularization
    )  # the norm of the comparator pays for itself in ridge_loss
    assert paid_by(oracle, features, rewards) <= ridge_loss(features, rewards, regularization) + extra + 1e-9


def test_forward_ridge_keeps_its_bound_against_a_greedy_adversary():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(6, 3))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    oracle = VovkAzouryWarmuth(rows)
    queries, rewards = [], []
    state, paid = oracle.init(), 0.0
    for t in range(1, 61):
        options = []
        for query in range(6):
            prediction = oracle.predict(state, query)
            for reward in (-1.0, 1.0):
                price = (prediction - reward) ** 2
                after = ridge_loss(rows[[*queries, query]], np.array([*rewards, reward]), 1.0)
                options.append((paid + price - after, query, reward, price))
        regret, query, reward, price = max(options)
        queries.append(query)
        rewards.append(reward)
        paid += price
        state = oracle.update(state, query, reward)
        assert regret <= oracle.regression_regret(t) - 1.0 + 1e-9
    assert regret > 1.0


def test_forward_ridge_is_its_formula_by_index_or_by_vector():
    rows = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    by_index, by_vector = VovkAzouryWarmuth(rows, regularization=0.5), VovkAzouryWarmuth(2, regularization=0.5)
    one, two = by_index.init(), by_vector.init()
    past = []
    for query, reward in [(0, 1.0), (1, -0.5), (1, 0.25), (2, 1.0)]:
        x = rows[query]
        gram = 0.5 * np.eye(2) + np.outer(x, x) + sum((np.outer(rows[q], rows[q]) for q, _ in past), np.zeros((2, 2)))
        expected = x @ np.linalg.solve(gram, sum((r * rows[q] for q, r in past), np.zeros(2)))
        assert by_index.predict(one, query) == pytest.approx(expected)
        assert by_vector.predict(two, x) == pytest.approx(expected)
        one, two = by_index.update(one, query, reward), by_vector.update(two, x, reward)
        past.append((query, reward))


def test_forward_ridge_stays_in_the_range_of_rewards():
    oracle = VovkAzouryWarmuth([[1.0], [100.0]], reward_range=(-0.5, 1.0))
    state = oracle.update(oracle.init(), 0, 1.0)
    assert oracle.predict(state, 1) == pytest.approx(100 / 10002, abs=1e-4)
    for _ in range(50):
        state = oracle.update(state, 0, -0.5)
    assert VovkAzouryWarmuth([[1.0]], regularization=1e-9, reward_range=(0.25, 1.0)).predict(state, 0) == 0.25


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: VovkAzouryWarmuth([1.0, 2.0]), "features must be numbers in rows of the same length"),
        (lambda: VovkAzouryWarmuth([[math.nan]]), "features must be finite numbers in rows"),
        (lambda: VovkAzouryWarmuth(0), "features must be at least 1"),
        (lambda: VovkAzouryWarmuth(1.5), "features must be a whole number"),
        (lambda: VovkAzouryWarmuth(2, norm=0), "norm must be greater than 0"),
        (lambda: VovkAzouryWarmuth(2, regularization=-1), "regularization must be greater than 0"),
        (lambda: VovkAzouryWarmuth(2, reward_range=(1, 1)), "reward_range must be a pair with low < high"),
        (lambda: VovkAzouryWarmuth(2, reward_range=3), "reward_range must be a pair"),
        (lambda: VovkAzouryWarmuth([[1.0], [1.0, 2.0]]), "features must be numbers in rows of the same length"),
    ],
)
def test_an_oracle_that_means_nothing_is_refused(build, message):
    with pytest.raises(InvalidValueError, match=message):
        build()
