r"""Radii of confidence sets, as the theorems give them.

Both are stated for rewards in $[-1,1]$ there; `scale` carries them to other units.
"""

import math

from warmer.bounds.numbers import finite
from warmer.model.checks import check_count, check_positive, check_probability

__all__ = ["anytime_radius", "paper_radius"]


@finite
def anytime_radius(*, n_targets: int, delta: float, sigma: float) -> float:
    r"""Radius $2\sigma^2\ln(|Z|/\delta)$ of the loss ball that contains the target at all times.

    For noise that is $\sigma$-sub-Gaussian given the past, $\exp((L_t(z^*)-L_t(z))/(2\sigma^2))$ is a supermartingale
    for each $z$; Ville's inequality and a union bound give the rest. Rewards in an interval of length $2s$ have
    $\sigma\le s$. In a bandit the alternatives $(f,a)$ that share $f$ predict the same, so $|Z|$ counts functions.

    Examples
    --------
    >>> round(anytime_radius(n_targets=2000, delta=0.05, sigma=0.5), 2)
    5.3
    """
    check_count("n_targets", n_targets)
    return 2 * check_positive("sigma", sigma) ** 2 * math.log(n_targets / check_probability("delta", delta))


@finite
def paper_radius(*, n_targets: int, horizon: int, delta: float, scale: float = 1.0) -> float:
    r"""Radius $R=128\ln(2T|Z|/\delta)$ of the paper's distance ball (Corollary `cor:alg:OPTIMISM`).

    The covering number there is at most the number of targets.

    Examples
    --------
    >>> round(paper_radius(n_targets=2000, horizon=2000, delta=0.05))
    2418
    """
    check_count("n_targets", n_targets)
    check_count("horizon", horizon)
    inside = 2 * horizon * n_targets / check_probability("delta", delta)
    return 128 * check_positive("scale", scale) ** 2 * math.log(inside)
