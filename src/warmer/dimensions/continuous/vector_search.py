r"""Long dissimilar sequences in continuous classes, by numerical optimisation; upper ends only from what is proved.

The search minimises how far a sequence of d vectors misses the definition, from many starts, for d = 2, 3, ...
until none succeeds. What it returns is checked as a finite table, so the lower end is certain; that a longer
sequence was not found proves nothing.
"""

import math
from typing import Any

import numpy as np

from warmer.dimensions.bracket import Bracket
from warmer.dimensions.continuous.vectors import LinearShape, Shape, SphereShape, first_descent, longer, single
from warmer.dimensions.search.time_limit import Clock, Progress, interruptible
from warmer.dimensions.search.warmup import off_the_clock
from warmer.model.checks import SLACK, check_count
from warmer.model.numbers import as_number, check_scale

__all__ = ["linear_upper_bound", "search_linear", "search_sphere", "sphere_upper_bound"]


@interruptible()
def search_sphere(
    n: int,
    *,
    epsilon: Any,
    alpha: Any = 1.0,
    starts: int = 40,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the dissimilarity dimension of the unit sphere in $\mathbb R^n$ with inner products.

    The upper end is `sphere_upper_bound`: $2n+1$, or less where $\epsilon$ is large.

    Parameters
    ----------
    n
        Coordinates.
    epsilon, alpha
        The scale, and an optimality level of at most 1: numbers, or strings such as "5/4".
    starts
        Random starts for each length, besides the simplex and the cross-polytope.
    seed
        Of the starts.
    time_limit, progress
        As in `eluder_dimension`.

    Examples
    --------
    >>> bracket = search_sphere(2, epsilon=1.5)
    >>> bracket.lower, bracket.upper
    (4, 5)
    """
    shape = SphereShape(check_count("n", n), *_check_point(alpha, epsilon))
    return _search(shape, sphere_upper_bound(n, alpha=alpha, epsilon=epsilon), starts, seed, time_limit, progress)


@interruptible()
def search_linear(
    n: int,
    *,
    alpha: Any,
    epsilon: Any,
    starts: int = 40,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the dissimilarity dimension of linear bandits, parameters and actions in the unit ball of $\mathbb R^n$.

    The upper end is `linear_upper_bound`: $2n+1$ at $\alpha=1$, and a bound that grows like $n\ln(1/\epsilon)$
    below; the paper's $4n+3$ is false there.

    Examples
    --------
    >>> bracket = search_linear(1, alpha=1 / 128, epsilon=3 / 512, starts=0)
    >>> bracket.lower, bracket.upper
    (8, 36)
    """
    check_count("n", n)
    level, scale = _check_point(alpha, epsilon)
    if level > 1:
        return Bracket(lower=0, upper=0, witness=None, reason="no alternative reaches alpha")
    upper = linear_upper_bound(n, alpha=level, epsilon=scale)
    shape: Shape = SphereShape(n, level, scale) if level == 1 else LinearShape(n, level, scale)
    return _search(shape, upper, starts, seed, time_limit, progress)


def sphere_upper_bound(n: int, *, epsilon: Any, alpha: Any = 1.0) -> int:
    r"""An upper bound on the dissimilarity dimension of the unit sphere in $\mathbb R^n$: at most $2n+1$.

    The rank of a symmetric table bounds it by $2n+1$ at every $\alpha$. Besides, the products of d unit vectors cannot
    all lie below $-1/(d-1)$, while the definition wants them at most $\alpha-\epsilon(1-1/\sqrt d)$; and for n = 1
    there are only two points.

    Examples
    --------
    >>> sphere_upper_bound(4, epsilon=1), sphere_upper_bound(4, epsilon=3), sphere_upper_bound(4, epsilon=7)
    (9, 3, 1)
    """
    check_count("n", n)
    level, scale = _check_point(alpha, epsilon)
    if level > 1:
        return 0
    length = 1
    while length < (2 * n + 1 if n > 1 else 2):
        highest = level - scale * (1 - 1 / math.sqrt(length + 1))
        if highest < -1 / length - SLACK * max(1.0, scale):
            break
        length += 1
    return length


def linear_upper_bound(n: int, *, alpha: Any, epsilon: Any) -> int:
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
    >>> linear_upper_bound(3, alpha=1, epsilon=0.1), linear_upper_bound(3, alpha=0.5, epsilon=0.1)
    (7, 72)
    """
    check_count("n", n)
    level, scale = _check_point(alpha, epsilon)
    if level >= 1:
        return sphere_upper_bound(n, alpha=level, epsilon=scale)
    if level - scale * (1 - 1 / math.sqrt(2)) < -1 - SLACK * max(1.0, scale):
        return 1  # even two alternatives would need a product below -1
    low, high = 1, 2
    while not _is_impossible(high, n, scale):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_impossible(middle, n, scale) else (middle, high)
    return low


def _is_impossible(length: int, n: int, epsilon: float) -> bool:
    """Whether some regularisation refutes a sequence of this length, beyond rounding."""
    places = np.arange(length - 1) / length
    gap = (1 - 1 / math.sqrt(length)) ** 2
    for factor in np.geomspace(1e-3, 10, 30):  # lambda = factor * epsilon**2
        left = float(np.log1p(gap / (4 * factor + 4 * places)).sum())
        right = n * math.log1p((length - 1) / (n * factor * epsilon**2))
        if left > right * (1 + 1e-9):
            return True
    return False


def _search(
    shape: Shape, upper: int, starts: int, seed: int, time_limit: float | None, progress: Progress | None
) -> Bracket:
    check_count("starts", starts, 0)
    clock, rng = Clock(time_limit), np.random.default_rng(check_count("seed", seed, 0))
    if upper == 0:
        return Bracket(lower=0, upper=0, witness=None, reason="no alternative reaches alpha")
    if time_limit is not None:
        clock.start += off_the_clock(first_descent)
    best = single(shape)
    reason = f"proved bound above; no longer sequence found in {starts} starts"
    try:
        while len(best) < upper:
            if progress is not None:
                progress(len(best), upper)
            found = longer(shape, best, starts, rng, clock)
            if found is None:
                reason = "proved bound above; time limit" if clock.is_over else reason
                break
            best = found
        else:
            reason = "proved bound above, attained"
    except KeyboardInterrupt:
        reason = "proved bound above; interrupted"
    return Bracket(lower=len(best), upper=upper, witness=best, reason=reason)


def _check_point(alpha: Any, epsilon: Any) -> tuple[float, float]:
    return float(as_number("alpha", alpha)), float(check_scale("epsilon", epsilon))
