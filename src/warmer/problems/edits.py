"""The same problem with fewer or more rows and columns: for asking what other models or actions would change."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from warmer.model import Array, Label, Labels, Problem
from warmer.model.errors import InvalidValueError

__all__ = ["extended", "without"]


def without(problem: Problem, *, queries: Iterable[Label] = (), targets: Iterable[Label] = ()) -> Problem:
    """The problem without these queries and targets, by label.

    In a square problem row k and column k are one alternative, and go together whichever of the two is named.

    Examples
    --------
    >>> weather = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
    >>> smaller = without(weather, targets=["rain"])
    >>> list(smaller.targets), smaller.rho.tolist()
    (['sun'], [[0.9], [0.3]])
    """
    rows = {problem.queries.position(label) for label in queries}
    columns = {problem.targets.position(label) for label in targets}
    if problem.is_square:
        rows = columns = rows | columns
    kept = _kept(rows, problem.queries), _kept(columns, problem.targets)
    return _rebuilt(
        problem,
        _entries(problem)[np.ix_(*kept)],
        [problem.queries[k] for k in kept[0]],
        [problem.targets[k] for k in kept[1]],
        allowed=None if problem.is_allowed is None else problem.is_allowed[kept[0]],
        costs=None if problem.costs is None else problem.costs[kept[0]],
    )


def extended(problem: Problem, more: Problem) -> Problem:
    """The problem with the rows of another that has the same targets, or the columns of one that has the same queries.

    Labels are matched by what they read like, in any order; the new ones must be new. Which queries are forbidden and
    what they cost comes along with them.

    Examples
    --------
    >>> weather = Problem.from_table([[0.1, 0.9]], queries=["left"], targets=["rain", "sun"])
    >>> longer = extended(weather, Problem.from_table([[0.3, 0.7]], queries=["right"], targets=["sun", "rain"]))
    >>> list(longer.queries), longer.rho.tolist()
    (['left', 'right'], [[0.1, 0.9], [0.7, 0.3]])
    """
    if problem.is_square:
        raise InvalidValueError(
            "a square problem takes no new rows or columns: each alternative is both; read it as a table, with --table."
        )
    if problem.reward_range != more.reward_range:
        raise InvalidValueError(f"what is added must have the reward range {problem.reward_range}.")
    if _words(problem.targets).keys() == _words(more.targets).keys():
        return _with_rows(problem, more)
    if _words(problem.queries).keys() == _words(more.queries).keys():
        return _with_columns(problem, more)
    raise InvalidValueError(
        "what is added must have the same targets, and new queries, or the same queries, and new targets; "
        f"{_difference(problem, more)}."
    )


def _with_rows(problem: Problem, more: Problem) -> Problem:
    _check_new(problem.queries, more.queries)
    if (problem.costs is None) != (more.costs is None):
        raise InvalidValueError("either both tables declare what queries cost, or neither does.")
    columns = [_words(more.targets)[str(label)] for label in problem.targets]
    return _rebuilt(
        problem,
        np.concatenate(_alike(_entries(problem), _entries(more)[:, columns])),
        [*problem.queries, *more.queries],
        problem.targets,
        allowed=None
        if problem.is_allowed is None and more.is_allowed is None
        else np.concatenate([_allowed(problem), _allowed(more)]),
        costs=None if problem.costs is None or more.costs is None else np.concatenate([problem.costs, more.costs]),
    )


def _with_columns(problem: Problem, more: Problem) -> Problem:
    _check_new(problem.targets, more.targets)
    rows = [_words(more.queries)[str(label)] for label in problem.queries]
    return _rebuilt(
        problem,
        np.concatenate(_alike(_entries(problem), _entries(more)[rows]), axis=1),
        problem.queries,
        [*problem.targets, *more.targets],
        allowed=problem.is_allowed,
        costs=problem.costs,
    )


def _rebuilt(
    problem: Problem,
    entries: Array,
    queries: Sequence[Label],
    targets: Sequence[Label],
    *,
    allowed: Array | None,
    costs: Array | None,
) -> Problem:
    shared: dict[str, Any] = {
        "forbidden": None if allowed is None else ~allowed,
        "costs": costs,
        "reward_range": problem.reward_range,
    }
    if problem.is_square:
        return Problem.from_similarity(entries, labels=queries, **shared)
    return Problem.from_table(entries, queries=queries, targets=targets, **shared)


def _allowed(problem: Problem) -> Array:
    return np.ones(problem.n_queries, dtype=bool) if problem.is_allowed is None else problem.is_allowed


def _entries(problem: Problem) -> Array:
    """The table as it was given: fractions where it is rational."""
    if problem.rational is None:
        return np.asarray(problem.rho)
    over = problem.rational.denominator
    return np.array(
        [[Fraction(int(entry), over) for entry in row] for row in problem.rational.numerators], dtype=object
    )


def _alike(first: Array, second: Array) -> tuple[Array, Array]:
    """Both rational, or both floats."""
    if (first.dtype == object) == (second.dtype == object):
        return first, second
    return first.astype(float), second.astype(float)


def _kept(dropped: set[int], labels: Labels) -> list[int]:
    kept = [position for position in range(len(labels)) if position not in dropped]
    if not kept:
        raise InvalidValueError(f"every {labels.noun} would be dropped; keep at least one.")
    return kept


def _check_new(old: Labels, new: Labels) -> None:
    for label in new:
        if str(label) in _words(old):
            raise InvalidValueError(f"there is a {old.noun} {label!r} already; give the new one another name.")


def _words(labels: Labels) -> dict[str, int]:
    return {str(label): position for position, label in enumerate(labels)}


def _difference(problem: Problem, more: Problem) -> str:
    mine, other = _words(problem.targets), _words(more.targets)
    missing = [word for word in mine if word not in other]
    extra = [word for word in other if word not in mine]
    return f"target {missing[0]!r} is missing from it" if missing else f"its target {extra[0]!r} is not in the problem"
