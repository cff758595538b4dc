"""What no method can beat: against the best method there is, on problems small enough to compute it."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import tables
from warmer import HypothesisError, Problem, bounds
from warmer.analysis import Task
from warmer.analysis.budgets import many_targets_bound, two_targets_bound


def best_success(chances, good, weights, n_answers):
    """The largest share of truths for which the output can be good, after so many answers chosen one by one."""
    if n_answers == 0:
        return float((good @ weights).max())
    after = (
        sum(
            best_success(chances, good, weights * (row if answer else 1 - row), n_answers - 1)
            for answer in (False, True)
        )
        for row in chances
    )
    return max(after)


@given(tables(max_queries=3, max_targets=5, min_targets=2), st.sampled_from([0.125, 0.5]), st.sampled_from([0.5, 1.0]))
@settings(max_examples=60, deadline=None)
def test_no_method_knows_more_after_a_few_answers_than_the_proof_allows(table, epsilon, sigma):
    """P(good) <= g + m D for every m, with two-valued answers over [-1, 1] scaled by sigma."""
    means = sigma * table  # so that all fit into [-sigma, sigma], and the laws of the proof are coins on its ends
    good = (means >= means.max(axis=0) - epsilon).astype(float)
    guess = float(good.mean(axis=1).max())
    distance = float(bounds.sample_sizes.many_point_distance(means, sigma=sigma, reward_range=(-sigma, sigma)).max())
    chances, weights = (1 + table) / 2, np.full(table.shape[1], 1 / table.shape[1])
    for n_answers in range(4):
        assert best_success(chances, good, weights, n_answers) <= guess + n_answers * distance + 1e-9


@pytest.mark.parametrize("n_arms", [2, 5, 40])
@pytest.mark.parametrize("delta", [0.01, 0.2, 0.45])
def test_the_best_search_for_a_needle_obeys_the_bound_and_comes_close(n_arms, delta):
    """Exact answers 0 and 1: try arms in a random order, stop when one is the needle or enough are ruled out."""
    distance = float(bounds.sample_sizes.many_point_distance(np.eye(n_arms), sigma=0.5, reward_range=(0, 1)).max())
    assert distance == pytest.approx(1 / n_arms)
    bound = bounds.sample_sizes.many_point_lower_bound(guess=1 / n_arms, distance=distance, delta=delta)
    n_tried = math.ceil((1 - delta) * n_arms) - 1  # then a guess among the others is right often enough
    average = sum(1 - m / n_arms for m in range(n_tried))
    assert bound <= average
    if (n_arms, delta) == (40, 0.01):
        assert bound > 0.9 * average


def test_the_bound_is_its_sum():
    for guess, distance, delta in product((0.0, 0.3), (0.01, 0.2, 3.0), (0.05, 0.5)):
        expected = sum(max(0.0, 1 - delta - guess - m * distance) for m in range(1000))
        assert bounds.sample_sizes.many_point_lower_bound(guess=guess, distance=distance, delta=delta) == pytest.approx(
            expected
        )


def test_statistical_queries_need_at_least_what_the_strong_dimension_says():
    """The same proof with a fixed number of answers: parities of n bits, coins, success 2/3."""
    for n_bits in (4, 6, 8):
        size = 2**n_bits
        distance = float(bounds.sample_sizes.many_point_distance(np.eye(size), sigma=1.0, reward_range=(-1, 1)).max())
        fixed = (2 / 3 - 1 / size) / distance
        assert fixed >= bounds.statistical_queries.sharper_sq_lower_bound(strong_sq=size) - 1


def test_a_query_whose_means_do_not_fit_the_noise_tells_at_once_who_is_outside():
    found = bounds.sample_sizes.many_point_distance(
        [[0.0, 0.0, 0.0, 0.9], [0.0, 0.0, 0.0, 0.3]], sigma=0.25, reward_range=(-1, 1)
    )
    assert found == pytest.approx([1 / 4, 0.3 / 0.5 / 4])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"guess": 0.95, "distance": 0.1, "delta": 0.05}, "less often than 0.95 of the time, got 0.95"),
        ({"guess": -0.1, "distance": 0.1, "delta": 0.05}, "got -0.1"),
        ({"guess": 0.1, "distance": 0.0, "delta": 0.05}, "answer every query alike"),
    ],
)
def test_outside_its_hypotheses_the_bound_is_silent(arguments, words):
    with pytest.raises(HypothesisError, match=words):
        bounds.sample_sizes.many_point_lower_bound(**arguments)


def test_two_arms_at_delta_04_need_no_whole_query():
    """Ask one arm with probability 1/5, else guess: right with probability 0.6 after 0.2 exact answers on average."""
    problem = Problem.from_table([[1, 0], [0, 1]])
    ask, right = Fraction(1, 5), Fraction(1, 5) + Fraction(4, 5) * Fraction(1, 2)
    assert right == 1 - Fraction(2, 5)
    task = Task(epsilon=0.5, delta=0.4, sigma=0.5)
    for bound in (two_targets_bound, many_targets_bound):
        found = bound(problem, task, np.arange(2))
        assert found is None or found.n_answers <= ask
    assert bounds.sample_sizes.two_point_lower_bound(divergence=math.inf, delta=0.4) <= ask
    assert bounds.sample_sizes.many_point_lower_bound(guess=0.5, distance=0.5, delta=0.4) <= ask
