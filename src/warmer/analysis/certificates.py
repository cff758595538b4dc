"""When every target still possible agrees that one query is good enough, the answer is proven."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warmer.estimation import most_agreed_query
from warmer.model import Array, Label, Problem, Selection

__all__ = ["Certificate", "certify"]


@dataclass(frozen=True)
class Certificate:
    """The answer to "is this query within epsilon of the best, with probability 1-delta?".

    It is true in a condition exactly when the answer is yes. The proof is of `query`: the recommendation, or, where
    possible targets object to that one but all agree on another, the other.
    """

    query: Label
    epsilon: float
    delta: float
    is_proven: bool
    gap: float
    """By how much the query may still fall short, at worst, over the targets still possible."""
    n_possible: int
    """How many targets the answers leave possible."""
    objections: Sequence[Label]
    """The possible targets under which the query falls short by more than epsilon, the likeliest first."""
    is_misspecified: bool = False
    """Whether the answers reject every candidate; then nothing is proven."""

    def __bool__(self) -> bool:
        return self.is_proven

    def __str__(self) -> str:
        if self.is_misspecified:
            return f"not proven: the answers reject every candidate, so their word for {self.query!r} is worth nothing"
        if self.is_proven:
            return (
                f"proven: {self.query!r} is within {self.epsilon:g} of the best, "
                f"with probability at least {1 - self.delta:g}; candidates still possible, all of one mind: "
                f"{self.n_possible}"
            )
        return (
            f"not yet: {len(self.objections)} of {self.n_possible} possible targets object to {self.query!r}; "
            f"under the worst of them it falls short by {self.gap:g} (needed: {self.epsilon:g})"
        )


def certify(
    problem: Problem, excess: Array, *, limit: float, recommended: int, epsilon: float, delta: float
) -> Certificate:
    """Judge a recommendation against the targets with `excess <= limit`; a better-agreed query may take its place.

    Parameters
    ----------
    problem
        The table.
    excess
        Each target's loss, up to a constant.
    limit
        The largest of them that is still possible.
    recommended
        The query to judge first. If the possible targets object to it but agree on another, that one is proven.
    epsilon, delta
        The accuracy asked for, and the probability with which the possible targets may miss the truth.

    Examples
    --------
    >>> table = Problem.from_table([[1.0, 0.0], [0.0, 1.0]], targets=["rain", "sun"])
    >>> found = certify(table, np.array([0.0, 3.0]), limit=5.0, recommended=0, epsilon=0.1, delta=0.05)
    >>> found.is_proven, list(found.objections)
    (False, ['sun'])
    """
    possible = np.flatnonzero(excess <= np.float64(limit))
    verdict = most_agreed_query(problem, possible, recommended=recommended, epsilon=epsilon)
    objecting = possible[verdict.objecting]
    return Certificate(
        query=problem.queries[verdict.query],
        epsilon=epsilon,
        delta=delta,
        is_proven=verdict.is_unanimous,
        gap=float(max(verdict.gaps.max(), 0.0)),
        n_possible=possible.size,
        objections=Selection(problem.targets, objecting, excess[objecting]),
    )
