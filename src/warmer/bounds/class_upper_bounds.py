r"""Upper bounds on the dissimilarity dimension of the sphere and of linear bandits that depend on the scale."""

import math
from typing import Any

import numpy as np

from warmer.bounds.arguments import finite
from warmer.model.checks import SLACK, check_count
from warmer.model.errors import HypothesisError
from warmer.model.numbers import as_number, as_positive

__all__ = ["linear_upper_bound", "sphere_upper_bound"]

_LONGEST = 100_000
"""Lengths up to which the determinant bound is summed."""


@finite
def sphere_upper_bound(*, n: int, epsilon: Any, alpha: Any = 1.0) -> int:
    r"""An upper bound on the dissimilarity dimension of the unit sphere in $\mathbb R^n$: at most $2n+1$.

    The rank of a symmetric table bounds it by $2n+1$ at every $\alpha$. Besides, the products of d unit vectors cannot
    all lie below $-1/(d-1)$, while the definition wants them at most $\alpha-\epsilon(1-1/\sqrt d)$; and for n = 1
    there are only two points.

    Examples
    --------
    >>> [sphere_upper_bound(n=4, epsilon=epsilon) for epsilon in (1, 3, 7)]
    [9, 3, 1]
    """
    level, scale = float(as_number("alpha", alpha)), float(as_positive("epsilon", epsilon))
    low, high = 1, (2 * n + 1 if check_count("n", n) > 1 else 2)
    while low < high:  # both sides are monotone in the length
        length = (low + high + 1) // 2
        highest = level - scale * (1 - 1 / math.sqrt(length))
        if highest < -1 / (length - 1) - SLACK * max(1.0, scale):
            high = length - 1
        else:
            low = length
    return low if level <= 1 else 0


@finite
def linear_upper_bound(*, n: int, alpha: Any, epsilon: Any) -> int:
    r"""An upper bound on the dissimilarity dimension of linear bandits in the unit ball of $\mathbb R^n$.

    At $\alpha=1$ the alternatives are points of the sphere. Otherwise, for a sequence of length d let
    $\delta_j=\theta_j-\theta_{j+1}$ and $V_j=\lambda I+\sum_{i<j}a_ia_i^\top$. The definition gives
    $\langle\delta_j,a_j\rangle\ge\epsilon(1-1/\sqrt d)$ and
    $\delta_j^\top V_j\delta_j\le4\lambda+4\epsilon^2(j-1)/d$, so that $a_j^\top V_j^{-1}a_j\ge w_j$, the ratio of the
    square of the first to the second. Since $\det V_d\le(\lambda+(d-1)/n)^n$,

    $$\sum_{j<d}\ln(1+w_j)\le n\ln\Bigl(1+\frac{d-1}{n\lambda}\Bigr)\quad\text{for every }\lambda>0.$$

    A length for which some $\lambda$ violates this is impossible, and with it every greater one, because a prefix of a
    sequence is a sequence.

    Examples
    --------
    >>> linear_upper_bound(n=3, alpha=1, epsilon=0.1), linear_upper_bound(n=3, alpha=0.5, epsilon=0.1)
    (7, 72)
    """
    check_count("n", n)
    level, scale = float(as_number("alpha", alpha)), float(as_positive("epsilon", epsilon))
    if level >= 1:
        return sphere_upper_bound(n=n, alpha=level, epsilon=scale)
    if level - scale * (1 - 1 / math.sqrt(2)) < -1 - SLACK * max(1.0, scale):
        return 1  # even two alternatives would need a product below -1
    low, high = 1, 2
    while not _is_impossible(high, n, scale):
        low, high = high, 2 * high
        if high > _LONGEST:
            raise HypothesisError(f"linear_upper_bound is above {_LONGEST}: n is too large, or epsilon too small.")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_impossible(middle, n, scale) else (middle, high)
    return low


def _is_impossible(length: int, n: int, epsilon: float) -> bool:
    """Whether some regularisation refutes a sequence of this length, beyond rounding."""
    places = np.arange(length - 1) / length
    gap = (1 - 1 / math.sqrt(length)) ** 2
    for factor in np.geomspace(1e-3, 10, 30):  # lambda = factor * epsilon**2, of which only the logarithm is finite
        left = float(np.log1p(gap / (4 * factor + 4 * places)).sum())
        ratio = math.log(length - 1) - math.log(n * factor) - 2 * math.log(epsilon)
        if left > n * float(np.logaddexp(0.0, ratio)) * (1 + 1e-9):
            return True
    return False
