r"""The dissimilarity dimension of whole classes, as far as it is proved, and against the eluder dimension (Section 5).

**The determinant argument** (proved under S11 of the errata) bounds linear and generalized linear bandits in the unit
ball of $\mathbb R^n$: the paper's $4n+3$ is false below $\alpha=1$, and what is true grows with $\ln(1/\epsilon)$. For
rewards $g(\langle\theta,a\rangle)$ with $0<\underline h\le g'\le\bar h$, a sequence of length d and $k=\min(n,d-1)$

$$\sum_{j<d}\ln(1+w_j)\le k\ln\Bigl(1+\frac{d-1}{k\lambda}\Bigr)\quad\text{for every }\lambda>0,\qquad
w_j=\frac{\epsilon^2(1-1/\sqrt d)^2/\bar h^2}{4\lambda+4\epsilon^2(j-1)/(d\,\underline h^2)}.$$

A length for which some $\lambda$ violates this is impossible, and so is every greater one, and every larger
$\epsilon$: it bounds the monotone dimension too.

**ReLU bandits.** Of the class of $\mathrm{relu}(\langle\theta,a\rangle-b)$ at $\alpha=1-b$ only unit vectors with
$a=\theta$ reach $\alpha$, and forward values of a dissimilar sequence are at most $1-b-\epsilon(1-1/\sqrt d)$: it is a
set of d points on the sphere with cosines of at most $1-\epsilon(1-1/\sqrt d)$. For $b=1-\epsilon$ every set of points
with cosines of at most $1-\epsilon$ is such a sequence, since all its forward values are 0.
"""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import scipy

from warmer.bounds.arguments import finite, largest
from warmer.model.checks import SLACK, at_least, check_count, check_positive
from warmer.model.errors import HypothesisError, InvalidValueError
from warmer.model.numbers import as_fraction, as_number, as_positive

_LONGEST = 200_000  # lengths up to which the determinant bound is summed
_FINEST = 1e-20  # the least scale at which the points on the circle are far enough below the inverse of a rounding


def eluder_comparison(*, eluder: int) -> int:
    r"""$\bar d_\rho(Z,\alpha,\frac32\epsilon)\le\max\{9,\,5e+4,\,\lfloor(27e-1)/5\rfloor\}$.

    Here $e=\overline{\mathrm{dim}}_E(\mathcal F,\epsilon)$. Theorem `theorem::upper_eluder`, repaired and sharpened:
    the paper has $9e$, but the eluder dimension of a single function is 0. From `eluder_length`; proved under E6 of the
    errata.

    Examples
    --------
    >>> eluder_comparison(eluder=0), eluder_comparison(eluder=3), eluder_comparison(eluder=100)
    (9, 19, 539)
    """
    check_count("eluder", eluder, 0)
    return max(9, 5 * eluder + 4, (27 * eluder - 1) // 5)


def eluder_length(*, dissimilarity: int) -> int:
    r"""At least $\min\{\lfloor d/5\rfloor,1+\lfloor5d/27\rfloor\}$ independent actions at $\frac23\tau$, $d\ge10$.

    From d dissimilar alternatives at $\tau$, by blocks of five (`warmer.dimensions.converters`); the paper's
    construction has $\lceil d/9\rceil$. Proved under E6 of the errata.

    Examples
    --------
    >>> eluder_length(dissimilarity=10), eluder_length(dissimilarity=100), eluder_length(dissimilarity=1000)
    (2, 19, 186)
    """
    if check_count("dissimilarity", dissimilarity) < 10:
        raise HypothesisError(f"the construction needs at least 10 alternatives, got {dissimilarity}.")
    return min(dissimilarity // 5, 1 + 5 * dissimilarity // 27)


def separation_dimension_bound(*, epsilon: Any, height: Any) -> int:
    r"""At most 6, for $d_\rho$ and $\bar d_\rho$ at every $\epsilon$, for `prop::separation_eluder_dissimilarity`.

    At $\alpha=1$, for bumps of a height below 1: at 1 they would be best queries themselves. The paper prints 16
    (`lemma::dissimilarity_dimension_upper_bound`); there are at most 3 of each of two kinds (E9 of the errata).

    Examples
    --------
    >>> separation_dimension_bound(epsilon="1/4", height="1/4")
    6
    """
    if not 0 < as_number("height", height) < 1:
        raise HypothesisError(f"bumps must be higher than 0 and lower than 1, got {height}.")
    as_positive("epsilon", epsilon)
    return 6


def arms_dimension(*, n_arms: int, alpha: Any, epsilon: Any) -> int:
    r"""The dimension of K arms with means in $[0,1]$: $\max\{d\le K:\epsilon(1-1/\sqrt d)\le\alpha\}$, exactly.

    Proposition `prop::multi_armed_bandit` says at most K, for $\epsilon<1/2$; no condition on $\epsilon$ is needed, and
    $\alpha$ may be anywhere in $[0,1]$.

    Examples
    --------
    >>> arms_dimension(n_arms=10, alpha=1, epsilon=1), arms_dimension(n_arms=10, alpha="1/2", epsilon=1)
    (10, 4)
    """
    level = as_number("alpha", alpha)
    if not 0 <= level <= 1:
        raise HypothesisError(f"arms have means in [0, 1]; alpha must lie there, got {alpha}.")
    return _largest(check_count("n_arms", n_arms), gap=level, epsilon=as_positive("epsilon", epsilon))


def equal_correlations_dimension(*, size: int, correlation: Any, epsilon: Any) -> int:
    r"""The dimension at $\alpha=1$ of k alternatives that all have one similarity v to each other, exactly.

    It is $\max\{d\le k:\epsilon(1-1/\sqrt d)\le1-v\}$. Parities have v = 0, functions that are -1 at one of N points
    $1-4/N$, the vertices of a simplex $-1/n$. The `size` is k, the `correlation` v, from -1 up to but not including 1.

    Examples
    --------
    >>> equal_correlations_dimension(size=64, correlation="15/16", epsilon="1/14")
    64
    """
    value = as_number("correlation", correlation)
    if value >= 1:
        raise HypothesisError(f"alternatives of similarity {correlation} cannot be told apart; it must be below 1.")
    if value < -1:
        raise HypothesisError(f"similarities lie between -1 and 1, got {correlation}.")
    return _largest(check_count("size", size), gap=1 - value, epsilon=as_positive("epsilon", epsilon))


@finite
def sphere_dimension_bound(*, n: int, epsilon: Any = None, alpha: Any = 1) -> int:
    r"""At most $2n+1$ for points on the unit sphere of $\mathbb R^n$, at every $\alpha$ and $\epsilon$ (`ex:sphere`).

    The paper states $4n+3$. The bound is attained for $n=2,4,6,8,12,14$ by conference matrices; for n = 1 there are
    only 2 points. At a given $\epsilon$ it can be less: the products of d unit vectors cannot all lie below
    $-1/(d-1)$, while the definition wants them at most $\alpha-\epsilon(1-1/\sqrt d)$.

    Examples
    --------
    >>> sphere_dimension_bound(n=1), sphere_dimension_bound(n=2)
    (2, 5)
    >>> [sphere_dimension_bound(n=4, epsilon=epsilon) for epsilon in (1, 3, 7)]
    [9, 3, 1]
    """
    most = 2 * n + 1 if check_count("n", n) > 1 else 2
    level = float(as_number("alpha", alpha))
    if level > 1:
        return 0
    scale = 0.0 if epsilon is None else float(as_positive("epsilon", epsilon))

    def is_possible(length: int) -> bool:  # both sides are monotone in the length
        highest = level - scale * (1 - 1 / math.sqrt(length))
        return length <= most and bool(at_least(highest, -1 / (length - 1), SLACK * max(1.0, scale)))

    return largest(is_possible)


def symmetric_dimension_bound(*, rank: int) -> int:
    r"""At most $2r+1$ for any symmetric $\rho$ of rank r, at every $\alpha$ and $\epsilon$. Not in the paper.

    Proved under E1 of the errata.

    Examples
    --------
    >>> symmetric_dimension_bound(rank=3)
    7
    """
    return 2 * check_count("rank", rank, 0) + 1


def union_dimension_bound(*, dimensions: Iterable[int]) -> int:
    r"""$d_\rho(Z_1\cup\dots\cup Z_k)\le\sum_jd_\rho(Z_j)$ (`lemma::subaditivity_newdim`).

    The same holds for $\bar d_\rho$; the sets may overlap.

    Examples
    --------
    >>> union_dimension_bound(dimensions=[3, 5])
    8
    """
    if isinstance(dimensions, str) or not isinstance(dimensions, Iterable):
        raise InvalidValueError(f"dimensions must be a list of whole numbers, got {dimensions!r}.")
    return sum(check_count("a dimension", dimension, 0) for dimension in dimensions)


def _largest(most: int, *, gap: Fraction, epsilon: Fraction) -> int:
    """The largest d of at most `most` with epsilon (1 - 1/sqrt d) <= gap."""
    rest = 1 - gap / epsilon  # 1/sqrt(d) must be at least this
    if rest <= 0:
        return most
    return min(most, math.floor(1 / rest**2))


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
    return largest(lambda length: not _is_impossible(length, n, scale, ratio=1.0))


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
def glm_dimension_bound(
    *,
    n: int,
    slope_low: float,
    slope_high: float,
    epsilon: float | None = None,
    at_top: bool = False,
    two_sided: bool = False,
) -> int:
    r"""A bound for generalized linear bandits, of the order $nr^2$ times a logarithm (`theorem::glm_dim_bound`).

    By the determinant argument above, with $r=\bar h/\underline h$. The paper prints $O(nr^2\log(\bar h/\epsilon))$, by
    way of the eluder dimension; that drops $\ln r$ and is negative for $\bar h<\epsilon$. The slopes are
    $0<\underline h\le g'\le\bar h$ on $[-1,1]$; for longer parameters and actions, times the largest inner product.

    At the highest $\alpha$, or with the two-sided condition, no logarithm is needed: the dimension is below
    $(1+r^2)(n+1)$ whatever $\epsilon$ is, and the smaller bound is returned. For $r=1$ that is $2n+1$. Not in the
    paper, which asks whether its bound can be tightened; proved under S11 of the errata. Below the highest $\alpha$ the
    one-sided dimension grows with $\ln(1/\epsilon)$ even for $r=1$ (`linear_dimension_lower_bound`).

    Parameters
    ----------
    epsilon
        May be left out where the bound does not need it.
    at_top
        Whether $\alpha=g(1)$, which only unit vectors with $a=\theta$ reach.
    two_sided
        Whether values are close to the center for all $i\ne j$ (`sided="two"`), which does not control bad queries.

    Examples
    --------
    >>> glm_dimension_bound(n=2, slope_low=0.5, slope_high=1.0, epsilon=0.5)
    91
    >>> glm_dimension_bound(n=2, slope_low=0.5, slope_high=1.0, at_top=True)
    14
    """
    check_count("n", n)
    low, high = check_positive("slope_low", slope_low), check_positive("slope_high", slope_high)
    if high < low:
        raise HypothesisError(f"slope_high must be at least slope_low = {slope_low}, got {slope_high}.")
    is_bounded = at_top or two_sided
    if epsilon is None and not is_bounded:
        raise HypothesisError("below g(1) every bound on the one-sided dimension depends on epsilon; give epsilon=.")
    most = _most_by_rank(n, (as_fraction(slope_high) / as_fraction(slope_low)) ** 2) if is_bounded else None
    if at_top and n == 1:
        most = 2  # the unit vectors of the line
    if epsilon is None:
        assert most is not None
        return most
    scale = check_positive("epsilon", epsilon) / low

    def is_possible(length: int) -> bool:
        if most is not None and (length > most or length > _LONGEST):
            return length <= most
        return not _is_impossible(length, n, scale, ratio=high / low)

    return largest(is_possible)


def _most_by_rank(n: int, square: Fraction) -> int:
    r"""The largest d with $d^2\le(n+1)(d+(d-1)r^2)$, of the square of r."""
    return largest(lambda d: d * d <= (n + 1) * (d + (d - 1) * square))


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
