"""Each compiled loop agrees with its plain twin."""

import numpy as np
import pytest

from warmer.estimation.kernels import losses

SIZES = [1, 7, 8, 9, 1023, 1024, 1025, 3000]


def eighths(rng, size, dtype):
    return (rng.integers(-8, 9, size) / 8).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("size", SIZES)
def test_adding_residuals_finds_the_lowest_index_of_the_least_loss(size, dtype):
    rng = np.random.default_rng(size)
    for _ in range(30):
        excess, row = np.abs(eighths(rng, size, dtype)), eighths(rng, size, dtype)
        excess[rng.random(size) < 0.3] = np.inf
        excess[rng.integers(size)] = 0.5
        expected = excess - dtype(0.25) + 3 * (row - dtype(0.375)) ** 2
        least, best = losses.add_residuals(excess, row, 0.375, 3, 0.25)
        assert excess.dtype == dtype
        assert (excess == expected).all()
        assert (least, best) == (expected.min(), expected.argmin())


@pytest.mark.parametrize("size", SIZES)
def test_strided_rows_are_read_as_they_lie(size):
    rng = np.random.default_rng(size)
    table = eighths(rng, (size, 3), np.float64)
    excess = np.zeros(size)
    least, best = losses.add_residuals(excess, table[:, 1], 0.5, 1, 0.0)
    expected = (table[:, 1] - 0.5) ** 2
    assert (excess == expected).all()
    assert (least, best) == (expected.min(), expected.argmin())


@pytest.mark.parametrize("size", SIZES)
def test_squared_differences_add_up(size):
    rng = np.random.default_rng(size)
    distances, row = np.abs(eighths(rng, size, np.float64)), eighths(rng, size, np.float64)
    expected = distances + 2 * (row - 0.25) ** 2
    losses.add_squared_differences(distances, row, 0.25, 2)
    assert (distances == expected).all()


@pytest.mark.parametrize("size", SIZES)
def test_the_top_within_a_limit_is_the_lowest_index_of_the_largest_value(size):
    rng = np.random.default_rng(size)
    for _ in range(30):
        loss, values = np.abs(eighths(rng, size, np.float64)), eighths(rng, size, np.float64)
        inside = np.flatnonzero(loss <= 0.5)
        expected = inside[values[inside].argmax()] if inside.size else -1
        assert losses.top_within(loss, values, 0.5) == expected


def test_a_draw_lands_where_the_running_sum_passes_the_uniform_number():
    rng = np.random.default_rng(0)
    for _ in range(200):
        excess = rng.random(50) * 5
        excess[rng.random(50) < 0.2] = 1e6  # weight 0
        weights = np.exp((excess.min() - excess) / (2 * 0.25))
        assert losses.posterior_weights(excess, excess.min(), 0.25) == pytest.approx(weights, abs=1e-15)
        uniform = rng.random()
        expected = np.searchsorted(np.cumsum(weights) / weights.sum(), uniform, side="right")
        assert losses.posterior_draw(excess, excess.min(), 0.25, uniform) == expected
    assert losses.posterior_draw(np.array([0.0, 1e6]), 0.0, 0.25, np.nextafter(1.0, 0.0)) == 0


def test_single_precision_losses_stay_sharp_over_a_hundred_thousand_answers():
    rng = np.random.default_rng(1)
    rho = rng.uniform(-0.5, 0.5, (8, 64)).astype(np.float32)
    excess, exact, least = np.zeros(64, dtype=np.float32), np.zeros(64), 0.0
    for _ in range(100_000):
        query = rng.integers(8)
        reward = float(rho[query, 3]) + rng.uniform(-0.5, 0.5)
        least, _best = losses.add_residuals(excess, rho[query], reward, 1, least)
        exact += (rho[query].astype(float) - reward) ** 2
    error = (excess - excess.min()) - (exact - exact.min())
    contenders = exact - exact.min() < 2000
    assert np.abs(error[contenders]).max() < 1.0
    assert abs(error[3]) < 1e-3
