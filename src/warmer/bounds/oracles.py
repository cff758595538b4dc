r"""Confidence radii from an online regression oracle (Lemma `lemma::online_to_confidence_bound`).

An oracle with regret $\mathrm{Reg}(T)$ that predicts $\hat\rho_i$ keeps $\sum_i(\rho(z_i|z^*)-\hat\rho_i)^2$ small.
"""

import math

from warmer.bounds.numbers import finite
from warmer.model.checks import check_count, check_finite, check_positive, check_probability
from warmer.model.errors import HypothesisError

__all__ = ["anytime_oracle_radius", "paper_oracle_radius"]


@finite
def paper_oracle_radius(
    *, regression_regret: float, horizon: int, delta: float, beta: float = 2.0, beta_prime: float = 2.0
) -> float:
    r"""The paper's $R=8\,\mathrm{Reg}(T)+64\beta\max\{\beta,\beta'\}\ln(T/\delta)$.

    The set of a quarter of this radius contains $z^*$ already.

    Parameters
    ----------
    regression_regret
        $\mathrm{Reg}(T)$.
    horizon, delta
        $T$ and $\delta$.
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
    _check_regret(regression_regret)
    spread = check_positive("beta", beta) * max(beta, check_positive("beta_prime", beta_prime))
    return 8 * regression_regret + 64 * spread * math.log(horizon / check_probability("delta", delta))


@finite
def anytime_oracle_radius(*, regression_regret: float, delta: float, sigma: float) -> float:
    r"""The radius $2\,\mathrm{Reg}(t)+8\sigma^2\ln(1/\delta)$ of the set that contains $z^*$ after every $t$ at once.

    With $D_t=\sum_{i\le t}(\hat\rho_i-\rho(z_i|z^*))^2$ the regret bound reads
    $D_t\le2\sum_{i\le t}\xi_i(\hat\rho_i-\rho(z_i|z^*))+\mathrm{Reg}(t)$, and the prediction is made before the noise
    $\xi_i$ comes: by Ville's inequality the sum exceeds $D_t/4+2\sigma^2\ln(1/\delta)$ at some time with probability at
    most $\delta$. The least-squares target of the predictions then has error budget four times the radius.

    Examples
    --------
    >>> round(anytime_oracle_radius(regression_regret=6.0, delta=0.05, sigma=1.0), 1)
    36.0
    """
    _check_regret(regression_regret)
    return 2 * regression_regret + 8 * check_positive("sigma", sigma) ** 2 * math.log(
        1 / check_probability("delta", delta)
    )


def _check_regret(regression_regret: float) -> None:
    if check_finite("regression_regret", regression_regret) < 0:
        raise HypothesisError(f"a bound on the regret is at least 0, got {regression_regret}.")
