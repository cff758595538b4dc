"""Exponentials, logarithms and sums that the compiler turns into vector instructions.

Nothing is reordered at its will: the same numbers come out on every machine. The polynomials are those of fdlibm, and
right to the last digit but one.
"""

from typing import Any

import numpy as np
from numba import njit

from warmer.estimation.kernels.losses import same_bits
from warmer.model import Array

_LANES = 128
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_PER_LN2 = 1.44269504088896338700
_SHIFTER = 6755399441055744.0
"""1.5 times 2^52: a small number plus this has the nearest whole number in its last bits."""
_SHIFTER_BITS = 0x4338000000000000
_ONE_BITS, _ROOT_HALF_BITS = 0x3FF0000000000000, 0x3FE6A09E667F3BCD


@njit(inline="always")
def exp(x: float) -> Any:  # pragma: no cover
    """Of a number between -700 and 700."""
    shifted = x * _PER_LN2 + _SHIFTER
    whole = shifted - _SHIFTER
    high, low = x - whole * _LN2_HIGH, whole * _LN2_LOW
    r = high - low
    z = r * r
    p = 6.61375632143793436117e-05 + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08)
    c = r - z * (1.66666666666666019037e-01 + z * (-2.77777777770155933842e-03 + z * p))
    return (1.0 - ((low - (r * c) / (2.0 - c)) - high)) * same_bits((same_bits(shifted) << 52) + _ONE_BITS)


@njit(inline="always")
def log(x: float) -> Any:  # pragma: no cover
    """Of a positive normal number."""
    bits = same_bits(x)
    power = (bits - _ROOT_HALF_BITS) >> 52
    f = same_bits(bits - (power << 52)) - 1.0  # the rest lies between the roots of 1/2 and 2
    whole = same_bits(power + _SHIFTER_BITS) - _SHIFTER
    s = f / (2.0 + f)
    z = s * s
    p = 1.818357216161805012e-01 + z * (1.531383769920937332e-01 + z * 1.479819860511658591e-01)
    p = 2.857142874366239149e-01 + z * (2.222219843214978396e-01 + z * p)
    half = 0.5 * f * f
    rest = s * (half + z * (6.666666666666735130e-01 + z * (3.999999999940941908e-01 + z * p)))
    return whole * _LN2_HIGH - ((half - (rest + whole * _LN2_LOW)) - f)


@njit(inline="always")
def log1p(x: float) -> Any:  # pragma: no cover
    """The logarithm of one and a number that is not negative."""
    more = 1.0 + x
    return log(more) + (x - (more - 1.0)) / more


@njit(cache=True)
def total(values: Array) -> Any:  # pragma: no cover
    """The sum, in a fixed order."""
    sums = np.zeros(min(_LANES, values.size))
    n = values.size // _LANES * _LANES
    for first in range(0, n, _LANES):
        part = values[first : first + _LANES]
        for k in range(_LANES):
            sums[k] += part[k]
    for i in range(n, values.size):
        sums[i - n] += values[i]
    return folded(sums)


@njit(cache=True)
def dot(values: Array, factors: Array) -> Any:  # pragma: no cover
    """The sum of products, in a fixed order."""
    sums = np.zeros(min(_LANES, values.size))
    n = values.size // _LANES * _LANES
    for first in range(0, n, _LANES):
        part, others = values[first : first + _LANES], factors[first : first + _LANES]
        for k in range(_LANES):
            sums[k] += part[k] * others[k]
    for i in range(n, values.size):
        sums[i - n] += values[i] * factors[i]
    return folded(sums)


@njit(cache=True)
def folded(sums: Array) -> Any:  # pragma: no cover
    """The sum of at most so many lanes, which are written over: the upper half upon the lower, until one is left."""
    half = _LANES // 2
    while half:
        for k in range(min(half, sums.size - half)):
            sums[k] += sums[k + half]
        half //= 2
    return sums[0] if sums.size else 0.0
