"""From what the user typed to a problem, its targets, its noise model, and the numbers that depend on it."""

import os
from fractions import Fraction
from pathlib import Path
from typing import Any

from warmer.model import Problem
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
    if _is_path(source):
        return read_problem(source, square=square, reward_range=reward_range)
    try:
        return parse(source).build()
    except InvalidValueError as error:
        raise InvalidValueError(f"{str(error).rstrip('.')}; nor is there a file of that name.") from error


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
    for label in problem.targets:
        if str(label) == text:
            return label
    return problem.targets[problem.targets.position(text)]


def accuracy(problem: Any, epsilon: Fraction | None) -> Fraction:
    """The epsilon that was given, or a twentieth of the reward range."""
    return as_fraction(problem.scale) / 10 if epsilon is None else epsilon


def common_alpha_of(problem: Problem) -> Any:
    """The best value that all targets share, exactly where the table is rational; an error where they differ."""
    least, most = problem.self_evaluations.min(), problem.self_evaluations.max()
    if least != most:
        raise InvalidValueError(
            f"the targets' best values range from {least:g} to {most:g}; choose the optimality level with --alpha."
        )
    return problem.entry(int(problem.best_queries[0]), 0)


def _is_path(source: str) -> bool:
    path = Path(source)
    return os.path.exists(path) or len(path.parts) > 1 or bool(path.suffix and ":" not in source)
