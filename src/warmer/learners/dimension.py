"""The dimension that stands in a guarantee: one answer for learners, budgets and the proof on a run."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from warmer.dimensions import Bracket
from warmer.dimensions.dissimilarity.dimension import table_dimension
from warmer.dimensions.search.anytime import Anytime
from warmer.model import Learner, Problem
from warmer.model.checks import SLACK
from warmer.model.errors import InvalidValueError
from warmer.model.time_limit import Clock, interruptible


def inexact_table(problem: Problem) -> str:
    """Why no theorem covers a table that is not declared exact."""
    known = "unknown" if problem.tolerance is None else f"{problem.tolerance:g}"
    return f"the theorem needs a table that is exact; how far this one may be from the truth is {known}"


@interruptible()
def guarantee_dimension(problem: Problem, *, alpha: Any, epsilon: Any, clock: Clock | None = None) -> Bracket:
    r"""The $\bar d_\rho(Z,\alpha,\epsilon)$ of the theorems, for the alternatives that learners play on this problem.

    A target of a square problem whose own query is forbidden is asked about by another one. The alternatives are then
    pairs of a query and a target, as in a bandit. Where alpha is None, it is the largest dimension at any value that
    the truth can have. Whoever holds the clock may end the search at any time; the upper end is then what is known.

    Examples
    --------
    >>> import numpy as np
    >>> problem = Problem.from_similarity([[1, 0], [0, 1]], labels=["x", "y"])
    >>> guarantee_dimension(problem, alpha=1, epsilon=1).value
    2
    >>> guarantee_dimension(replace(problem, is_allowed=np.array([True, False])), alpha=0, epsilon=1).value
    1
    """
    clock = clock or Clock(None)
    if problem.is_square and problem.is_allowed is not None:
        problem = replace(problem, is_square=False)
    best: Bracket | None = None
    stopped = ""
    for level, most in _levels(problem, alpha):  # from the lowest up: there are fewer and fewer alternatives
        if best is not None and most <= best.lower:
            continue
        if best is not None and (stopped or clock.has_passed):
            reason = f"{stopped or 'time limit'}; upper bound: all alternatives used"
            return best if most <= best.upper else replace(best, upper=most, reason=reason)
        search = Anytime(None)
        search.clock = clock
        known = 1 if best is None else best.lower
        found = table_dimension(problem, search, level, epsilon, is_monotone=True, more_than=known)
        stopped, best = search.stopped, found if best is None else _larger(best, found)
    assert best is not None
    return best


def monotone_dimension(base: Learner[Any], epsilon: Fraction) -> int:
    """The dimension at the base's alpha; where alpha* is unknown, the largest at any value it can take."""
    if not isinstance(base.problem, Problem):
        raise InvalidValueError(
            f"the dimension of {type(base.problem).__name__} is not computed; give dimension= or horizon=."
        )
    return guarantee_dimension(base.problem, alpha=getattr(base, "alpha", None), epsilon=epsilon).upper


def reach_of(base: Learner[Any]) -> float | None:
    """How far the base's alpha lies above the smallest reward, by which no query falls short; None where unknown."""
    alpha = getattr(base, "alpha", None)
    return None if alpha is None else float(alpha) - float(base.problem.reward_range[0])


def _levels(problem: Problem, alpha: Any) -> list[tuple[Any, int]]:
    """Each alpha, with how many alternatives of different queries and different targets reach it."""
    values, n_queries = problem.self_evaluations, int(problem.legal_queries.size)
    if alpha is not None:
        return [(_as_meant(problem, alpha), n_queries)]
    _, first = np.unique(values, return_index=True)
    return [
        (
            problem.entry(int(problem.best_queries[target]), int(target)),
            min(n_queries, int((values >= values[target]).sum())),
        )
        for target in first
    ]


def _larger(one: Bracket, other: Bracket) -> Bracket:
    low, high = max(one, other, key=lambda found: found.lower), max(one, other, key=lambda found: found.upper)
    return Bracket(low.lower, high.upper, low.witness, high.reason)


def _as_meant(problem: Problem, alpha: Any) -> Any:
    """The value of an exact table that a float stands for, so that rounding excludes no target."""
    if problem.rational is None or not isinstance(alpha, float):
        return alpha
    meant = Fraction(alpha).limit_denominator(problem.rational.denominator)
    return meant if abs(meant - Fraction(alpha)) <= SLACK else alpha
