r"""Error budgets $C_{T,\delta}$: how far the estimates of a learner may be from the truth on what it asked.

A learner has decaying estimation error with $C_{T,\delta}$ (Definition 3) if, with probability at least $1-\delta$,
$\sum_{i<t}(\rho(z_i|z_t)-\rho(z_i|z^*))^2\le C_{T,\delta}$ for all $t\le T$. Whoever has it with one constant has it
with every larger one.
"""

import math

from warmer.bounds.arguments import finite
from warmer.bounds.coverings import log_cover_of_ball
from warmer.bounds.radii import cover_radius, paper_radius
from warmer.model.checks import check_count, check_finite, check_positive, check_probability
from warmer.model.errors import HypothesisError

__all__ = [
    "anytime_error_budget",
    "covering_error_budget",
    "linear_error_budget",
    "loss_ball_error_budget",
    "paper_error_budget",
]


def paper_error_budget(*, n_targets: int, horizon: int, delta: float, scale: float = 1.0) -> float:
    r"""The paper's $C_{T,\delta}=128\ln(2T|Z|/\delta)$ of Algorithm 1 on finitely many targets.

    (Corollary `cor:alg:MAIN1`; the covering number there is at most the number of targets.) It is also the radius that
    the paper gives Algorithm 3, whose own budget is four times as large.

    Examples
    --------
    >>> round(paper_error_budget(n_targets=20, horizon=300, delta=0.05))
    1586
    """
    return paper_radius(n_targets=n_targets, horizon=horizon, delta=delta, scale=scale)


@finite
def covering_error_budget(*, beta: float, beta_prime: float, covering_number: int, horizon: int, delta: float) -> float:
    r"""The least-squares guarantee $C=16\beta\beta'\ln(2TN/\delta)$ (Theorem `thm::new_least_squares_estimator`).

    Parameters
    ----------
    beta
        No answer is further than this from its mean.
    beta_prime
        No two predictions for one query differ by more than this; at least twice beta.
    covering_number
        $N$, the number of targets in a cover of radius $\beta'/T$.
    horizon, delta
        $T$ and $\delta$.

    Examples
    --------
    >>> round(covering_error_budget(beta=2.0, beta_prime=4.0, covering_number=20, horizon=300, delta=0.05))
    1586
    """
    check_count("covering_number", covering_number)
    check_count("horizon", horizon)
    if check_finite("beta", beta) < 0:
        raise HypothesisError(f"beta bounds a distance and is at least 0, got {beta}.")
    if check_finite("beta_prime", beta_prime) < 2 * beta:
        raise HypothesisError(f"beta_prime must be at least twice beta = {beta}, got {beta_prime}.")
    return 16 * beta * beta_prime * math.log(2 * horizon * covering_number / check_probability("delta", delta))


@finite
def anytime_error_budget(*, n_targets: int, delta: float, sigma: float) -> float:
    r"""The budget $8\sigma^2\ln(|Z|/\delta)$ of Algorithm 1, for all rounds at once and 1/16 of the paper's constant.

    The least-squares target $z$ has $D=\sum(\rho(z_i|z)-\rho(z_i|z^*))^2\le2\sum\xi_i(\rho(z_i|z)-\rho(z_i|z^*))$, and
    for $\sigma$-sub-Gaussian noise $\xi$ the last sum exceeds $D/4+2\sigma^2\ln(|Z|/\delta)$ for some target at some
    time with probability at most $\delta$ (Ville's inequality and a union bound).

    Examples
    --------
    >>> round(anytime_error_budget(n_targets=20, delta=0.05, sigma=1.0))
    48
    """
    check_count("n_targets", n_targets)
    return 8 * check_positive("sigma", sigma) ** 2 * math.log(n_targets / check_probability("delta", delta))


@finite
def loss_ball_error_budget(*, n_targets: int, radius: float, delta: float, sigma: float) -> float:
    r"""The budget $8\sigma^2\ln(|Z|/\delta)+2R$ of any target in the loss ball of radius $R$ around the least loss.

    Such a target has $L_t(z)\le L_t(z^*)+R$, hence $D\le 2\sum\xi_i(\rho(z_i|z)-\rho(z_i|z^*))+R$; the rest is as for
    `anytime_error_budget`.

    Examples
    --------
    >>> round(loss_ball_error_budget(n_targets=20, radius=0.0, delta=0.05, sigma=1.0))
    48
    """
    if check_finite("radius", radius) < 0:
        raise HypothesisError(f"a radius is at least 0, got {radius}.")
    return anytime_error_budget(n_targets=n_targets, delta=delta, sigma=sigma) + 2 * radius


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
