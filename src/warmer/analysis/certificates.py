"""When every target still possible agrees that one query is good enough, the answer is proven."""

from dataclasses import dataclass

import numpy as np

from warmer.estimation import most_agreed_query
from warmer.model import Array, Label, Problem

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
    verdict = most_agreed_query(problem, possible, recommended=recommended, epsilon=epsilon)
    objecting = possible[verdict.objecting]
    likeliest_first = objecting[np.argsort(excess[objecting], kind="stable")]
    return Certificate(
        query=problem.queries[verdict.query],
        epsilon=epsilon,
        delta=delta,
        is_proven=verdict.is_unanimous,
        gap=float(max(verdict.gaps.max(), 0.0)),
        n_possible=possible.size,
        objections=tuple(problem.targets[int(target)] for target in likeliest_first),
    )
