"""Upper confidence indices of many actions under a linear model, updated by one vector at a time."""

import numpy as np
from numba import njit

from warmer.model import Array

__all__ = ["absorb", "top_index"]


@njit(cache=True)
def absorb(
    columns: Array,
    inverse: Array,
    center: Array,
    means: Array,
    widths: Array,
    query: int,
    reward: float,
    count: int,
) -> float:  # pragma: no cover
    """Sherman-Morrison in place, for V <- V + count x x' with x the column of the query; the log of det's growth.

    columns holds the actions (a column each), inverse is V^-1, center V^-1 b, means the actions' values at
    the center and widths their a' V^-1 a.
    """
    n, n_actions = columns.shape
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
    along = np.zeros(n_actions)
    for i in range(n):
        part, row = image[i], columns[i]
        for k in range(n_actions):
            along[k] += part * row[k]
    for k in range(n_actions):
        means[k] += push * along[k]
        widths[k] = max(widths[k] - shrink * along[k] * along[k], 0.0)
    return float(np.log(growth))


@njit(cache=True)
def top_index(means: Array, widths: Array, radius: float) -> int:  # pragma: no cover
    """The lowest-numbered action with the largest mean + sqrt(radius * width)."""
    indices = means + np.sqrt(radius * widths)
    return int(indices.argmax())
