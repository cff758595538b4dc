"""One-pass updates of sums of squares over all targets, at the speed of memory.

The least entry of each block, kept beside the sums, lets later searches skip whole blocks. The sums are never negative,
and the bits of non-negative floats are ordered as the floats are: minima of the bits as integers let the compiler use
vector instructions without reordering any floating-point arithmetic.
"""

import math
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from warmer.estimation import blocks
from warmer.estimation.blocks import BLOCK
from warmer.model import Array

block_tops = njit(cache=True)(blocks.block_tops)
_CHUNK = 32  # entries that are passed over together where none counts
_FEW = 256  # how many weights of a draw are written down; others are computed twice
_PARTNERS: dict[Any, Any] = {
    types.float64: types.int64,
    types.float32: types.int32,
    types.int64: types.float64,
    types.int32: types.float32,
}


def _reinterpret(typing_context: Any, number: Any) -> Any:
    partner = _PARTNERS[number]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(partner))

    return partner(number), generate


same_bits: Any = intrinsic(_reinterpret)
"""A float as the integer with the same bits, and back."""


@njit(cache=True)
def add_squares(sums: Array, lows: Array, row: Array, center: float, weight: float, shift: float) -> tuple[float, int]:
    """Sums <- sums - shift + weight (row - center)^2, in place; the least entry and its lowest index.

    lows receives the least entry of each block. No sum may be smaller than shift.
    """
    number = sums.dtype.type
    value, times, down = number(center), number(weight), number(shift)
    infinity = same_bits(number(np.inf))
    least, block = infinity, 0
    for b in range(lows.size):
        part = sums[b * BLOCK : (b + 1) * BLOCK]
        entries = row[b * BLOCK : (b + 1) * BLOCK]
        low = infinity
        for i in range(part.size):
            difference = entries[i] - value
            total = (part[i] - down) + times * (difference * difference)
            part[i] = total
            low = min(low, same_bits(total))
        lows[b] = same_bits(low)
        if low < least:
            least, block = low, b
    for i in range(block * BLOCK, min((block + 1) * BLOCK, sums.size)):
        if same_bits(sums[i]) == least:
            return sums[i], i
    return sums[0], 0


@njit(cache=True)
def top_within(sums: Array, lows: Array, values: Array, tops: Array, limit: float) -> int:
    """The lowest index where values is largest among the entries with sums <= limit; -1 where there are none."""
    best = -1
    top = -np.inf
    for b in range(lows.size):
        if lows[b] <= limit and tops[b] > top:
            for i in range(b * BLOCK, min((b + 1) * BLOCK, sums.size)):
                if sums[i] <= limit and values[i] > top:
                    top = values[i]
                    best = i
    return best


@njit(cache=True)
def draw_by_weight(sums: Array, lows: Array, least: float, scale: float, cut: float, level: float) -> int:
    """An index drawn with weights exp((least - sums) / scale): the first at which their running sum exceeds the share
    `level` of their total. Weights below exp(-cut) count as 0.
    """
    limit = least + cut * scale
    places, weights = np.empty(_FEW, np.int64), np.empty(_FEW)
    total, n = 0.0, 0
    for b in range(lows.size):
        if lows[b] > limit:
            continue
        end = min((b + 1) * BLOCK, sums.size)
        for first in range(b * BLOCK, end, _CHUNK):
            part = sums[first : min(first + _CHUNK, end)]
            n_within = 0
            for i in range(part.size):
                n_within += part[i] <= limit
            for i in range(part.size if n_within else 0):
                if part[i] <= limit:
                    weight = math.exp((least - part[i]) / scale)
                    total += weight
                    if n < _FEW:
                        places[n], weights[n] = first + i, weight
                    n += 1
    running, share = 0.0, level * total
    for k in range(min(n, _FEW)):
        running += weights[k]
        if running > share:
            return int(places[k])
    last = int(places[min(n, _FEW) - 1]) if n else 0
    for i in range(last + 1, sums.size if n > _FEW else 0):
        if sums[i] <= limit:
            last = i
            running += math.exp((least - sums[i]) / scale)
            if running > share:
                return i
    return last
