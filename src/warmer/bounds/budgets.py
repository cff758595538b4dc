r"""Error budgets $C_{T,\delta}$: how far the estimates of a learner may be from the truth on what it asked.

A learner has decaying estimation error with $C_{T,\delta}$ (Definition 3) if, with probability at least $1-\delta$,
$\sum_{i<t}(\rho(z_i|z_t)-\rho(z_i|z^*))^2\le C_{T,\delta}$ for all $t\le T$. Whoever has it with one constant has it
with every larger one.
"""

import math

from warmer.bounds.arguments import check_not_negative, finite
from warmer.bounds.radii import anytime_radius, arm_radius, paper_radius, self_normalised_radius
from warmer.model.checks import check_count, check_finite, check_positive, check_probability
from warmer.model.errors import HypothesisError


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

    Examples
    --------
    >>> round(covering_error_budget(beta=2.0, beta_prime=4.0, covering_number=20, horizon=300, delta=0.05))
    1586
    """
    check_count("covering_number", covering_number)
    check_count("horizon", horizon)
    check_not_negative(beta=beta)
    if check_finite("beta_prime", beta_prime) < 2 * beta:
        raise HypothesisError(f"beta_prime must be at least twice beta = {beta}, got {beta_prime}.")
    return 16 * beta * beta_prime * math.log(2 * horizon * covering_number / check_probability("delta", delta))


@finite
def anytime_error_budget(*, n_targets: int, delta: float, sigma: float) -> float:
    r"""The budget $8\sigma^2\ln(|Z|/\delta)$ of Algorithm 1, for all rounds at once and 1/16 of the paper's constant.

    For $\sigma$-sub-Gaussian noise; the page "A smaller radius that holds at all times" of the documentation proves it.

    Examples
    --------
    >>> round(anytime_error_budget(n_targets=20, delta=0.05, sigma=1.0))
    48
    """
    return 4 * anytime_radius(n_targets=n_targets, delta=delta, sigma=sigma)


@finite
def loss_ball_error_budget(*, n_targets: int, radius: float, delta: float, sigma: float) -> float:
    r"""The budget $8\sigma^2\ln(|Z|/\delta)+2R$ of any target in the loss ball of radius $R$ around the least loss.

    Proved on the same page as `anytime_error_budget`.

    Examples
    --------
    >>> round(loss_ball_error_budget(n_targets=20, radius=0.0, delta=0.05, sigma=1.0))
    48
    """
    check_not_negative(radius=radius)
    return anytime_error_budget(n_targets=n_targets, delta=delta, sigma=sigma) + 2 * radius


@finite
def cover_error_budget(*, log_cover: float, horizon: int, delta: float, sigma: float, scale: float = 1.0) -> float:
    r"""The budget of least squares over a class with a cover of N elements at width $4s/T$.

    $C=(b+\sqrt{2b^2+2A})^2$ with $b=4s/\sqrt T$ and $A=16s^2+4\sigma^2\ln(N/\delta)$, about
    $8\sigma^2\ln(N/\delta)$, for answers in a range of length $2s$ with $\sigma$-sub-Gaussian noise; $\ln N$ is what
    `bounds.coverings` has for balls, spheres and boxes. The paper's (Corollary `cor:alg:MAIN1`, `radii.cover_radius`)
    is $128s^2\ln(2TN/\delta)$. Proved on the same page as `anytime_error_budget`.

    Examples
    --------
    >>> round(cover_error_budget(log_cover=7.9, horizon=100, delta=0.05, sigma=1.0))
    128
    """
    rounds, half = check_count("horizon", horizon), check_positive("scale", scale)
    check_not_negative(log_cover=log_cover)
    log_events = log_cover - math.log(check_probability("delta", delta))
    inside = 16 * half**2 + 4 * check_positive("sigma", sigma) ** 2 * log_events
    off = 4 * half / math.sqrt(rounds)
    return (off + math.sqrt(2 * off**2 + 2 * inside)) ** 2


@finite
def arms_error_budget(*, n_arms: int, horizon: int, delta: float, sigma: float) -> float:
    r"""The budget $4K\max\{R_1,R_T\}$ of least squares and of optimism over K arms, with $R_n$ of `arm_radius`.

    Proved on the same page as `anytime_error_budget`.

    Examples
    --------
    >>> round(arms_error_budget(n_arms=3, horizon=1000, delta=0.05, sigma=0.5))
    53
    """
    most = arm_radius([1, check_count("horizon", horizon)], n_arms=n_arms, delta=delta, sigma=sigma).max()
    return float(4 * n_arms * most)


@finite
def ellipsoid_error_budget(
    *, n: int, horizon: int, delta: float, sigma: float, ridge: float, norm: float, longest: float = 1.0
) -> float:
    r"""The budget $4\beta_T$ of every parameter in the ellipsoid of `self_normalised_radius`, for linear classes.

    The truth and the parameter are both within $\sqrt{\beta_t}$ of the center in a norm that counts every answer, and
    $\ln(\det V_t/\det\lambda I)\le n\ln(1+TL^2/(n\lambda))$ for actions no longer than L (`longest`).

    Examples
    --------
    >>> round(ellipsoid_error_budget(n=2, horizon=100, delta=0.05, sigma=0.5, ridge=1.0, norm=1.0))
    33
    """
    stretch = check_count("horizon", horizon) * check_positive("longest", longest) ** 2 / check_count("n", n)
    log_det = n * math.log1p(stretch / check_positive("ridge", ridge))
    return 4 * self_normalised_radius(log_det_ratio=log_det, delta=delta, sigma=sigma, ridge=ridge, norm=norm)


@finite
def ball_error_budget(*, center: float, radius: float) -> float:
    r"""The budget $(\sqrt c+\sqrt R)^2$ of every target in the distance ball of radius R around one of budget c.

    By the triangle inequality. Where the ball is known to hold the truth, c is R.

    Examples
    --------
    >>> ball_error_budget(center=4.0, radius=9.0)
    25.0
    """
    check_not_negative(center=center, radius=radius)
    return (math.sqrt(center) + math.sqrt(radius)) ** 2
