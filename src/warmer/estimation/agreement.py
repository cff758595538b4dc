"""The query that all targets still possible call good enough, if there is one."""

from typing import NamedTuple

import numpy as np

from warmer.model import Array, Problem
from warmer.model.checks import at_most

__all__ = ["Agreement", "most_agreed_query"]

_N_FEW = 64
"""How many possible targets a query must satisfy before it is put to all of them."""


class Agreement(NamedTuple):
    """A query, by how much it falls short under each possible target, and which of them object."""

    query: int
    gaps: Array
    objecting: Array

    @property
    def is_unanimous(self) -> bool:
        """Whether nobody objects."""
        return not self.objecting.any()


def most_agreed_query(problem: Problem, possible: Array, *, recommended: int, epsilon: float) -> Agreement:
    """The recommended query, unless possible targets object to it and all agree on another.

    A target objects to a query that it values more than epsilon below its own best.

    Parameters
    ----------
    problem
        The table.
    possible
        The indices of the targets still possible.
    recommended
        The query to judge first.
    epsilon
        How far below the best is good enough.

    Examples
    --------
    >>> table = Problem.from_table([[1.0, 0.0], [0.0, 1.0], [0.75, 0.75]])
    >>> most_agreed_query(table, np.array([0, 1]), recommended=0, epsilon=0.25).query
    2
    """
    first = _judged(problem, possible, recommended, epsilon)
    if first.is_unanimous:
        return first
    query = _least_contested(problem, possible, epsilon)
    other = first if query is None else _judged(problem, possible, query, epsilon)
    return other if other.is_unanimous else first


def _judged(problem: Problem, possible: Array, query: int, epsilon: float) -> Agreement:
    gaps = _gaps(problem, possible, query)
    return Agreement(query, gaps, ~at_most(gaps, np.full_like(gaps, epsilon), problem.slack))


def _gaps(problem: Problem, possible: Array, query: int) -> Array:
    """By how much a query falls short of each possible target's best; no gathering where all are possible."""
    if possible.size == problem.n_targets:
        return np.asarray(problem.best_values - problem.rho[query])
    return np.asarray(problem.best_values[possible] - problem.rho[query, possible])


def _least_contested(problem: Problem, possible: Array, epsilon: float) -> int | None:
    """The lowest-numbered allowed query with the smallest shortfall at worst, if epsilon covers it.

    Most queries fall at once to a few of the possible targets; only the others are put to all of them.
    """
    few = possible[:: max(1, possible.size // _N_FEW)]
    shortfalls = problem.best_values[few] - problem.rho[np.ix_(problem.legal_queries, few)]
    worst = np.full(len(problem.legal_queries), np.inf)
    for place in np.flatnonzero(at_most(shortfalls.max(axis=1), epsilon, problem.slack)):
        worst[place] = _gaps(problem, possible, int(problem.legal_queries[place])).max()
    best = int(worst.argmin())
    return int(problem.legal_queries[best]) if np.isfinite(worst[best]) else None
