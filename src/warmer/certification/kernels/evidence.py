"""One pass over the candidates for each step of an e-process: weigh, bet, rule out.

Losses come in blocks whose least entries are known (`estimation.kernels.losses`), so that candidates too unlikely to
matter are passed over a block at a time.
"""

import math

import numpy as np
from numba import njit

from warmer.estimation.kernels.losses import BLOCK
from warmer.model import Array

__all__ = ["add_costs", "bet", "compare_coins", "compare_squares", "likely", "mix", "rule_out", "weigh"]


@njit(cache=True)
def weigh(
    losses: Array, lows: Array, log_prior: Array, least: float, rate: float, cut: float, row: Array
) -> tuple[float, float, float]:  # pragma: no cover
    """The logarithm of the largest weight exp(log_prior - rate (losses - least)); in units of it, the sum of the
    weights, and the same sum with row as factors.

    Candidates more than `cut` behind the heaviest, on the scale of the exponent, are left out. An empty log_prior
    stands for zeros; no log prior may be above 0.
    """
    top = 0.0
    if log_prior.size:
        top = -np.inf
        for i in range(losses.size):
            top = max(top, log_prior[i] - rate * (losses[i] - least))
    total, mean = 0.0, 0.0
    for b in range(lows.size):
        if rate * (lows[b] - least) > cut - top:
            continue
        for i in range(b * BLOCK, min((b + 1) * BLOCK, losses.size)):
            log_weight = -rate * (losses[i] - least) - top
            if log_prior.size:
                log_weight += log_prior[i]
            if log_weight >= -cut:
                weight = math.exp(log_weight)
                total += weight
                mean += weight * row[i]
    return top, total, mean


@njit(cache=True)
def mix(
    losses: Array, lows: Array, log_prior: Array, least: float, scale: float, power: float, cut: float
) -> float:  # pragma: no cover
    """The logarithm of the sum of exp(log_prior) (1 + (losses - least) / scale)^-power; cut off as in `weigh`."""
    top = 0.0
    if log_prior.size:
        top = -np.inf
        for i in range(losses.size):
            top = max(top, log_prior[i] - power * math.log1p((losses[i] - least) / scale))
    most = scale * math.expm1((cut - top) / power)  # no log prior is above 0, so weights beyond are too light
    total = 0.0
    for b in range(lows.size):
        if lows[b] - least > most:
            continue
        for i in range(b * BLOCK, min((b + 1) * BLOCK, losses.size)):
            if losses[i] - least <= most:
                log_weight = -power * math.log1p((losses[i] - least) / scale) - top
                if log_prior.size:
                    log_weight += log_prior[i]
                total += math.exp(log_weight)
    return top + math.log(total)


@njit(cache=True)
def likely(
    losses: Array, lows: Array, log_prior: Array, possible: Array, least: float, rate: float, cut: float
) -> tuple[Array, Array]:  # pragma: no cover
    """The possible candidates at most `cut` behind the heaviest of them, and the logarithms of their weights.

    Without a log prior, `least` must be the least loss of a possible candidate.
    """
    top = 0.0
    if log_prior.size:
        top = -np.inf
        for i in range(losses.size):
            if possible[i]:
                top = max(top, log_prior[i] - rate * (losses[i] - least))
    places = np.empty(losses.size, dtype=np.int64)
    log_weights = np.empty(losses.size)
    n = 0
    for b in range(lows.size):
        if rate * (lows[b] - least) > cut - top:
            continue
        for i in range(b * BLOCK, min((b + 1) * BLOCK, losses.size)):
            if possible[i]:
                log_weight = -rate * (losses[i] - least) - top
                if log_prior.size:
                    log_weight += log_prior[i]
                if log_weight >= -cut:
                    places[n], log_weights[n] = i, log_weight
                    n += 1
    return places[:n].copy(), log_weights[:n].copy()


@njit(cache=True)
def rule_out(possible: Array, evidence: Array, limit: float) -> int:  # pragma: no cover
    """Strike the candidates whose evidence has reached the limit off the possible ones; how many were struck."""
    n = 0
    for i in range(possible.size):
        if possible[i] and evidence[i] >= limit:
            possible[i] = False
            n += 1
    return n


@njit(cache=True)
def add_costs(
    losses: Array, lows: Array, up: Array, down: Array, heads: float, tails: float, shift: float, base: float
) -> tuple[float, int]:  # pragma: no cover
    """Losses <- losses - shift + (heads up + tails down - base), in place; the least entry and its lowest index."""
    least, best = np.inf, 0
    for b in range(lows.size):
        low = np.inf
        for i in range(b * BLOCK, min((b + 1) * BLOCK, losses.size)):
            losses[i] = (losses[i] - shift) + (heads * up[i] + tails * down[i] - base)
            if losses[i] < low:
                low = losses[i]
                if low < least:
                    least, best = low, i
        lows[b] = low
    return least, best


@njit(cache=True)
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
    for i in range(evidence.size):
        if evidence[i] >= settled:
            continue
        bottom, top = max(low, row[i] - tolerance - width), min(high, row[i] + tolerance + width)
        out = slack * max(1.0, abs(row[i]))
        if reward < bottom - out or reward > top + out:
            evidence[i] = np.inf
            continue
        mean = min(max(min(max(forecast, row[i] - tolerance), row[i] + tolerance), low), high)
        gap = forecast - mean
        if gap == 0.0:
            continue
        stake = gap / (variance / count + gap * gap)
        if stake > 0.0 and stake * (mean - bottom) > boldness:
            stake = boldness / (mean - bottom)
        if stake < 0.0 and -stake * (top - mean) > boldness:
            stake = -boldness / (top - mean)
        if count > 1.0:
            spread = 0.25 * (top - bottom) * (top - bottom)  # answers in an interval of length 2s are s-sub-Gaussian
            if count * gap * gap / (2.0 * spread) > math.log1p(stake * gap):
                evidence[i] += count * gap * (2.0 * (reward - mean) - gap) / (2.0 * spread)
                continue
        evidence[i] += math.log1p(max(stake * (reward - mean), -boldness))


@njit(cache=True)
def compare_squares(
    evidence: Array, row: Array, forecast: float, reward: float, rate: float, tolerance: float, settled: float
) -> None:  # pragma: no cover
    """Add rate ((reward - mean)^2 - (reward - forecast)^2), with the mean within tolerance of row nearest the
    forecast.
    """
    base = (reward - forecast) ** 2
    for i in range(evidence.size):
        if evidence[i] < settled:
            mean = min(max(forecast, row[i] - tolerance), row[i] + tolerance)
            evidence[i] += rate * ((reward - mean) ** 2 - base)


@njit(cache=True)
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
        if evidence[i] < settled:
            mean = min(max(min(max(forecast, row[i] - tolerance), row[i] + tolerance), low), high)
            if heads > 0.0:
                evidence[i] += heads * math.log((forecast - low) / (mean - low)) if mean > low else np.inf
            if tails > 0.0:
                evidence[i] += tails * math.log((high - forecast) / (high - mean)) if mean < high else np.inf
