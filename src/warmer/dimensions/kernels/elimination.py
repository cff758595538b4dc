"""Gaussian elimination modulo a prime."""

import numpy as np
import numpy.typing as npt
from numba import njit


@njit(cache=True)
def modular_rank(matrix: npt.NDArray[np.int64], prime: int, limit: int) -> int:
    """The rank modulo a prime below 2**31 of a matrix with entries from 0 to prime - 1; `limit + 1` if above limit.

    The matrix is used up.
    """
    n_rows, n_columns = matrix.shape
    rank = 0
    for column in range(n_columns):
        pivot = rank
        while pivot < n_rows and matrix[pivot, column] == 0:
            pivot += 1
        if pivot == n_rows:
            continue
        if rank == limit:
            return limit + 1
        for place in range(column, n_columns):
            kept = matrix[rank, place]
            matrix[rank, place] = matrix[pivot, place]
            matrix[pivot, place] = kept
        inverse = 1
        base = matrix[rank, column]
        exponent = prime - 2
        while exponent:  # Fermat
            if exponent & 1:
                inverse = inverse * base % prime
            base = base * base % prime
            exponent >>= 1
        for row in range(rank + 1, n_rows):
            if matrix[row, column]:
                factor = prime - matrix[row, column] * inverse % prime
                for place in range(column, n_columns):
                    matrix[row, place] = (matrix[row, place] + factor * matrix[rank, place]) % prime
        rank += 1
        if rank == n_rows:
            break
    return rank
