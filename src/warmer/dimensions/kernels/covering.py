"""Which columns of a table are close everywhere."""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)
def within(columns: Any, threshold: Any) -> Any:
    """For each pair of rows of `columns`, whether no entry differs by more than `threshold`; stops at the first."""
    n, length = columns.shape
    close = np.zeros((n, n), np.bool_)
    for i in range(n):
        close[i, i] = True
        last = 0  # where the previous pair differed is a good first place to look
        for j in range(i + 1, n):
            if abs(columns[i, last] - columns[j, last]) > threshold:
                continue
            is_close = True
            for k in range(length):
                if abs(columns[i, k] - columns[j, k]) > threshold:
                    is_close = False
                    last = k
                    break
            close[i, j] = is_close
            close[j, i] = is_close
    return close
