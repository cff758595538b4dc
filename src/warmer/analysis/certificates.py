"""When every target still possible agrees that one query is good enough, the answer is proven."""

from dataclasses import dataclass

import numpy as np

from warmer.model import Array, Label, Problem, at_most

__all__ = ["Certificate", "certify"]


@dataclass(frozen=True)
class Certificate:
    """The answer to "is this query within epsilon of the best, with probability 1-delta?".

    It is true in a condition exactly when the answer is yes.
    """

    query: Label
    epsilon: float
    delta: float
    is_proven: bool
    gap: float
    """By how much the query may still fall short, at worst, over the targets still possible."""
    n_possible: int
    """How many targets the answers leave possible."""
    objections: tuple[Label, ...]
    """The possible targets under which the query falls short by more than epsilon, the likeliest first."""

    def __bool__(self) -> bool:
        return self.is_proven

    def __str__(self) -> str:
        if self.is_proven:
            return (
                f"proven: {self.query!r} is within {self.epsilon:g} of the best, "
                f"with probability at least {1 - self.delta:g}; "
                f"{self.n_possible} of the candidates are still possible and all agree"
            )
        return (
            f"not yet: {len(self.objections)} of {self.n_possible} possible targets object to {self.query!r}; "
            f"under the worst of them it falls short by {self.gap:g} (needed: {self.epsilon:g})"
        )


def certify(
    problem: Problem, excess: Array, *, radius: float, recommended: int, epsilon: float, delta: float
) -> Certificate:
    """Judge a recommendation against the loss ball `excess <= radius`; a better-agreed query may take its place.

    Parameters
    ----------
    problem
        The table.
    excess
        Each target's loss above the least.
    radius
        Which excess is still possible.
    recommended
        The query to judge first. If the possible targets object to it but agree on another, that one is proven.
    epsilon, delta
        The accuracy asked for, and the probability with which the ball may miss the truth.
    """
    possible = np.flatnonzero(excess <= radius)
    values = problem.self_evaluations[possible]
    query = recommended
    gaps = values - problem.rho[query, possible]
    if not at_most(gaps.max(), epsilon, problem.slack):
        agreed = _least_contested(problem, possible, values)
        agreed_gaps = values - problem.rho[agreed, possible]
        if at_most(agreed_gaps.max(), epsilon, problem.slack):
            query, gaps = agreed, agreed_gaps
    objecting = ~at_most(gaps, np.full_like(gaps, epsilon), problem.slack)
    likeliest_first = possible[objecting][np.argsort(excess[possible[objecting]], kind="stable")]
    return Certificate(
        query=problem.queries[query],
        epsilon=epsilon,
        delta=delta,
        is_proven=not objecting.any(),
        gap=float(max(gaps.max(), 0.0)),
        n_possible=possible.size,
        objections=tuple(problem.targets[int(target)] for target in likeliest_first),
    )


def _least_contested(problem: Problem, possible: Array, values: Array) -> int:
    """The lowest-numbered allowed query with the smallest shortfall at worst; one row at a time."""
    worst = [float((values - problem.rho[query, possible]).max()) for query in problem.legal_queries]
    return int(problem.legal_queries[int(np.argmin(worst))])
