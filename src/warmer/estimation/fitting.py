"""The fit of a problem, whatever its kind."""

from typing import Any

from warmer.estimation.finite import FiniteFit
from warmer.model import Family, Fit, Problem

__all__ = ["fitting"]


def fitting(problem: Problem | Family) -> Fit[Any]:
    """Least squares over the targets of a table, or over a family that knows how to fit itself.

    Examples
    --------
    >>> type(fitting(Problem.from_table([[0.5]]))).__name__
    'FiniteFit'
    """
    return FiniteFit(problem) if isinstance(problem, Problem) else problem.fit()
