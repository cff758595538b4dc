"""Witnesses in words: what shows that a measure is at least so large."""

from collections.abc import Callable
from typing import Any

from warmer.dimensions import Complexity
from warmer.model import Problem
from warmer.report.text import shortened

_MOST = 30
"""How many elements of a witness are named."""


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
            words[measure] = lines[:_MOST] + ([f"and {len(lines) - _MOST:,} more"] if len(lines) > _MOST else [])
    return words


def _lines(problem: Problem, witness: Any) -> list[str]:
    query, target = _named(problem.queries), _named(problem.targets)
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


def _named(labels: Any) -> Callable[[int], str]:
    return lambda place: shortened(str(labels[place]), 60)
