import math

import numpy as np
import pytest
from scipy.stats import entropy

from warmer import (
    HypothesisError,
    InvalidValueError,
    UntilCertified,
    bounds,
    environments,
    goals,
    noise,
    problems,
    simulate,
)
from warmer.analysis import Task, budget


def test_the_sharper_horizon_is_twice_the_count_of_bad_queries():
    horizon = bounds.sample_sizes.sharper_pac_horizon(dimension=4, epsilon=0.4, error_budget=3.0, reach=1.5)
    count = bounds.bad_queries_bound(dimension=4, error_budget=3.0, epsilon=0.3, reach=1.5)
    assert horizon == math.ceil(2 * count)


@pytest.mark.parametrize("dimension", [2, 5, 20])
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.5])
def test_the_sharper_horizon_is_never_longer_than_the_papers(dimension, epsilon):
    error_budget = 12.0
    paper = bounds.pac_horizon(dimension=dimension, epsilon=epsilon, error_budget=lambda _: error_budget)
    assert (
        bounds.sample_sizes.sharper_pac_horizon(dimension=dimension, epsilon=epsilon, error_budget=error_budget)
        <= paper
    )


def test_the_divergence_is_that_of_two_valued_laws():
    found = bounds.sample_sizes.two_point_divergence(0.3, -0.1, sigma=0.5, reward_range=(-1, 1))
    p, q = 0.7, 0.3  # over the interval from -0.4 to 0.6
    assert float(found) == pytest.approx(entropy([p, 1 - p], [q, 1 - q]))


def test_the_interval_of_the_answers_stays_inside_the_range():
    found = bounds.sample_sizes.two_point_divergence(
        np.array([1.0, 0.9]), np.array([0.9, 1.0]), sigma=0.5, reward_range=(-1, 1)
    )
    assert found[0] == pytest.approx(math.log(1 / 0.9))  # over [0, 1] one law has no choice
    assert found[1] == math.inf  # and the other may say what the first never does


def test_means_too_far_apart_for_the_noise_are_told_apart_at_once():
    divergence = float(bounds.sample_sizes.two_point_divergence(0.9, -0.9, sigma=0.5, reward_range=(-1, 1)))
    assert bounds.sample_sizes.two_point_lower_bound(divergence=divergence, delta=0.05) == 0


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"divergence": 0.1, "delta": 0.5}, HypothesisError, "delta below 1/2"),
        ({"divergence": 0.0, "delta": 0.1}, HypothesisError, "agree on every query"),
        ({"divergence": math.nan, "delta": 0.1}, InvalidValueError, "finite"),
    ],
)
def test_the_lower_bound_is_silent_outside_its_hypotheses(arguments, error, words):
    with pytest.raises(error, match=words):
        bounds.sample_sizes.two_point_lower_bound(**arguments)


class InTurn:
    """Cycles through all queries."""

    def __init__(self, problem):
        self.problem = problem

    def init(self, rng):
        return 0

    def ask(self, state, rng):
        return state % self.problem.n_queries

    def tell(self, state, query, reward, count=1):
        return state + count


def test_asking_in_turn_is_enough_for_the_certificate():
    """The count is kept, with probability 1-delta, by runs that ask all queries in turn."""
    problem = problems.random_table(8, 20)
    most = budget(problem, Task(0.1, 0.05, 0.5), runs=1).round_robin
    played = [environments.TruncatedGaussian(problem, k % 20, sigma=0.5) for k in range(100)]
    learner = UntilCertified(InTurn(problem), goals.BestQuery(0.1), noise=noise.SubGaussian(0.5), delta=0.025)
    runs = simulate(learner, played, horizon=most, seed=0, until=learner.is_done)
    late = sum(query is None for query in runs.recommended)
    assert late <= 15  # P(Bin(100, 0.05) > 15) < 1e-4
