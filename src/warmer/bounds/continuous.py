r"""Radii of confidence sets over classes without a table: K arms, linear, and smooth in a parameter.

All hold however the queries are chosen, for noise that is $\sigma$-sub-Gaussian given the past.
"""

import math
from typing import Any

import numpy as np

from warmer.bounds.numbers import finite
from warmer.bounds.packings import linear_covering_bound
from warmer.model import Array
from warmer.model.checks import check_count, check_finite, check_positive, check_probability
from warmer.model.errors import HypothesisError
from warmer.model.numbers import as_array

__all__ = [
    "arm_radius",
    "cover_radius",
    "linear_error_budget",
    "log_cover_of_ball",
    "self_normalised_radius",
    "smooth_radius",
]


@finite
def arm_radius(counts: Any, *, n_arms: int, delta: float, sigma: float) -> Array:
    r"""Radius $R_n$ with $n(\bar r_a-\mu_a)^2\le R_n$ for all arms at all times, with probability $1-\delta$.

    $R_n=\sigma^2(1+1/n)\bigl(2\ln(K/\delta)+\ln(1+n)\bigr)$. The sum $S_n$ of an arm's first $n$ deviations makes
    $(1+n)^{-1/2}\exp\bigl(S_n^2/(2\sigma^2(1+n))\bigr)$, a Gaussian mixture of exponential supermartingales, start at
    1; Ville's inequality at level $\delta/K$ and a union bound over the arms give the rest.

    Examples
    --------
    >>> arm_radius([1, 100], n_arms=10, delta=0.05, sigma=0.5).round(2).tolist()
    [5.64, 3.84]
    """
    n = as_array("counts", counts)
    if n.size and n.min() < 1:
        raise HypothesisError(f"an arm has a mean once it was asked; counts must be at least 1, got {n.min():g}.")
    log_arms = math.log(check_count("n_arms", n_arms)) - math.log(check_probability("delta", delta))
    return np.asarray(check_positive("sigma", sigma) ** 2 * (1 + 1 / n) * (2 * log_arms + np.log1p(n)))


@finite
def self_normalised_radius(*, log_det_ratio: float, delta: float, sigma: float, ridge: float, norm: float) -> float:
    r"""Radius $\beta$ with $(\theta^*-\hat\theta_t)^\top V_t(\theta^*-\hat\theta_t)\le\beta$ at all times.

    $\sqrt\beta=\sigma\sqrt{\ln(\det V_t/\det\lambda I)+2\ln(1/\delta)}+\sqrt\lambda\,S$ for the ridge estimate
    $\hat\theta_t$, $V_t=\lambda I+\sum_i a_ia_i^\top$ and $|\theta^*|\le S$: Theorem 2 of Abbasi-Yadkori, Pál and
    Szepesvári (2011).

    Parameters
    ----------
    log_det_ratio
        $\ln(\det V_t/\det\lambda I)$.
    delta, sigma
        The probability of ever being wrong, and the noise.
    ridge, norm
        $\lambda$ and $S$.

    Examples
    --------
    >>> round(self_normalised_radius(log_det_ratio=0.0, delta=0.05, sigma=0.5, ridge=1.0, norm=1.0), 2)
    4.95
    """
    try:
        is_sound = sigma >= 0 and ridge >= 0 and norm >= 0 and log_det_ratio > -math.inf  # one line: asked every round
    except TypeError:
        is_sound = False
    if not is_sound:
        raise HypothesisError(
            f"sigma, ridge and norm are at least 0 and log_det_ratio is a number, got {sigma}, {ridge}, {norm} and "
            f"{log_det_ratio}."
        )
    spread = math.sqrt(max(log_det_ratio, 0.0) + 2 * math.log(1 / check_probability("delta", delta)))
    return float((sigma * spread + math.sqrt(ridge) * norm) ** 2)


@finite
def cover_radius(*, log_cover: float, horizon: int, delta: float, scale: float = 1.0) -> float:
    r"""Radius $R=128\,s^2\ln(2TN/\delta)$ of the paper's distance ball, from $\ln N$ (Corollary `cor:alg:OPTIMISM`).

    $N$ is the covering number of the class at $4s/T$, for rewards in an interval of length $2s$.

    Examples
    --------
    >>> round(cover_radius(log_cover=0.0, horizon=100, delta=0.05), 1)
    1061.6
    """
    if check_finite("log_cover", log_cover) < 0:
        raise HypothesisError(f"a cover has at least one element; log_cover is at least 0, got {log_cover}.")
    log_rounds = math.log(2 * check_count("horizon", horizon) / check_probability("delta", delta))
    return 128 * check_positive("scale", scale) ** 2 * (log_cover + log_rounds)


@finite
def linear_error_budget(*, n: int, horizon: int, delta: float, scale: float = 1.0, reach: float = 1.0) -> float:
    r"""$C_{T,\delta}=128\,s^2\bigl(n\ln(1+\frac{rT}{2s})+\ln\frac{2T}\delta\bigr)$ of Algorithm 1 on a linear bandit.

    Corollary `cor:alg:MAIN1` with the cover of `log_cover_of_ball` at width $4s/T$, in $\mathbb R^n$. The paper prints
    $O(n\ln(1/\epsilon)+\ln(T/\delta))$, where $\epsilon$ is that width, and takes the covering number of the ball,
    which proper covers can exceed.

    Parameters
    ----------
    n, horizon, delta
        Coordinates, $T$ and $\delta$.
    scale
        Half the length of the reward range.
    reach
        $r$, the largest norm of a parameter times the largest norm of an action.

    Examples
    --------
    >>> round(linear_error_budget(n=2, horizon=100, delta=0.05))
    2068
    """
    width = 4 * check_positive("scale", scale) / (check_count("horizon", horizon) * check_positive("reach", reach))
    log_cover = log_cover_of_ball(dimension=n, width=width)
    return cover_radius(log_cover=log_cover, horizon=horizon, delta=delta, scale=scale)


@finite
def log_cover_of_ball(*, dimension: int, width: float) -> float:
    r"""Log of `linear_covering_bound`, $(1+2/w)^n$: so many balls of radius w cover any part of the unit ball.

    A largest set of points more than $w$ apart is a cover, and the balls of radius $w/2$ around them are disjoint
    and inside a ball of radius $1+w/2$ (Vershynin 2018, Corollary 4.2.13).

    Examples
    --------
    >>> round(log_cover_of_ball(dimension=2, width=0.5), 3)
    3.219
    """
    return check_count("dimension", dimension) * math.log(
        linear_covering_bound(n=1, radius=check_positive("width", width))
    )


@finite
def smooth_radius(
    *, n_answers: int, loss: float, dimension: int, lipschitz: float, norm: float, delta: float, sigma: float
) -> float:
    r"""Radius $C_t$ with $\sum_{i\le t}(f_{\hat\theta_t}(a_i)-f_{\theta^*}(a_i))^2\le C_t$ at all times.

    For a class $\{f_\theta:|\theta|\le S\}$ with $|f_\theta(a)-f_{\theta'}(a)|\le\ell|\theta-\theta'|$ and a global
    minimiser $\hat\theta_t$ of the loss $L_t$ over it, with probability $1-\delta$,
    $\sqrt{C_t}=\sqrt{8\sigma^2(\ln(1/\delta)+n\ln(1/\eta))+2(2\Delta\sqrt{tL_t(\hat\theta_t)}+t\Delta^2)}
    +\sqrt t\,\Delta$ with $\eta=1/(1+t)$ and $\Delta=2\ell S\eta$.

    Proof. For each $\theta$, with $d_i=f_\theta(a_i)-f_{\theta^*}(a_i)$, the process
    $\exp\bigl((L_t(\theta^*)-L_t(\theta))/(4\sigma^2)+\sum_i d_i^2/(8\sigma^2)\bigr)$ is a supermartingale that
    starts at 1, and so is its mixture over the uniform law on the ball. By Ville it never exceeds $1/\delta$. The part
    $\hat\theta_t+\eta(\Theta-\hat\theta_t)$ of the ball has mass $\eta^n$, so some $\theta$ in it has an exponent of at
    most $\ln(1/\delta)+n\ln(1/\eta)$. There $f_\theta$ is within $\Delta$ of $f_{\hat\theta_t}$, so
    $L_t(\theta)-L_t(\theta^*)\le L_t(\theta)-L_t(\hat\theta_t)\le2\Delta\sqrt{tL_t(\hat\theta_t)}+t\Delta^2$, and
    the triangle inequality takes $\theta$ back to $\hat\theta_t$.

    Parameters
    ----------
    n_answers, loss
        $t$, and $L_t(\hat\theta_t)$, the least sum of squared residuals of single answers (an upper bound will do).
    dimension, lipschitz, norm
        $n$, $\ell$ and $S$.
    delta, sigma
        The probability of ever being wrong, and the noise.

    Examples
    --------
    >>> round(smooth_radius(n_answers=100, loss=8.0, dimension=2, lipschitz=1, norm=1, delta=0.05, sigma=0.3), 1)
    12.5
    """
    if min(check_finite("loss", loss), check_finite("lipschitz", lipschitz), check_finite("norm", norm)) < 0:
        raise HypothesisError(f"loss, lipschitz and norm are at least 0, got {loss}, {lipschitz} and {norm}.")
    eta = 1 / (1 + check_count("n_answers", n_answers, 0))
    off = 2 * lipschitz * norm * eta
    log_mass = math.log(1 / check_probability("delta", delta)) + check_count("dimension", dimension) * math.log(1 / eta)
    slack = 2 * off * math.sqrt(n_answers * loss) + n_answers * off**2
    inside = 8 * check_positive("sigma", sigma) ** 2 * log_mass + 2 * slack
    return float((math.sqrt(inside) + math.sqrt(n_answers) * off) ** 2)
