"""From what the user typed to a problem and its targets."""

from pathlib import Path

from warmer.model import Label, Problem
from warmer.model.errors import InvalidValueError
from warmer.problems import CATALOG, parse, read_problem

__all__ = ["find_problem", "find_target"]


def find_problem(source: str, square: bool | None = None, reward_range: tuple[float, float] | None = None) -> Problem:
    """The problem of the catalogue, or of a file if there is one of that name or the text looks like a path."""
    if source.partition(":")[0] in CATALOG:
        is_plain = square is None and reward_range is None
        return parse(source).build() if is_plain else _refuse_options(source)
    if _is_path(source):
        return read_problem(source, square=square, reward_range=reward_range)
    try:
        return parse(source).build()
    except InvalidValueError as error:
        raise InvalidValueError(f"{str(error).rstrip('.')}; nor is there a file of that name.") from error


def find_target(problem: Problem, text: str) -> Label:
    """The target whose label reads like the text."""
    for label in problem.targets:
        if str(label) == text:
            return label
    return problem.targets[problem.targets.position(text)]


def _is_path(source: str) -> bool:
    path = Path(source)
    return path.exists() or len(path.parts) > 1 or bool(path.suffix and ":" not in source)


def _refuse_options(source: str) -> Problem:
    raise InvalidValueError(
        f"--square, --table and --reward-range are for files; {source} of the catalogue knows its own."
    )
