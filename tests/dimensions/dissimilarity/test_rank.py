"""The certain rank against elimination in fractions."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from warmer.dimensions.dissimilarity.rank import rank_at_most


def rank_by_fractions(matrix: Any) -> int:
    rows = [[Fraction(int(entry)) for entry in row] for row in matrix]
    rank = 0
    for column in range(len(rows[0])):
        pivot = next((row for row in rows[rank:] if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        rows.insert(rank, pivot)
        for row in rows[rank + 1 :]:
            factor = row[column] / pivot[column]
            row[:] = [entry - factor * above for entry, above in zip(row, pivot, strict=True)]
        rank += 1
    return rank


@pytest.mark.parametrize("scale", [1, 2**31 - 1, 10**30])
def test_rank_equals_elimination_in_fractions(scale: int) -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        n_rows, rank = int(rng.integers(2, 9)), int(rng.integers(1, 5))
        factors = rng.integers(-3, 4, (n_rows, rank))
        matrix = (factors @ factors.T).astype(object) * scale
        true = rank_by_fractions(matrix)
        assert rank_at_most(matrix, true) == true
        if true:
            assert rank_at_most(matrix, true - 1) is None


def test_a_multiple_of_the_first_prime_does_not_deceive() -> None:
    prime = 2**31 - 1
    assert rank_at_most(np.eye(3, dtype=np.int64) * prime, 2) is None
    assert rank_at_most(np.eye(3, dtype=np.int64) * prime, 3) == 3


def test_a_matrix_too_large_for_its_rank_is_not_decided() -> None:
    assert rank_at_most(np.eye(40, dtype=np.int64), 39) is None
    assert rank_at_most(np.zeros((3, 3), dtype=np.int64), 0) == 0
