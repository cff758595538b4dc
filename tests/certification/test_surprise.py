"""An answer is odd when no remaining candidate explains it; honest ones are called so at the stated rate at most."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from warmer import Problem, goals, noise
from warmer.certification import Certifier
from warmer.certification.kernels import nearest
from warmer.certification.noise import Told
from warmer.certification.surprise.measure import FALSE_ALARMS, odd_limits, predictions, surprises
from warmer.certification.surprise.tails import student_tail
from warmer.model.readings import Readings

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
FAST = settings(max_examples=40, deadline=None)
NOISES = [noise.SubGaussian(0.2), noise.Coin(), noise.BoundedNoise(0.3), noise.Bounded(), noise.Gaussian()]
UNIT = Problem.from_table([[0.5]], reward_range=(0, 1))


def drawn(rng, declared, mean, count):
    """An honest answer in [0, 1]: the mean of so many."""
    if isinstance(declared, noise.Coin):
        return rng.binomial(count, mean) / count
    if isinstance(declared, noise.BoundedNoise):
        return np.clip(mean + rng.choice([-1, 1], count) * min(declared.width, mean, 1 - mean), 0, 1).mean()
    if isinstance(declared, noise.Bounded):
        return rng.binomial(count, mean) / count  # the widest there is
    return rng.normal(mean, 0.2 / np.sqrt(count))


def world(rng, declared, n_answers, tolerance=0.0):
    """A table, what a certifier knows after honest answers of its first candidate, and the readings."""
    rho = rng.uniform(0.05, 0.95, (5, 12))
    problem = Problem.from_table(rho, reward_range=(0, 1))
    certifier = Certifier(problem, goals.WhichTarget(), noise=declared, tolerance=tolerance)
    state, readings = certifier.start(), Readings(5)
    for _ in range(n_answers):
        query, count = int(rng.integers(5)), int(rng.choice([1, 1, 4]))
        reward = float(drawn(rng, declared, rho[query, 0] + tolerance * rng.uniform(-1, 1) / 10, count))
        if not isinstance(declared, noise.Coin | noise.Gaussian):
            reward = min(max(reward, 0.0), 1.0)
        state = certifier.update(state, query, reward, count)
        readings.add(query, reward, count)
    return certifier, state, readings


def plain(certifier, state, readings):
    """The definition: the largest p-value under any candidate that remains, one candidate and one answer at a time."""
    standing = np.flatnonzero(state.possible) if state.n_possible else [certifier.leader(state)]
    queries, rewards, counts = readings.told(np.arange(len(readings)))
    found = []
    for t in range(len(readings)):
        values = []
        for z in standing:
            means = np.array([certifier.problem.rho[queries[t], z]])
            told = Told(rewards[[t]], counts[[t]])
            if isinstance(certifier.noise, noise.Gaussian):
                squared = counts * (rewards - certifier.problem.rho[queries, z]) ** 2
                rest = squared.sum() - squared[t]
                ratio = np.array([squared[t] / rest]) if rest else np.array([np.inf])
                values.append(student_tail(ratio, len(readings) - 1)[0])
            else:
                values.append(certifier.noise.tail(certifier.problem, queries[t], told, means, certifier.margin)[0])
        found.append(max(values))
    return np.array(found)


@FAST
@given(seeds, st.sampled_from(NOISES), st.integers(1, 30), st.sampled_from([0.0, 0.05]))
def test_the_fast_surprise_is_the_largest_p_value(rng, declared, n_answers, tolerance):
    tolerance = 0.0 if isinstance(declared, noise.Gaussian) else tolerance
    certifier, state, readings = world(rng, declared, n_answers, tolerance)
    found = surprises(certifier, state, readings, np.arange(n_answers))
    np.testing.assert_allclose(found, plain(certifier, state, readings), rtol=1e-6, atol=1e-12)
    last = surprises(certifier, state, readings, np.array([n_answers - 1]))
    np.testing.assert_allclose(last, found[-1:], rtol=1e-9)


@FAST
@given(seeds, st.sampled_from(NOISES[:4]), st.integers(1, 40))
def test_the_expected_reward_is_the_nearest_of_a_remaining_candidate(rng, declared, n_answers):
    certifier, state, readings = world(rng, declared, n_answers)
    queries, rewards, _ = readings.told(np.arange(n_answers))
    expected = predictions(certifier, state, readings, np.arange(n_answers))
    standing = np.flatnonzero(state.possible) if state.n_possible else [certifier.leader(state)]
    gaps = np.abs(certifier.problem.rho[np.ix_(queries, standing)] - rewards[:, None])
    np.testing.assert_allclose(np.abs(expected - rewards), gaps.min(axis=1), atol=1e-12)


@FAST
@given(seeds, st.integers(1, 50))
def test_the_compiled_neighbours_are_those_of_a_sorted_list(rng, size):
    row, possible, reward = rng.integers(0, 9, size) / 8, rng.random(size) < 0.6, rng.integers(0, 9) / 8
    kept = row[possible]
    below, above = kept[kept <= reward], kept[kept >= reward]
    expected = (below.max(initial=-np.inf), above.min(initial=np.inf))
    assert nearest.around(row, possible, reward) == expected


@pytest.mark.parametrize("count", [1, 2, 7, 30])
@pytest.mark.parametrize("mean", [0.02, 0.3, 0.5, 0.97])
def test_p_values_of_coins_are_exact_bounds(mean, count):
    heads = np.arange(count + 1)
    told = Told(heads / count, np.full(count + 1, count))
    chances = binom.pmf(heads, count, mean)
    for declared in (noise.Coin(), noise.Bounded()):  # coins are answers in the range, and the widest
        found = declared.tail(UNIT, 0, told, np.full(count + 1, mean), 0.0)
        for p in np.unique(found):
            assert chances[found <= p].sum() <= p + 1e-12


@FAST
@given(st.floats(0.01, 0.99), st.floats(0.01, 1.0), st.floats(0.0, 0.99))
def test_p_values_of_any_answer_in_the_range_are_bounds(mean, up, down):
    """For two answers with this mean, the extreme points of all laws on the range."""
    high, low = mean + up * (1 - mean), mean * down
    chance = (mean - low) / (high - low)
    found = noise.Bounded().tail(UNIT, 0, Told(np.array([low, high]), np.ones(2)), np.full(2, mean), 0.0)
    assert found[1] >= min(chance, 1 - 1e-9) - 1e-9
    assert found[0] >= min(1 - chance, 1 - 1e-9) - 1e-9


@pytest.mark.parametrize("declared", NOISES, ids=lambda declared: type(declared).__name__)
def test_no_answer_is_odd_to_the_candidate_that_expects_it(declared):
    problem = Problem.from_table([[0.25, 1.0]], reward_range=(0, 1))
    certifier, readings = Certifier(problem, goals.WhichTarget(), noise=declared), Readings(1)
    for reward in (1.0, 1.0):
        readings.add(0, reward)
    assert surprises(certifier, certifier.start(), readings, np.arange(2)).tolist() == [1.0, 1.0]


def test_nothing_but_the_range_says_little_of_one_answer():
    """Half way up is no news; at one end, it is to candidates near the other."""
    problem = Problem.from_table([[0.01], [0.4]], reward_range=(0, 1))
    certifier, readings = Certifier(problem, goals.WhichTarget()), Readings(2)
    readings.add(1, 0.9)
    readings.add(0, 0.9)
    middle, end = surprises(certifier, certifier.start(), readings, np.arange(2))
    assert middle > 0.8
    assert end == pytest.approx(2 * 0.01 / 0.9)


def n_studies_with_alarm(declared, n_runs, n_answers=15):
    rng, n = np.random.default_rng(5), 0
    for _ in range(n_runs):
        certifier, state, readings = world(rng, declared, 0)
        is_odd = False
        for t in range(n_answers):
            query, count = int(rng.integers(5)), int(rng.choice([1, 1, 4]))
            reward = float(drawn(rng, declared, certifier.problem.rho[query, 0], count))
            state = certifier.update(state, query, reward, count)
            readings.add(query, reward, count)
            places = np.arange(t + 1)
            is_odd |= bool(
                (surprises(certifier, state, readings, places) <= odd_limits(certifier, t + 1, places)).any()
            )
        n += is_odd
    return n


@pytest.mark.parametrize("declared", NOISES, ids=lambda declared: type(declared).__name__)
def test_few_honest_studies_are_ever_called_odd(declared):
    n_runs = 40
    assert n_studies_with_alarm(declared, n_runs) <= binom.isf(1e-6, n_runs, FALSE_ALARMS)


@pytest.mark.long
@pytest.mark.parametrize("declared", NOISES, ids=lambda declared: type(declared).__name__)
def test_alarms_of_thousands_of_honest_studies_stay_within_their_rate(declared):
    n_runs = 2000
    assert n_studies_with_alarm(declared, n_runs) <= binom.isf(1e-6, n_runs, FALSE_ALARMS)


def test_limits_sum_to_the_stated_rate():
    certifier = Certifier(UNIT, goals.WhichTarget())
    assert 0.99 * FALSE_ALARMS < odd_limits(certifier, 10_000, np.arange(10_000)).sum() < FALSE_ALARMS
    unknown = Certifier(UNIT, goals.WhichTarget(), noise=noise.Gaussian())
    looks = sum(odd_limits(unknown, n, np.array([4]))[0] for n in range(5, 2000))
    assert looks < odd_limits(certifier, 5, np.array([4]))[0]
