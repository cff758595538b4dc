r"""The strong SQ dimension: how many hypotheses can have nearly equal, not too large correlations.

Like the dissimilarity dimension it asks for values in a window that narrows with the length, and so it is searched.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.dimensions.bracket import Bracket, require_table
from warmer.dimensions.dissimilarity.tolerance import Tolerance, Values, as_steps
from warmer.dimensions.dissimilarity.window_search import sequences
from warmer.dimensions.dissimilarity.window_sweep import Sweep
from warmer.dimensions.dissimilarity.window_table import WindowTable, ceiling, comparable
from warmer.dimensions.search.anytime import Anytime, Progress
from warmer.dimensions.strong_sq.witness import StrongSQWitness
from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_fraction, check_scale
from warmer.model.time_limit import interruptible


@interruptible()
def strong_sq_dimension(
    problem: Problem,
    *,
    epsilon: Any,
    absolute: bool = True,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Bracket:
    r"""Bracket the strong SQ dimension of a symmetric similarity (Definition 4).

    The largest $d$ for which some $h_1,\dots,h_d$ satisfy (a) $|\langle h_i,h_j\rangle|\le1-\epsilon$ and (b) all
    $\langle h_i,h_j\rangle$, $i<j$, lie within $1/d$ of each other. A single hypothesis always will do, so the least
    value is 1.

    Parameters
    ----------
    problem
        A symmetric square problem of correlations in $[-1,1]$.
    epsilon
        The scale, greater than 0. For rational tables a float is the simplest fraction that rounds to it.
    absolute
        False drops the absolute value in (a).
    time_limit, progress
        As in `eluder_dimension`.

    Examples
    --------
    >>> antipodes = Problem.from_similarity([[1, -1], [-1, 1]])
    >>> strong_sq_dimension(antipodes, epsilon=0.25).value
    1
    >>> strong_sq_dimension(antipodes, epsilon=0.25, absolute=False).value
    2
    """
    require_table(problem, "the strong SQ dimension")
    epsilon = check_scale("epsilon", epsilon)
    search = Anytime(time_limit, progress, upper=problem.n_targets, reason="all targets used")
    check_symmetric(problem, "the strong SQ dimension")
    if problem.reward_range != (-1.0, 1.0):
        low, high = problem.reward_range
        raise InvalidValueError(
            f"the strong SQ dimension is about correlations in [-1, 1]; this problem's range is [{low:g}, {high:g}]."
        )
    search.rehearse(strong_sq_dimension, problem, is_symmetric=True, epsilon=0.5)
    table = _correlations(problem, epsilon, absolute=absolute)
    table = search.prepare(table.sorted) or table
    one = 1.0 if problem.rational is None else problem.rational.denominator
    tolerance = _WithinOneOverLength(one, problem.slack)
    elements = Sweep(table, tolerance, sequences(table), search, is_two_sided=False).run()
    witness = StrongSQWitness(tuple(sorted(int(element.column) for element in elements)), epsilon, absolute)
    witness.check(problem)
    return search.bracket(witness)


def check_symmetric(problem: Problem, what: str) -> None:
    """Raise unless the problem is square and symmetric, naming two alternatives that see each other differently."""
    if not problem.is_square:
        raise InvalidValueError(f"{what} needs a square problem; build it with Problem.from_similarity.")
    entries = comparable(problem)
    differs = np.abs(entries - entries.T) > (problem.slack if problem.rational is None else 0)
    for row, column in np.argwhere(differs)[:1].tolist():
        raise InvalidValueError(
            f"{what} needs a symmetric table, but rho[{problem.queries[row]!r}, {problem.targets[column]!r}] is "
            f"{problem.rho[row, column]} and the other way round it is {problem.rho[column, row]}."
        )


def _correlations(problem: Problem, epsilon: Any, *, absolute: bool) -> WindowTable:
    """The pairs that satisfy (a), in the order of their values."""
    table, highest = comparable(problem), ceiling(problem, 1 - as_fraction(epsilon))
    is_pair = np.triu(np.ones(table.shape, dtype=bool), 1)
    is_pair &= np.asarray((np.abs(table) if absolute else table) <= highest, dtype=bool)
    everyone = np.arange(len(table))
    return WindowTable(table, is_pair, np.eye(len(table), dtype=bool), everyone, everyone, is_symmetric=True)


@dataclass(frozen=True)
class _WithinOneOverLength(Tolerance):
    """Windows of width 1/d below any top, in units of the table's denominator."""

    one: Any
    slack: float

    def n_tops(self, values: Values, length: int) -> int:
        """Every value may be the largest."""
        return len(values)

    def widths(self, tops: Values, length: int) -> Values:
        """The same for each top."""
        if isinstance(self.one, float):
            return np.full(len(tops), self.one / length + self.slack)
        return as_steps([self.one // length] * len(tops), tops)
