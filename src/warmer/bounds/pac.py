r"""How long Algorithm 2 runs (Theorem `thm:main_pac`), repaired.

The paper takes the dimension at $\epsilon$, and with that the theorem is false. Its proof counts queries that are
$\frac34\epsilon$-bad, so the dimension is the monotone one at $\frac34\epsilon$; with that one, and the first form of
the lemma on bad queries, the constant 64 of the paper holds. All that the proof asks of the search is that at most half
of its queries are $\frac34\epsilon$-bad, so the coloured count makes it shorter. The horizon stands on both sides of
its inequality and is found as a fixed point.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from warmer.bounds.arguments import check_dimension, finite
from warmer.bounds.bad_queries import bad_queries_bound
from warmer.model.checks import check_count, check_positive, check_probability
from warmer.model.errors import HypothesisError, InvalidValueError
from warmer.model.words import certainty

_MOST_STEPS = 10_000
_LONGEST = 2**62


@dataclass(frozen=True)
class Promise:
    r"""What a theorem says of an output before anything is asked: $\rho(\hat z|z^*)\ge\alpha-\epsilon$, and why.

    It is true in a condition exactly when a theorem stands behind it.
    """

    epsilon: float
    delta: float
    is_proven: bool
    reason: str

    def __bool__(self) -> bool:
        return self.is_proven

    def __str__(self) -> str:
        text = (
            f"if the truth reaches alpha, the output is within {self.epsilon:g} of it "
            f"with probability at least {certainty(self.delta)}"
        )
        return f"{'' if self.is_proven else 'not promised: '}{text} ({self.reason})"


@finite
def pac_candidates(*, delta: float) -> int:
    r"""$n_1=\lceil\log_2(4/\delta)\rceil$: so many draws are all bad with probability at most $\delta/4$.

    Examples
    --------
    >>> pac_candidates(delta=0.05)
    7
    """
    return math.ceil(math.log2(4 / check_probability("delta", delta)))


@finite
def pac_repeats(*, epsilon: float, delta: float, n_candidates: int, sigma: float = 1.0) -> int:
    r"""$n_2=\lceil128\sigma^2\ln(8n_1/\delta)/\epsilon^2\rceil$: the mean of so many answers is within $\epsilon/8$.

    By Hoeffding's inequality $2\exp(-n_2\epsilon^2/(128\sigma^2))\le\delta/(4n_1)$ for each candidate. Rewards in
    $[-1,1]$ have $\sigma\le1$; rewards in a range of length $2s$ have $\sigma\le s$.

    Examples
    --------
    >>> pac_repeats(epsilon=0.5, delta=0.05, n_candidates=7)
    3595
    """
    check_count("n_candidates", n_candidates)
    inside = 8 * n_candidates / check_probability("delta", delta)
    needed = 128 * (check_positive("sigma", sigma) / check_positive("epsilon", epsilon)) ** 2 * math.log(inside)
    if not needed < _LONGEST:
        raise HypothesisError(
            f"no number of queries below {_LONGEST:.1e} is enough for epsilon {epsilon:g} and sigma {sigma:g}; raise "
            "epsilon, or give the counts yourself."
        )
    return math.ceil(needed)


def pac_horizon(
    *,
    dimension: int,
    epsilon: float,
    error_budget: Callable[[int], float],
    form: Literal["coloured", "printed"] = "coloured",
    reach: float | Fraction | None = None,
    scale: float = 1.0,
) -> int:
    r"""The least $T$ of which at most half can be $\frac34\epsilon$-bad, with the error budget $C_{T,\delta/2}$.

    By the coloured form of `bad_queries_bound` at $\frac34\epsilon$, the shorter, or by the printed
    $T\ge64\,d^{5/2}C_{T,\delta/2}/\epsilon^2$. The dimension at $\epsilon$, as printed, gives
    $\rho(\hat z|z^*)\ge\alpha-\frac54\epsilon$ only (E7 of the errata).

    Parameters
    ----------
    dimension
        $d=\bar d_\rho(Z,\alpha,\frac34\epsilon)$.
    epsilon
        The accuracy asked for, at most twice the scale (then every query is good).
    error_budget
        $T\mapsto C_{T,\delta/2}$, non-decreasing, in squared units of the reward. The printed form needs $C\ge\ln 2T$;
        where a learner's own budget is smaller, $\ln 2T$ (times the scale squared) takes its place there.
    reach
        For the coloured form, as for `bad_queries_bound`.

    Examples
    --------
    >>> pac_horizon(dimension=1, epsilon=1.0, error_budget=lambda horizon: 0.0, form="printed")  # T = 64 ln(2T)
    433
    >>> pac_horizon(dimension=2, epsilon=0.5, error_budget=lambda horizon: 9.0)
    998
    """
    check_dimension(dimension)
    gap = check_positive("epsilon", epsilon) / check_positive("scale", scale)
    if gap > 2:
        raise HypothesisError(
            f"no query falls short by more than {2 * scale:g}; epsilon must be at most that, got {epsilon}."
        )
    if form not in ("coloured", "printed"):
        raise InvalidValueError(f'form must be "coloured" or "printed", got {form!r}.')
    factor = _pac_horizon(dimension, gap)

    def needed_for(horizon: int) -> float:
        budget = error_budget(horizon)
        if form == "printed":
            return factor * max(budget / scale**2, math.log(2 * horizon))
        if not budget < math.inf:
            return math.inf
        shared: dict[str, Any] = {"dimension": dimension, "reach": reach, "scale": scale}
        return 2 * bad_queries_bound(error_budget=budget, epsilon=0.75 * epsilon, **shared)

    horizon = 1
    for _ in range(_MOST_STEPS):  # from below, the iteration of a non-decreasing map ends at its least fixed point
        needed = needed_for(horizon)
        if needed <= horizon:
            return horizon
        if not needed < _LONGEST:
            raise HypothesisError(
                f"no horizon below {_LONGEST:.1e} rounds is enough for epsilon {epsilon:g} and dimension {dimension}; "
                "raise epsilon, or give an error budget that grows more slowly than the horizon."
            )
        horizon = math.ceil(needed)
    raise HypothesisError("the error budget grows as fast as the horizon: no number of rounds is enough.")


@finite
def exact_pac_horizon(
    *,
    dimension: int,
    epsilon: float | Fraction,
    form: Literal["coloured", "printed"] = "coloured",
    reach: float | Fraction | None = None,
    scale: float = 1.0,
) -> int:
    r"""The least $T\ge1$ above the number of bad queries: of so many exact rewards the best is not $\epsilon$-bad.

    Theorem `thm:main_pac`, second half, where $C_{T,\delta}=0$ and $d=\bar d_\rho(Z,\alpha,\epsilon)$. The number is
    that of the coloured form of `bad_queries_bound`, which Algorithm 1 attains, or the printed
    $2d^{3/2}\ln(4/\epsilon)$. The paper asks for exact rewards only, and allows $T=0$ for $\epsilon>4$: both are false
    (E10 and E11 of the errata).

    Examples
    --------
    >>> exact_pac_horizon(dimension=2, epsilon=0.5), exact_pac_horizon(dimension=2, epsilon=0.5, form="printed")
    (3, 12)
    """
    if form not in ("coloured", "printed"):
        raise InvalidValueError(f'form must be "coloured" or "printed", got {form!r}.')
    asked: dict[str, Any] = {"dimension": dimension, "epsilon": epsilon, "reach": reach, "scale": scale}
    return math.floor(bad_queries_bound(error_budget=0.0, form=form, **asked)) + 1


@finite
def _pac_horizon(dimension: int, gap: float) -> float:
    return 64 * math.pow(dimension, 2.5) / gap / gap
