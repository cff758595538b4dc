"""Upper confidence indices of many actions under a linear model, updated by one vector at a time.

Actions are columns throughout, so that the inner loops run along memory.
"""

import numpy as np
from numba import njit

from warmer.model import Array


@njit(cache=True)
def observe(columns: Array, gram: Array, sums: Array, query: int, reward: float, count: int) -> None:
    """Gram <- gram + count x x' and sums <- sums + count reward x, in place, with x the column of the query."""
    x = np.ascontiguousarray(columns[:, query])
    sums += count * reward * x
    gram += np.outer(count * x, x)


@njit(cache=True)
def absorb(
    columns: Array, inverse: Array, center: Array, means: Array, widths: Array, query: int, reward: float, count: int
) -> float:
    """Sherman-Morrison in place, for V <- V + count x x' with x the column of the query; the log of det's growth.

    inverse is V^-1, center V^-1 b, means the columns' values at the center and widths their a' V^-1 a.
    """
    x = np.ascontiguousarray(columns[:, query])
    image = inverse @ x
    growth = 1.0 + count * (x @ image)
    shrink, push = count / growth, count * (reward - means[query]) / growth
    center += push * image
    inverse -= np.outer(shrink * image, image)
    along = combined(columns, image)
    means += push * along
    widths[:] = np.maximum(widths - shrink * along * along, 0.0)
    return float(np.log(growth))


@njit(cache=True)
def highest_point(columns: Array, inverse: Array, center: Array, means: Array, widths: Array, radius: float) -> Array:
    """The point of the ellipsoid where the column with the largest mean + sqrt(radius * width) is worth most."""
    best = (means + np.sqrt(radius * widths)).argmax()
    point = center.copy()
    if widths[best] > 0:
        point += np.sqrt(radius / widths[best]) * (inverse @ np.ascontiguousarray(columns[:, best]))
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
