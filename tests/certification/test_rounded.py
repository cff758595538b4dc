"""Rounded readings: probabilities of cells, the largest likelihood over all deviations, and what they prove."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import log_ndtr

from tests.certification import plain
from tests.certification.worlds import most_allowed
from warmer import Problem, Session, goals, noise
from warmer.certification import Certifier, certifier_for, kernels
from warmer.certification.rounded import distances
from warmer.families import KArms, Linear
from warmer.model.errors import InvalidValueError

VALUES = np.array([-0.6, -0.3, 0.0, 0.3, 0.6])
FIVE = Problem.from_table([VALUES, VALUES + 0.15, 0.07 - VALUES], queries=["a", "b", "c"], reward_range=(-5, 5))
AWAY = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.0, 12.0))


@settings(max_examples=200, deadline=None)
@given(AWAY, st.floats(-7.0, 2.0))
def test_the_probability_of_a_cell_is_the_integral_of_the_density_over_it(away: float, log_s: float) -> None:
    value, slope, bend = kernels.cells.log_cell(away, log_s)
    exact = plain.log_cell(np.array(away), np.exp(np.array(log_s)))
    assert value == pytest.approx(float(exact), rel=1e-9, abs=1e-9)
    more, less = (kernels.cells.log_cell(away, log_s + step)[0] for step in (1e-4, -1e-4))
    assert slope == pytest.approx((more - less) / 2e-4, rel=1e-4, abs=1e-4)
    assert bend <= 1e-6 or away < 0.5  # concave in log s where the mean is outside the cell


@pytest.mark.parametrize(("away", "log_s"), [(0.2, 3.0), (30.0, 1.0), (0.0, 6.0), (3e4, -9.0), (0.5, 40.0), (0.7, 7.0)])
def test_cells_far_out_and_nearly_certain_keep_their_digits(away: float, log_s: float) -> None:
    s = math.exp(log_s)
    low, high = (away - 0.5) * s, (away + 0.5) * s
    tails = float(log_ndtr(-abs(low))), float(log_ndtr(-high))
    if low < 0:
        exact = math.log1p(-math.exp(tails[0]) - math.exp(tails[1]))
    elif high - low > 1e-2:
        exact = tails[0] + math.log1p(-math.exp(tails[1] - tails[0]))
    else:
        exact = log_s - (away * s) ** 2 / 2 - math.log(2 * math.pi) / 2
    assert kernels.cells.log_cell(away, log_s)[0] == pytest.approx(exact, rel=1e-9, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(AWAY, st.integers(1, 50)), min_size=1, max_size=5), st.floats(-5.0, 5.0))
def test_the_largest_likelihood_is_never_below_any_and_hardly_above_the_best(told, start) -> None:
    away, times = (np.array(values, dtype=float) for values in zip(*told, strict=True))
    bound = kernels.cells.largest(away[:, None], times, np.array([start]))[0]
    best = plain.largest_by_grid(away, times)
    assert best - 1e-9 * times.sum() * (1 + abs(best)) <= bound
    assert bound <= best + 1e-3 * times.sum()


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(AWAY, st.integers(1, 50)), min_size=1, max_size=5), st.floats(-6.0, 5.0), st.floats(-9.0, 9.0)
)
def test_no_deviation_beats_the_bound_wherever_the_search_begins(told, log_s, start) -> None:
    away, times = (np.array(values, dtype=float) for values in zip(*told, strict=True))
    bound = kernels.cells.largest(away[:, None], times, np.array([start]))[0]
    assert kernels.cells.reached(away[:, None], times, np.array([log_s]))[0] <= bound


@pytest.mark.parametrize(
    ("away", "sup"), [([0.2, 0.4], 0.0), ([0.5, 0.2], 3 * math.log(0.5)), ([0.5, 0.5], 7 * math.log(0.5))]
)
def test_without_noise_a_cell_with_the_mean_is_certain_and_a_border_is_a_coin(away, sup) -> None:
    assert kernels.cells.largest(np.array(away)[:, None], np.array([3.0, 4.0]), np.zeros(1))[0] == pytest.approx(sup)


def test_distances_are_never_too_large_and_a_mean_on_a_border_is_on_it() -> None:
    away = distances(np.array([0.3, 1.0]), np.array([[0.25, 0.35, 0.3], [0.0, 0.5, 1.25]]), 0.1, 0.0)
    assert away[0].tolist() == [0.5, 0.5, 0.0]
    assert (away[1] <= [10.0, 5.0, 2.5]).all()
    assert away[1] == pytest.approx([10.0, 5.0, 2.5])
    rough = distances(np.array([1.0]), np.array([[0.0, 0.9]]), 0.5, 0.2)
    assert rough[0] == pytest.approx([1.6, 0.0])


def told(problem, truth, sigma, n, rng, declared, unit=1.0):
    """The certifier and its state after readings of an instrument."""
    certifier = Certifier(problem, goals.WhichTarget(), noise=declared)
    state = certifier.start()
    for _ in range(n):
        query = int(rng.integers(problem.n_queries))
        reading = unit * round((problem.rho[query, truth] + sigma * rng.normal()) / unit)
        state = certifier.update(state, query, reading)
    return certifier, state


def test_four_hundred_rounded_answers_prove_something_and_right() -> None:
    rng, proven = np.random.default_rng(1), 0
    for run in range(20):
        certifier, state = told(FIVE, run % 5, 0.1, 400, rng, noise.Gaussian(resolution=1))
        assert state.settled in (None, run % 5)
        proven += certifier.certificate(state).is_proven
    assert proven >= 12


def exclusions(n_runs: int, n_answers: int, seed: int) -> int:
    """In how many runs the truth was ever ruled out."""
    rng = np.random.default_rng(seed)
    return sum(
        not told(FIVE, run % 5, sigma, n_answers, rng, noise.Gaussian(resolution=1))[1].possible[run % 5]
        for run in range(n_runs)
        for sigma in (0.01, 0.1, 0.4)[run % 3 : run % 3 + 1]
    )


@pytest.mark.long
def test_rounded_readings_rule_the_truth_out_as_rarely_as_declared() -> None:
    assert exclusions(300, 200, seed=2) <= most_allowed(300, 0.05)


def test_a_prior_and_a_copied_state_change_nothing_that_is_claimed() -> None:
    prior = [0.9, 0.025, 0.025, 0.025, 0.025]
    certifier = Certifier(FIVE, goals.WhichTarget(), noise=noise.Gaussian(resolution=1), prior=prior)
    history = [(k % 3, float(round(FIVE.rho[k % 3, 4]))) for k in range(60)]
    state = certifier.start()
    for query, reward in history[:30]:
        state = certifier.update(state, query, reward)
    copy = pickle.loads(pickle.dumps(state))
    for query, reward in history[30:]:
        state, copy = certifier.update(state, query, reward), certifier.update(copy, query, reward)
    queries, rewards = zip(*history, strict=True)
    again = certifier.replay(certifier.start(), queries, rewards, [1] * 60)
    evidence = certifier.log_evidence(state)
    assert evidence.tolist() == certifier.log_evidence(copy).tolist() == certifier.log_evidence(again).tolist()
    assert evidence[4] < 1 < 3 < evidence[0]


def test_a_fine_resolution_says_nearly_the_same_as_none() -> None:
    rng = np.random.default_rng(3)
    history = [(k % 3, round(1000 * float(FIVE.rho[k % 3, 2] + 0.3 * rng.normal())) / 1000) for k in range(60)]
    found = []
    for declared in (noise.Gaussian(), noise.Gaussian(resolution=0.001)):
        certifier = Certifier(FIVE, goals.WhichTarget(), noise=declared)
        state = certifier.start()
        for answer in history:
            state = certifier.update(state, *answer)
        found.append(certifier.log_evidence(state))
    assert found[1] == pytest.approx(found[0], abs=3.0)
    assert (found[0] - found[0].min()) == pytest.approx(found[1] - found[1].min(), abs=0.01)


@pytest.mark.parametrize(
    ("reward", "count", "words"),
    [
        (0.5, 1, "the answer to 'a' must be a multiple of the resolution 1, got 0.5; nothing was recorded. Tell the"),
        (float("nan"), 1, "must be a number"),
        (1.0, 3, "the answer to 'a' must be one reading: with resolution=1 the mean of 3 readings has no cell of its"),
    ],
)
def test_what_is_no_reading_of_the_instrument_is_refused(reward: float, count: int, words: str) -> None:
    declared = noise.Gaussian(resolution=1)
    with pytest.raises(InvalidValueError, match=words[:40]) as caught:
        declared.check(FIVE, 0, reward, count)
    assert words in str(caught.value)
    certifier = Certifier(FIVE, goals.WhichTarget(), noise=declared)
    with pytest.raises(InvalidValueError, match="resolution"):
        certifier.update(certifier.start(), 0, reward, count)


def test_multiples_of_a_decimal_resolution_are_readings() -> None:
    for units in (0, 1, 3, -7, 123456):
        noise.Gaussian(resolution=0.1).check(Problem.from_table([[0.0]]), 0, 0.1 * units, 1)


@pytest.mark.parametrize("resolution", [0.0, -1.0, math.nan, "fine"])
def test_a_resolution_is_a_positive_number(resolution) -> None:
    with pytest.raises(InvalidValueError, match="resolution must be"):
        noise.Gaussian(resolution=resolution)


@pytest.mark.parametrize(
    "family", [KArms(2), Linear([[1.0, 0.0], [0.0, 1.0]])], ids=lambda family: type(family).__name__
)
def test_a_family_without_a_table_refuses_rounded_readings_in_one_sentence(family) -> None:
    with pytest.raises(InvalidValueError, match=r"Gaussian\(resolution=1\) says nothing about"):
        certifier_for(family, goals.BestQuery(0.1), noise=noise.Gaussian(resolution=1))


def test_rounded_readings_may_leave_the_range_where_that_is_asked_for():
    problem = Problem.from_table([[0.2, 0.9]])
    session = Session(problem, goal=goals.WhichTarget(), noise=noise.Gaussian(resolution=0.3), outside="keep")
    assert session.tell(0, 1.2).reward == 1.2


@pytest.mark.parametrize("resolution", [5e-324, 1e-300, 1e-13])
def test_a_resolution_that_numbers_of_the_range_cannot_show_is_refused(resolution: float) -> None:
    with pytest.raises(InvalidValueError, match="resolution must be at least 7e-12, a millionth of a millionth"):
        Session(
            Problem.from_table([[0.0, 0.5]], reward_range=(-2, 5)),
            goal=goals.WhichTarget(),
            noise=noise.Gaussian(resolution=resolution),
        )


def test_a_reading_of_too_many_units_is_refused() -> None:
    found = Session(FIVE, goal=goals.WhichTarget(), noise=noise.Gaussian(resolution=1e-9), outside="keep")
    with pytest.raises(InvalidValueError, match="times the resolution 1e-09, since its last digits say nothing"):
        found.tell(0, 1e9)
    found.tell(0, 0.25)
    assert np.isfinite(found.learner.certifier.log_evidence(found.state)).all()
