"""Upper confidence indices of many actions under a linear model, updated by one vector at a time.

Actions are columns throughout, so that the inner loops run along memory.
"""

import numpy as np
from numba import njit

from warmer.model import Array


@njit(cache=True)
def observe(columns: Array, gram: Array, sums: Array, query: int, reward: float, count: int) -> None:
    """Gram <- gram + count x x' and sums <- sums + count reward x, in place, with x the column of the query."""
    n = sums.size
    for i in range(n):
        weighted = count * columns[i, query]
        sums[i] += weighted * reward
        for j in range(n):
            gram[i, j] += weighted * columns[j, query]


@njit(cache=True)
def absorb(
    columns: Array, inverse: Array, center: Array, means: Array, widths: Array, query: int, reward: float, count: int
) -> float:
    """Sherman-Morrison in place, for V <- V + count x x' with x the column of the query; the log of det's growth.

    inverse is V^-1, center V^-1 b, means the columns' values at the center and widths their a' V^-1 a.
    """
    n, n_columns = columns.shape
    image = np.zeros(n)
    for i in range(n):
        for j in range(n):
            image[i] += inverse[i, j] * columns[j, query]
    growth = 1.0
    for i in range(n):
        growth += count * columns[i, query] * image[i]
    shrink, push = count / growth, count * (reward - means[query]) / growth
    for i in range(n):
        center[i] += push * image[i]
        for j in range(n):
            inverse[i, j] -= shrink * image[i] * image[j]
    along = combined(columns, image)
    for k in range(n_columns):
        means[k] += push * along[k]
        widths[k] = max(widths[k] - shrink * along[k] * along[k], 0.0)
    return float(np.log(growth))


@njit(cache=True)
def highest_point(columns: Array, inverse: Array, center: Array, means: Array, widths: Array, radius: float) -> Array:
    """The point of the ellipsoid where the column with the largest mean + sqrt(radius * width) is worth most."""
    best = (means + np.sqrt(radius * widths)).argmax()
    point = center.copy()
    if widths[best] > 0:
        stretch = np.sqrt(radius / widths[best])
        for i in range(center.size):
            for j in range(center.size):
                point[i] += stretch * inverse[i, j] * columns[j, best]
    return point


@njit(cache=True)
def best_column(columns: Array, target: Array) -> int:
    """The lowest-numbered column with the largest inner product."""
    return int(combined(columns, target).argmax())


@njit(cache=True)
def combined(columns: Array, weights: Array) -> Array:
    """The inner product of the weights with each column."""
    n, n_columns = columns.shape
    out = np.zeros(n_columns)
    for i in range(n):
        part, row = weights[i], columns[i]
        for k in range(n_columns):
            out[k] += part * row[k]
    return out
