"""The rank of a matrix of whole numbers, with certainty, where it is small.

The rank modulo a prime is never larger than the rank. If it is at most r for several primes, each minor of order r + 1
is divisible by all of them; once their product exceeds the largest value that such a minor can have (Hadamard's bound),
it is zero, and the rank is at most r.
"""

import math
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

_MOST_PRIMES = 100
_MOST_STEPS = 50_000_000  # multiplications that one elimination may take


def rank_at_most(matrix: npt.NDArray[Any], limit: int) -> int | None:
    """The rank of a matrix of whole numbers if it is at most `limit`; None if it is not, or is too dear to tell."""
    limit = min(limit, _MOST_STEPS // matrix.size)
    step = max(1, min(matrix.shape) // (2 * limit + 2))
    if _modular_rank(matrix[::step, ::step], _prime(0), limit) > limit:
        return None  # a part has a larger rank already
    largest = max(-int(matrix.min()), int(matrix.max()), 1)
    rank, product = 0, 1
    for prime in map(_prime, range(_MOST_PRIMES)):
        rank = max(rank, _modular_rank(matrix, prime, limit))
        product *= prime
        if rank > limit:
            return None
        order = rank + 1
        if product**2 > order**order * largest ** (2 * order):  # Hadamard's bound, squared
            return rank
    return None


def _modular_rank(matrix: npt.NDArray[Any], prime: int, limit: int) -> int:
    """The rank modulo a prime below 2**31, by elimination; `limit + 1` if above limit."""
    left, rank = (matrix % prime).astype(np.int64), 0
    while rank <= limit and left.any():
        row, column = np.unravel_index(left.argmax(), left.shape)
        factors = left[:, column] * pow(int(left[row, column]), -1, prime) % prime
        left -= factors[:, np.newaxis] * left[row]  # the row itself becomes 0
        left %= prime
        rank += 1
    return rank


@cache
def _prime(number: int) -> int:
    """The largest primes below 2**31, by number."""
    candidate = 2**31 if number == 0 else _prime(number - 1)
    return next(c for c in range(candidate - 1, 2, -1) if all(c % d for d in range(2, math.isqrt(c) + 1)))
