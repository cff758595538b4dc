r"""Radii of confidence sets: over a finite class, over K arms, linear and smooth classes, and from an oracle.

Those of the paper are stated for rewards in $[-1,1]$; `scale` carries them to other units. The others hold however the
queries are chosen, for noise that is $\sigma$-sub-Gaussian given the past. An online regression oracle with regret
$\mathrm{Reg}(T)$ that predicts $\hat\rho_i$ keeps $\sum_i(\rho(z_i|z^*)-\hat\rho_i)^2$ small (Lemma
`lemma::online_to_confidence_bound`).
"""

import math
from typing import Any

import numpy as np

from warmer.bounds.arguments import check_not_negative, finite
from warmer.model import Array
from warmer.model.checks import check_count, check_positive, check_probability
from warmer.model.errors import HypothesisError
from warmer.model.numbers import as_array


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
    inside = 2 * check_count("horizon", horizon) * check_count("n_targets", n_targets)
    return 128 * check_positive("scale", scale) ** 2 * math.log(inside / check_probability("delta", delta))


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
    Szepesvári (2011). The `ridge` is $\lambda$, the `norm` $S$, and `log_det_ratio` the logarithm.

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

    $N$ is the covering number of the class at $4s/T$, for rewards in an interval of length $2s$. For a linear class
    the paper takes the covering number of the ball, which proper covers can exceed; use `coverings.log_cover_of_ball`.

    Examples
    --------
    >>> round(cover_radius(log_cover=0.0, horizon=100, delta=0.05), 1)
    1061.6
    """
    check_not_negative(log_cover=log_cover)
    log_rounds = math.log(2 * check_count("horizon", horizon) / check_probability("delta", delta))
    return 128 * check_positive("scale", scale) ** 2 * (log_cover + log_rounds)


@finite
def smooth_radius(
    *, n_answers: int, loss: float, dimension: int, lipschitz: float, norm: float, delta: float, sigma: float
) -> float:
    r"""Radius $C_t$ with $\sum_{i\le t}(f_{\hat\theta_t}(a_i)-f_{\theta^*}(a_i))^2\le C_t$ at all times.

    For a class $\{f_\theta:|\theta|\le S\}$ with $|f_\theta(a)-f_{\theta'}(a)|\le\ell|\theta-\theta'|$ and a global
    minimiser $\hat\theta_t$ of the loss $L_t$ over it, with probability $1-\delta$,
    $\sqrt{C_t}=\sqrt{8\sigma^2(\ln(1/\delta)+n\ln(1/\eta))+2(2\Delta\sqrt{tL_t(\hat\theta_t)}+t\Delta^2)}
    +\sqrt t\,\Delta$ with $\eta=1/(1+t)$ and $\Delta=2\ell S\eta$. Proved on the same page as `anytime_error_budget`.

    Parameters
    ----------
    n_answers, loss
        $t$, and $L_t(\hat\theta_t)$, the least sum of squared residuals of single answers (an upper bound will do).
    dimension, lipschitz, norm
        $n$, $\ell$ and $S$.

    Examples
    --------
    >>> round(smooth_radius(n_answers=100, loss=8.0, dimension=2, lipschitz=1, norm=1, delta=0.05, sigma=0.3), 1)
    12.5
    """
    check_not_negative(loss=loss, lipschitz=lipschitz, norm=norm)
    eta = 1 / (1 + check_count("n_answers", n_answers, 0))
    off = 2 * lipschitz * norm * eta
    log_mass = math.log(1 / check_probability("delta", delta)) + check_count("dimension", dimension) * math.log(1 / eta)
    slack = 2 * off * math.sqrt(n_answers * loss) + n_answers * off**2
    inside = 8 * check_positive("sigma", sigma) ** 2 * log_mass + 2 * slack
    return float((math.sqrt(inside) + math.sqrt(n_answers) * off) ** 2)


@finite
def paper_oracle_radius(
    *, regression_regret: float, horizon: int, delta: float, beta: float = 2.0, beta_prime: float = 2.0
) -> float:
    r"""The paper's $R=8\,\mathrm{Reg}(T)+64\beta\max\{\beta,\beta'\}\ln(T/\delta)$.

    The set of a quarter of this radius contains $z^*$ already.

    Parameters
    ----------
    beta
        No answer is further than this from its mean; 2 for rewards in $[-1,1]$.
    beta_prime
        No prediction of the oracle is further than this from the truth. (The paper also asks for $\beta'\ge2\beta$; its
        proof does not use it.)

    Examples
    --------
    >>> round(paper_oracle_radius(regression_regret=6.0, horizon=300, delta=0.05), 1)
    2275.1
    """
    check_count("horizon", horizon)
    check_not_negative(regression_regret=regression_regret)
    spread = check_positive("beta", beta) * max(beta, check_positive("beta_prime", beta_prime))
    return 8 * regression_regret + 64 * spread * math.log(horizon / check_probability("delta", delta))


@finite
def anytime_oracle_radius(*, regression_regret: float, delta: float, sigma: float) -> float:
    r"""The radius $2\,\mathrm{Reg}(t)+8\sigma^2\ln(1/\delta)$ of the set that contains $z^*$ after every $t$ at once.

    Proved on the same page as `anytime_error_budget`. The least-squares target of the predictions then has error budget
    four times the radius.

    Examples
    --------
    >>> round(anytime_oracle_radius(regression_regret=6.0, delta=0.05, sigma=1.0), 1)
    36.0
    """
    check_not_negative(regression_regret=regression_regret)
    return 2 * regression_regret + 8 * check_positive("sigma", sigma) ** 2 * math.log(
        1 / check_probability("delta", delta)
    )
