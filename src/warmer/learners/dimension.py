"""The dimension that stands in the guarantee of a learner."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from warmer.dimensions import dissimilarity_dimension
from warmer.model import Learner, Problem
from warmer.model.checks import SLACK
from warmer.model.errors import InvalidValueError

__all__ = ["inexact_table", "monotone_dimension"]


def inexact_table(problem: Problem) -> str:
    """Why no theorem covers a table that is not declared exact."""
    known = "unknown" if problem.tolerance is None else f"{problem.tolerance:g}"
    return f"the theorem needs a table that is exact; how far this one may be from the truth is {known}"


def monotone_dimension(base: Learner[Any], epsilon: Fraction) -> int:
    """The dimension at the base's alpha; where alpha* is unknown, the largest at any value it can take.

    A target of a square problem whose own query is forbidden is asked about by another; the alternatives are then
    pairs of a query and a target, as in a bandit.
    """
    problem = base.problem
    if not isinstance(problem, Problem):
        raise InvalidValueError(
            f"the dimension of {type(problem).__name__} is not computed; give dimension= or horizon=."
        )
    if problem.is_square and problem.is_allowed is not None:
        problem = replace(problem, is_square=False)
    alpha = getattr(base, "alpha", None)
    alphas = np.unique(problem.self_evaluations).tolist() if alpha is None else [alpha]
    return max(
        dissimilarity_dimension(problem, alpha=_as_meant(problem, value), epsilon=epsilon, monotone=True).upper
        for value in alphas
    )


def _as_meant(problem: Problem, alpha: float) -> float | Fraction:
    """The value of an exact table that a float stands for, so that rounding excludes no target."""
    if problem.rational is None:
        return alpha
    meant = Fraction(alpha).limit_denominator(problem.rational.denominator)
    return meant if abs(meant - Fraction(alpha)) <= SLACK else alpha
