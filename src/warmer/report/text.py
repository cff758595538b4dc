"""Results in sentences and cells, the same on a screen and on a page; it draws nothing."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from warmer.analysis import Comparison, Interval, Outcome
from warmer.analysis.neighbourhood import Pair
from warmer.dimensions import Complexity
from warmer.model import Problem
from warmer.model.words import exact, span

_MOST_NAMED = 6
_MOST_ELEMENTS = 30
"""How many elements of a witness are named."""

TOLD = " (told alpha)"
"""The mark of a learner that was told what others had to find out, where there is room for words."""


def short(value: float) -> str:
    """Three digits, and hundreds and more without a fraction.

    Examples
    --------
    >>> short(9.7), short(12345.6)
    ('9.70', '12,346')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:#.3g}".rstrip(".")


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number and its noun, in the plural where it is one.

    Examples
    --------
    >>> counted(1, "run"), counted(2000, "run"), counted(2, "query", "queries")
    ('1 run', '2,000 runs', '2 queries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def level_in_words(alpha: Any) -> str:
    """A level as short as it is true to six digits; fractions as they are.

    Examples
    --------
    >>> from fractions import Fraction
    >>> level_in_words(1.0), level_in_words(Fraction(1, 3))
    ('1', '1/3')
    """
    return f"{alpha:.6g}" if isinstance(alpha, float) else f"{alpha}"


def size_in_words(problem: Problem) -> tuple[str, str]:
    """What is counted, and how many there are."""
    if problem.is_square:
        return "alternatives", f"{problem.n_targets:,}"
    return "queries and targets", f"{problem.n_queries:,} by {problem.n_targets:,}"


def problem_in_words(problem: Problem) -> list[str]:
    """The queries, the candidate targets, and what the table looks like."""
    low, high = problem.reward_range
    least, most = float(problem.self_evaluations.min()), float(problem.self_evaluations.max())
    best = f"{least:g}" if least == most else f"between {least:.4g} and {most:.4g}, depending on the target"
    if problem.is_square:
        kind = f"{counted(problem.n_targets, 'alternative')}: each is a query, and each could be the target"
        names = f"{_some(problem.targets)}."
    else:
        asked = counted(problem.n_queries, "query", "queries")
        kind = f"{asked}, and {counted(problem.n_targets, 'candidate target')}"
        names = f"Queries: {_some(problem.queries)}. Targets: {_some(problem.targets)}."
    details = [names]
    if problem.is_allowed is not None and not problem.is_allowed.all():
        details.append(f"{int((~problem.is_allowed).sum()):,} of the queries are forbidden.")
    if problem.tolerance is None:
        details.append("How wrong its entries may be was not declared, so nothing can be proven by it.")
    elif problem.tolerance:
        details.append(f"Its entries are right within {exact(problem.tolerance)}, as declared.")
    if problem.rational is not None:
        details.append("The table is rational: dimensions are computed in exact arithmetic.")
    return [f"{kind}. Rewards lie in {span(low, high)}; the best query earns {best}.", " ".join(details)]


def learner_name(comparison: Comparison, outcome: Outcome, *, mark: str = "*") -> str:
    """The name of a learner, with a mark if it was told what others had to find out."""
    return f"{outcome.learner}{mark}" if is_told_more(comparison, outcome) else outcome.learner


def told_in_words(comparison: Comparison) -> str:
    """What the mark on some learners' names means; empty where no learner was told more than another."""
    told = [outcome.learner for outcome in comparison.outcomes if is_told_more(comparison, outcome)]
    if not told:
        return ""
    value = "the best value of each run's target" if comparison.task.alpha is None else "alpha"
    return f"{listed(told)} {'is' if len(told) == 1 else 'are'} told {value}; the other learners are not."


def winner(comparison: Comparison) -> tuple[str, str]:
    """Who had the least regret of those that were told no more than the others."""
    fair = [outcome for outcome in comparison.ranking if not is_told_more(comparison, outcome)]
    if not fair:
        return f"least regret{TOLD}", comparison.ranking[0].learner
    is_told_better = fair[0] is not comparison.ranking[0]
    return "least regret" + (" among learners not told the best value" if is_told_better else ""), fair[0].learner


def outcome_row(comparison: Comparison, outcome: Outcome, *, mark: str = "*") -> tuple[str, ...]:
    """One learner's regret with its interval, its bad queries, and how often its last query was good."""
    low, rate, high = (f"{100 * share:.0f}" for share in outcome.success)
    return (
        learner_name(comparison, outcome, mark=mark),
        short(outcome.regret.estimate),
        interval_in_words(outcome.regret),
        short(outcome.bad.estimate),
        f"{rate}% ({low}-{high})",
    )


def interval_in_words(interval: Interval) -> str:
    """The two ends of an interval; a single run has none."""
    return f"{short(interval.low)} to {short(interval.high)}" if math.isfinite(interval.high) else "one run"


def neighbour_row(pair: Pair) -> tuple[str, ...]:
    """Two targets, their distance, and the query that tells them apart best."""
    first, second, query = (shortened(str(label), 80) for label in (pair.first, pair.second, pair.query))
    return first, second, f"{pair.distance:.4g}", query


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def shortened(label: str, most: int) -> str:
    """A label with so many letters at the most.

    Examples
    --------
    >>> shortened("chromium", 8), shortened("chromium", 4)
    ('chromium', 'chr…')
    """
    return label if len(label) <= most else f"{label[: most - 1]}…"


def is_told_more(comparison: Comparison, outcome: Outcome) -> bool:
    """Whether this learner was told alpha, and not all targets of the table have the same one."""
    problem = comparison.problem
    is_no_secret = isinstance(problem, Problem) and np.ptp(problem.self_evaluations) == 0
    return "alpha" in outcome.told and not is_no_secret


def witnesses_in_words(problem: Problem, found: Complexity) -> dict[str, list[str]]:
    """The elements of each measure's witness, checked against the definition before they are shown.

    Examples
    --------
    >>> from warmer.dimensions import complexity
    >>> needles = Problem.from_table([[1, 0], [0, 1]], queries=["left", "right"], targets=["rain", "sun"])
    >>> words = witnesses_in_words(needles, complexity(needles, alpha=1, epsilon=0.5))
    >>> sorted(words["dissimilarity dimension"])
    ['left, if rain is true', 'right, if sun is true']
    >>> words["eluder dimension"]
    ['left tells rain from sun']
    """
    words = {}
    for measure, bracket in found.brackets.items():
        if bracket.witness is not None:
            bracket.witness.check(problem)
            lines = _lines(problem, bracket.witness)
            n_more = len(lines) - _MOST_ELEMENTS
            words[measure] = lines[:_MOST_ELEMENTS] + ([f"and {n_more:,} more"] if n_more > 0 else [])
    return words


def _lines(problem: Problem, witness: Any) -> list[str]:
    query, target = _label_of(problem.queries), _label_of(problem.targets)
    if hasattr(witness, "cover"):
        members = [f"{target(each)} covers what is near it" for each in witness.cover.targets]
        return members + [f"{target(each)} is far from the others named so" for each in witness.packing.targets]
    if hasattr(witness, "pairs"):
        pairs = zip(witness.queries, witness.pairs, strict=True)
        return [f"{query(each)} tells {target(one)} from {target(other)}" for each, (one, other) in pairs]
    if hasattr(witness, "queries"):
        both = zip(witness.queries, witness.targets, strict=True)
        return [f"{query(each)}, if {target(true)} is true" for each, true in both]
    return [target(each) for each in witness.targets]


def _label_of(labels: Any) -> Callable[[int], str]:
    return lambda place: shortened(str(labels[place]), 60)


def _some(labels: Sequence[Any]) -> str:
    names = ", ".join(shortened(str(label), 60) for label in labels[:_MOST_NAMED])
    return f"{names} and {len(labels) - _MOST_NAMED:,} more" if len(labels) > _MOST_NAMED else names
