r"""Covers of the ball and codes on the sphere, and with them the ReLU bandits of Section 5.

In the class of $\mathrm{relu}(\langle\theta,a\rangle-b)$ at $\alpha=1-b$ only unit vectors with $a=\theta$ reach
$\alpha$, and the forward values of a dissimilar sequence are at most $1-b-\epsilon(1-1/\sqrt d)$: it is a set of d
points on the sphere with cosines of at most $1-\epsilon(1-1/\sqrt d)$. For $b=1-\epsilon$ every set of points with
cosines of at most $1-\epsilon$ is such a sequence, since all its forward values are 0.
"""

import math

import scipy

from warmer.bounds.arguments import finite, largest
from warmer.model.checks import check_count, check_positive
from warmer.model.errors import HypothesisError

_FINEST = 1e-20
"""The smallest scale at which the number of points on the circle is far enough below the inverse of a rounding."""


@finite
def relu_dimension_bound(*, n: int, epsilon: float) -> int:
    r"""At most as many points as caps of half their angle fit on the sphere $S^{n-1}$ (`theorem::relu_dim_bound`).

    The largest d with $d\,\sigma_d\le1$, where $\sigma_d=\frac12I_x(\frac{n-1}2,\frac12)$ with
    $x=\frac\epsilon2(1-\frac1{\sqrt d})$ is the share of the sphere in a cap whose angle is half of
    $\arccos(1-\epsilon(1-\frac1{\sqrt d}))$. It is of the order $\epsilon^{-(n-1)/2}$, for every b; the paper's
    $O(\epsilon^{-n/2})$ is true but not of the right order. For n = 1 there are only 2 unit vectors; $\epsilon$ is at
    most 1, since $b\le1-\epsilon$.

    Examples
    --------
    >>> [relu_dimension_bound(n=n, epsilon=0.01) for n in (1, 2, 3)]
    [2, 47, 827]
    """
    _check(n, epsilon)
    if n == 1:
        return 2
    return largest(lambda d: d * _cap_share(n, _half_sine(d, epsilon)) <= 1 + 1e-12)


@finite
def relu_dimension_lower_bound(*, n: int, epsilon: float) -> int:
    r"""At least as many points as caps of their angle are needed to cover the sphere $S^{n-1}$.

    Theorem `theorem::relu_dim_bound`, repaired; at $b=1-\epsilon$ and $\alpha=\epsilon$. A maximal set of points with
    cosines of at most $1-\epsilon$ has caps of angle $\arccos(1-\epsilon)$ that cover the sphere, so it has at least
    $2/I_{2\epsilon-\epsilon^2}(\frac{n-1}2,\frac12)$, which is of the order $\epsilon^{-(n-1)/2}$. The paper prints
    $(2\epsilon)^{-n/2}$: it packs the ball instead of the sphere. For n = 2 see `relu_circle_dimension`.

    Examples
    --------
    >>> [relu_dimension_lower_bound(n=n, epsilon=0.01) for n in (1, 2, 3)]
    [2, 23, 200]
    """
    _check(n, epsilon)
    if n == 1:
        return 2
    share = _cap_share(n, epsilon * (2 - epsilon))
    return math.ceil(1 / share * (1 - 1e-12))


@finite
def relu_circle_dimension(*, epsilon: float) -> int:
    r"""For n = 2 and $b=1-\epsilon$, exactly: the largest d with $d\arccos(1-\epsilon(1-1/\sqrt d))\le2\pi$.

    The regular polygon attains it. The paper's lower bound, $1/(2\epsilon)$, is larger from $\epsilon=0.01$ down.

    Examples
    --------
    >>> [relu_circle_dimension(epsilon=epsilon) for epsilon in (1e-2, 1e-3, 1e-4)]
    [47, 146, 455]
    """
    _check(2, epsilon)
    if epsilon < _FINEST:
        raise HypothesisError(
            f"below {_FINEST:g} floats cannot tell one number of points from the next, got {epsilon}."
        )
    return largest(lambda d: d * math.asin(math.sqrt(_half_sine(d, epsilon))) <= math.pi * (1 + 1e-12))


@finite
def relu_paper_bound(*, n: int, epsilon: float) -> float:
    r"""The paper's $(4/\sqrt\epsilon)^n$, or 9 where that is less (`theorem::relu_dim_bound`).

    Its proof has slips (E5 of the errata); the number is true, being larger than `relu_dimension_bound`.

    Examples
    --------
    >>> relu_paper_bound(n=2, epsilon=0.01)
    1600.0
    """
    _check(n, epsilon)
    return max(9.0, math.pow(16 / epsilon, n / 2))


def _check(n: int, epsilon: float) -> None:
    check_count("n", n)
    if check_positive("epsilon", epsilon) > 1:
        raise HypothesisError(f"epsilon is at most 1 - b, and b is at least 0; got {epsilon}.")


def _half_sine(length: int, epsilon: float) -> float:
    """The squared sine of half the angle that so many points must keep."""
    return epsilon / 2 * (1 - 1 / math.sqrt(length))


def _cap_share(n: int, squared_sine: float) -> float:
    """The share of the sphere in R^n within an angle of at most a right one from a point, by the angle's sine."""
    return float(scipy.special.betainc((n - 1) / 2, 0.5, float(squared_sine))) / 2
