"""What a table of numbers cannot say: a file of the same name that ends in .toml says it."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from warmer.model import Label
from warmer.model.errors import InvalidValueError

_KEYS = ("reward_range", "costs", "forbidden", "tolerance", "square", "denominator")


def read_sidecar(file: Path) -> dict[str, Any]:
    r"""What `weather.toml` says about `weather.csv`; nothing where there is no such file.

    Its keys are those of `read_problem`; `forbidden` lists labels of queries, `costs` is a list, or a table with a cost
    for each label.
    """
    beside = file.with_suffix(".toml")
    if not beside.is_file():
        return {}
    try:
        found = tomllib.loads(beside.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidValueError(f"{beside.name} beside it is not valid TOML ({error}).") from error
    unknown = next((key for key in found if key not in _KEYS), None)
    if unknown is not None:
        raise InvalidValueError(f"{beside.name} beside it has a key {unknown!r}; it may hold {', '.join(_KEYS)}.")
    return _checked(found, beside.name)


def by_position(said: dict[str, Any], queries: Sequence[Label], name: str) -> dict[str, Any]:
    """What a sidecar says, with forbidden queries as a mask and costs in the order of the queries."""
    names, made = [str(label) for label in queries], dict(said)
    if "forbidden" in said:
        closed = [_known(str(label), names, name) for label in said["forbidden"]]
        made["forbidden"] = [label in closed for label in names]
    if isinstance(said.get("costs"), dict):
        costs = {_known(label, names, name): cost for label, cost in said["costs"].items()}
        missing = next((label for label in names if label not in costs), None)
        if missing is not None:
            raise InvalidValueError(f"{name} beside it has no cost for query {missing!r}.")
        made["costs"] = [costs[label] for label in names]
    return made


def _checked(found: dict[str, Any], name: str) -> dict[str, Any]:
    ends = found.get("reward_range", [0, 1])
    if not (isinstance(ends, list) and len(ends) == 2 and all(_is_number(end) for end in ends)):
        raise InvalidValueError(f"{name} beside it: reward_range must be two numbers such as [0, 100], got {ends!r}.")
    if not isinstance(found.get("forbidden", []), list):
        raise InvalidValueError(f"{name} beside it: forbidden must be a list of query labels.")
    costs = found.get("costs", [])
    values = list(costs.values()) if isinstance(costs, dict) else costs
    if not (isinstance(values, list) and all(_is_number(value) for value in values)):
        raise InvalidValueError(f"{name} beside it: costs must be numbers, a list or one for each query label.")
    return found


def _known(label: str, names: list[str], name: str) -> str:
    if label not in names:
        raise InvalidValueError(f"{name} beside it names a query {label!r}, which the table does not have.")
    return label


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
