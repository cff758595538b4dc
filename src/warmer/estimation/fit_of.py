"""The fit of a problem, whatever its kind."""

from collections.abc import Callable
from typing import Any

from warmer.estimation.table_fit import TableFit
from warmer.model import Family, Fit, Problem
from warmer.model.errors import HypothesisError, InvalidValueError

__all__ = ["error_budget_of", "fit_of"]


def fit_of(problem: Problem | Family) -> Fit[Any]:
    """Least squares over the targets of a table, or over a family that knows how to fit itself.

    Examples
    --------
    >>> type(fit_of(Problem.from_table([[0.5]]))).__name__
    'TableFit'
    """
    if isinstance(problem, Problem):
        return TableFit(problem)
    if not hasattr(problem, "fit"):
        raise InvalidValueError(
            f"a learner needs a Problem or a family, got {type(problem).__name__}; "
            "build one with Problem.from_table or Problem.from_similarity."
        )
    return problem.fit()


def error_budget_of(source: Any) -> Callable[..., float]:
    """The error budget of a fit or a confidence set; raises `HypothesisError` where no theorem gives one."""
    if not hasattr(source, "error_budget"):
        raise HypothesisError(
            f"no error budget is known for {type(source).__name__}; give your own: error_budget=lambda horizon: ..."
        )
    return source.error_budget  # type: ignore[no-any-return]
