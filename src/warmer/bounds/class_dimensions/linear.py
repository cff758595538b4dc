r"""The dissimilarity dimension of linear and generalized linear bandits in the unit ball of $\mathbb R^n$.

The paper's $4n+3$ for linear bandits at every $\alpha$ is false below $\alpha=1$: its proof bounds
$\langle\theta_j,a_i\rangle$ for all $i\ne j$, the definition only for $i<j$. What is true grows with
$\ln(1/\epsilon)$, and one argument gives it with and without a link.

**The determinant argument** (proved under S11 of the errata). For rewards $g(\langle\theta,a\rangle)$ with
$0<\underline h\le g'\le\bar h$ (linear bandits: $\underline h=\bar h=1$), a sequence of length d and $k=\min(n,d-1)$

$$\sum_{j<d}\ln(1+w_j)\le k\ln\Bigl(1+\frac{d-1}{k\lambda}\Bigr)\quad\text{for every }\lambda>0,\qquad
w_j=\frac{\epsilon^2(1-1/\sqrt d)^2/\bar h^2}{4\lambda+4\epsilon^2(j-1)/(d\,\underline h^2)}.$$

A length for which some $\lambda$ violates this is impossible, and so is every greater one, and every larger
$\epsilon$: it bounds the monotone dimension too.
"""

import math
from typing import Any

import numpy as np

from warmer.bounds.arguments import finite, largest
from warmer.bounds.class_dimensions.general import sphere_dimension_bound
from warmer.model.checks import SLACK, at_least, check_count, check_positive
from warmer.model.errors import HypothesisError
from warmer.model.numbers import as_number, as_positive

_LONGEST = 200_000
"""Lengths up to which the determinant bound is summed."""


@finite
def linear_dimension_bound(*, n: int, alpha: Any, epsilon: Any = None) -> int:
    r"""At most $2n+1$ for linear bandits at $\alpha=1$ (`theorem::linear_dim_bound`); below, by determinants.

    At $\alpha=1$ the alternatives are points of the sphere, and $\epsilon$ need not be given. Below 1 there are 8, 12
    and 16 dissimilar alternatives in 1, 2 and 3 dimensions (`warmer.problems.extremal.linear_counterexample`), and no
    bound is free of $\epsilon$ (`linear_dimension_lower_bound`).

    Examples
    --------
    >>> linear_dimension_bound(n=4, alpha=1), linear_dimension_bound(n=3, alpha=0.5, epsilon=0.1)
    (9, 72)
    """
    check_count("n", n)
    level = float(as_number("alpha", alpha))
    if level >= 1:
        return sphere_dimension_bound(n=n, alpha=level, epsilon=epsilon)
    if epsilon is None:
        raise HypothesisError(
            f"2n+1 is proved for alpha = 1, got {alpha}; below it the paper's 4n+3 is false and every bound "
            "depends on epsilon; give epsilon=."
        )
    scale = float(as_positive("epsilon", epsilon))
    if not at_least(level - scale * (1 - 1 / math.sqrt(2)), -1.0, SLACK * max(1.0, scale)):
        return 1  # even two alternatives would need a product below -1
    return _longest_possible(n, scale=scale, ratio=1.0)


def two_sided_linear_dimension_bound(*, n: int) -> int:
    r"""At most $2n+1$ alternatives of a linear bandit whose values are close to c for all $i\ne j$, at every $\alpha$.

    The paper's proof of `theorem::linear_dim_bound` shows $4n+3$ for this dimension (`sided="two"`), which does not
    control bad queries; $2n+1$ is proved under E1 of the errata.

    Examples
    --------
    >>> two_sided_linear_dimension_bound(n=3)
    7
    """
    return 2 * check_count("n", n) + 1


def linear_dimension_lower_bound(*, n: int, epsilon: Any) -> int:
    r"""At least $nk$ for linear bandits in the unit ball of $\mathbb R^n$ at $\alpha=\epsilon\le(nk)^{-(k-1)/2}$.

    The largest such $nk$: one block of k elements for each coordinate, $\theta=q^{-s}$ and $a=\epsilon q^s$ with
    $q=\sqrt{nk}$ and center 0. So the dimension grows like $n\ln(1/\epsilon)/\ln\ln(1/\epsilon)$.

    Examples
    --------
    >>> [linear_dimension_lower_bound(n=1, epsilon=epsilon) for epsilon in ("1/10", "1/1000", "1/1000000000")]
    [4, 7, 15]
    """
    check_count("n", n)
    scale = as_positive("epsilon", epsilon)
    if scale > 1:
        raise HypothesisError(f"alpha = epsilon must be at most 1, got {epsilon}.")
    return n * largest(lambda k: scale**2 * (n * k) ** (k - 1) <= 1)


@finite
def glm_dimension_bound(*, n: int, slope_low: float, slope_high: float, epsilon: float) -> int:
    r"""A bound for generalized linear bandits, of the order $nr^2$ times a logarithm (`theorem::glm_dim_bound`).

    By the determinant argument above, with $r=\bar h/\underline h$. The paper prints $O(nr^2\log(\bar h/\epsilon))$, by
    way of the eluder dimension; that drops $\ln r$ and is negative for $\bar h<\epsilon$. The slopes are
    $0<\underline h\le g'\le\bar h$ on $[-1,1]$; for longer parameters and actions, times the largest inner product.

    Examples
    --------
    >>> glm_dimension_bound(n=2, slope_low=0.5, slope_high=1.0, epsilon=0.5)
    91
    """
    check_count("n", n)
    low, high = check_positive("slope_low", slope_low), check_positive("slope_high", slope_high)
    if high < low:
        raise HypothesisError(f"slope_high must be at least slope_low = {slope_low}, got {slope_high}.")
    return _longest_possible(n, scale=check_positive("epsilon", epsilon) / low, ratio=high / low)


def _longest_possible(n: int, *, scale: float, ratio: float) -> int:
    """The largest length that the determinant does not refute."""
    return largest(lambda length: not _is_impossible(length, n, scale, ratio))


def _is_impossible(length: int, n: int, scale: float, ratio: float) -> bool:
    """Whether some regularisation refutes a sequence of this length, beyond rounding."""
    if length > _LONGEST:
        raise HypothesisError(
            f"the bound is above {_LONGEST:,}: n or the ratio of the slopes is too large, or epsilon too small."
        )
    places = np.arange(length - 1) / length  # (j-1)/d
    gap, rank = ((1 - 1 / math.sqrt(length)) / ratio) ** 2, min(n, length - 1)
    for factor in np.geomspace(1e-5, 10, 45):  # lambda = factor * scale**2, of which only the logarithm is finite
        left = float(np.log1p(gap / (4 * factor + 4 * places)).sum())
        spread = math.log(length - 1) - math.log(rank * factor) - 2 * math.log(scale)
        if not at_least(rank * float(np.logaddexp(0.0, spread)), left):
            return True
    return False
