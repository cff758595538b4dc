"""What a statement says, written a second time: the vocabulary of the two tables of formulas."""

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple


class Said(NamedTuple):
    """A statement: what it says of which arguments (by place under "_"), and of which it must say nothing."""

    formula: Callable[..., Any]
    given: list[dict[str, Any]]
    refused: tuple[dict[str, Any], ...] | list[dict[str, Any]] = ()


def every(**choices):
    """All combinations of some values for each argument."""
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


def first(holds):
    """The least whole number from 0 on."""
    m = 0
    while not holds(m):
        m += 1
    return m
