"""Philox4x64-10, the counter-based generator: the same numbers as `numpy.random.Philox`, for compiled runs."""

from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from warmer.model import Array

_WORDS = 4
_ROUNDS = 10
_MULTIPLIERS = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_WEYL = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)


def _high(typing_context: Any, first: Any, second: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = context.get_value_type(types.uint64)
        wide = type(word)(128)
        left, right = (builder.zext(each, wide) for each in arguments)
        product = builder.mul(left, right)
        return builder.trunc(builder.lshr(product, wide(64)), word)

    return types.uint64(types.uint64, types.uint64), generate


_multiply_high: Any = intrinsic(_high)
"""The upper 64 bits of the product of two words."""


@njit(cache=True)
def block(key: Array, counter: Array, words: Array) -> None:  # pragma: no cover
    """The four words of a counter, itself four words."""
    k0, k1 = key[0], key[1]
    c0, c1, c2, c3 = counter[0], counter[1], counter[2], counter[3]
    for _ in range(_ROUNDS):
        high0, low0 = _multiply_high(_MULTIPLIERS[0], c0), _MULTIPLIERS[0] * c0
        high1, low1 = _multiply_high(_MULTIPLIERS[1], c2), _MULTIPLIERS[1] * c2
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0, k1 = k0 + _WEYL[0], k1 + _WEYL[1]
    words[0], words[1], words[2], words[3] = c0, c1, c2, c3


@njit(cache=True)
def uniform(key: Array, counter: Array, words: Array, n: int) -> float:  # pragma: no cover
    """The n-th uniform number in [0, 1) of a stream; to be called for n = 0, 1, 2, ... in turn.

    The counter holds what tells the stream from others in all but its first word; `words` is the stream's memory.
    """
    place = n % _WORDS
    if place == 0:
        counter[0] = np.uint64(n // _WORDS + 1)
        block(key, counter, words)
    return float(words[place] >> np.uint64(11)) * (1.0 / 9007199254740992.0)
