r"""The lemmas and numerical steps that the proofs are put together from (Appendix A); only claims call them."""

import math
from typing import Any, NamedTuple

from warmer.bounds.arguments import check_dimension, check_not_negative, finite
from warmer.model.checks import at_most, check_count, check_finite, check_positive, check_probability
from warmer.model.errors import HypothesisError


def turan_edges(*, n_vertices: int, clique_number: int) -> int:
    r"""At most $(1-\frac1d)\frac{n^2}2$ edges in a graph whose cliques have at most d of its n vertices.

    Theorem `theorem::turan`. Attained by the balanced complete d-partite graph where d divides n.

    Examples
    --------
    >>> turan_edges(n_vertices=6, clique_number=3)
    12
    """
    check_count("n_vertices", n_vertices, 0)
    if check_count("clique_number", clique_number, 0) < 1 <= n_vertices:
        raise HypothesisError("a graph with a vertex has a clique of one; clique_number must be at least 1.")
    return (clique_number - 1) * n_vertices**2 // (2 * clique_number) if n_vertices else 0


def perturbed_identity_rank(*, size: int) -> int:
    r"""The least rank of a symmetric d x d matrix with unit diagonal and other entries in $[-1/\sqrt d,1/\sqrt d]$.

    The paper's Lemma `lemma:perturbed` says more than $d/2$. The square of the trace is at most the rank times the sum
    of squares, so it is at least $d^2/(2d-1)$, the same whole number; $I+S/\sqrt d$ with the core S of a conference
    matrix attains it.

    Examples
    --------
    >>> perturbed_identity_rank(size=9), perturbed_identity_rank(size=10)
    (5, 6)
    """
    check_count("size", size)
    return -(-(size**2) // (2 * size - 1))


@finite
def root_sum_bound(*, kappa: float, tau: float, horizon: int) -> float:
    r"""$\sum_tq_t\le T\tau+2\sqrt{\kappa(\tau)T}$ (Lemma `lemma::helper_regret_result`).

    For $T$ numbers $q_t\ge0$ of which at most $\kappa(\epsilon)/\epsilon^2$ reach any $\epsilon$, $\kappa$
    non-increasing; `kappa` is $\kappa(\tau)$.

    Examples
    --------
    >>> root_sum_bound(kappa=4.0, tau=0.0, horizon=25)
    20.0
    """
    check_not_negative(kappa=kappa, tau=tau)
    return check_count("horizon", horizon, 0) * tau + 2 * math.sqrt(kappa * horizon)


@finite
def geometric_sum_bound(*, kappa: float, tau: float, horizon: int, ceiling: float) -> float:
    r"""$\sum_tq_t\le T\tau+a(1+\kappa(\tau))e^{-1/\kappa(\tau)}$ (Lemma `lemma::helper_regret_result_log`).

    For numbers $q_t\in[0,a]$ of which at most $\kappa(\epsilon)\ln(a/\epsilon)$ reach any $\epsilon\le a$. The result
    is never more than $T\tau+a\kappa(\tau)$, since $(1+k)e^{-1/k}\le k$. The `ceiling` is $a$.

    Examples
    --------
    >>> round(geometric_sum_bound(kappa=4.0, tau=0.0, horizon=25, ceiling=1.0), 3)
    3.894
    """
    check_not_negative(kappa=kappa, tau=tau)
    check_positive("ceiling", ceiling)
    rest = ceiling * (1 + kappa) * math.exp(-1 / kappa) if kappa > 0 else 0.0
    return check_count("horizon", horizon, 0) * tau + rest


@finite
def freedman_bound(*, variance: float, eta: float, reach: float, delta: float) -> float:
    r"""$\sum X_i\le\eta\sum E[X_i^2|\text{past}]+\ln(1/\delta)/\eta$ with probability at least $1-\delta$.

    The paper's form of Freedman's inequality (`lemma:super_simplified_freedman`): martingale differences $X_i\le R$ and
    $0<\eta<1/R$. It holds at $\eta=1/R$ too. The `variance` is the sum on the right, the `reach` is $R$.

    Examples
    --------
    >>> round(freedman_bound(variance=100.0, eta=0.1, reach=1.0, delta=0.05), 2)
    39.96
    """
    check_not_negative(variance=variance)
    if not 0 < check_finite("eta", eta) < 1 / check_positive("reach", reach):
        raise HypothesisError(f"eta must lie strictly between 0 and 1/R = {1 / reach:g}, got {eta}.")
    return eta * variance + math.log(1 / check_probability("delta", delta)) / eta


@finite
def falling_sum_bound(*, first: Any, last: Any, integral: Any, horizon: int) -> Any:
    r"""$\sum_{t=1}^Tf(t)\le f(1)+\int_1^Tf(t)\,dt$ for a non-increasing f (Proposition `prop:int`).

    From $f(1)$, $f(T)$ and the integral; fractions stay fractions. No non-increasing function has an integral outside
    $[(T-1)f(T),(T-1)f(1)]$, and this raises.

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
    step is not in the paper: it makes the 12 before it an 8. All this for $0<\epsilon<1+\alpha\le2$; for a larger
    $\epsilon$ no query is bad and there is nothing to prove.

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
