"""The fit of a problem, whatever its kind."""

from collections.abc import Callable
from typing import Any

from warmer.estimation.finite import FiniteFit
from warmer.model import Family, Fit, HypothesisError, Problem

__all__ = ["error_budget_of", "fitting"]


def fitting(problem: Problem | Family) -> Fit[Any]:
    """Least squares over the targets of a table, or over a family that knows how to fit itself.

    Examples
    --------
    >>> type(fitting(Problem.from_table([[0.5]]))).__name__
    'FiniteFit'
    """
    return FiniteFit(problem) if isinstance(problem, Problem) else problem.fit()


def error_budget_of(source: Any) -> Callable[..., float]:
    """The error budget of a fit or a confidence set; raises `HypothesisError` where no theorem gives one."""
    if not hasattr(source, "error_budget"):
        raise HypothesisError(
            f"no error budget is known for {type(source).__name__}; give your own: error_budget=lambda horizon: ..."
        )
    return source.error_budget  # type: ignore[no-any-return]
