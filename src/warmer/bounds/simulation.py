r"""How well answers of tolerance tau stand in for samples (Theorem `th:unbiased-from-vstat`, by a coupling)."""

from warmer.model import check_count, check_positive

__all__ = ["simulation_distance", "simulation_tolerance"]


def simulation_distance(*, n_queries: int, tau: float) -> float:
    r"""Bound the total variation between $m$ samples and $m$ coins of bias off by at most $\tau$: $m\tau/2$.

    A coin of mean $v$ comes up high with probability $(1+v)/2$, so one toss differs with probability at most $\tau/2$
    under the best coupling; the learner, which sees equal answers, asks equal queries until then.

    Examples
    --------
    >>> simulation_distance(n_queries=10, tau=0.01)
    0.05
    """
    return min(1.0, check_count("n_queries", n_queries, least=0) * check_positive("tau", tau) / 2)


def simulation_tolerance(*, n_queries: int, delta: float) -> float:
    r"""The tolerance $\tau=2\delta/m$ at which $m$ simulated samples cost at most $\delta$ of the success probability.

    The paper cites $\delta^2/m$, and only for $\delta\le1/4$; the coupling needs neither.

    Examples
    --------
    >>> simulation_tolerance(n_queries=10, delta=0.05)
    0.01
    """
    return 2 * check_positive("delta", delta) / check_count("n_queries", n_queries)
