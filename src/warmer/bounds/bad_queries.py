r"""How many bad queries a learner can make, and what they cost.

The statements speak of rewards in $[-1,1]$; `scale`, half the length of another reward range, carries them to it. The
error budget and the accuracy are then given in the user's own units.
"""

import math
from typing import Literal

from warmer.bounds.arguments import check_dimension, check_not_negative, finite
from warmer.model.checks import at_least, check_count, check_finite, check_positive
from warmer.model.errors import HypothesisError, InvalidValueError

Form = Literal["repaired", "printed", "short"]


@finite
def bad_queries_bound(
    *,
    dimension: int,
    error_budget: float,
    epsilon: float,
    form: Form = "repaired",
    horizon: int | None = None,
    reach: float | None = None,
    scale: float = 1.0,
) -> float:
    r"""Bound the number of $\epsilon$-bad queries, those with $\rho(z_t|z^*)<\alpha-\epsilon$ (`lem:few_bad_queries`).

    A learner with $\alpha$-large self-evaluations and decaying estimation error makes, with probability at least
    $1-\delta$, no more bad queries than each of three forms says:

    * `"printed"`: $\max\{0,2d^{3/2}\ln(4/\epsilon)+12d^{5/2}C_{T,\delta}/\epsilon^2\}$. The paper prints it without the
      maximum, which is false beyond $\epsilon=4$; its proof has a gap as well.
    * `"short"`: $36\,d^{5/2}C_{T,\delta}/\epsilon^2$ if $C_{T,\delta}\ge\ln2T$, which the theorems are drawn from; the
      printed form is never more.
    * `"repaired"`: $n(d-1)+8(d^2-1)C\sum_{i\le n}\epsilon_i^{-2}$, with $q=1+1/\sqrt{d+1}$,
      $n=\lceil\log_q((1+\alpha)/\epsilon)\rceil$ and $\epsilon_i=q^{i-1}\epsilon$: run the paper's proof with $d+1$ in
      the thresholds and append $z^*$ to the clique, which then has at most $d-1$ elements. This closes the gap and is
      smaller; where $d=1$ no query is bad.

    Parameters
    ----------
    dimension
        $d$, the monotone dissimilarity dimension at $\epsilon$; at least 1, since the truth reaches $\alpha$.
    error_budget
        $C_{T,\delta}$; 0 where rewards are exact.
    epsilon
        By how much a bad query falls short; none falls short by more than 2 (times the scale).
    horizon
        $T$, for the short form only.
    reach
        For the repaired form, $1+\alpha$: how far alpha lies above the smallest possible reward, in the user's units;
        where None, twice the scale, which covers every alpha.

    Examples
    --------
    >>> bad_queries_bound(dimension=2, error_budget=0.0, epsilon=0.5)
    4.0
    >>> round(bad_queries_bound(dimension=2, error_budget=0.0, epsilon=0.5, form="printed"), 2)
    11.76
    >>> bad_queries_bound(dimension=4, error_budget=8.0, epsilon=1.0, form="short", horizon=100)
    9216.0
    """
    d, gap = check_dimension(dimension), check_positive("epsilon", epsilon) / check_positive("scale", scale)
    if form == "short":
        if horizon is None:
            raise InvalidValueError('the form "short" needs the horizon T; give horizon=.')
        return 36 * math.pow(d, 2.5) * (_check_large_budget(error_budget, horizon, scale) / gap / gap)
    per_square = _check_budget(error_budget, scale) / gap / gap
    if form == "printed":
        return max(0.0, 2 * math.pow(d, 1.5) * math.log(4 / gap) + 12 * math.pow(d, 2.5) * per_square)
    if form != "repaired":
        raise InvalidValueError(f'form must be "printed", "short" or "repaired", got {form!r}.')
    growth = math.log1p(1 / math.sqrt(d + 1))  # ln q
    span = (2.0 if reach is None else check_finite("reach", reach) / scale) / gap
    n = math.ceil(math.log(span) / growth) if span > 1 else 0
    squares = math.expm1(-2 * growth * n) / math.expm1(-2 * growth)  # of q^0 to q^(1-n), inverted and added up
    return n * (d - 1.0) + 8 * (d**2 - 1) * (per_square * squares)


@finite
def regret_bound(*, dimension: int, error_budget: float, horizon: int, scale: float = 1.0) -> float:
    r"""Bound the regret of a learner whose estimation error decays (Theorem `thm:regret_optimism`).

    With probability at least $1-\delta$,
    $\mathrm{Regret}(T,\alpha)\le 1+12\,d^{5/4}\sqrt{C_{T,\delta}T}$.

    Parameters
    ----------
    dimension
        $d$, the monotone dissimilarity dimension at $\epsilon=1/T$ (times the scale).
    error_budget
        $C_{T,\delta}$; below $\ln 2T$ (times the scale squared) the theorem is silent and this raises.

    Examples
    --------
    >>> round(regret_bound(dimension=2, error_budget=8.0, horizon=100), 1)
    808.3
    """
    check_dimension(dimension)
    budget = _check_large_budget(error_budget, horizon, scale)
    return scale * (1 + 12 * math.pow(dimension, 1.25) * math.sqrt(budget * horizon))


@finite
def exact_regret_bound(*, dimension: int, scale: float = 1.0) -> float:
    r"""Bound the regret where rewards are exact and the error budget is 0: $1+8d^{3/2}$ (`thm:regret_optimism`).

    The paper has 12 in place of 8, and asks for exact rewards alone, where its Algorithm 3 breaks the bound (E10 of the
    errata); the proof uses $C_{T,\delta}=0$, which `LeastSquares` has. The dimension is that of `regret_bound`.

    Examples
    --------
    >>> exact_regret_bound(dimension=4)
    65.0
    """
    return check_positive("scale", scale) * (1 + 8 * math.pow(check_dimension(dimension), 1.5))


def _check_budget(error_budget: float, scale: float) -> float:
    check_not_negative(error_budget=error_budget)
    return error_budget / check_positive("scale", scale) / scale


def _check_large_budget(error_budget: float, horizon: int, scale: float) -> float:
    least = math.log(2 * check_count("horizon", horizon))
    budget = _check_budget(error_budget, scale)
    if not at_least(budget, least):  # the budget may have been scaled and scaled back
        raise HypothesisError(
            f"the theorem needs an error budget of at least ln(2T) = {scale**2 * least:g}, got {error_budget}; "
            "the larger of the two is a budget too."
        )
    return max(budget, least)
