r"""The dissimilarity dimension of K arms, unions, equal similarities; and against the eluder dimension (Section 5)."""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from warmer.bounds.arguments import finite, largest
from warmer.model.checks import SLACK, at_least, check_count
from warmer.model.errors import HypothesisError, InvalidValueError
from warmer.model.numbers import as_number, as_positive


def eluder_comparison(*, eluder: int) -> int:
    r"""$\bar d_\rho(Z,\alpha,\frac32\epsilon)\le9\max\{1,\overline{\mathrm{dim}}_E(\mathcal F,\epsilon)\}$.

    Theorem `theorem::upper_eluder`, repaired: the paper has no maximum, but the eluder dimension of a single function
    is 0 (E6 of the errata).

    Examples
    --------
    >>> eluder_comparison(eluder=0), eluder_comparison(eluder=3)
    (9, 27)
    """
    return 9 * max(1, check_count("eluder", eluder, 0))


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
