"""The remaining candidates whose predictions lie next to an answer."""

import numpy as np
from numba import njit

from warmer.model import Array


@njit(cache=True)
def around(row: Array, possible: Array, reward: float) -> tuple[float, float]:  # pragma: no cover
    """The largest entry of the row not above the reward, and the smallest not below, of the possible candidates.

    -inf or inf where there is none.
    """
    below, above = -np.inf, np.inf
    for i in range(row.size):
        if possible[i]:
            value = float(row[i])
            if value <= reward and value > below:
                below = value
            if value >= reward and value < above:
                above = value
    return below, above
