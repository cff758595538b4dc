"""Numbers that bounds take and give: dimensions, what is never negative, finite answers, and the largest that fits."""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from warmer.model.checks import check_count, check_finite
from warmer.model.errors import HypothesisError, WarmerError

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")


def finite(bound: Callable[_Asked, _Answer]) -> Callable[_Asked, _Answer]:
    """A bound that answers with a finite number: where floats do not reach so far, it raises `HypothesisError`."""
    name = bound.__name__.lstrip("_")

    @wraps(bound)
    def checked(*values: _Asked.args, **words: _Asked.kwargs) -> _Answer:
        try:
            answer = bound(*values, **words)
        except WarmerError:
            raise
        except (ArithmeticError, ValueError) as error:
            raise HypothesisError(f"the numbers given to {name} are too large or too small for floats.") from error
        if not _is_finite(answer):
            raise HypothesisError(f"the numbers given to {name} are too large or too small for floats.")
        return answer

    return checked


def check_dimension(dimension: int) -> int:
    """Return the dimension, or say that it cannot be one: the truth itself is a sequence of length 1."""
    if check_count("dimension", dimension, least=0) < 1:
        raise HypothesisError("the dimension is 0: no target reaches alpha, so alpha exceeds what the truth can earn.")
    return dimension


def check_not_negative(**numbers: float) -> None:
    """Raise `HypothesisError`, naming the number, where a budget, a variance, a radius is below 0."""
    for name, number in numbers.items():
        if check_finite(name, number) < 0:
            raise HypothesisError(f"{name} must be at least 0, got {number}.")


def largest(fits: Callable[[int], bool], *, least: int = 1) -> int:
    """The largest whole number that fits, if `least` and all between them do: by doubling, then by halves.

    Examples
    --------
    >>> largest(lambda number: number**2 <= 30)
    5
    """
    low, high = least, max(1, 2 * least)
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _is_finite(answer: Any) -> bool:
    if isinstance(answer, tuple):
        return all(map(_is_finite, answer))
    if isinstance(answer, np.ndarray):
        return bool(np.isfinite(answer).all())
    return not isinstance(answer, float) or math.isfinite(answer)
