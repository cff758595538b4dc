"""One-pass updates of cumulative losses, near the speed of memory.

The passes go block by block, so that the second loop over a block finds it in the fastest cache. Eight running
minima let the compiler use vector instructions without reordering any floating-point sum.
"""

import numpy as np
from numba import njit

from warmer.model import Array

__all__ = ["add_residuals", "add_squared_differences", "posterior_draw", "posterior_weights", "top_within"]

BLOCK = 1024


@njit(cache=True)
def add_residuals(
    excess: Array, row: Array, reward: float, weight: float, shift: float
) -> tuple[float, int]:  # pragma: no cover
    """Excess <- excess - shift + weight (row - reward)^2, in place; the least entry and its lowest index."""
    number = excess.dtype.type
    value, times, down = number(reward), number(weight), number(shift)
    least = number(np.inf)
    block = 0
    for start in range(0, row.size, BLOCK):
        part = excess[start : start + BLOCK]
        predictions = row[start : start + BLOCK]
        for i in range(part.size):
            residual = predictions[i] - value
            part[i] = (part[i] - down) + times * (residual * residual)
        low = _least(part)
        if low < least:
            least = low
            block = start
    for i in range(block, min(block + BLOCK, row.size)):
        if excess[i] == least:
            return least, i
    return least, 0


@njit(cache=True)
def _least(part: Array) -> float:  # pragma: no cover
    m0 = m1 = m2 = m3 = m4 = m5 = m6 = m7 = part.dtype.type(np.inf)
    whole = part.size // 8 * 8
    for i in range(0, whole, 8):
        m0 = part[i] if part[i] < m0 else m0
        m1 = part[i + 1] if part[i + 1] < m1 else m1
        m2 = part[i + 2] if part[i + 2] < m2 else m2
        m3 = part[i + 3] if part[i + 3] < m3 else m3
        m4 = part[i + 4] if part[i + 4] < m4 else m4
        m5 = part[i + 5] if part[i + 5] < m5 else m5
        m6 = part[i + 6] if part[i + 6] < m6 else m6
        m7 = part[i + 7] if part[i + 7] < m7 else m7
    for i in range(whole, part.size):
        m0 = part[i] if part[i] < m0 else m0
    least: float = min(min(min(m0, m1), min(m2, m3)), min(min(m4, m5), min(m6, m7)))
    return least


@njit(cache=True)
def add_squared_differences(distances: Array, row: Array, center: float, weight: float) -> None:  # pragma: no cover
    """Distances <- distances + weight (row - center)^2, in place."""
    number = distances.dtype.type
    value, times = number(center), number(weight)
    for i in range(row.size):
        difference = row[i] - value
        distances[i] += times * (difference * difference)


@njit(cache=True)
def top_within(losses: Array, values: Array, limit: float) -> int:  # pragma: no cover
    """The lowest index where values is largest among the entries with losses <= limit; -1 where there are none."""
    best = -1
    top = -np.inf
    for i in range(losses.size):
        if losses[i] <= limit and values[i] > top:
            top = values[i]
            best = i
    return best


@njit(cache=True)
def posterior_weights(excess: Array, least: float, variance: float) -> Array:  # pragma: no cover
    """exp(-(excess - least) / (2 variance)) in double precision; 1 at the least entry."""
    weights = np.empty(excess.size)
    for i in range(excess.size):
        exponent = (least - excess[i]) / (2 * variance)
        weights[i] = np.exp(exponent) if exponent > -746.0 else 0.0  # exp underflows to 0 below
    return weights


@njit(cache=True)
def posterior_draw(excess: Array, least: float, variance: float, uniform: float) -> int:  # pragma: no cover
    """The index at which the running sum of `posterior_weights` passes the fraction `uniform` of the total."""
    weights = posterior_weights(excess, least, variance)
    goal = uniform * weights.sum()
    running = 0.0
    last = 0
    for i in range(weights.size):
        if weights[i] > 0.0:
            running += weights[i]
            last = i
            if running > goal:
                return i
    return last
