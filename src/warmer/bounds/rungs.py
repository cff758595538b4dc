r"""The colouring proof that bad queries are few: rungs of gaps, and how many colours the rounds of each take.

Proved under E8 of the errata. Let $x=1/\sqrt{d+1}$ and $0<\theta<1$. The gaps of bad queries, from $\epsilon$ up to
$(1+\alpha)$, are cut into $n$ rungs $[e_i,re_i]$ of ratio $r=\frac{1+\theta x}{1-\theta x}$. A gap of rung i is within
$\theta xe_i'$ of $e_i'=e_i/(1-\theta x)$. An earlier round of the rung whose prediction is off by more than
$\tau_i=(1-\theta)xe_i'$ is no neighbour; the estimation error leaves room for $B_i<C/\tau_i^2$ of them. So $B_i+1$
colours are enough, and the rounds of one colour, with the truth appended, are a sequence of the dimension: there are at
most $d-1$ of them.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from warmer.model import Array
from warmer.model.errors import HypothesisError

LONGEST = 10_000  # rungs up to which colours are counted one rung after the other
_ROUNDING = 1e-12  # relative; colours are counted with so much more error
_TIE = 1e-9  # relative; numbers of rungs closer to a whole one are decided in whole numbers


class Rungs(NamedTuple):
    """Rungs of the bad gaps, from the mildest up, in units of the least gap."""

    theta: float
    ratio: float  # r
    lowest: Array  # e_i
    tolerances: Array  # tau_i
    colours: Array  # B_i + 1


def fewest_rungs(*, dimension: int, span: Fraction) -> int:
    r"""The least n with $r^n\ge s$ at $\theta=1$, $r=\frac{1+x}{1-x}$; the span $s=(1+\alpha)/\epsilon$ is above 1.

    Examples
    --------
    >>> fewest_rungs(dimension=8, span=Fraction(4)), fewest_rungs(dimension=8, span=Fraction(5))
    (2, 3)
    """
    quotient = _log(span) / (2 * math.atanh(1 / math.sqrt(dimension + 1)))
    whole = round(quotient)
    if abs(quotient - whole) > _TIE * quotient:
        return math.ceil(quotient)
    return whole if _reaches(dimension, whole, span) else whole + 1


def tried_rungs(*, dimension: int, per_square: float, span: Fraction, n_tries: int) -> list[int]:
    r"""Numbers of rungs worth trying: from the fewest, which are best where $C=0$, up to 8 times as many.

    Each gives a bound; with $\lceil\log_{1+x}s\rceil$ of them it is at most the repaired one.

    Examples
    --------
    >>> tried_rungs(dimension=8, per_square=1.0, span=Fraction(4), n_tries=14)
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
    """
    few = fewest_rungs(dimension=dimension, span=span)
    if per_square == 0:
        return [few]
    repaired = math.ceil(_log(span) / math.log1p(1 / math.sqrt(dimension + 1)))
    return sorted({repaired, *(few + 7 * few * k // n_tries for k in range(n_tries + 1))})


def rungs(*, dimension: int, per_square: float, span: Fraction, n: int) -> Rungs:
    r"""So many rungs of the same ratio; `per_square` is $C/\epsilon^2$.

    Examples
    --------
    >>> rungs(dimension=8, per_square=1.0, span=Fraction(4), n=4).colours.tolist()
    [27.0, 14.0, 7.0, 4.0]
    """
    theta, growth = _theta(dimension, span, n), _log(span) / n
    with np.errstate(over="raise", divide="raise"):
        lowest = np.exp(growth * np.arange(n))
        tolerances = _first_tolerance(dimension, theta) * lowest
        room = per_square * (1 + _ROUNDING) / tolerances / tolerances if per_square else np.zeros(n)
    return Rungs(theta, math.exp(growth), lowest, tolerances, np.maximum(1.0, np.ceil(room)))


def count(*, dimension: int, per_square: float, span: Fraction, n: int) -> float:
    r"""$(d-1)\sum_{i\le n}(B_i+1)$ with so many rungs, or infinity where they are too few for any $\theta<1$.

    Where there are more than can be counted one after the other, $B_i+1$ is at most $1+C/\tau_i^2$.
    """
    if per_square == 0:
        return (dimension - 1.0) * n
    if not is_wide_enough(dimension=dimension, per_square=per_square, span=span, n=n):
        return math.inf
    if n <= LONGEST:
        colours = rungs(dimension=dimension, per_square=per_square, span=span, n=n).colours
        return (dimension - 1.0) * float(colours.sum())
    growth = _log(span) / n
    squares = math.expm1(-2 * growth * n) / math.expm1(-2 * growth)
    room = per_square / _first_tolerance(dimension, _theta(dimension, span, n)) ** 2 * squares
    return (dimension - 1.0) * (n + room)


def is_wide_enough(*, dimension: int, per_square: float, span: Fraction, n: int) -> bool:
    r"""Whether so many rungs leave a tolerance above 0 for errors, where there are any: $\theta<1$."""
    return per_square == 0 or _theta(dimension, span, n) < 1


def fewest_rounds(*, dimension: int, per_square: float, span: Fraction) -> tuple[float, int]:
    """The least count, and with how many rungs."""
    tried = tried_rungs(dimension=dimension, per_square=per_square, span=span, n_tries=128)
    return min((count(dimension=dimension, per_square=per_square, span=span, n=n), n) for n in tried)


def best_rungs(*, dimension: int, per_square: float, span: Fraction) -> Rungs:
    """The rungs with the least count.

    Examples
    --------
    >>> found = best_rungs(dimension=8, per_square=0.0, span=Fraction(4))
    >>> found.theta, found.lowest.tolist(), found.colours.tolist()
    (1.0, [1.0, 2.0], [1.0, 1.0])
    """
    _, n = fewest_rounds(dimension=dimension, per_square=per_square, span=span)
    if n > LONGEST:
        raise HypothesisError(f"the proof has {n:,} rungs, too many to list; at most {LONGEST:,} are.")
    return rungs(dimension=dimension, per_square=per_square, span=span, n=n)


def _theta(dimension: int, span: Fraction, n: int) -> float:
    r"""The least $\theta$ with which n rungs reach: $r^n=s$."""
    return min(1.0, math.tanh(_log(span) / (2 * n)) * math.sqrt(dimension + 1))


def _first_tolerance(dimension: int, theta: float) -> float:
    r"""$\tau_1/\epsilon=(1-\theta)x/(1-\theta x)$."""
    return (1 - theta) / (math.sqrt(dimension + 1) - theta)


def _log(span: Fraction) -> float:
    if span < 2:
        return math.log1p(float(span - 1))
    return math.log(span.numerator) - math.log(span.denominator)


def _reaches(dimension: int, n: int, span: Fraction) -> bool:
    r"""Whether $r^n\ge s$, in whole numbers: $r=(d+2+2w)/d$ with $w=\sqrt{d+1}$, so $dr^n=a+bw$ step by step."""
    if n > LONGEST // 10:
        return False
    whole, root, square = 1, 0, dimension + 1
    for _ in range(n):
        whole, root = whole * (dimension + 2) + 2 * root * square, 2 * whole + root * (dimension + 2)
    missing = span * dimension**n - whole
    return bool(missing <= 0 or root**2 * square >= missing**2)
