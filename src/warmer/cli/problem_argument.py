"""From what the user typed to a problem, an edited one, its targets, its noise model, and numbers that depend on it."""

import os
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from warmer.analysis.task import common_alpha
from warmer.model import Label, Labels, Problem
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_fraction, as_number
from warmer.problems import read_problem
from warmer.problems.catalog import CATALOG, parse
from warmer.report.text import listed

ADVERSARIES = ("adversarial", "simulated-samples")
"""Noise models whose errors are chosen, not drawn."""

_USED_BY = {"width": ("uniform", "gaussian", *ADVERSARIES), "n": ("mean",), "strategy": ADVERSARIES}


def find_problem(source: str, square: bool | None = None, reward_range: tuple[float, float] | None = None) -> Problem:
    """The problem of the catalogue, or of a file if there is one of that name or the text looks like a path."""
    if source.partition(":")[0] in CATALOG:
        if square is not None or reward_range is not None:
            raise InvalidValueError(
                f"--square, --table and --reward-range are for files; {source} of the catalogue has its own."
            )
        return parse(source).build()
    path = Path(source)
    if os.path.exists(path) or len(path.parts) > 1 or (path.suffix and ":" not in source):
        return read_problem(source, square=square, reward_range=reward_range)
    try:
        return parse(source).build()
    except InvalidValueError as error:
        raise InvalidValueError(f"{str(error).rstrip('.')}; nor is there a file of that name.") from error


def changed(problem: Problem, *, add: Sequence[Path], drop: Sequence[str]) -> Problem:
    """The problem with the rows or columns of these files, and then without what these labels name."""
    for path in add:
        more = read_problem(path, square=False, reward_range=problem.reward_range)
        try:
            problem = problem.append(more)
        except InvalidValueError as error:
            raise InvalidValueError(f"{path}: {error}") from error
    named = [_named(problem, text) for text in drop]
    queries, targets = ([each[side] for each in named if each[side] is not None] for side in (0, 1))
    return problem.drop(queries=queries, targets=targets) if drop else problem


def noise_settings(name: str, scale: float, **settings: Any) -> dict[str, Any]:
    """The settings that were given, if they apply to the noise model, and the default width."""
    for option, names in _USED_BY.items():
        if settings[option] is not None and name not in names:
            raise InvalidValueError(f"--{option} does not apply to {name}, only to {listed(names)}.")
    return {"width": scale / 2} | {key: value for key, value in settings.items() if value is not None}


def find_target(problem: Any, text: str) -> Any:
    """The target whose label reads like the text; the vector of these numbers in a family."""
    if not isinstance(problem, Problem):
        return [float(as_number("a number of --target", part)) for part in text.split(",")]
    return problem.targets.find(text)


def accuracy(problem: Any, epsilon: Fraction | None) -> Fraction:
    """The epsilon that was given, or a twentieth of the reward range."""
    return as_fraction(problem.scale) / 10 if epsilon is None else epsilon


def common_alpha_of(problem: Problem) -> Any:
    """The best value that all targets share, exactly where the table is rational; an error where they differ."""
    alpha, values = common_alpha(problem), problem.self_evaluations
    if alpha is None:
        raise InvalidValueError(
            f"the targets' best values range from {values.min():g} to {values.max():g}; choose the optimality level "
            "with --alpha."
        )
    return alpha


def _named(problem: Problem, text: str) -> tuple[Label | None, Label | None]:
    """The query or the target that the text names; both where they are one alternative."""
    kind, colon, name = text.partition(":")
    kinds = (kind,) if colon and kind in ("query", "target") else ("query", "target")
    wanted = name if len(kinds) == 1 else text
    query = _found(problem.queries, wanted) if "query" in kinds else None
    target = _found(problem.targets, wanted) if "target" in kinds else None
    if query is None and target is None:
        raise InvalidValueError(f"there is no {' and no '.join(kinds)} {wanted!r} to drop.")
    if query is not None and target is not None and not problem.is_square:
        raise InvalidValueError(f"{text!r} names a query and a target; say query:{text} or target:{text}.")
    return query, target


def _found(labels: Labels, text: str) -> Label | None:
    return next((label for label in labels if str(label) == text), None)
