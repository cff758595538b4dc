"""From `--drop` and `--add` to another problem: first everything is added, then what is named is dropped."""

from collections.abc import Sequence
from pathlib import Path

from warmer.model import Label, Labels, Problem
from warmer.model.errors import InvalidValueError
from warmer.problems import read_problem


def changed(problem: Problem, *, add: Sequence[Path], drop: Sequence[str]) -> Problem:
    """The problem with the rows or columns of these files, and without what these labels name."""
    for path in add:
        problem = _added(problem, path)
    rows, columns = [], []
    for text in drop:
        query, target = _named(problem, text)
        rows += [] if query is None else [query]
        columns += [] if target is None else [target]
    return problem.drop(queries=rows, targets=columns) if drop else problem


def _added(problem: Problem, path: Path) -> Problem:
    more = read_problem(path, square=False, reward_range=problem.reward_range)
    try:
        return problem.append(more)
    except InvalidValueError as error:
        raise InvalidValueError(f"{path}: {error}") from error


def _named(problem: Problem, text: str) -> tuple[Label | None, Label | None]:
    """The query or the target that the text names; both where they are one alternative."""
    kind, colon, name = text.partition(":")
    if colon and kind in ("query", "target"):
        query = _found(problem.queries, name) if kind == "query" else None
        target = _found(problem.targets, name) if kind == "target" else None
        if query is None and target is None:
            raise InvalidValueError(f"there is no {kind} {name!r} to drop.")
        return query, target
    query, target = _found(problem.queries, text), _found(problem.targets, text)
    if query is None and target is None:
        raise InvalidValueError(f"there is no query and no target {text!r} to drop.")
    if query is not None and target is not None and not problem.is_square:
        raise InvalidValueError(f"{text!r} names a query and a target; say query:{text} or target:{text}.")
    return query, target


def _found(labels: Labels, text: str) -> Label | None:
    return next((label for label in labels if str(label) == text), None)
