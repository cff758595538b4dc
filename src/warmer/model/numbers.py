"""Reading numbers, once for all rooms: what a person typed as a fraction, and what came as an array as floats."""

import math
import re
import reprlib
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.model.checks import check_finite
from warmer.model.errors import InvalidValueError

_MOST = 400
"""Digits of a number that is read, and how far its exponent may be from 0: more is a mistake, or an attack."""
_EXPONENT = re.compile(r"[eE]([-+]?[\d_]+)")


def as_fraction(value: Any) -> Fraction:
    """A number as a fraction; a float as the simplest fraction that rounds to it, so that 0.3 is 3/10.

    A float that no fraction with a denominator of at most a million rounds to is read as the decimal that it prints as.
    A number of more than 400 digits, or with an exponent beyond 400, is refused before it is worked out: "1e400000000"
    would take minutes.

    Examples
    --------
    >>> as_fraction(0.3), as_fraction(7 / 9), as_fraction("5/4"), as_fraction(2)
    (Fraction(3, 10), Fraction(7, 9), Fraction(5, 4), Fraction(2, 1))
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Fraction | int | str | Decimal):
        _check_size("a number", value)
        try:
            return Fraction(value)
        except ZeroDivisionError:
            raise InvalidValueError(f"{value!r} is no number: its denominator is 0.") from None
    number = check_finite("a number", value)
    simple = Fraction(number).limit_denominator(1_000_000)
    return simple if float(simple) == number else Fraction(repr(number))


def _check_size(name: str, value: Any) -> None:
    """Refuse what could take long to work out."""
    if isinstance(value, int):
        is_small = abs(value) < 10**_MOST
    elif isinstance(value, str | Decimal):
        text = str(value)
        exponent = _EXPONENT.search(text)
        digits = max(sum(map(str.isdigit, part)) for part in _EXPONENT.sub("", text).split("/"))
        is_small = digits <= _MOST and (exponent is None or _is_within(exponent[1]))
    else:
        return
    if not is_small:
        shown = "a longer one" if isinstance(value, int) else reprlib.repr(str(value))
        raise InvalidValueError(f"{name} may have {_MOST} digits and an exponent within {_MOST}, got {shown}.")


def _is_within(exponent: str) -> bool:
    return len(exponent) <= _MOST and abs(int(exponent)) <= _MOST


def as_number(name: str, value: Any) -> Fraction:
    """`as_fraction` of a user's number, or an error that says what came.

    Examples
    --------
    >>> as_number("epsilon", "5/4"), as_number("epsilon", 0.5)
    (Fraction(5, 4), Fraction(1, 2))
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real | Decimal | str):
        raise InvalidValueError(f"{name} must be a number, got {reprlib.repr(value)}.")
    _check_size(name, value)
    try:
        return as_fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        shown = reprlib.repr(value)
        raise InvalidValueError(f'{name} must be a finite number such as 0.5 or "5/4", got {shown}.') from None


def as_positive(name: str, value: Any) -> Fraction:
    """`as_number` of a value greater than 0."""
    number = as_number(name, value)
    if number <= 0:
        raise InvalidValueError(f"{name} must be greater than 0, got {reprlib.repr(value)}.")
    return number


def check_scale(name: str, value: Any) -> Any:
    """Return a number greater than 0 as it came, or as a fraction where it came as text such as "5/4"."""
    number = as_positive(name, value)
    return number if isinstance(value, str) else value


def as_array(name: str, values: Any, needed: str = "numbers") -> npt.NDArray[np.float64]:
    """Finite numbers as an array of floats of its own, or an error that says what came; text is no number."""
    try:
        array = np.array(values)
        is_number = array.dtype.kind in "biuf" or all(isinstance(entry, Real) for entry in array.flat)
        numbers = array.astype(float) if is_number else None
    except (TypeError, ValueError, OverflowError):
        numbers = None
    if numbers is None:
        raise InvalidValueError(f"{name} must be {needed}, got {reprlib.repr(values)}.")
    for place in np.argwhere(~np.isfinite(numbers))[:1].tolist():
        where = f" in row {place[0]}" if place else ""
        raise InvalidValueError(f"{name} must be finite {needed}, got {numbers[tuple(place)]}{where}.")
    return numbers


def as_vector(name: str, values: Any, length: int) -> npt.NDArray[np.float64]:
    """So many finite numbers as an array of floats, or an error that says what came."""
    vector = as_array(name, values, f"numbers, a vector of {length}")
    if vector.shape != (length,):
        raise InvalidValueError(f"{name} must be numbers, a vector of {length}, got shape {vector.shape}.")
    return vector


def as_matrix(name: str, values: Any) -> npt.NDArray[np.float64]:
    """Rows of finite numbers, all of the same length, as a matrix of floats, or an error that says what came."""
    needed = "numbers in rows of the same length"
    matrix = as_array(name, values, needed)
    if matrix.ndim != 2 or matrix.size == 0:
        raise InvalidValueError(f"{name} must be {needed}, at least one, got shape {matrix.shape}.")
    return matrix


def floor_root(value: Fraction) -> int:
    """The largest whole number whose square is at most a non-negative fraction."""
    return math.isqrt(value.numerator // value.denominator)
