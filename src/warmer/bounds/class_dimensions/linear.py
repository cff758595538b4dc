r"""The dissimilarity dimension of linear classes, points on the sphere and generalized linear classes.

The paper's $4n+3$ for linear bandits at every $\alpha$ is false below $\alpha=1$: its proof bounds
$\langle\theta_j,a_i\rangle$ for all $i\ne j$, the definition only for $i<j$. What is true is here;
`linear_upper_bound` covers the rest.
"""

import math
from typing import Any

from warmer.bounds.arguments import finite
from warmer.model.checks import check_count, check_positive
from warmer.model.errors import HypothesisError
from warmer.model.numbers import as_number, as_positive

__all__ = [
    "glm_dimension_bound",
    "linear_dimension_bound",
    "linear_dimension_lower_bound",
    "sphere_dimension_bound",
    "symmetric_dimension_bound",
    "two_sided_linear_dimension_bound",
]


def linear_dimension_bound(*, n: int, alpha: Any) -> int:
    r"""At most $2n+1$ for linear bandits in the unit ball of $\mathbb R^n$ at $\alpha=1$ (`theorem::linear_dim_bound`).

    The paper adds $4n+3$ for every $\alpha$. There are 8, 12 and 16 dissimilar alternatives in 1, 2 and 3 dimensions
    (`warmer.problems.linear_counterexample`), and no bound is free of $\epsilon$
    (`linear_dimension_lower_bound`), so this raises below 1.

    Examples
    --------
    >>> linear_dimension_bound(n=4, alpha=1)
    9
    """
    check_count("n", n)
    level = as_number("alpha", alpha)
    if level > 1:
        raise HypothesisError(f"in the unit ball no action earns more than 1; alpha must be 1, got {alpha}.")
    if level < 1:
        raise HypothesisError(
            f"2n+1 is proved for alpha = 1, got {alpha}; below it the paper's 4n+3 is false. "
            "Use bounds.linear_upper_bound, which depends on epsilon."
        )
    return 2 * n + 1


def two_sided_linear_dimension_bound(*, n: int) -> int:
    r"""At most $4n+3$ alternatives of a linear bandit whose values are close to c for all $i\ne j$, at every $\alpha$.

    This is what the paper's proof of `theorem::linear_dim_bound` shows; even $2n+1$ is true (E1 of the errata). The
    two-sided dimension (`sided="two"`) does not control bad queries.

    Examples
    --------
    >>> two_sided_linear_dimension_bound(n=3)
    15
    """
    return 4 * check_count("n", n) + 3


def sphere_dimension_bound(*, n: int) -> int:
    r"""At most $2n+1$ for points on the unit sphere of $\mathbb R^n$, at every $\alpha$ and $\epsilon$ (`ex:sphere`).

    The paper states $4n+3$. The bound is attained for $n=2,4,6,8,12,14$ by conference matrices; for n = 1 there are
    only 2 points.

    Examples
    --------
    >>> sphere_dimension_bound(n=1), sphere_dimension_bound(n=2)
    (2, 5)
    """
    return 2 * n + 1 if check_count("n", n) > 1 else 2


def symmetric_dimension_bound(*, rank: int) -> int:
    r"""At most $2r+1$ for any symmetric $\rho$ of rank r, at every $\alpha$ and $\epsilon$. Not in the paper.

    *Proof.* $M=\rho-c$ on a dissimilar sequence is symmetric with diagonal at least $\epsilon$, other entries at most
    $\epsilon/\sqrt d$ and rank at most $r+1$; scaled to unit diagonal it has rank more than $d/2$.

    Examples
    --------
    >>> symmetric_dimension_bound(rank=3)
    7
    """
    return 2 * check_count("rank", rank, 0) + 1


def linear_dimension_lower_bound(*, n: int, epsilon: Any) -> int:
    r"""At least $nk$ for linear bandits in the unit ball of $\mathbb R^n$ at $\alpha=\epsilon\le(nk)^{-(k-1)/2}$.

    The largest such $nk$: one block of k elements for each coordinate, $\theta=q^{-s}$ and $a=\epsilon q^s$ with
    $q=\sqrt{nk}$ and center 0. So the dimension grows like $n\ln(1/\epsilon)/\ln\ln(1/\epsilon)$, and the paper's "our
    bound does not depend on $1/\epsilon$" is wrong below $\alpha=1$.

    Parameters
    ----------
    n
        Coordinates.
    epsilon
        At most 1; also the optimality level.

    Examples
    --------
    >>> [linear_dimension_lower_bound(n=1, epsilon=epsilon) for epsilon in ("1/10", "1/1000", "1/1000000000")]
    [4, 7, 15]
    """
    check_count("n", n)
    scale = as_positive("epsilon", epsilon)
    if scale > 1:
        raise HypothesisError(f"alpha = epsilon must be at most 1, got {epsilon}.")
    k = 1
    while scale**2 * (n * (k + 1)) ** k <= 1:
        k += 1
    return n * k


@finite
def glm_dimension_bound(*, n: int, slope_low: float, slope_high: float, epsilon: float) -> float:
    r"""A bound for generalized linear bandits by way of the eluder dimension (Theorem `theorem::glm_dim_bound`).

    With $r=\bar h/\underline h$ it is $9\max\{1,\,3nr^2\frac e{e-1}\ln(3r^2+3r^2(2\bar h/\epsilon')^2)+1\}$ at
    $\epsilon'=\frac23\epsilon$. **Unverified**: the eluder bound inside (Russo and Van Roy 2013, Proposition 7) is
    recalled from memory, not proved here. The paper prints $O(nr^2\log(\bar h/\epsilon))$, which drops $\ln r$ and is
    negative for $\bar h<\epsilon$.

    Parameters
    ----------
    n
        Coordinates.
    slope_low, slope_high
        $0<\underline h\le g'\le\bar h$.
    epsilon
        The scale.

    Examples
    --------
    >>> round(glm_dimension_bound(n=2, slope_low=0.5, slope_high=1.0, epsilon=0.5))
    2092
    """
    check_count("n", n)
    low, high = check_positive("slope_low", slope_low), check_positive("slope_high", slope_high)
    if high < low:
        raise HypothesisError(f"slope_high must be at least slope_low = {slope_low}, got {slope_high}.")
    squared = 3 * (high / low) ** 2
    inside = squared + squared * (3 * high / check_positive("epsilon", epsilon)) ** 2
    return 9 * max(1.0, n * squared * math.e / (math.e - 1) * math.log(inside) + 1)
