"""Each compiled loop agrees with its plain twin."""

import numpy as np
import pytest

from warmer.estimation.kernels import losses

SIZES = [1, 7, 8, 9, 1023, 1024, 1025, 3000]


def eighths(rng, size, dtype):
    return (rng.integers(-8, 9, size) / 8).astype(dtype)


def lows_of(sums):
    return np.array([sums[start : start + losses.BLOCK].min() for start in range(0, sums.size, losses.BLOCK)])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", SIZES)
def test_adding_squares_finds_the_lowest_index_of_the_least_sum(size, dtype):
    rng = np.random.default_rng(size)
    for _ in range(30):
        sums, row = np.abs(eighths(rng, size, dtype)) + dtype(0.25), eighths(rng, size, dtype)
        sums[rng.random(size) < 0.3] = np.inf
        sums[rng.integers(size)] = 0.5
        lows = np.empty(-(-size // losses.BLOCK), dtype=dtype)
        expected = sums - dtype(0.25) + 3 * (row - dtype(0.375)) ** 2
        least, best = losses.add_squares(sums, lows, row, 0.375, 3, 0.25)
        assert sums.dtype == dtype
        assert (sums == expected).all()
        assert (lows == lows_of(expected)).all()
        assert (least, best) == (expected.min(), expected.argmin())


@pytest.mark.parametrize("size", SIZES)
def test_strided_rows_are_read_as_they_lie(size):
    table = eighths(np.random.default_rng(size), (size, 3), np.float64)
    sums = np.zeros(size)
    least, best = losses.add_squares(sums, lows_of(sums), table[:, 1], 0.5, 1, 0.0)
    expected = (table[:, 1] - 0.5) ** 2
    assert (sums == expected).all()
    assert (least, best) == (expected.min(), expected.argmin())


@pytest.mark.parametrize("size", SIZES)
def test_the_top_within_a_limit_is_the_lowest_index_of_the_largest_value(size):
    rng = np.random.default_rng(size)
    for shift in np.repeat([0.0, 0.5], 20):
        sums, values = np.abs(eighths(rng, size, np.float64)), eighths(rng, size, np.float64)
        sums[: size // 2] += shift  # whole blocks outside, some of the time
        inside = np.flatnonzero(sums <= 0.25)
        expected = inside[values[inside].argmax()] if inside.size else -1
        tops = losses.block_tops(values)
        assert (tops == -lows_of(-values)).all()
        assert losses.top_within(sums, lows_of(sums), values, tops, 0.25) == expected


def test_single_precision_losses_stay_sharp_over_a_hundred_thousand_answers():
    rng = np.random.default_rng(1)
    rho = rng.uniform(-0.5, 0.5, (8, 64)).astype(np.float32)
    sums, exact, least = np.zeros(64, dtype=np.float32), np.zeros(64), 0.0
    lows = np.zeros(1, dtype=np.float32)
    for _ in range(100_000):
        query = rng.integers(8)
        reward = float(rho[query, 3]) + rng.uniform(-0.5, 0.5)
        least, _best = losses.add_squares(sums, lows, rho[query], reward, 1, least)
        exact += (rho[query].astype(float) - reward) ** 2
    error = (sums - sums.min()) - (exact - exact.min())
    assert abs(error[3]) < 1e-3
    assert np.abs(error).max() < 1e-3 * (exact - exact.min()).max()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", SIZES)
def test_a_target_is_drawn_where_the_running_sum_of_weights_passes_the_level(size, dtype):
    rng = np.random.default_rng(size)
    for scale in (0.5, 0.02):
        sums = rng.exponential(1.0, size).astype(dtype)
        sums[rng.random(size) < 0.2] = np.inf
        sums[rng.integers(size)] = 0.25
        least = float(sums.min())
        weights = np.exp((least - sums.astype(float)) / scale) * (sums <= least + 40 * scale)
        running = weights.cumsum()
        for level in rng.random(50):
            drawn = losses.draw_by_weight(sums, lows_of(sums), least, scale, 40.0, level)
            assert running[drawn] >= level * running[-1] * (1 - 1e-12)
            assert running[drawn] - weights[drawn] <= level * running[-1] * (1 + 1e-12)
            assert weights[drawn] > 0
