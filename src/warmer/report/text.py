"""What a page says about a problem in sentences."""

from collections.abc import Sequence
from typing import Any

from warmer.analysis import ProblemReport
from warmer.dimensions import Bracket
from warmer.model import Problem
from warmer.report.budget_words import noise_in_words
from warmer.report.wording import counted

__all__ = ["ends", "goal_in_words", "level_in_words", "problem_in_words", "shortened", "size_in_words"]

_MOST_NAMED = 6


def ends(bracket: Bracket) -> str:
    """A dimension, or what it lies between."""
    return f"{bracket.value}" if bracket.is_exact else f"{bracket.lower} to {bracket.upper}"


def level_in_words(alpha: Any) -> str:
    """A level as short as it is true to six digits; fractions as they are.

    Examples
    --------
    >>> from fractions import Fraction
    >>> level_in_words(1.0), level_in_words(Fraction(1, 3))
    ('1', '1/3')
    """
    return f"{alpha:.6g}" if isinstance(alpha, float) else f"{alpha}"


def goal_in_words(dossier: ProblemReport) -> str:
    """The goal, in one sentence."""
    goal = dossier.goal
    best = "the best" if goal.alpha is None else f"alpha = {level_in_words(goal.alpha)}"
    return (
        f"The goal: a query whose expected reward is within {goal.epsilon:g} of {best}, with probability "
        f"{1 - goal.delta:g}, from answers with noise {noise_in_words(dossier.budget)}."
    )


def size_in_words(problem: Problem) -> tuple[str, str]:
    """What is counted, and how many there are."""
    if problem.is_square:
        return "alternatives", f"{problem.n_targets:,}"
    return "queries and targets", f"{problem.n_queries:,} by {problem.n_targets:,}"


def problem_in_words(problem: Problem) -> list[str]:
    """What there is to ask, what could be true, and what the table looks like."""
    low, high = problem.reward_range
    least, most = float(problem.self_evaluations.min()), float(problem.self_evaluations.max())
    best = f"earns {least:g} whatever the truth" if least == most else f"earns from {least:.4g} to {most:.4g}, by truth"
    if problem.is_square:
        kind = f"{counted(problem.n_targets, 'alternative')}: each can be asked, and each could be the truth"
        names = f"{_some(problem.targets)}."
    else:
        asked = counted(problem.n_queries, "query", "queries")
        kind = f"{asked} can be asked, and one of {counted(problem.n_targets, 'target')} is the truth"
        names = f"Queries: {_some(problem.queries)}. Targets: {_some(problem.targets)}."
    details = [names]
    if problem.is_allowed is not None and not problem.is_allowed.all():
        details.append(f"{int((~problem.is_allowed).sum()):,} of the queries may never be asked.")
    if problem.rational is not None:
        details.append("The table is rational: dimensions are computed in exact arithmetic.")
    return [f"{kind}. Rewards lie in [{low:g}, {high:g}]; the best query {best}.", " ".join(details)]


def shortened(label: str, most: int) -> str:
    """A label with so many letters at the most.

    Examples
    --------
    >>> shortened("chromium", 8), shortened("chromium", 4)
    ('chromium', 'chr…')
    """
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _some(labels: Sequence[Any]) -> str:
    names = ", ".join(shortened(str(label), 60) for label in labels[:_MOST_NAMED])
    return f"{names} and {len(labels) - _MOST_NAMED:,} more" if len(labels) > _MOST_NAMED else names
