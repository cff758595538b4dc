"""Sets as rows of 64-bit words: packing, counting and finding bits."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit, types
from numba.extending import intrinsic

from warmer.dimensions.kernels import Bits as Bits


def _popcount(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def _trailing_zeros(context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


popcount: Any = intrinsic(_popcount)
"""How many bits of a word are set, as one instruction."""
trailing_zeros: Any = intrinsic(_trailing_zeros)
"""The place of the lowest set bit of a word that is not zero, as one instruction."""


@njit(cache=True)
def one(place: int) -> np.uint64:
    """The word whose only bit stands at `place` modulo 64."""
    return np.uint64(1) << np.uint64(place & 63)


@njit(cache=True)
def count(row: Bits) -> int:
    """How many elements a set has."""
    total = 0
    for word in range(row.shape[0]):
        total += popcount(row[word])
    return total


@njit(cache=True)
def first(row: Bits) -> int:
    """The least element of a set, or -1."""
    for word in range(row.shape[0]):
        if row[word]:
            return int(word * 64 + trailing_zeros(row[word]))
    return -1


@njit(cache=True)
def is_equal(row: Bits, other: Bits) -> bool:
    """Whether two sets have the same elements."""
    is_same = True
    for word in range(row.shape[0]):
        is_same = is_same and row[word] == other[word]
    return is_same


@njit(cache=True)
def place_of(row: Bits, n_places: int) -> np.int64:
    """Where a table with so many places, a power of two, keeps a set."""
    mixed = np.uint64(14695981039346656037)
    for word in range(row.shape[0]):
        mixed = (mixed ^ row[word]) * np.uint64(11400714819323198485)
        mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(n_places - 1))


def n_words(size: int) -> int:
    """How many words hold a set over `size` elements."""
    return max(1, (size + 63) // 64)


def pack(matrix: npt.NDArray[np.bool_]) -> Bits:
    """Each row of a boolean matrix as a set."""
    rows, size = matrix.shape
    octets = np.zeros((rows, n_words(size) * 8), dtype=np.uint8)
    octets[:, : (size + 7) // 8] = np.packbits(matrix, axis=1, bitorder="little")
    return octets.view(np.uint64)


def reordered(rows: Bits, order: npt.NDArray[np.integer[Any]]) -> Bits:
    """The sets of a square relation, with elements and rows in a new order."""
    matrix = np.unpackbits(rows.view(np.uint8)[order], axis=1, count=len(order), bitorder="little")
    return pack(matrix[:, order].view(np.bool_))
