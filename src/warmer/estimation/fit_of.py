"""The fit of a problem, whatever its kind."""

from typing import Any

from warmer.estimation.sharded_fit import ShardedFit
from warmer.estimation.table_fit import TableFit
from warmer.model import Family, Fit, Problem
from warmer.model.errors import InvalidValueError
from warmer.model.sharded import ShardedProblem


def fit_of(problem: Problem | ShardedProblem | Family) -> Fit[Any]:
    """Least squares over the targets of a table, whole or in shards, or over a family that knows how to fit itself.

    Examples
    --------
    >>> type(fit_of(Problem.from_table([[0.5]]))).__name__
    'TableFit'
    """
    if isinstance(problem, Problem):
        return TableFit(problem)
    if isinstance(problem, ShardedProblem):
        return ShardedFit(problem)
    if not isinstance(problem, Family):
        raise InvalidValueError(
            f"a learner needs a Problem or a family, got {type(problem).__name__}; "
            "build one with Problem.from_table or Problem.from_similarity."
        )
    return problem.fit()


def inexact_fit(problem: Problem | Family) -> str:
    """Why no theorem covers a fit that is not exact."""
    return f"the fit of {problem!r} is not proved to have the least loss, as the theorem needs"
