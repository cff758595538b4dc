r"""The small steps of the proofs: a sum under a curve, and the inequalities between numbers of Appendix A."""

import math
from typing import Any, NamedTuple

from warmer.bounds.numbers import check_dimension, finite
from warmer.model.checks import at_most, check_count, check_finite, check_positive
from warmer.model.errors import HypothesisError

__all__ = ["Step", "falling_sum_bound", "proof_steps"]


@finite
def falling_sum_bound(*, first: Any, last: Any, integral: Any, horizon: int) -> Any:
    r"""$\sum_{t=1}^Tf(t)\le f(1)+\int_1^Tf(t)\,dt$ for a non-increasing f (Proposition `prop:int`).

    Fractions stay fractions.

    Parameters
    ----------
    first, last
        $f(1)$ and $f(T)$.
    integral
        $\int_1^Tf$; outside $[(T-1)f(T),(T-1)f(1)]$ no non-increasing function has it, and this raises.
    horizon
        $T$.

    Examples
    --------
    >>> falling_sum_bound(first=1.0, last=0.2, integral=8.0, horizon=25)  # of the inverse roots of 1 to 25
    9.0
    """
    top, bottom, area = check_finite("first", first), check_finite("last", last), check_finite("integral", integral)
    length = check_count("horizon", horizon) - 1
    if bottom > top or (length == 0 and bottom < top):
        raise HypothesisError(f"no non-increasing function goes from {first} to {last} in {horizon} places.")
    if not at_most(length * bottom, area) or not at_most(area, length * top):
        raise HypothesisError(
            f"the integral of a non-increasing function from {first} to {last} over a length of {length} lies between "
            f"{length * bottom:g} and {length * top:g}, got {integral}."
        )
    return first + integral


class Step(NamedTuple):
    """One inequality of a proof at given numbers: left is at most right."""

    what: str
    left: float
    right: float


@finite
def proof_steps(*, dimension: int, alpha: float, epsilon: float, horizon: int) -> tuple[Step, ...]:
    r"""Both sides of every numerical inequality in the proofs of `lem:few_bad_queries` and `thm:regret_optimism`.

    With $q=1+1/\sqrt d$ the intervals of the first proof number $n=\lceil\log_q((1+\alpha)/\epsilon)\rceil$. The last
    step is not in the paper: it makes the 12 before it an 8.

    Parameters
    ----------
    dimension
        $d\ge1$.
    alpha, epsilon
        $0<\epsilon<1+\alpha\le2$; for a larger $\epsilon$ no query is bad and there is nothing to prove.
    horizon
        $T\ge1$.

    Examples
    --------
    >>> for step in proof_steps(dimension=4, alpha=1.0, epsilon=0.5, horizon=10)[:2]:
    ...     print(f"{step.what}: {step.left:.3g} <= {step.right:.3g}")
    intervals: 4 <= 8.32
    1 - 1/q^2: 0.333 <= 0.556
    """
    root = math.sqrt(check_dimension(dimension))
    reach, gap = 1 + check_finite("alpha", alpha), check_positive("epsilon", epsilon)
    if not gap < reach <= 2:
        raise HypothesisError(f"the proof speaks of 0 < epsilon < 1 + alpha <= 2, got {epsilon} and {alpha}.")
    q, x = 1 + 1 / root, dimension * root
    n = math.ceil(math.log(reach / gap) / math.log(q))
    regret = 4 * (1 + 2 * x) * math.exp(-1 / (2 * x))
    return (
        Step("intervals", n, 2 * root * math.log(4 / gap)),
        Step("1 - 1/q^2", 2 / (3 * root), 1 - 1 / q**2),
        Step("ln(1+x) >= x/(1+x)", 1 / (1 + root), math.log1p(1 / root)),
        Step("2 <= 3 ln 2", 2.0, 3 * math.log(2)),
        Step("ln x <= x", math.log(16 / gap**2), 16 / gap**2),
        Step("4 + 2/T <= 16 ln 2", 4 + 2 / check_count("horizon", horizon), 16 * math.log(2)),
        Step("regret, exact rewards", regret, 12 * x),
        Step("the same with 8", regret, 8 * x),
    )
