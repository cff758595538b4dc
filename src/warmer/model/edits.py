"""The same problem with fewer or more rows and columns: for asking what other models or actions would change."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from warmer.model.errors import InvalidValueError
from warmer.model.labels import Label, Labels
from warmer.model.tables import Numerators, compact, read_only

if TYPE_CHECKING:
    from warmer.model.problem import Problem

P = TypeVar("P", bound="Problem")


def dropped(problem: P, queries: Iterable[Label], targets: Iterable[Label]) -> P:
    """The problem without these queries and targets, by label."""
    rows = {problem.queries.position(label) for label in queries}
    columns = {problem.targets.position(label) for label in targets}
    if problem.is_square:
        rows = columns = rows | columns
    return _selected(problem, _kept(rows, problem.queries), _kept(columns, problem.targets))


def appended(problem: P, more: "Problem") -> P:
    """The problem with the rows of another that has the same targets, or the columns of one with the same queries."""
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


def _selected(problem: P, rows: Sequence[int], columns: Sequence[int]) -> P:
    allowed = None if problem.is_allowed is None else problem.is_allowed[rows]
    if allowed is not None and not allowed.any():
        raise InvalidValueError("every query that is left is forbidden; keep one that is allowed.")
    exact, place = problem.rational, np.ix_(rows, columns)
    return replace(
        problem,
        rho=read_only(problem.rho[place]),
        queries=Labels([problem.queries[k] for k in rows], length=len(rows), noun="query"),
        targets=Labels([problem.targets[k] for k in columns], length=len(columns), noun="target"),
        is_allowed=allowed,
        costs=None if problem.costs is None else problem.costs[rows],
        rational=exact and exact._replace(numerators=read_only(exact.numerators[place])),
        parameters=problem.parameters and {name: values[columns] for name, values in problem.parameters.items()},
    )


def _with_rows(problem: P, more: "Problem") -> P:
    names = _new_names(problem.queries, more.queries)
    if (problem.costs is None) != (more.costs is None):
        raise InvalidValueError("either both tables declare what queries cost, or neither does.")
    columns = _words(more.targets)
    more = _selected(more, range(more.n_queries), [columns[str(label)] for label in problem.targets])
    masks = [
        np.ones(each.n_queries, dtype=bool) if each.is_allowed is None else each.is_allowed for each in (problem, more)
    ]
    allowed = np.concatenate(masks)
    return replace(
        _joined(problem, more, axis=0),
        queries=names,
        is_allowed=None if allowed.all() else allowed,
        costs=None if problem.costs is None or more.costs is None else np.concatenate([problem.costs, more.costs]),
    )


def _with_columns(problem: P, more: "Problem") -> P:
    names = _new_names(problem.targets, more.targets)
    rows = _words(more.queries)
    more = _selected(more, [rows[str(label)] for label in problem.queries], range(more.n_targets))
    mine, others = problem.parameters or {}, more.parameters or {}
    joined = {name: np.concatenate([values, others[name]]) for name, values in mine.items() if name in others}
    is_whole = mine.keys() == others.keys() == joined.keys() and bool(joined)
    return replace(_joined(problem, more, axis=1), targets=names, parameters=joined if is_whole else None)


def _joined(problem: P, more: "Problem", axis: int) -> P:
    is_known = problem.tolerance is not None and more.tolerance is not None
    return replace(
        problem,
        rho=read_only(np.concatenate([problem.rho, more.rho], axis=axis)),
        rational=_joined_numerators(problem.rational, more.rational, axis),
        tolerance=max(problem.tolerance or 0.0, more.tolerance or 0.0) if is_known else None,
    )


def _joined_numerators(first: Numerators | None, second: Numerators | None, axis: int) -> Numerators | None:
    if first is None or second is None:
        return None
    over = math.lcm(first.denominator, second.denominator)
    parts = [each.numerators.astype(object) * (over // each.denominator) for each in (first, second)]
    joined = np.concatenate(parts, axis=axis)
    return Numerators(read_only(compact(joined)), over)


def _kept(dropped: set[int], labels: Labels) -> list[int]:
    kept = [position for position in range(len(labels)) if position not in dropped]
    if not kept:
        raise InvalidValueError(f"every {labels.noun} would be dropped; keep at least one.")
    return kept


def _new_names(old: Labels, new: Labels) -> Labels:
    for label in new:
        if str(label) in _words(old):
            raise InvalidValueError(f"there is a {old.noun} {label!r} already; give the new one another name.")
    return Labels([*old, *new], length=len(old) + len(new), noun=old.noun)


def _words(labels: Labels) -> dict[str, int]:
    return {str(label): position for position, label in enumerate(labels)}


def _difference(problem: "Problem", more: "Problem") -> str:
    mine, other = _words(problem.targets), _words(more.targets)
    missing = [word for word in mine if word not in other]
    extra = [word for word in other if word not in mine]
    return f"target {missing[0]!r} is missing from it" if missing else f"its target {extra[0]!r} is not in the problem"
