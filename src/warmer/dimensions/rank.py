"""The rank of a rational matrix, exactly, as long as it is small."""

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["rank_at_most"]

_MOST_ENTRIES = 250_000
"""Entries beyond which elimination in whole numbers would take longer than a search."""


def rank_at_most(matrix: npt.NDArray[Any], limit: int) -> int | None:
    """The rank of a matrix of whole numbers if it is at most `limit`; None if it is not, or the matrix is too large.

    Examples
    --------
    >>> rank_at_most(np.ones((4, 4), dtype=int), 2), rank_at_most(np.eye(4, dtype=int), 2)
    (1, None)
    """
    if matrix.size > _MOST_ENTRIES:
        return None
    rest = matrix.astype(object)
    previous = 1
    for rank in range(limit + 1):
        places = np.argwhere(rest != 0)
        if len(places) == 0:
            return rank
        row, column = places[0]
        pivot = rest[row, column]
        # fraction-free elimination: every division is exact
        eliminated = (rest * pivot - np.outer(rest[:, column], rest[row])) // previous
        rest = np.delete(np.delete(eliminated, row, axis=0), column, axis=1)
        previous = pivot
    return None
