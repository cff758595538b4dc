"""The probability of a rounded reading and its slope; steps towards the deviation that fits readings best, and a bound
on their largest likelihood (`certification.rounded` says why it is one).
"""

import math
from typing import Any

import numpy as np
from numba import njit

from warmer.model import Array

_ROOT = math.sqrt(2.0)
_ROOT_PI = math.sqrt(math.pi)
_LOG_ROOT = math.log(2.0 * math.pi) / 2.0
_NEAR = 0.03
"""Where cells are this much narrower than the deviation their probability is a short series."""
_ROUNDS = 80
_GAP = 1e-9
"""The search ends where no more than this, for each reading, lies between the bound and a likelihood reached."""
_NUDGE = 1e-5
_ROUNDING = 1e-12
"""What is added to a bound for each reading and each unit of it: the logarithms below are right to 13 digits."""
_FARTHEST = 40.0
_STRIDE = 1.0


@njit(cache=True)
def _scaled_tail(x: float) -> Any:  # pragma: no cover
    """exp(x^2/2) times the probability that a normal variable exceeds x, for x of at least 0."""
    z = x / _ROOT
    if z < 5.0:
        return 0.5 * math.exp(z * z) * math.erfc(z)
    found = z
    for k in range(30, 0, -1):  # the continued fraction of the complementary error function
        found = z + 0.5 * k / found
    return 0.5 / (_ROOT_PI * found)


@njit(cache=True, error_model="numpy")
def log_cell(away: float, log_s: float) -> tuple[float, float, float]:  # pragma: no cover
    """The logarithm of the probability of a cell, and its first and second derivative by `log_s`; the second is for
    choosing steps alone.
    """
    s = math.exp(log_s)
    middle = away * s
    square, small = middle * middle, s * s
    if s * (1.0 + middle) < _NEAR:
        series = small * (square - 1.0) / 24.0 + small**2 * (square**2 - 6.0 * square + 3.0) / 1920.0
        steeper = small * (2.0 * square - 1.0) / 12.0 + small**2 * (8.0 * square**2 - 36.0 * square + 12.0) / 1920.0
        value = log_s - square / 2.0 - _LOG_ROOT + math.log1p(series)
        return value, 1.0 - square + steeper / (1.0 + series), -2.0 * square
    low, high = middle - s / 2.0, middle + s / 2.0
    start = abs(low)
    from_low, beyond = _scaled_tail(start), math.exp((start - high) * (start + high) / 2.0) * _scaled_tail(high)
    if low >= 0.0:
        value = math.log(from_low - beyond) - start * start / 2.0
    else:
        value = math.log1p(-math.exp(-start * start / 2.0) * (from_low + beyond))
    at_low = low * math.exp(-low * low / 2.0 - value - _LOG_ROOT)
    at_high = high * math.exp(-high * high / 2.0 - value - _LOG_ROOT)
    slope = at_high - at_low
    return value, slope, at_high * (1.0 - high * high) - at_low * (1.0 - low * low) - slope * slope


@njit(cache=True)
def _log_likelihood(away: Array, times: Array, log_s: float) -> tuple[float, float, float]:  # pragma: no cover
    """Of some readings, each as often as it came, with its slope and its bend."""
    value, slope, bend = 0.0, 0.0, 0.0
    for i in range(times.size):
        found = log_cell(away[i], log_s)
        value += times[i] * found[0]
        slope += times[i] * found[1]
        bend += times[i] * found[2]
    return value, slope, bend


@njit(cache=True, error_model="numpy")
def _enclosed(away: Array, times: Array) -> tuple[float, float]:  # pragma: no cover
    """The logarithms between which the best s lies; the second is infinite where larger is always better."""
    total, outer, inner = 0.0, 0.0, 0.0
    for i in range(times.size):
        total += times[i]
        outer += times[i] * (away[i] + 0.5) ** 2
        inner += times[i] * max(away[i] - 0.5, 0.0) ** 2
    return math.log(total / outer) / 2.0, math.log(total / inner) / 2.0 if inner > 0.0 else np.inf


@njit(cache=True)
def _stepped(here: float, slope: float, bend: float, low: float, high: float) -> Any:  # pragma: no cover
    """Newton's step, and a little more where it is short: so that the maximum is soon enclosed from both sides."""
    step = -slope / bend if bend < 0.0 else np.inf
    if abs(step) < _NUDGE:
        step += math.copysign(_NUDGE, slope)
    there = here + step
    return there if low < there < high else (low + min(high, low + _FARTHEST)) / 2.0


@njit(cache=True)
def climb(away: Array, times: Array, log_s: Array, price: float, n_steps: int) -> None:  # pragma: no cover
    """Change each s by a few steps towards the best one for its column of distances, where s itself has a price."""
    for j in range(log_s.size):
        here = log_s[j]
        for _ in range(n_steps):
            _, slope, bend = _log_likelihood(away[:, j], times, here)
            paid = price * math.exp(here)
            slope, bend = slope - paid, bend - paid
            step = -slope / bend if bend < 0.0 else math.copysign(_STRIDE, slope)
            here += min(max(step, -_STRIDE), _STRIDE)
            if abs(step) < 1e-3:
                break
        log_s[j] = here


@njit(cache=True)
def reached(away: Array, times: Array, log_s: Array) -> Array:  # pragma: no cover
    """The log likelihood of the readings at one s, for each column of distances."""
    found = np.empty(log_s.size)
    for j in range(found.size):
        found[j] = _log_likelihood(away[:, j], times, log_s[j])[0]
    return found


@njit(cache=True)
def largest(away: Array, times: Array, log_s: Array) -> Array:  # pragma: no cover
    """For each column of distances a bound on the log likelihood over all s, never below it and very near."""
    found = np.empty(log_s.size)
    for j in range(found.size):
        found[j] = _largest(away[:, j], times, log_s[j])
    return found


@njit(cache=True, error_model="numpy")
def _largest(away: Array, times: Array, here: float) -> Any:  # pragma: no cover
    low, high = _enclosed(away, times)
    total, at_border = 0.0, 0.0
    for i in range(times.size):
        total += times[i]
        if away[i] == 0.5:
            at_border -= times[i] * math.log(2.0)
    if high == np.inf:
        return at_border  # the likelihood grows to this limit
    bound, most = 0.0, -np.inf  # probabilities are at most 1
    here = min(max(here, low), high)
    for _ in range(_ROUNDS):
        value, slope, bend = _log_likelihood(away, times, here)
        end = high if slope > 0.0 else low
        tangent = value + slope * math.expm1(end - here)
        allowed = tangent + _ROUNDING * (total + abs(tangent))
        bound, most = min(bound, allowed), max(most, value)
        if bound - most <= _GAP * total + _ROUNDING * abs(value):
            break
        low, high = (here, high) if slope > 0.0 else (low, here)
        here = _stepped(here, slope, bend, low, high)
    return bound


@njit(cache=True)
def forecast(away: Array, log_s: Array, share: float, wider: float) -> Array:  # pragma: no cover
    """The logarithm of the probability that forecasts give to a reading so far from their means: at one s each, and by
    a share at one so much smaller.
    """
    found = np.empty(away.size)
    for j in range(found.size):
        usual = math.log1p(-share) + log_cell(away[j], log_s[j])[0]
        other = math.log(share) + log_cell(away[j], log_s[j] - wider)[0]
        found[j] = max(usual, other) + math.log1p(math.exp(-abs(usual - other)))
    return found
