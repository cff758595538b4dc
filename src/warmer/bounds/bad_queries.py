r"""How many bad queries a learner can make, and what they cost.

The statements speak of rewards in $[-1,1]$; `scale`, half the length of another reward range, carries them to it. The
error budget and the accuracy are then given in the user's own units.
"""

import math
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from warmer.bounds.arguments import check_dimension, check_not_negative, finite
from warmer.bounds.rungs import LONGEST, Rungs, fewest_rounds, is_wide_enough, rungs, tried_rungs
from warmer.model.checks import at_least, check_count, check_finite, check_positive
from warmer.model.errors import HypothesisError, InvalidValueError
from warmer.model.numbers import as_fraction

Form = Literal["coloured", "repaired", "printed", "short"]


@finite
def bad_queries_bound(
    *,
    dimension: int,
    error_budget: float,
    epsilon: float | Fraction,
    form: Form = "coloured",
    horizon: int | None = None,
    reach: float | Fraction | None = None,
    scale: float = 1.0,
) -> float:
    r"""Bound the number of $\epsilon$-bad queries, those with $\rho(z_t|z^*)<\alpha-\epsilon$ (`lem:few_bad_queries`).

    Let the truth and all that the learner has in mind reach $\alpha$ (large self-evaluations), and let no estimation
    error up to round $T$ exceed $C$. Then no more queries are bad than each of four forms says; with decaying
    estimation error, $C=C_{T,\delta}$, that has probability at least $1-\delta$. From $\epsilon=1+\alpha$ on none is.

    * `"coloured"`, the smallest: $(d-1)\sum_{i\le n}(B_i+1)$, with $x=1/\sqrt{d+1}$, rungs of ratio
      $r=\frac{1+\theta x}{1-\theta x}$ from $e_1=\epsilon$ up to $1+\alpha$, and
      $B_i+1=\max\{1,\lceil C/\tau_i^2\rceil\}$ where $\tau_i=(1-\theta)xe_i/(1-\theta x)$; the best $\theta$ is
      taken. For exact rewards, $C=0$, it is $(d-1)\lceil\log_{(1+x)/(1-x)}\frac{1+\alpha}\epsilon\rceil$, and
      Algorithm 1 attains it. About $1.69\,d^{5/2}C/\epsilon^2$ for large d. Not in the paper; proved under E8 of the
      errata.
    * `"repaired"`: $n(d-1)+8(d^2-1)C\sum_{i\le n}\epsilon_i^{-2}$, with $q=1+1/\sqrt{d+1}$,
      $n=\lceil\log_q((1+\alpha)/\epsilon)\rceil$ and $\epsilon_i=q^{i-1}\epsilon$: the paper's proof with $d+1$ in the
      thresholds and $z^*$ appended to the clique, which then has at most $d-1$ elements.
    * `"printed"`: $\max\{0,2d^{3/2}\ln(4/\epsilon)+12d^{5/2}C_{T,\delta}/\epsilon^2\}$. The paper prints it without
      the maximum, which is false beyond $\epsilon=4$; its proof has a gap, and the repaired form implies it.
    * `"short"`: $36\,d^{5/2}C_{T,\delta}/\epsilon^2$ if $C_{T,\delta}\ge\ln2T$, which the paper's theorems are drawn
      from; the printed form is never more.

    Parameters
    ----------
    dimension
        $d$, the monotone dissimilarity dimension at $\epsilon$; at least 1, since the truth reaches $\alpha$.
    error_budget
        $C_{T,\delta}$; 0 where rewards are exact and the fit has the least loss.
    epsilon
        By how much a bad query falls short; none falls short by more than 2 (times the scale).
    horizon
        $T$, for the short form only.
    reach
        For the first two forms, $1+\alpha$: how far alpha lies above the smallest possible reward, in the user's units;
        where None, twice the scale, which covers every alpha.

    Examples
    --------
    >>> bad_queries_bound(dimension=2, error_budget=0.0, epsilon=0.5)
    2.0
    >>> bad_queries_bound(dimension=2, error_budget=0.0, epsilon=0.5, form="repaired")
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
    if form not in ("coloured", "repaired"):
        raise InvalidValueError(f'form must be "coloured", "repaired", "printed" or "short", got {form!r}.')
    whole = _span(epsilon, reach, scale)
    if form == "coloured":
        return fewest_rounds(dimension=d, per_square=per_square, span=whole)[0] if whole > 1 else 0.0
    growth, span = math.log1p(1 / math.sqrt(d + 1)), float(whole)  # ln q
    n = math.ceil(math.log(span) / growth) if span > 1 else 0
    squares = math.expm1(-2 * growth * n) / math.expm1(-2 * growth)  # of q^0 to q^(1-n), inverted and added up
    return n * (d - 1.0) + 8 * (d**2 - 1) * (per_square * squares)


@finite
def regret_bound(
    *,
    dimension: int,
    error_budget: float,
    horizon: int,
    form: Literal["coloured", "printed"] = "coloured",
    reach: float | Fraction | None = None,
    scale: float = 1.0,
) -> float:
    r"""Bound the regret of a learner whose estimation error decays (Theorem `thm:regret_optimism`).

    With probability at least $1-\delta$, $\mathrm{Regret}(T,\alpha)$ is at most each of

    * `"coloured"`, the smaller: rung by rung from the top, $(d-1)(B_i+1)$ rounds of the coloured form of
      `bad_queries_bound` at $\epsilon=1/T$, each with the largest gap of its rung, until there are $T$; rounds that are
      left have a gap of at most $1/T$. It needs no $C\ge\ln2T$.
    * `"printed"`: $1+12\,d^{5/4}\sqrt{C_{T,\delta}T}$, the paper's.

    Parameters
    ----------
    dimension
        $d$, the monotone dissimilarity dimension at $\epsilon=1/T$ (times the scale).
    error_budget
        $C_{T,\delta}$; below $\ln 2T$ (times the scale squared) the printed form is silent and raises.
    reach
        For the coloured form, as for `bad_queries_bound`.

    Examples
    --------
    >>> round(regret_bound(dimension=2, error_budget=8.0, horizon=1000), 1)
    540.0
    >>> round(regret_bound(dimension=2, error_budget=8.0, horizon=1000, form="printed"), 1)
    2553.8
    """
    d = check_dimension(dimension)
    if form == "printed":
        budget = _check_large_budget(error_budget, horizon, scale)
        return scale * _printed_regret(d, budget, horizon)
    if form != "coloured":
        raise InvalidValueError(f'form must be "coloured" or "printed", got {form!r}.')
    budget, rounds = _check_budget(error_budget, scale), check_count("horizon", horizon)
    printed = _printed_regret(d, max(budget, math.log(2 * rounds)), rounds)
    span = _span(Fraction(1, rounds), None if reach is None else as_fraction(reach) / as_fraction(scale), 1)
    if span <= 1:
        return scale
    per_square = budget * rounds * rounds
    asked: dict[str, Any] = {"dimension": d, "per_square": per_square, "span": span}
    tried = tried_rungs(**asked, n_tries=32)
    found = [_regret(rungs(**asked, n=n), d, rounds) for n in tried if n <= LONGEST and is_wide_enough(**asked, n=n)]
    return scale * min([printed, *found])


@finite
def exact_regret_bound(
    *,
    dimension: int,
    form: Literal["coloured", "repaired"] = "coloured",
    reach: float | Fraction | None = None,
    scale: float = 1.0,
) -> float:
    r"""Bound the regret where rewards are exact and the error budget is 0 (`thm:regret_optimism`).

    * `"coloured"`, the smaller: $1+\frac12(1+\alpha)(d-1)(\sqrt{d+1}+1)$. With $C=0$ and $\theta=1$ each rung of ratio
      $r=\frac{1+x}{1-x}$, $x=1/\sqrt{d+1}$, has at most $d-1$ rounds; their gaps are at most $(1+\alpha)r^{-j}$,
      $j=0,1,\dots$, which add up to $(1+\alpha)\frac{1+x}{2x}$; rounds below $1/T$ cost 1 in all.
    * `"repaired"`: $1+8d^{3/2}$. The paper has 12 in place of 8, and asks for exact rewards alone, where its Algorithm
      3 breaks the bound (E10 of the errata); the proof uses $C_{T,\delta}=0$, which `LeastSquares` has.

    Dimension and reach are those of `regret_bound`.

    Examples
    --------
    >>> exact_regret_bound(dimension=8), exact_regret_bound(dimension=4, form="repaired")
    (29.0, 65.0)
    """
    d, unit = check_dimension(dimension), check_positive("scale", scale)
    if form == "repaired":
        return unit * (1 + 8 * math.pow(d, 1.5))
    if form != "coloured":
        raise InvalidValueError(f'form must be "coloured" or "repaired", got {form!r}.')
    highest = 2 * unit if reach is None else max(0.0, check_finite("reach", reach))
    return unit + highest * (d - 1) * (math.sqrt(d + 1) + 1) / 2


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


def _span(epsilon: Any, reach: Any, scale: Any) -> Fraction:
    r"""$(1+\alpha)/\epsilon$, exactly: at most 1 where no query can be bad."""
    if reach is not None:
        check_finite("reach", reach)
    return (2 * as_fraction(scale) if reach is None else as_fraction(reach)) / as_fraction(epsilon)


def _printed_regret(dimension: int, budget: float, horizon: int) -> float:
    return 1 + 12 * math.pow(dimension, 1.25) * math.sqrt(budget * horizon)


def _regret(found: Rungs, dimension: int, horizon: int) -> float:
    """What so many rounds can cost: as many as each rung allows, from the top, and the rest at the least gap."""
    with np.errstate(over="raise"):
        allowed = np.cumsum((dimension - 1) * found.colours[::-1])
        played = np.diff(np.minimum(allowed, horizon), prepend=0.0)
        tops = found.ratio * found.lowest[::-1]
        return float(played @ tops + (horizon - played.sum())) / horizon
