"""One-sided evidence about the means of arms: that one is larger than x, that one is larger than another.

Answers are scaled so that the reward range is [0, 1]. Row j of `bets` is one way to bet on large answers: its rate
theta, its cost per answer, its price per unit of squared surprise, and 1 where the cost is that of a coin with mean x.
Its log capital after n answers with sum s and squared surprises v is theta (s - n x) - n cost - v price, or, for a
coin, theta s - n log(1 + x (exp(theta) - 1)). All are convex in x. Bets on small answers are bets on 1 minus answer.
"""

import math

import numpy as np
from numba import njit

from warmer.model import Array

_STEPS = 60
_PRECISION = 1e-4
"""How much evidence may be given away to rounding, in nats."""


@njit(cache=True)
def _capitals(
    bets: Array, n: float, s: float, v: float, x: float, logs: Array, slopes: Array
) -> float:  # pragma: no cover
    """The log capitals of all bets that the mean is above x, and their derivatives in x; the largest of them."""
    most = -np.inf
    for j in range(bets.shape[0]):
        theta = bets[j, 0]
        if bets[j, 3] > 0:
            growth = math.expm1(theta)
            logs[j] = theta * s - n * math.log1p(x * growth)
            slopes[j] = -n * growth / (1 + x * growth)
        else:
            logs[j] = theta * (s - n * x) - n * bets[j, 1] - v * bets[j, 2]
            slopes[j] = -n * theta
        most = max(most, logs[j])
    return most


@njit(cache=True)
def above(bets: Array, weights: Array, n: float, s: float, v: float, x: float) -> float:  # pragma: no cover
    """The evidence that the mean is above x: the log of the mixture of all bets."""
    logs, slopes = np.empty(bets.shape[0]), np.empty(bets.shape[0])
    most = _capitals(bets, n, s, v, x, logs, slopes)
    total = 0.0
    for j in range(bets.shape[0]):
        total += weights[j] * math.exp(logs[j] - most)
    return most + math.log(total)


@njit(cache=True)
def averaged(bets: Array, weights: Array, n: Array, s: Array, v: Array, x: float) -> float:  # pragma: no cover
    """The evidence that some mean is above x: the log of the average over arms."""
    logs = np.empty(n.size)
    for a in range(n.size):
        logs[a] = above(bets[a], weights, n[a], s[a], v[a], x)
    most = logs.max()
    return float(most + math.log(np.exp(logs - most).mean()))


@njit(cache=True)
def bound(bets: Array, weights: Array, n: Array, s: Array, v: Array, threshold: float) -> float:  # pragma: no cover
    """The smallest x for which the evidence that some mean is above it stays below the threshold; it is decreasing."""
    low, high = 0.0, 1.0
    if averaged(bets, weights, n, s, v, low) < threshold:
        return low
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if averaged(bets, weights, n, s, v, middle) < threshold:
            high = middle
        else:
            low = middle
    return low


@njit(cache=True)
def pair(
    first: Array, second: Array, joint: Array, n: Array, s: Array, v: Array, ends: Array, lead: float
) -> tuple[float, float]:  # pragma: no cover
    """The least evidence, over x between the ends, that the mean of arm 0 is above x or that of arm 1 below x + lead,
    and the x where it is least. It is never overstated.
    """
    size = first.shape[0]
    up, down, up_slopes, down_slopes = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    low, high = ends
    least, x = -np.inf, low
    for _ in range(_STEPS):
        x = (low + high) / 2
        most = _capitals(first, n[0], s[0], v[0], x, up, up_slopes)
        other = _capitals(second, n[1], n[1] - s[1], v[1], 1 - x - lead, down, down_slopes)
        for j in range(size):
            up[j] = math.exp(up[j] - most)
            down[j] = math.exp(down[j] - other)
        total, slope = 0.0, 0.0
        for j in range(size):
            for k in range(size):
                share = joint[j, k] * up[j] * down[k]
                total += share
                slope += share * (up_slopes[j] - down_slopes[k])
        value = most + other + math.log(total)
        slope /= total
        if slope > 0:
            high = x
        else:
            low = x
        least = value - abs(slope) * (high - low)  # a tangent of a convex function is below it
        if value - least < _PRECISION:
            break
    return least, x


@njit(cache=True)
def pairs(
    bets: Array, joint: Array, n: Array, s: Array, v: Array, ends: Array, lead: float, leader: int
) -> tuple[Array, Array]:  # pragma: no cover
    """The same for a leader against every other arm; infinite against itself."""
    values, places = np.full(n.size, np.inf), np.zeros(n.size)
    for b in range(n.size):
        if b != leader:
            both = np.array([leader, b])
            values[b], places[b] = pair(bets[leader], bets[b], joint, n[both], s[both], v[both], ends, lead)
    return values, places
