"""Means and upper confidence indices of many arms, an arm at a time."""

import numpy as np
from numba import njit

from warmer.model import Array


@njit(cache=True)
def fitted(counts: Array, sums: Array, low: float, high: float, unpulled: float) -> Array:
    """The averages clipped to [low, high]; `unpulled` where there are none."""
    values = np.empty(counts.size)
    for k in range(counts.size):
        values[k] = min(max(sums[k] / counts[k], low), high) if counts[k] > 0 else unpulled
    return values


@njit(cache=True)
def lifted(counts: Array, sums: Array, low: float, high: float, level: float) -> Array:
    """The least-squares means of which one reaches the level; ties go to the lowest arm."""
    values = fitted(counts, sums, low, high, max(level, low))
    if values.max() >= level:
        return values
    best, least = 0, np.inf
    for k in range(counts.size):
        average = sums[k] / counts[k]
        increment = counts[k] * ((level - average) ** 2 - (values[k] - average) ** 2)
        if increment < least:
            best, least = k, increment
    values[best] = level
    return values


@njit(cache=True)
def distance_tops(counts: Array, sums: Array, low: float, high: float, radius: float) -> Array:
    """The clipped averages plus sqrt(radius / count), never above high."""
    tops = fitted(counts, sums, low, high, high)
    for k in range(counts.size):
        if counts[k] > 0:
            tops[k] = min(tops[k] + np.sqrt(radius / counts[k]), high)
    return tops


@njit(cache=True)
def anytime_tops(counts: Array, sums: Array, low: float, high: float, variance: float, log_arms: float) -> Array:
    """The averages plus sqrt(R_n / n), R_n = variance (1 + 1/n) (2 log_arms + log(1 + n)), clipped to [low, high]."""
    tops = np.full(counts.size, high)
    for k in range(counts.size):
        n = counts[k]
        if n > 0:
            radius = variance * (1 + 1 / n) * (2 * log_arms + np.log1p(n))
            tops[k] = min(max(sums[k] / n + np.sqrt(radius / n), low), high)
    return tops
