"""The compiled loops agree with plain NumPy, in blocks and out of them, in both precisions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from scipy.special import logsumexp

from tests.certification.plain import Array, log_bet
from warmer.certification.kernels import bets, evidence, vectors
from warmer.estimation.kernels.losses import BLOCK, block_tops

seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
sizes = st.sampled_from([1, 2, 7, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
FAST = settings(max_examples=40, deadline=None)


def a_prior(rng: np.random.Generator, size: int) -> Array:
    """An empty log prior, or one with zeros in it."""
    if rng.random() < 0.4:
        return np.empty(0)
    weights = rng.random(size) * (rng.random(size) < 0.7)
    weights[rng.integers(size)] = 1.0
    with np.errstate(divide="ignore"):
        return np.log(weights / weights.sum())


def some_losses(rng: np.random.Generator, size: int) -> tuple[Array, Array, float]:
    """Losses that spread far, sorted or not, the least of each block, and the least of all."""
    losses = rng.exponential(rng.choice([1.0, 30.0]), size)
    losses = np.sort(losses) if rng.random() < 0.5 else losses
    return losses, -block_tops(-losses), losses.min()


@FAST
@given(seeds, sizes)
def test_sums_fold_128_lanes_upper_half_upon_lower(rng: np.random.Generator, size: int) -> None:
    values, factors = rng.normal(size=(2, size)) * 10.0 ** rng.integers(-9, 9, (2, size))
    for found, terms in ((vectors.total(values), values), (vectors.dot(values, factors), values * factors)):
        lanes = np.zeros(128)
        for i, term in enumerate(terms):
            lanes[i % 128] += term
        while lanes.size > 1:
            lanes = lanes[: lanes.size // 2] + lanes[lanes.size // 2 :]
        assert found == lanes[0]


@FAST
@given(seeds, sizes)
def test_weights_are_summed_over_all_that_matter(rng: np.random.Generator, size: int) -> None:
    losses, lows, least = some_losses(rng, size)
    prior, row, rate = a_prior(rng, size), rng.normal(size=size), rng.choice([0.1, 1.0, 10.0])
    cut, weights = np.log(size) + 3, np.full(size, np.nan)
    top, total = evidence.weigh(weights, losses, lows, prior, least, rate, cut)
    logs = -rate * (losses - least) + (prior if prior.size else 0.0)
    assert top == pytest.approx(logs.max())
    assert weights == pytest.approx(np.where(logs >= logs.max() - cut, np.exp(logs - top), 0.0), rel=1e-12)
    assert total == pytest.approx(weights.sum())
    assert vectors.dot(weights, row) == pytest.approx(weights @ row, abs=1e-9)
    whole = float(logsumexp(logs))
    assert whole - np.log(1.05) <= top + np.log(total) <= whole + 1e-12


@FAST
@given(seeds, sizes)
def test_student_weights_are_never_above_the_sum_and_little_below(rng: np.random.Generator, size: int) -> None:
    losses, lows, least = some_losses(rng, size)
    prior, scale, power = a_prior(rng, size), rng.choice([0.01, 1.0, 9.0]), rng.choice([0.5, 3.0, 200.0])
    mixed = evidence.mix(losses, lows, prior, least, scale, power, np.log(size) + 3)
    whole = logsumexp(-power * np.log1p((losses - least) / scale) + (prior if prior.size else 0.0))
    assert whole - np.log(1.05) <= mixed <= whole + 1e-9


@FAST
@given(seeds, sizes)
def test_likely_candidates_are_those_near_the_heaviest_possible_one(rng: np.random.Generator, size: int) -> None:
    losses, lows, _ = some_losses(rng, size)
    possible = rng.random(size) < 0.5
    possible[rng.integers(size)] = True
    prior, rate, cut = a_prior(rng, size), rng.choice([0.1, 1.0, 10.0]), 4.0
    if prior.size and np.isinf(prior[possible]).all():
        prior = np.empty(0)
    places, weights = evidence.likely(losses, lows, prior, possible, losses[possible].min(), rate, cut)
    logs = np.where(possible, -rate * losses + (prior if prior.size else 0.0), -np.inf)
    assert places.tolist() == np.flatnonzero(logs >= logs.max() - cut).tolist()
    assert weights == pytest.approx(np.exp(logs[places] - logsumexp(logs[places])), rel=1e-9)


@FAST
@given(seeds, sizes, st.sampled_from([np.float64, np.float32]))
def test_the_losses_that_are_kept_are_found_with_the_least_of_each_block(
    rng: np.random.Generator, size: int, dtype: type
) -> None:
    losses = rng.integers(0, 2 + size // 2, size).astype(dtype)  # with ties
    places = np.sort(rng.choice(size, int(rng.integers(1, size + 1)), replace=False))
    ours, lows, least, best = evidence.kept(losses, places)
    assert ours.dtype == lows.dtype == dtype
    assert ours.tolist() == losses[places].tolist()
    assert lows.tolist() == [ours[first : first + BLOCK].min() for first in range(0, ours.size, BLOCK)]
    assert (least, best) == (ours.min(), ours.argmin())


@FAST
@given(seeds, sizes)
def test_those_with_enough_evidence_are_struck_and_counted(rng: np.random.Generator, size: int) -> None:
    possible, weight = rng.random(size) < 0.5, np.round(rng.normal(size=size), 1)
    struck = possible & (weight >= 0.5)
    expected = possible & ~struck
    assert evidence.rule_out(possible, weight, 0.5) == struck.sum()
    assert possible.tolist() == expected.tolist()


@FAST
@given(seeds, sizes, st.booleans())
def test_costs_of_coins_are_added_and_the_least_found(rng: np.random.Generator, size: int, single: bool) -> None:
    losses = rng.exponential(size=size).astype(np.float32 if single else float)
    before, lows, shift = losses.astype(float), -block_tops(-losses), float(losses.min())
    chance = rng.uniform(0.01, 0.99, size)
    chance[rng.random(size) < 0.1] = 0.0
    chance[rng.random(size) < 0.1] = 1.0
    with np.errstate(divide="ignore"):
        up, down = np.minimum(-np.log(chance), 1e6), np.minimum(-np.log1p(-chance), 1e6)
    heads, tails = float(rng.integers(0, 50)), float(rng.integers(1, 50))
    entropy = -sum(part * np.log(part / (heads + tails)) for part in (heads, tails) if part)
    least, best = bets.add_costs(losses, lows, 4 * chance - 1, -1.0, 3.0, heads, tails, shift, entropy)
    expected = before - shift + heads * up + tails * down - entropy
    assert losses == pytest.approx(expected, rel=1e-6 if single else 1e-12, abs=1e-6 if single else 1e-9)
    assert (least, best) == (losses.min(), losses.argmin())
    assert lows.tolist() == (-block_tops(-losses)).tolist()


@FAST
@given(seeds)
def test_one_bet_is_that_of_the_definition(rng: np.random.Generator) -> None:
    row = np.clip(rng.uniform(-0.1, 1.1, 50), 0, 1)
    forecast, variance, reward = rng.random(), rng.exponential(0.1) + 1e-6, float(rng.choice([0, 1, rng.random()]))
    count, width, tolerance = int(rng.choice([1, 3, 1000])), rng.choice([np.inf, 0.3]), rng.choice([0.0, 0.1])
    capital = np.zeros(50)
    capital[0], capital[1] = 800.0, 799.0
    bets.bet(capital, row, forecast, variance, reward, float(count), 0.0, 1.0, width, tolerance, 0.95, 800.0, 1e-9)
    slow = [log_bet(z, forecast, variance, (0, reward, count), (0.0, 1.0), width, tolerance) for z in row]
    assert capital[0] == 800.0
    assert capital[1] == pytest.approx(799 + slow[1])
    assert capital[2:] == pytest.approx(np.array(slow[2:]), rel=1e-12, abs=1e-12)


@FAST
@given(seeds)
def test_no_bet_can_win_on_average_at_the_mean(rng: np.random.Generator) -> None:
    entry, forecast, variance = rng.random(), rng.random(), rng.exponential(0.1) + 1e-6
    width, tolerance = float(rng.choice([np.inf, 0.3])), float(rng.choice([0.0, 0.1]))
    mean = min(max(entry + tolerance * rng.uniform(-1, 1), 0.0), 1.0)
    low, high = max(0.0, mean - width), min(1.0, mean + width)
    down, up = rng.uniform(low, mean), rng.uniform(mean, high)
    chance = (mean - down) / (up - down)
    factors = []
    for reward in (down, up):
        capital = np.zeros(1)
        bets.bet(
            capital, np.array([entry]), forecast, variance, reward, 1.0, 0.0, 1.0, width, tolerance, 0.95, 800.0, 1e-9
        )
        factors.append(np.exp(capital[0]))
    assert (1 - chance) * factors[0] + chance * factors[1] <= 1 + 1e-9


@FAST
@given(seeds)
def test_squares_and_coins_compare_with_the_nearest_mean(rng: np.random.Generator) -> None:
    row, forecast, tolerance = rng.random(30), rng.uniform(0.01, 0.99), rng.choice([0.0, 0.1])
    row[:2] = 0.0, 1.0
    mean = np.clip(np.clip(forecast, row - tolerance, row + tolerance), 0, 1)
    reward, rate = rng.random(), rng.exponential()
    squares = np.zeros(30)
    bets.compare_squares(squares, row, forecast, reward, rate, tolerance, 800.0)
    assert squares == pytest.approx(rate * ((reward - mean) ** 2 - (reward - forecast) ** 2))
    heads, tails = float(rng.integers(0, 3)), float(rng.integers(0, 3))
    coins = np.zeros(30)
    bets.compare_coins(coins, row, forecast, heads, tails, 0.0, 1.0, tolerance, 800.0)
    with np.errstate(divide="ignore"):
        ups = heads * np.log(forecast / mean) if heads else 0.0
        downs = tails * np.log((1 - forecast) / (1 - mean)) if tails else 0.0
    assert coins == pytest.approx(ups + downs)
    settled = np.full(30, 900.0)
    bets.compare_squares(settled, row, forecast, reward, rate, tolerance, 800.0)
    bets.compare_coins(settled, row, forecast, 1.0, 1.0, 0.0, 1.0, tolerance, 800.0)
    assert (settled == 900.0).all()


@FAST
@given(seeds)
def test_exponentials_and_logarithms_are_right_to_the_last_digit_but_one(rng: np.random.Generator) -> None:
    x = rng.uniform(-700, 700, 200) * rng.choice([1e-12, 1e-3, 1.0])
    made = np.empty((3, 200))
    _functions(x, np.exp(x), made)
    np.testing.assert_allclose(made[0], np.exp(x), rtol=4e-16)
    np.testing.assert_allclose(made[1], np.log(np.exp(x)), rtol=4e-16, atol=1e-300)
    np.testing.assert_allclose(made[2], np.log1p(np.abs(x)), rtol=8e-16)


@njit
def _functions(x: Array, positive: Array, found: Array) -> None:
    for i in range(x.size):
        found[0, i], found[1, i] = vectors.exp(x[i]), vectors.log(positive[i])
        found[2, i] = vectors.log1p(abs(x[i]))


@FAST
@given(seeds, sizes)
def test_a_sample_has_each_candidate_in_proportion_to_its_weight(rng: np.random.Generator, size: int) -> None:
    weights, possible = rng.exponential(size=size) * (rng.random(size) < 0.8), rng.random(size) < 0.5
    mine = np.where(possible, weights, 0.0)
    places, shares = evidence.draw(weights, possible, 64, 40, rng.random())
    if (mine > 0).sum() <= 64:
        assert places.tolist() == np.flatnonzero(mine).tolist()
        assert shares == pytest.approx(mine[places] / max(mine.sum(), 1e-300))
        return
    assert (np.diff(places) > 0).all()
    assert (mine[places] > 0).all()
    assert shares.sum() == pytest.approx(1)
    exact, sampled = mine / mine.sum(), np.zeros(size)
    sampled[places] = shares
    assert np.abs(exact.cumsum() - sampled.cumsum()).max() <= 1 / 40 + 1e-9


@FAST
@given(seeds, sizes)
def test_a_bet_within_the_range_alone_is_the_same_with_and_without_a_width(rng: np.random.Generator, size: int) -> None:
    row, before = rng.uniform(-1, 1, size), rng.choice([0.0, 2.5, 900.0], size)
    forecast, reward = rng.uniform(-1, 1, 2)
    alone, wide = before.copy(), before.copy()
    for capital, width in ((alone, np.inf), (wide, 1e9)):
        bets.bet(capital, row, forecast, 0.04, reward, 1.0, -1.0, 1.0, width, 0.0, 0.95, 800.0, 1e-9)
    assert alone.tolist() == wide.tolist()


def test_where_the_prior_allows_nobody_weights_are_those_of_equal_priors() -> None:
    losses, weights = np.array([0.0, 1.0]), np.empty(2)
    top, total = evidence.weigh(weights, losses, losses[:1].copy(), np.full(2, -np.inf), 0.0, 1.0, 4.0)
    assert top == -np.inf
    assert total == pytest.approx(1 + np.exp(-1))
