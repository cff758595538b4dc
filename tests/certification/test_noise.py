"""Declarations: what they refuse, and what they must survive (ends of the range, single precision, priors, many
answers).
"""

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.certification.instances import Instance, instances, updated
from warmer import noise
from warmer.certification.noise import evidence_process
from warmer.model import Problem
from warmer.model.errors import InvalidValueError

TABLE = Problem.from_table([[0.25, 0.5], [0.0, 0.75]], queries=["a", "b"], reward_range=(0, 1))
DECLARED = [noise.Bounded(), noise.BoundedNoise(0.5), noise.SubGaussian(0.5), noise.Coin(), noise.Gaussian()]


def evidence(problem: Problem, declared: Any, history: list[tuple[int, float, int]], **given: Any) -> list[float]:
    """The log evidence against each candidate after a history."""
    process = evidence_process(declared, problem, given.get("log_prior", np.empty(0)), given.get("tolerance", 0.0))
    state = process.start()
    for query, reward, count in history:
        state = updated(process, state, query, reward, count)
    return [float(value) for value in process.log_evidence(state)]


@pytest.mark.parametrize("declared", DECLARED, ids=repr)
@pytest.mark.parametrize("tolerance", [0.0, 0.125])
def test_every_process_starts_at_one(declared: Any, tolerance: float) -> None:
    process = evidence_process(declared, TABLE, np.log([0.25, 0.75]), tolerance)
    assert np.asarray(process.log_evidence(process.start())) == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize("declared", DECLARED, ids=repr)
@pytest.mark.parametrize("tolerance", [0.0, 0.125])
def test_states_survive_a_pickle(declared: Any, tolerance: float) -> None:
    process = evidence_process(declared, TABLE, np.empty(0), tolerance)
    state = updated(process, process.start(), 0, 1.0)
    copy = pickle.loads(pickle.dumps(state))
    other = pickle.loads(pickle.dumps(process))
    told, again = updated(process, state, 1, 0.0), updated(other, copy, 1, 0.0)
    assert process.log_evidence(told).tolist() == other.log_evidence(again).tolist()


@pytest.mark.parametrize("declared", DECLARED, ids=repr)
@pytest.mark.parametrize("tolerance", [0.0, 0.1])
def test_what_the_candidates_forbid_by_prior_may_still_be_true(declared: Any, tolerance: float) -> None:
    table = Problem.from_table([[0.0, 1.0], [1.0, 0.0]], reward_range=(0, 1))
    log_prior = np.array([-np.inf, 0.0])
    history = [(0, 0.0, 1), (1, 1.0, 1)] * 10
    right, wrong = evidence(table, declared, history, log_prior=log_prior, tolerance=tolerance)
    assert right < 1 < 3 < wrong


def test_a_prior_against_the_best_candidate_still_gives_weights_to_choose_by() -> None:
    table = Problem.from_table([[0.0, 0.5, 1.0]])
    process = evidence_process(noise.SubGaussian(0.01), table, np.log([1e-300, 0.5, 0.5]), 0.0)
    state = updated(process, process.start(), 0, 0.0, 100)
    weights = process.weights(state)
    assert weights.leader(np.array([True, True, True])) == 0
    places, shares = weights.likely(np.array([False, True, True]))
    assert places.tolist() == [1]
    assert shares.sum() == pytest.approx(1)
    barred = weights._replace(table=weights.table._replace(log_prior=np.array([0.0, -np.inf, -np.inf])))
    assert barred.likely(np.array([False, True, True]))[0].tolist() == [1]
    assert barred.leader(np.array([False, True, True])) == 1


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_answers_at_the_very_end_of_the_width_rule_out_nobody_they_should_not(dtype: type) -> None:
    table = Problem.from_table(np.array([[0.1, 0.7]], dtype=dtype))
    history = [(0, 0.1 + 0.3, 1), (0, 0.1 - 0.3, 1)] * 5
    right, wrong = evidence(table, noise.BoundedNoise(0.3), history)
    assert right < 3
    assert wrong == np.inf


def test_a_mean_of_coins_that_rounding_pushed_off_the_end_is_no_tail() -> None:
    table = Problem.from_table([[0.7, 0.4]], reward_range=(0.1, 0.7))
    mean = (0.7 + 0.7 + 0.7) / 3
    assert mean != 0.7
    exact = evidence(table, noise.Coin(), [(0, 0.7, 3)])
    assert evidence(table, noise.Coin(), [(0, mean, 3)]) == pytest.approx(exact)
    rough = evidence(table, noise.Coin(), [(0, mean, 3)], tolerance=1e-300)
    assert np.isfinite(rough).all()


def test_an_answer_that_a_candidate_calls_impossible_rules_it_out_at_any_delta() -> None:
    table = Problem.from_table([[0.0, 0.5], [1.0, 0.5]], reward_range=(0, 1))
    assert evidence(table, noise.Coin(), [(0, 1.0, 1)])[0] > 1e5
    assert evidence(table, noise.Coin(), [(1, 0.0, 1)])[0] > 1e5
    assert max(evidence(table, noise.Coin(), [(0, 0.0, 1), (1, 1.0, 1)])) < 2


def test_when_every_candidate_calls_the_answers_impossible_all_are_ruled_out() -> None:
    table = Problem.from_table([[0.0, 0.0], [1.0, 1.0]], reward_range=(0, 1))
    assert min(evidence(table, noise.Coin(), [(0, 1.0, 1), (1, 0.0, 1)] * 3)) > 1e5


@pytest.mark.parametrize("count", [10**3, 10**6, 10**9])
def test_a_million_coins_in_one_answer_are_weighed_exactly_in_single_precision(count: int) -> None:
    rho = np.array([[0.25, 0.26], [0.5, 0.5]])
    double, single = (Problem.from_table(rho.astype(t), reward_range=(0, 1)) for t in (np.float64, np.float32))
    history = [(1, 0.5, count), (0, 0.25, count), (1, 0.5, count)]
    exact = evidence(double, noise.Coin(), history)[0]
    assert evidence(single, noise.Coin(), history)[0] == pytest.approx(exact, abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(instances(), st.sampled_from(["sigma", "bounded", "gaussian"]))
def test_single_precision_says_the_same_up_to_rounding(instance: Instance, kind: str) -> None:
    ends = instance.problem.reward_range
    scale = max(map(abs, ends)) / (ends[1] - ends[0])
    if scale > 2:  # far from zero a float32 table is another table
        return
    declared = {"sigma": noise.SubGaussian(instance.noise), "bounded": noise.Bounded(), "gaussian": noise.Gaussian()}
    single = Problem.from_table(instance.rho.astype(np.float32), reward_range=ends)
    double = Problem.from_table(np.clip(np.asarray(single.rho, dtype=float), *ends), reward_range=ends)
    history = [(query, float(np.float32(reward)), count) for query, reward, count in instance.history]
    history = [(query, min(max(reward, ends[0]), ends[1]), count) for query, reward, count in history]
    fast = np.array(evidence(single, declared[kind], history, log_prior=instance.log_prior))
    slow = np.array(evidence(double, declared[kind], history, log_prior=instance.log_prior))
    contenders = np.abs(slow) < 50
    assert fast[contenders] == pytest.approx(slow[contenders], abs=0.1)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("declared", DECLARED, ids=repr)
def test_the_truth_survives_thousands_of_answers_as_it_expects_them(declared: Any, dtype: type) -> None:
    table = Problem.from_table(np.array([[0.1, 0.3, 0.9]], dtype=dtype), reward_range=(0, 1))
    answers = [1.0] + 9 * [0.0] if isinstance(declared, noise.Coin) else [0.05, 0.15]
    right = evidence(table, declared, [(0, reward, 1) for reward in answers] * (4000 // len(answers)))
    assert right[0] < 1 < 10 < right[1]


@pytest.mark.parametrize("declared", DECLARED, ids=repr)
def test_units_do_not_matter(declared: Any) -> None:
    history = [(0, 1.0, 1), (1, 0.0, 2), (0, 0.0, 1), (1, 1.0, 1)]
    here = evidence(TABLE, declared, history)
    for low, length in ((-1.0, 2.0), (20.0, 1000.0), (0.0, 1e-6)):
        there = Problem.from_table(low + length * np.asarray(TABLE.rho), reward_range=(low, low + length))
        moved = {"SubGaussian": noise.SubGaussian(0.5 * length), "BoundedNoise": noise.BoundedNoise(0.5 * length)}
        told = [(query, low + length * reward, count) for query, reward, count in history]
        assert evidence(there, moved.get(type(declared).__name__, declared), told) == pytest.approx(here, abs=1e-6)


def test_means_at_the_ends_of_the_range_can_be_bet_on() -> None:
    table = Problem.from_table([[0.0, 1.0, 0.5]], reward_range=(0, 1))
    for declared in (noise.Bounded(), noise.BoundedNoise(0.5), noise.Coin()):
        low, high, _ = evidence(table, declared, [(0, 0.0, 1)] * 20)
        assert low < 0.5
        assert high > 3


@pytest.mark.parametrize(
    ("declared", "reward", "count", "words"),
    [
        (noise.Bounded(), 1.5, 1, "the answer to 'a' must be a number in [0, 1], got 1.5; nothing was recorded"),
        (noise.SubGaussian(0.5), -25.0, 1, "no further than 40 deviations of 0.5 from [0, 1], got -25; nothing was"),
        (noise.BoundedNoise(0.5), float("nan"), 1, "must be a number in [0, 1], got nan"),
        (noise.Coin(), 0.5, 1, "the answer to 'a' must be 0 or 1, got 0.5: the noise is declared to be that of coins"),
        (noise.Coin(), 0.5, 3, "must be 0 or 1, or the mean of 3 such answers, got 0.5"),
        (noise.Coin(), 2.0, 1, "must be 0 or 1, got 2"),
        (noise.Coin(), -1.0, 2, "must be 0 or 1, or the mean of 2 such answers, got -1"),
        (noise.Coin(), float("inf"), 1, "must be 0 or 1, got inf"),
        (noise.Gaussian(), float("nan"), 1, "must be a number, and no further than 1e9 times the length of [0, 1]"),
        (noise.Bounded(), 1.00000001, 1, "the answer to 'a' must be a number in [0, 1], got 1.00000001; nothing"),
        (noise.Gaussian(), 1e12, 1, "from it, got 1000000000000; nothing was recorded"),
    ],
)
def test_an_answer_that_cannot_be_is_refused(declared: Any, reward: float, count: int, words: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        declared.check(TABLE, 0, reward, count)
    assert words in str(caught.value)


def test_answers_that_can_be_are_taken() -> None:
    noise.Bounded().check(TABLE, 0, 0.5, 1)
    noise.Coin().check(TABLE, 0, 1.0, 1)
    noise.Coin().check(TABLE, 0, 2 / 3, 3)
    noise.Gaussian().check(TABLE, 0, 7.0, 1)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: noise.SubGaussian(0.0), "sigma must be greater than 0, got 0"),
        (lambda: noise.SubGaussian([0.5, -1.0]), "sigma must be greater than 0, got -1"),
        (lambda: noise.SubGaussian({"a": "x"}), "sigma must be numbers"),
        (lambda: noise.SubGaussian(1e-200), "sigma must be a deviation of rewards, got 1e-200"),
        (lambda: noise.SubGaussian([0.5]).sigmas(TABLE), "one for each of the 2 queries, got an array of shape (1,)"),
        (lambda: noise.SubGaussian([[0.5, 0.5]]).sigmas(TABLE), "got an array of shape (1, 2)"),
        (lambda: noise.SubGaussian({"a": 0.5}).sigmas(TABLE), "sigma is missing for query 'b'"),
        (lambda: noise.BoundedNoise(-0.1), "width must be greater than 0, got -0.1"),
        (lambda: evidence_process("coin", TABLE, np.empty(0), 0.0), "got 'coin'; an e-process of your own has the"),
        (lambda: evidence_process(noise.Coin, TABLE, np.empty(0), 0.0), "noise must be a declaration such as"),
    ],
)
def test_a_declaration_that_makes_no_sense_says_why(make: Any, words: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        make()
    assert words in str(caught.value)


def test_deviations_come_by_query_in_order_or_by_label() -> None:
    assert noise.SubGaussian({"b": 0.5, "a": 0.25}).sigmas(TABLE).tolist() == [0.25, 0.5]
    assert noise.SubGaussian([0.25, 0.5]).sigmas(TABLE).tolist() == [0.25, 0.5]
    assert noise.SubGaussian(0.5).sigmas(TABLE).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("declared", [noise.SubGaussian(1e-5), noise.BoundedNoise(1e-5)], ids=repr)
def test_noise_below_the_rounding_of_a_float32_table_needs_a_tolerance(declared: Any) -> None:
    table = Problem.from_table(np.array([[0.1, 0.2]], dtype=np.float32))
    with pytest.raises(
        InvalidValueError, match=r"must be at least 0.0001 with a float32 table.* declare tolerance=1e-07"
    ):
        evidence_process(declared, table, np.empty(0), 0.0)
    evidence_process(declared, table, np.empty(0), 1e-6)


def test_declarations_know_the_variance_of_an_answer() -> None:
    queries, means = np.array([0, 1]), np.array([0.5, 0.0])
    for declared, tolerance, expected in (
        (noise.SubGaussian([0.5, 0.25]), 0.0, [0.25, 0.0625]),
        (noise.SubGaussian([0.5, 0.25]), 0.1, [0.25, 0.0625]),
        (noise.Coin(), 0.0, [0.25, 1e-6]),
        (noise.Coin(), 0.1, [0.25, 1e-6]),
        (noise.Bounded(), 0.0, [0.0625, 0.0625]),
        (noise.Gaussian(), 0.0, [0.005625, 0.005625]),
    ):
        process = evidence_process(declared, TABLE, np.empty(0), tolerance)
        assert process.variances(process.start(), queries, means) == pytest.approx(np.array(expected))


def test_the_information_of_an_answer_is_the_divergence_between_its_laws() -> None:
    queries, first, second = np.array([0, 1]), np.array([0.25, 0.0]), np.array([0.5, 0.0])
    divergence = 0.25 * np.log(0.5) + 0.75 * np.log(1.5)
    for declared in (noise.Coin(), noise.Bounded()):
        assert declared.information(TABLE, queries, first, second) == pytest.approx([divergence, 0.0])
    even, certain = np.array([0.5, 0.5]), np.array([0.0, 1.0])
    assert np.isinf(noise.Coin().information(TABLE, queries, even, certain)).all()
    squared = noise.SubGaussian([0.5, 0.25]).information(TABLE, queries, first, second)
    assert squared == pytest.approx([0.125, 0.0])
