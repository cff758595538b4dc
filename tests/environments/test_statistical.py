"""Adversaries with a tolerance, and samples simulated from their answers."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import similarities
from warmer import InvalidValueError, LeastSquares, Optimistic, Problem, ProtocolError, bounds, simulate
from warmer.environments import STRATEGIES, Adversarial, Coin, Exact, FunctionEnvironment, SimulatedSamples, towards
from warmer.families import Sphere
from warmer.problems import parities

MEANS = [-1.0, -0.95, -0.25, 0.0, 0.5, 0.9375, 1.0]
TABLE = Problem.from_table(np.array(MEANS)[:, None])
TAU = 0.125
ALL = {**STRATEGIES, "towards 0.2": towards(0.2), "own": lambda mean, lowest, highest, chance: 99.0}


@pytest.mark.parametrize("name", sorted(ALL))
def test_every_answer_is_within_the_tolerance_and_the_range(name):
    oracle = Adversarial(TABLE, 0, tau=TAU, strategy=ALL[name])
    rng = np.random.default_rng(0)
    for query, mean in enumerate(MEANS):
        answers = np.array([oracle.reward(query, chance) for chance in oracle.noise(50, rng)])
        assert np.abs(answers - mean).max() <= TAU + 1e-12
        assert np.abs(answers).max() <= 1


def test_the_strategies_do_what_their_names_say():
    def answer(strategy, chance=0.25):
        return [Adversarial(TABLE, 0, tau=TAU, strategy=strategy).reward(query, chance) for query in (2, 4, 6)]

    assert answer("truthful") == [-0.25, 0.5, 1.0]
    assert answer("up") == [-0.125, 0.625, 1.0]
    assert answer("down") == [-0.375, 0.375, 0.875]
    assert answer("random") == [-0.3125, 0.4375, 0.90625]
    assert answer(towards(0.0)) == [-0.125, 0.375, 0.875]
    assert answer(lambda mean, lowest, highest, chance: 5.0) == answer("up")


def test_a_tolerance_is_not_a_noise_level():
    with pytest.raises(ProtocolError, match="has a tolerance tau and no sigma"):
        _ = Adversarial(TABLE, 0, tau=TAU).sigma
    with pytest.raises(InvalidValueError, match="there is no strategy 'sideways'; choose one of truthful, up"):
        Adversarial(TABLE, 0, tau=TAU, strategy="sideways")
    with pytest.raises(InvalidValueError, match="tau must be greater than 0"):
        Adversarial(TABLE, 0, tau=0)


def probabilities(learner, heads, length):
    """The probability of every sequence of answers, when heads[query] is that of a high one and the learner asks."""
    chances = []
    for answers in product((1.0, -1.0), repeat=length):
        rng = np.random.default_rng(0)
        state, chance = learner.init(rng), 1.0
        for answer in answers:
            query = learner.ask(state, rng)
            chance *= heads[query] if answer > 0 else 1 - heads[query]
            state = learner.tell(state, query, answer)
        chances.append(chance)
    return np.array(chances)


def biases(adversary):
    """The probability of a high answer to each query, over the adversary's own chance, in which all are linear."""
    n_queries = adversary.problem.n_queries
    return np.array([(1 + np.mean([adversary.reward(q, u) for u in (0.0, 1.0)])) / 2 for q in range(n_queries)])


@given(similarities(min_size=2, max_size=4), st.integers(1, 6), st.integers(1, 8), st.sampled_from(sorted(STRATEGIES)))
@settings(max_examples=80, deadline=None)
def test_simulated_samples_are_as_close_to_true_ones_as_the_coupling_says(problem, length, sixteenths, strategy):
    tau = sixteenths / 16
    adversary = Adversarial(problem, 0, tau=tau, strategy=strategy)
    truth = (1 + adversary.means) / 2
    for learner in (Optimistic(problem, 0.5), LeastSquares(problem, alpha=float(problem.self_evaluations.max()))):
        true = probabilities(learner, truth, length)
        simulated = probabilities(learner, biases(adversary), length)
        assert true.sum() == pytest.approx(1.0)
        assert simulated.sum() == pytest.approx(1.0)
        distance = np.abs(true - simulated).sum() / 2
        assert distance <= bounds.statistical_queries.simulation_distance(n_queries=length, tau=tau) + 1e-12


def test_one_simulated_sample_meets_the_bound_exactly():
    problem = Problem.from_table([[0.0]])
    bias = biases(Adversarial(problem, 0, tau=0.25, strategy="up"))[0]
    assert bias - 0.5 == bounds.statistical_queries.simulation_distance(n_queries=1, tau=0.25) == 0.125


def test_a_simulated_sample_is_a_coin_of_the_answered_bias():
    oracle = SimulatedSamples(Adversarial(parities(2), 3, tau=0.25, strategy="down"))
    draws = np.array([oracle.reward(3, row) for row in oracle.noise(20_000, np.random.default_rng(0))])
    assert set(draws.tolist()) == {-1.0, 1.0}
    # Hoeffding: the mean of 20,000 signs is off by more than 0.05 with probability below 2 exp(-25)
    assert abs(draws.mean() - 0.75) < 0.05
    assert oracle.expected([0, 3]).tolist() == [0.0, 1.0]
    assert oracle.respond("x1^x2", np.random.default_rng(1)) in (-1.0, 1.0)


def test_a_truthful_adversary_simulates_the_sample_oracle_itself():
    problem = parities(3)
    adversary = Adversarial(problem, 5, tau=0.1)
    learner, rows = LeastSquares(problem, alpha=1.0), np.random.default_rng(0).random((50, 2))
    coin, simulated = Coin(problem, 5), SimulatedSamples(adversary)
    for query in range(8):
        assert [coin.reward(query, row[1]) for row in rows] == [simulated.reward(query, row) for row in rows]
    played = simulate(learner, simulated, horizon=100, runs=20, seed=0)
    assert (played.queries[:, -1] == 5).all()


def test_the_tolerance_for_a_loss_of_success_is_the_inverse_of_the_distance():
    tau = bounds.statistical_queries.simulation_tolerance(n_queries=40, delta=0.1)
    assert bounds.statistical_queries.simulation_distance(n_queries=40, tau=tau) == pytest.approx(0.1)
    assert bounds.statistical_queries.simulation_distance(n_queries=40, tau=1.0) == 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Coin(None, 0), "Coin needs a Problem or a family, got None"),
        (lambda: Coin(Problem, 0), "Coin needs a Problem or a family, got <class"),
        (lambda: Adversarial("x", 0, tau=0.1), "Adversarial needs a Problem or a family, got 'x'"),
        (lambda: Adversarial(TABLE, 0, tau=TAU, strategy=[]), r"there is no strategy \[\]; choose one of"),
        (lambda: SimulatedSamples(None), "tosses the answers of an Adversarial, got None"),
        (lambda: FunctionEnvironment(None, abs), "FunctionEnvironment needs a Problem or a family and a function"),
        (
            lambda: FunctionEnvironment(TABLE, 3),
            "FunctionEnvironment needs a Problem or a family and a function .* and 3",
        ),
    ],
)
def test_an_environment_without_a_problem_is_refused(call, message):
    with pytest.raises(InvalidValueError, match=message):
        call()


def test_the_means_of_infinitely_many_queries_cannot_be_listed():
    environment = Exact(Sphere(3), [1, 0, 0])
    with pytest.raises(ProtocolError, match=r"queries of Sphere\(3\) are vectors .* ask for expected\(queries\)"):
        _ = environment.means
    assert environment.expected(np.eye(3)).tolist() == [1.0, 0.0, 0.0]
    assert environment.respond([0, 1, 0], np.random.default_rng(0)) == 0.0
