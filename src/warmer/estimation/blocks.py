"""Targets in blocks: a search passes over a block whose least or largest entry shows that nothing is in it."""

import numpy as np

from warmer.model import Array

BLOCK = 1024


def block_tops(values: Array) -> Array:
    """The largest entry of each block.

    Examples
    --------
    >>> block_tops(np.arange(1500)).tolist()
    [1023, 1499]
    """
    tops = np.empty((values.size + BLOCK - 1) // BLOCK, dtype=values.dtype)
    for b in range(tops.size):
        tops[b] = values[b * BLOCK : (b + 1) * BLOCK].max()
    return tops
