"""Whole steps of e-processes, answer after answer, until one of them rules a candidate out.

Each takes the numbers that a process remembers beside its arrays, and gives first how many answers were told and how
many candidates the last of them ruled out, then the numbers.
"""

import math
from typing import Any

import numpy as np
from numba import njit

from warmer.certification.kernels import bets, evidence, vectors
from warmer.estimation.kernels.losses import add_squares
from warmer.model import Array


@njit(cache=True)
def heads_of(low: float, high: float, reward: float, count: float) -> Any:  # pragma: no cover
    """How many of `count` answers came as the upper end, if this is their mean: a whole number, but for rounding.

    What no rounding explains is left as it is: the likelihood ratio of coins is valid for all answers in the range.
    """
    heads = count * (reward - low) / (high - low)
    return np.rint(heads) if abs(heads - np.rint(heads)) <= 1e-6 * count else heads


@njit(cache=True, forceinline=True)
def log_mixture(
    top: float, total: float, log_n: float, least: float, free: float, share: float
) -> Any:  # pragma: no cover
    """The logarithm of the numerator, on the scale of the losses: candidates, and the free forecasts by their share."""
    candidates = math.log1p(-share) + top + vectors.log(total) - least - log_n
    by_free = math.log(share) - free
    gap = min(candidates, by_free) - max(candidates, by_free)
    return max(candidates, by_free) + vectors.log(1.0 + vectors.exp(max(gap, -700.0)))


@njit(cache=True)
def _entropy(heads: float, count: float) -> float:  # pragma: no cover
    """Minus the log likelihood of so many heads among so many coins, at its largest."""
    found = 0.0
    for part in (heads, count - heads):
        if part > 0.0:
            found -= part * vectors.log(part / count)
    return found


@njit(cache=True, forceinline=True)
def free_mean(memory: Any, query: int, expected: float) -> Any:  # pragma: no cover
    """The mean of the query's answers so far and of one answer as expected."""
    return (memory.sums[query] + expected) / (memory.counts[query] + 1.0)


@njit(cache=True, forceinline=True)
def note(memory: Any, query: int, reward: float, count: float) -> None:  # pragma: no cover
    """One more answer to a query, or the mean of several."""
    memory.counts[query] += count
    memory.sums[query] += count * reward


@njit(cache=True, forceinline=True)
def prices(
    low: float, high: float, sigma: float, mean: float, reward: float, count: float
) -> tuple[float, float, float, float]:  # pragma: no cover
    """What one answer costs a forecast of the mean; and how to charge the candidates: Gaussian by a rate for squares,
    or, where sigma is 0, by so many heads, less the least that any coin would cost.
    """
    if sigma > 0.0:
        rate = count / (2.0 * sigma**2)
        return rate * (reward - mean) ** 2, rate, 0.0, 0.0
    heads = heads_of(low, high, reward, count)
    base, chance = _entropy(heads, count), min(max((mean - low) / (high - low), 1e-3), 1.0 - 1e-3)
    cost = -heads * vectors.log(chance) - (count - heads) * vectors.log(1.0 - chance) - base
    return cost, 0.0, heads, base


@njit(cache=True, forceinline=True)
def charge(
    losses: Array,
    lows: Array,
    row: Array,
    low: float,
    high: float,
    reward: float,
    count: float,
    least: float,
    price: tuple[float, float, float, float],
) -> tuple[float, int]:  # pragma: no cover
    """Add what one answer costs each candidate, by its prices; the least loss, which is taken off the next time, and
    who has it.
    """
    _, rate, heads, base = price
    if rate > 0.0:
        return add_squares(losses, lows, row, reward, rate, least)
    return bets.add_costs(losses, lows, row, low, high, heads, count - heads, least, base)


@njit(cache=True, forceinline=True)
def compare(
    told: Any,
    table: Any,
    memory: Any,
    possible: Array,
    threshold: float,
    sigmas: Array,
    share: float,
    least: float,
    best: int,
    top: float,
    total: float,
    free: float,
) -> tuple[int, int, float, int, float, float, float]:  # pragma: no cover
    """Likelihood ratios: Gaussian where there are deviations, else those of coins. `free` is minus the log likelihood
    of the free forecasts, less what the losses leave out.
    """
    n_told, struck, low, high = 0, 0, table.low, table.high
    while n_told < told.queries.size and struck == 0:
        query, reward, count = told.queries[n_told], told.rewards[n_told], told.counts[n_told]
        row = table.rho[query]
        mean = free_mean(memory, query, vectors.dot(memory.weights, row) / total)
        price = prices(low, high, sigmas[query] if sigmas.size else 0.0, mean, reward, count)
        free = (free - least) + price[0]  # an update takes the least loss off all of them
        least, best = charge(memory.losses, memory.lows, row, low, high, reward, count, least, price)
        note(memory, query, reward, count)
        top, total = evidence.weigh(memory.weights, memory.losses, memory.lows, table.log_prior, least, 1.0, table.cut)
        limit = threshold - log_mixture(top, total, table.log_n, least, free, share)
        struck = evidence.rule_out(possible, memory.losses, limit)
        n_told += 1
    return n_told, struck, least, best, top, total, free


@njit(cache=True)
def mixed_forecast(
    expected: float, free: float, by_candidates: float, by_free: float, variance: float
) -> Any:  # pragma: no cover
    """Two forecasts as one, each counting as much as its squared errors so far allow."""
    behind = min(max((by_free - by_candidates) / (2.0 * variance), -700.0), 700.0)
    return expected + (free - expected) / (1.0 + vectors.exp(behind))


@njit(cache=True, error_model="numpy")
def stake(
    capital: Array,
    row: Array,
    rule: Any,
    sigma: float,
    low: float,
    high: float,
    mixed: float,
    variance: float,
    reward: float,
    count: float,
) -> None:  # pragma: no cover
    """One bet against each candidate, by a forecast and the variance of its errors; sigma is 0 where none is known."""
    if rule.is_coin:
        edge, heads = 1e-3 * (high - low), heads_of(low, high, reward, count)
        forecast = min(max(mixed, low + edge), high - edge)
        bets.compare_coins(capital, row, forecast, heads, count - heads, low, high, rule.tolerance, rule.settled)
    elif sigma > 0.0:
        rate = count / (2.0 * sigma**2)
        bets.compare_squares(capital, row, mixed, reward, rate, rule.tolerance, rule.settled)
    else:
        bets.bet(
            capital,
            row,
            mixed,
            variance,
            reward,
            count,
            low,
            high,
            rule.width,
            rule.tolerance,
            rule.boldness,
            rule.settled,
            rule.slack,
        )


@njit(cache=True, error_model="numpy")
def place_bets(
    told: Any,
    table: Any,
    memory: Any,
    capital: Array,
    possible: Array,
    threshold: float,
    rule: Any,
    sigmas: Array,
    least: float,
    best: int,
    top: float,
    total: float,
    by_candidates: float,
    by_free: float,
    by_mixed: float,
    n_errors: float,
) -> tuple[int, int, float, int, float, float, float, float, float, float]:  # pragma: no cover
    """Bets against each candidate by forecasts. Their squared errors so far (the candidates' forecast, the free one,
    and both mixed) say how much each counts and how far off they are.
    """
    n_told, struck, low, high, quarter = 0, 0, table.low, table.high, (table.high - table.low) ** 2 / 16.0
    while n_told < told.queries.size and struck == 0:
        query, reward, count = told.queries[n_told], told.rewards[n_told], told.counts[n_told]
        row, variance = table.rho[query], (by_mixed + quarter) / (n_errors + 1.0)
        expected = vectors.dot(memory.weights, row) / total
        free = free_mean(memory, query, expected)
        mixed = mixed_forecast(expected, free, by_candidates, by_free, variance)
        sigma = sigmas[query] if sigmas.size else 0.0
        stake(capital, row, rule, sigma, low, high, mixed, variance, reward, count)
        least, best = add_squares(memory.losses, memory.lows, row, reward, count, least)
        note(memory, query, reward, count)
        by_candidates += count * (reward - expected) ** 2
        by_free += count * (reward - free) ** 2
        by_mixed += count * (reward - mixed) ** 2
        n_errors += 1.0
        rate = (n_errors + 1.0) / (2.0 * (by_mixed + quarter))
        top, total = evidence.weigh(memory.weights, memory.losses, memory.lows, table.log_prior, least, rate, table.cut)
        struck = evidence.rule_out(possible, capital, threshold)
        n_told += 1
    return n_told, struck, least, best, top, total, by_candidates, by_free, by_mixed, n_errors


@njit(cache=True)
def log_density(
    table: Any,
    memory: Any,
    shape: float,
    scale: float,
    share: float,
    least: float,
    constant: float,
    free: float,
    n: float,
) -> Any:  # pragma: no cover
    """The logarithm of the mixture over candidates, free forecasts and variances, less the constants that cancel."""
    power, smallest = shape + n / 2.0, max(least + constant, 0.0)
    mean = evidence.mix(memory.losses, memory.lows, table.log_prior, least, 2.0 * scale + smallest, power, table.cut)
    candidates = math.log1p(-share) + mean - table.log_n - power * math.log(scale + smallest / 2.0)
    by_free = math.log(share) - power * math.log(scale + free / 2.0)
    return shape * math.log(scale) + math.lgamma(power) - math.lgamma(shape) + np.logaddexp(candidates, by_free)


@njit(cache=True)
def infer(
    told: Any,
    table: Any,
    memory: Any,
    nearest: Array,
    possible: Array,
    threshold: float,
    tolerance: float,
    shape: float,
    scale: float,
    share: float,
    least: float,
    best: int,
    top: float,
    total: float,
    constant: float,
    free: float,
    n_means: float,
) -> tuple[int, int, float, int, float, float, float, float, float]:  # pragma: no cover
    """Universal inference: a density of the answers over the largest likelihood of each candidate. `constant` is what
    the losses leave out, `free` the squared errors of the free forecasts.
    """
    n_told, struck = 0, 0
    while n_told < told.queries.size and struck == 0:
        query, reward, count = told.queries[n_told], told.rewards[n_told], told.counts[n_told]
        row = table.rho[query]
        mean = free_mean(memory, query, vectors.dot(memory.weights, row) / total)
        constant += least
        free += count * (reward - mean) ** 2
        least, best = add_squares(memory.losses, memory.lows, row, reward, count, least)
        for i in range(nearest.size):
            nearest[i] += count * max(abs(row[i] - reward) - tolerance, 0.0) ** 2
        note(memory, query, reward, count)
        n_means += 1.0
        rate = (shape + n_means / 2.0) / (2.0 * scale + max(least + constant, 0.0))
        top, total = evidence.weigh(memory.weights, memory.losses, memory.lows, table.log_prior, least, rate, table.cut)
        if possible.size:
            density = log_density(table, memory, shape, scale, share, least, constant, free, n_means)
            exponent = 2.0 * (threshold - density) / n_means - 1.0
            if exponent <= 700.0:
                limit = n_means * math.exp(exponent)
                if nearest.size:
                    struck = evidence.rule_out(possible, nearest, limit)
                else:
                    struck = evidence.rule_out(possible, memory.losses, limit - constant)
        n_told += 1
    return n_told, struck, least, best, top, total, constant, free, n_means
