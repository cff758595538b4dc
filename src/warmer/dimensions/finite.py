"""Which problems have a table that can be searched, and what to use for those that have none."""

from typing import Any

from warmer.model import Family, Problem
from warmer.model.errors import InvalidValueError


def require_table(problem: Any, measure: str, *, instead: str = "") -> Problem:
    """Return the problem if it is a finite table; else raise, and say what to use `instead` for a continuous class.

    Examples
    --------
    >>> require_table([[1, 0]], "the covering number")
    Traceback (most recent call last):
    ...
    warmer.model.errors.InvalidValueError: the covering number needs a Problem, got list; use Problem.from_table.
    """
    if isinstance(problem, Problem):
        return problem
    if not isinstance(problem, Family):
        kind = type(problem).__name__
        raise InvalidValueError(f"{measure} needs a Problem, got {kind}; use Problem.from_table.")
    theorem = f" Use {instead}, or" if instead else " There is no theorem for it either:"
    raise InvalidValueError(
        f"{measure} is decided by going through a finite table, and {problem!r} has infinitely many targets.{theorem} "
        "take finitely many of them with Problem.from_table."
    )
