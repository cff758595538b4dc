"""Numbers that bounds take and give: fractions where rounding must be right, dimensions, and finite answers."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np

from warmer.model import Array, HypothesisError, InvalidValueError, WarmerError, check_count, check_finite

__all__ = ["as_array", "check_dimension", "exact_number", "exact_positive", "finite"]

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")


def finite(bound: Callable[_Asked, _Answer]) -> Callable[_Asked, _Answer]:
    """A bound that answers with a finite number: where floats do not reach so far, it raises `HypothesisError`.

    Examples
    --------
    >>> finite(math.exp)(0.0)
    1.0
    >>> finite(math.exp)(1000.0)
    Traceback (most recent call last):
    ...
    warmer.model.errors.HypothesisError: the numbers given to exp are too large or too small for floats.
    """
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


def as_array(name: str, values: Any) -> Array:
    """Finite numbers as an array of floats, or an error that says what came."""
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidValueError(f"{name} must be numbers, got {values!r}.") from None
    if not np.isfinite(numbers).all():
        raise InvalidValueError(f"{name} must be finite numbers, got {values!r}.")
    return numbers


def check_dimension(dimension: int) -> int:
    """Return the dimension, or say that it cannot be one: the truth itself is a sequence of length 1."""
    if check_count("dimension", dimension, least=0) < 1:
        raise HypothesisError("the dimension is 0: no target reaches alpha, so alpha exceeds what the truth can earn.")
    return dimension


def exact_number(name: str, value: Any) -> Fraction:
    """A number as a fraction; a float is read as the decimal that it prints as, text such as "5/4" as it stands.

    Examples
    --------
    >>> exact_number("epsilon", 0.3), exact_number("epsilon", "5/4")
    (Fraction(3, 10), Fraction(5, 4))
    """
    if isinstance(value, Fraction | int | str) and not isinstance(value, bool):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise InvalidValueError(f'{name} must be a number such as 0.5 or "5/4", got {value!r}.') from None
    return Fraction(repr(check_finite(name, value)))


def exact_positive(name: str, value: Any) -> Fraction:
    """`exact_number` of a value greater than 0.

    Examples
    --------
    >>> exact_positive("epsilon", 2)
    Fraction(2, 1)
    """
    number = exact_number(name, value)
    if number <= 0:
        raise InvalidValueError(f"{name} must be greater than 0, got {value}.")
    return number


def _is_finite(answer: Any) -> bool:
    if isinstance(answer, tuple):
        return all(map(_is_finite, answer))
    if isinstance(answer, np.ndarray):
        return bool(np.isfinite(answer).all())
    return not isinstance(answer, float) or math.isfinite(answer)
