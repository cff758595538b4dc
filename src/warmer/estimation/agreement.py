"""The query that all targets still possible call good enough, if there is one."""

from typing import NamedTuple

import numpy as np

from warmer.model import Array, Problem, at_most

__all__ = ["Agreement", "most_agreed_query"]


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
    other = _judged(problem, possible, _least_contested(problem, possible), epsilon)
    return other if other.is_unanimous else first


def _judged(problem: Problem, possible: Array, query: int, epsilon: float) -> Agreement:
    gaps = problem.self_evaluations[possible] - problem.rho[query, possible]
    return Agreement(query, gaps, ~at_most(gaps, np.full_like(gaps, epsilon), problem.slack))


def _least_contested(problem: Problem, possible: Array) -> int:
    """The lowest-numbered allowed query with the smallest shortfall at worst; one row at a time."""
    values = problem.self_evaluations[possible]
    worst = [float((values - problem.rho[query, possible]).max()) for query in problem.legal_queries]
    return int(problem.legal_queries[int(np.argmin(worst))])
