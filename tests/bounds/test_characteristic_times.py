"""Characteristic times: two ends that anyone can check, and a bound that no method beats."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from tests.strategies import problems
from warmer import CertificateError, HypothesisError, InvalidValueError, Problem, TopTwo, bounds, goals, noise
from warmer.bounds.characteristic_times import binary_divergence

QUIET = noise.SubGaussian(0.5)


def by_definition(problem, target, goal, information):
    """One linear program over all challengers, for each right answer."""
    answers, best = goal.answers(problem), math.inf
    legal = problem.legal_queries
    for answer in range(len(answers.names)):
        accepts = answers.accepts(answer)
        if not accepts[target] or (isinstance(goal, goals.BestQuery) and answer not in legal):
            continue
        others = np.flatnonzero(~accepts)
        if others.size == 0:
            return 0.0
        gains = information(problem.rho[np.ix_(legal, others)].astype(float), problem.rho[legal, target][:, None])
        size = legal.size
        result = linprog(
            np.append(np.zeros(size), -1.0),
            A_ub=np.hstack([-gains.T, np.ones((others.size, 1))]),
            b_ub=np.zeros(others.size),
            A_eq=[[1.0] * size + [0.0]],
            b_eq=[1.0],
            bounds=[(0, None)] * size + [(None, None)],
        )
        best = min(best, math.inf if result.fun > -1e-9 else -1 / result.fun)
    return best


@given(problems(min_targets=2, max_targets=7), st.integers(0, 6), st.integers(0, 3))
@settings(max_examples=150, deadline=None)
def test_it_is_the_value_of_the_linear_program_and_its_ends_check(problem, number, kind):
    target = number % problem.n_targets
    goal = [
        goals.BestQuery(0.25),
        goals.WhichTarget(),
        goals.BestAbove(0.1),
        goals.ValueOf(range(problem.n_targets), 1),
    ][kind]
    expected = by_definition(problem, target, goal, lambda other, own: (other - own) ** 2 / 0.5)
    if math.isinf(expected):
        with pytest.raises(HypothesisError, match="the goal cannot be decided"):
            bounds.characteristic_time(problem, target, goal=goal, noise=QUIET)
        return
    found = bounds.characteristic_time(problem, target, goal=goal, noise=QUIET)
    assert found.lower == pytest.approx(expected, rel=1e-5)
    assert found.upper == pytest.approx(expected, rel=1e-5)
    assert found.lower <= found.upper * (1 + 1e-9)
    assert found.is_exact
    assert found.check(problem) == pytest.approx(0, abs=1e-4 * max(1, expected))


def test_forged_ends_are_refused():
    problem = Problem.from_table([[0.5, 0.0, 0.25], [0.25, 0.0, -0.5]])
    found = bounds.characteristic_time(problem, 0, goal=goals.WhichTarget(), noise=QUIET)
    tilted = found.proportions[::-1].copy()
    nobody = {answer: np.roll(weights, 1) for answer, weights in found.challengers.items()}
    for change, message in (
        ({"upper": found.upper * 0.9}, "the proportions prove"),
        ({"lower": found.lower * 1.1}, "the challengers prove"),
        ({"proportions": tilted * 0.5}, "proportions must sum to 1"),
        ({"proportions": tilted}, "the proportions prove"),
        ({"challengers": nobody}, "challengers"),
        ({"challengers": {}}, "challengers for each of the 1 right answers"),
        ({"answer": 1}, "answer 1 is not right"),
    ):
        with pytest.raises(CertificateError, match=message):
            dataclasses.replace(found, **change).check(problem)


def test_costs_turn_answers_into_money():
    problem = Problem.from_table([[0.5, 0.0], [0.25, 0.0]], costs=[8.0, 1.0])
    money = bounds.characteristic_time(problem, 0, goal=goals.WhichTarget(), noise=QUIET)
    assert (money.lower, money.proportions.tolist()) == (8.0, [0.0, 1.0])  # 2 answers at 8, or 8 answers at 1
    answers = bounds.characteristic_time(problem, 0, goal=goals.WhichTarget(), noise=QUIET, costs=[1, 1])
    assert (answers.lower, answers.proportions.tolist()) == (2.0, [1.0, 0.0])
    with pytest.raises(InvalidValueError, match="costs must be positive"):
        bounds.characteristic_time(problem, 0, goal=goals.WhichTarget(), noise=QUIET, costs=[0, 1])


def test_noise_that_does_not_say_how_answers_are_distributed_has_no_limit():
    problem = Problem.from_table([[0.5, 0.0]])
    with pytest.raises(HypothesisError, match="no limit is known for Gaussian"):
        bounds.characteristic_time(problem, 0, goal=goals.WhichTarget(), noise=noise.Gaussian())


def test_one_answer_that_tells_all_needs_no_time_at_all():
    problem = Problem.from_table([[0.5, 1.0]], reward_range=(0, 1))
    found = bounds.characteristic_time(problem, 0, goal=goals.WhichTarget(), noise=noise.Coin())
    assert found.lower == 0.0  # tails rule out the other candidate at once
    assert found.check(problem) >= 0


def test_several_right_answers_promise_nothing_at_a_given_delta():
    problem = Problem.from_table([[0.5, 0.0], [0.45, 0.5]])
    found = bounds.characteristic_time(problem, 0, goal=goals.BestQuery(0.1), noise=QUIET)
    with pytest.raises(HypothesisError, match="only as delta goes to 0"):
        found.mean_answers(0.05)


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.2])
def test_no_method_beats_the_lower_bound_on_average(delta):
    """The mean of 400 runs of the quickest learner stays above it; three standard errors are granted."""
    problem = Problem.from_table(np.random.default_rng(3).uniform(-0.5, 0.5, (5, 6)))
    found = bounds.characteristic_time(problem, 2, goal=goals.WhichTarget(), noise=QUIET)
    learner, counts = TopTwo(problem, goals.WhichTarget(), noise=QUIET, delta=delta), []
    for seed in range(400):
        rng, n_answers = np.random.default_rng([seed]), 0
        state = learner.init(rng)
        while not learner.is_done(state):
            query = learner.ask(state, rng)
            state, n_answers = learner.tell(state, query, problem.rho[query, 2] + 0.5 * rng.normal()), n_answers + 1
        counts.append(n_answers)
    assert np.mean(counts) + 3 * np.std(counts) / 20 >= found.mean_answers(delta)
    assert binary_divergence(0.5) == 0


def test_answers_that_tell_for_certain_leave_a_limit_of_nothing():
    """Coins that never fall on the other side: infinite information, of which a share of 0 is nothing."""
    table = Problem.from_table(np.eye(3), reward_range=(0, 1))
    for target in range(3):
        found = bounds.characteristic_time(table, target, goal=goals.BestQuery(0.5), noise=noise.Coin())
        assert 0 <= found.lower <= found.upper
        found.check(table)
