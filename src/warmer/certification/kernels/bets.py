"""What one answer adds to the evidence against each candidate, or to its loss: one pass over the candidates each."""

import numpy as np
from numba import njit

from warmer.certification.kernels import vectors
from warmer.estimation.blocks import BLOCK
from warmer.estimation.kernels.losses import same_bits
from warmer.model import Array

_IMPOSSIBLE = 1e6
"""Minus the log likelihood of an answer that a candidate calls impossible: it rules out at any delta."""


@njit(cache=True, error_model="numpy")
def add_costs(
    losses: Array,
    lows: Array,
    row: Array,
    low: float,
    high: float,
    heads: float,
    tails: float,
    shift: float,
    base: float,
) -> tuple[float, int]:  # pragma: no cover
    """Losses <- losses - shift + (minus the log likelihood of so many heads and tails - base), in place; the least
    entry and its lowest index. The base is the least that the cost can be.
    """
    least, best = np.inf, 0
    for b in range(lows.size):
        part, entries = losses[b * BLOCK : (b + 1) * BLOCK], row[b * BLOCK : (b + 1) * BLOCK]
        lowest = same_bits(losses.dtype.type(np.inf))
        for i in range(part.size):
            chance = (entries[i] - low) / (high - low)
            chance = chance if chance > 0.0 else 0.0
            chance = chance if chance < 1.0 else 1.0
            cost = -base
            if heads > 0.0:
                cost += heads * _cost(chance)
            if tails > 0.0:
                cost += tails * _cost(1.0 - chance)
            part[i] = (part[i] - shift) + (cost if cost > 0.0 else 0.0)
            lowest = min(lowest, same_bits(part[i]))
        lows[b] = same_bits(lowest)
        if lows[b] < least:
            least = lows[b]
            best = b * BLOCK
    while losses[best] != least:
        best += 1
    return least, best


@njit(inline="always")
def _cost(chance: float) -> float:  # pragma: no cover
    """Minus the logarithm of a chance."""
    positive = chance if chance > 1e-300 else 1.0
    return -vectors.log(positive) if chance > 1e-300 else _IMPOSSIBLE


@njit(cache=True, error_model="numpy")
def bet(
    evidence: Array,
    row: Array,
    forecast: float,
    variance: float,
    reward: float,
    count: float,
    low: float,
    high: float,
    width: float,
    tolerance: float,
    boldness: float,
    settled: float,
    slack: float,
) -> None:  # pragma: no cover
    """Add the logarithm of one bet against each candidate: that the mean lies where the forecast says.

    The bet is made against the end of [row - tolerance, row + tolerance] nearest to the forecast. Answers lie in
    [low, high], and within width + tolerance of row, up to the relative slack of rounding. Means of several answers may
    be bet on by Hoeffding's inequality instead, where that promises more. Candidates with evidence beyond `settled` are
    passed over.
    """
    if count == 1.0 and width == np.inf and tolerance == 0.0 and low - slack <= reward <= high + slack:
        _bet_in_range(evidence, row, forecast, variance, reward, low, high, boldness, settled)
        return
    for i in range(evidence.size):
        entry, before = float(row[i]), evidence[i]
        bottom = _clipped(entry - tolerance - width, low, high)
        top = _clipped(entry + tolerance + width, low, high)
        out = slack * (abs(entry) if abs(entry) > 1.0 else 1.0)
        mean = _clipped(_clipped(forecast, entry - tolerance, entry + tolerance), low, high)
        gap = forecast - mean
        room = mean - bottom if gap > 0.0 else top - mean  # what the stake could lose, per unit of it
        spread = variance / count + gap * gap
        is_cut = abs(gap) * room > boldness * spread
        stake = (boldness if is_cut else abs(gap)) / (room if is_cut else spread)
        stake = stake if gap > 0.0 else -stake
        change = stake * (reward - mean)
        after = before + vectors.log(1.0 + (change if change > -boldness else -boldness))
        if count > 1.0:
            deviation = 0.25 * (top - bottom) * (top - bottom)  # answers in an interval of length 2s are s-sub-Gaussian
            promise = count * gap * gap / (2.0 * deviation)
            hoeffding = before + count * gap * (2.0 * (reward - mean) - gap) / (2.0 * deviation)
            after = hoeffding if promise > vectors.log(1.0 + stake * gap) else after
        after = after if (reward >= bottom - out) & (reward <= top + out) else np.inf
        evidence[i] = after if before < settled else before


@njit(cache=True, error_model="numpy")
def _bet_in_range(
    evidence: Array,
    row: Array,
    forecast: float,
    variance: float,
    reward: float,
    low: float,
    high: float,
    boldness: float,
    settled: float,
) -> None:  # pragma: no cover
    """The same for one answer, where nothing but the range is declared and the table is right: to the last bit.

    Two loops over each block are sooner done than one: neither runs out of registers.
    """
    factors = np.empty(min(BLOCK, evidence.size))
    for first in range(0, evidence.size, BLOCK):
        ours, entries = evidence[first : first + BLOCK], row[first : first + BLOCK]
        for i in range(ours.size):
            mean = _clipped(float(entries[i]), low, high)
            gap = forecast - mean
            room = mean - low if gap > 0.0 else high - mean
            size, spread = abs(gap), variance + gap * gap
            is_cut = size * room > boldness * spread
            stake = (boldness if is_cut else size) / (room if is_cut else spread)
            change = (stake if gap > 0.0 else -stake) * (reward - mean)
            factors[i] = 1.0 + (change if change > -boldness else -boldness)
        for i in range(ours.size):
            before = ours[i]
            after = before + vectors.log(factors[i])
            ours[i] = after if before < settled else before


@njit(inline="always")
def _clipped(value: float, low: float, high: float) -> float:  # pragma: no cover
    """The value, or the end of the interval that it has passed."""
    value = value if value > low else low
    return value if value < high else high


@njit(cache=True)
def compare_squares(
    evidence: Array, row: Array, forecast: float, reward: float, rate: float, tolerance: float, settled: float
) -> None:  # pragma: no cover
    """Add rate ((reward - mean)^2 - (reward - forecast)^2), with the mean within tolerance of row nearest the
    forecast.
    """
    base = (reward - forecast) ** 2
    for i in range(evidence.size):
        entry = float(row[i])
        miss = reward - _clipped(forecast, entry - tolerance, entry + tolerance)
        evidence[i] += rate * (miss * miss - base) if evidence[i] < settled else 0.0


@njit(cache=True, error_model="numpy")
def compare_coins(
    evidence: Array,
    row: Array,
    forecast: float,
    heads: float,
    tails: float,
    low: float,
    high: float,
    tolerance: float,
    settled: float,
) -> None:  # pragma: no cover
    """Add the log likelihood ratio of the forecast to the mean within tolerance of row nearest to it."""
    for i in range(evidence.size):
        entry, more = float(row[i]), 0.0
        mean = _clipped(_clipped(forecast, entry - tolerance, entry + tolerance), low, high)
        if heads > 0.0:
            up = heads * vectors.log((forecast - low) / (mean - low if mean > low else 1.0))
            more += up if mean > low else np.inf
        if tails > 0.0:
            down = tails * vectors.log((high - forecast) / (high - mean if mean < high else 1.0))
            more += down if mean < high else np.inf
        evidence[i] += more if evidence[i] < settled else 0.0
