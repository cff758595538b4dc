"""Evidence as docs/evidence.md defines it: slow, in double precision, nothing left out.

Each function takes the whole history and gives the log evidence against every candidate after the last answer. A
history is a list of (query, reward, count); a prior holds weights that sum to 1. Only forecasts leave out light
candidates: any forecast from the past will do, and this is the one that is made.
"""

import itertools

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, log_ndtr, logsumexp

Array = npt.NDArray[np.float64]
Told = tuple[int, float, int]

FREE = 0.1
SHAPE, TYPICAL = 0.5, 0.15
BOLDNESS, SETTLED = 0.95, 800.0
EDGE = 1e-3
IMPOSSIBLE = 1e6
"""Minus the log likelihood of an impossible answer, in the weights that forecasts go by."""


def mean_of_noticeable(row: Array, log_weights: Array) -> float:
    """The weighted mean over the candidates that are at most ln n + 3 behind the heaviest."""
    behind = log_weights.max() - log_weights
    weights = np.where(behind <= np.log(row.size) + 3, np.exp(-behind), 0.0)
    return float(weights @ row / weights.sum())


def free_mean(history: list[Told], query: int, start: float) -> float:
    """The mean of a query's answers so far and of one answer as expected."""
    total, n = start, 1.0
    for asked, reward, count in history:
        if asked == query:
            total, n = total + count * reward, n + count
    return total / n


def mixture(log_likelihoods: Array, log_free: float, prior: Array) -> float:
    """The logarithm of the numerator: candidates by their prior weights, and the free forecasts."""
    with np.errstate(divide="ignore"):
        candidates = logsumexp(np.log(prior) + log_likelihoods)
    return float(np.logaddexp(np.log(1 - FREE) + candidates, np.log(FREE) + log_free))


def squares(rho: Array, history: list[Told], prior: Array, sigmas: Array) -> Array:
    """Sub-Gaussian noise: Gaussian likelihood ratios."""
    logs, log_free = np.zeros(rho.shape[1]), 0.0
    for k, (query, reward, count) in enumerate(history):
        with np.errstate(divide="ignore"):
            expected = mean_of_noticeable(rho[query], np.log(prior) + logs)
        free = free_mean(history[:k], query, expected)
        rate = count / (2 * sigmas[query] ** 2)
        log_free -= rate * (reward - free) ** 2
        logs = logs - rate * (reward - rho[query]) ** 2
    return mixture(logs, log_free, prior) - logs


def coins(rho: Array, history: list[Told], prior: Array, low: float, high: float) -> Array:
    """Coins: likelihood ratios; an impossible answer is infinite evidence."""
    with np.errstate(divide="ignore"):
        up, down = np.log((rho - low) / (high - low)), np.log((high - rho) / (high - low))
    logs, weighed, log_free = np.zeros(rho.shape[1]), np.zeros(rho.shape[1]), 0.0
    for k, (query, reward, count) in enumerate(history):
        with np.errstate(divide="ignore"):
            expected = mean_of_noticeable(rho[query], np.log(prior) + weighed)
        free = (free_mean(history[:k], query, expected) - low) / (high - low)
        free = min(max(free, EDGE), 1 - EDGE)
        heads = round(count * (reward - low) / (high - low))
        log_free += heads * np.log(free) + (count - heads) * np.log1p(-free)
        for times, costs in ((heads, up[query]), (count - heads, down[query])):
            logs = logs + times * costs if times else logs
            weighed = weighed + times * np.maximum(costs, -IMPOSSIBLE)
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(logs), np.inf, mixture(logs, log_free, prior) - logs)


def universal(rho: Array, history: list[Told], prior: Array, scale: float, tolerance: float = 0.0) -> Array:
    """Gaussian noise of unknown deviation: a density of the answers over the largest likelihood of each candidate."""
    b = SHAPE * (TYPICAL * scale) ** 2
    losses, nearest, free = np.zeros(rho.shape[1]), np.zeros(rho.shape[1]), 0.0
    for k, (query, reward, count) in enumerate(history):
        rate = (SHAPE + k / 2) / (2 * b + losses.min())
        with np.errstate(divide="ignore"):
            expected = mean_of_noticeable(rho[query], np.log(prior) - rate * losses)
        free += count * (reward - free_mean(history[:k], query, expected)) ** 2
        losses = losses + count * (reward - rho[query]) ** 2
        nearest = nearest + count * np.maximum(np.abs(reward - rho[query]) - tolerance, 0) ** 2
    n = len(history)
    power = SHAPE + n / 2

    def log_density(loss: Array | float) -> Array:
        """Inverse-gamma mixture over the variance, less the constants that cancel."""
        return np.asarray(SHAPE * np.log(b) + gammaln(power) - gammaln(SHAPE) - power * np.log(b + loss / 2))

    with np.errstate(divide="ignore"):
        log_largest = -n / 2 * (1 + np.log(nearest / n))
    return mixture(log_density(losses), float(log_density(free)), prior) - log_largest


def log_cell(away: Array, s: Array) -> Array:
    """The logarithm of the probability that a normal variable, times 1/s, falls within 1/2 of a point so far from 0.

    The integral of its density over the cell, by the rule of Gauss and Legendre on small pieces of it.
    """
    nodes, weights = np.polynomial.legendre.leggauss(12)
    edges = np.linspace(-0.5, 0.5, 65)
    points = np.concatenate([(a + b) / 2 + (b - a) / 2 * nodes for a, b in itertools.pairwise(edges)])
    logs = np.log(np.tile(weights, 64) / 128)
    z = (away[..., None] + points) * s[..., None]
    return np.asarray(logsumexp(logs - z**2 / 2, axis=-1) + np.log(s) - np.log(2 * np.pi) / 2)


def largest_by_grid(away: Array, times: Array) -> float:
    """The largest likelihood of readings at any of many deviations, and at the limit where there is none."""

    def at(s: Array) -> Array:
        low, high = (away - 0.5) * s[:, None], (away + 0.5) * s[:, None]
        near, far = log_ndtr(-np.abs(low)), log_ndtr(-high)
        with np.errstate(divide="ignore"):
            outside = np.log1p(-np.exp(near) - np.exp(far))
            cells = np.where(low < 0, outside, near + np.log1p(-np.exp(far - near)))
        return np.asarray(cells @ times)

    coarse = np.linspace(-6, 5, 600)
    fine = coarse[int(at(np.exp(coarse)).argmax())] + np.linspace(-0.03, 0.03, 601)
    limit = -np.inf if (away > 0.5).any() else -np.log(2) * times[away == 0.5].sum()
    return float(max(at(np.exp(fine)).max(), limit))


def forecasts(rho: Array, history: list[Told], prior: Array, scale: float) -> list[tuple[float, float]]:
    """For each answer what was forecast of it, and the variance of forecast errors so far."""
    made, n_queries = [], rho.shape[0]
    losses = np.zeros(rho.shape[1])
    by_candidates = by_free = by_mixed = 0.0
    assert all(query < n_queries for query, _, _ in history)
    for k, (query, reward, count) in enumerate(history):
        variance = (by_mixed + scale**2 / 4) / (k + 1)
        with np.errstate(divide="ignore"):
            expected = mean_of_noticeable(rho[query], np.log(prior) - losses / (2 * variance))
        free = free_mean(history[:k], query, expected)
        share = 1 / (1 + np.exp(np.clip((by_free - by_candidates) / (2 * variance), -700, 700)))
        mixed = expected + share * (free - expected)
        made.append((float(mixed), float(variance)))
        by_candidates += count * (reward - expected) ** 2
        by_free += count * (reward - free) ** 2
        by_mixed += count * (reward - mixed) ** 2
        losses = losses + count * (reward - rho[query]) ** 2
    return made


def nearest_mean(entry: float, forecast: float, tolerance: float) -> float:
    """The mean within the tolerance of an entry that is nearest to a forecast."""
    return min(max(forecast, entry - tolerance), entry + tolerance)


def log_bet(
    entry: float,
    forecast: float,
    variance: float,
    told: Told,
    ends: tuple[float, float],
    width: float,
    tolerance: float,
) -> float:
    """The logarithm of one bet's factor."""
    _, reward, count = told
    bottom, top = max(ends[0], entry - tolerance - width), min(ends[1], entry + tolerance + width)
    slack = 1e-9 * min(1.0, max(map(abs, ends))) * max(1.0, abs(entry))
    if not bottom - slack <= reward <= top + slack:
        return np.inf
    mean = min(max(nearest_mean(entry, forecast, tolerance), ends[0]), ends[1])
    gap = forecast - mean
    stake = gap / (variance / count + gap**2) if gap else 0.0
    if stake > 0 and mean > bottom:
        stake = min(stake, BOLDNESS / (mean - bottom))
    if stake < 0 and mean < top:
        stake = max(stake, -BOLDNESS / (top - mean))
    deviation = (top - bottom) / 2
    hoeffding = count * gap**2 / (2 * deviation**2)
    if count > 1 and hoeffding > np.log1p(stake * gap):
        return float(count * gap / deviation**2 * (reward - mean) - hoeffding)
    return float(np.log1p(max(stake * (reward - mean), -BOLDNESS)))


def bets(
    rho: Array, history: list[Told], prior: Array, ends: tuple[float, float], width: float, tolerance: float = 0.0
) -> Array:
    """Bounded answers: the logarithm of the capital."""
    capital = np.zeros(rho.shape[1])
    for told, (forecast, variance) in zip(history, forecasts(rho, history, prior, np.ptp(ends) / 2), strict=True):
        for z in np.flatnonzero(capital < SETTLED):
            capital[z] += log_bet(rho[told[0], z], forecast, variance, told, ends, width, tolerance)
    return capital


def rough_squares(
    rho: Array, history: list[Told], prior: Array, ends: tuple[float, float], sigmas: Array, tolerance: float
) -> Array:
    """Sub-Gaussian noise around means known up to a tolerance."""
    evidence = np.zeros(rho.shape[1])
    for (query, reward, count), (forecast, _) in zip(
        history, forecasts(rho, history, prior, np.ptp(ends) / 2), strict=True
    ):
        for z in np.flatnonzero(evidence < SETTLED):
            mean = nearest_mean(rho[query, z], forecast, tolerance)
            evidence[z] += count * ((reward - mean) ** 2 - (reward - forecast) ** 2) / (2 * sigmas[query] ** 2)
    return evidence


def rough_coins(rho: Array, history: list[Told], prior: Array, ends: tuple[float, float], tolerance: float) -> Array:
    """Coins whose chances are known up to a tolerance."""
    low, high = ends
    evidence = np.zeros(rho.shape[1])
    for (query, reward, count), (forecast, _) in zip(
        history, forecasts(rho, history, prior, (high - low) / 2), strict=True
    ):
        forecast = min(max(forecast, low + EDGE * (high - low)), high - EDGE * (high - low))
        heads = round(count * (reward - low) / (high - low))
        for z in np.flatnonzero(evidence < SETTLED):
            mean = min(max(nearest_mean(rho[query, z], forecast, tolerance), low), high)
            with np.errstate(divide="ignore"):
                up = heads * np.log((forecast - low) / (mean - low)) if heads else 0.0
                down = (count - heads) * np.log((high - forecast) / (high - mean)) if count > heads else 0.0
            evidence[z] += up + down
    return evidence
