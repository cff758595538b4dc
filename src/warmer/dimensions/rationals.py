"""Reading numbers exactly: what a person typed, as a fraction."""

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from warmer.model import InvalidValueError, Problem, check_finite, check_positive

__all__ = ["as_fraction", "as_number", "check_scale", "entry", "floor_root"]


def as_fraction(value: Any) -> Fraction:
    """A number as a fraction; a float as the simplest fraction that rounds to it, so that 0.3 is 3/10.

    A float that no fraction with a denominator of at most a million rounds to is read as the decimal that it prints as.

    Examples
    --------
    >>> as_fraction(0.3), as_fraction(7 / 9), as_fraction("5/4"), as_fraction(2)
    (Fraction(3, 10), Fraction(7, 9), Fraction(5, 4), Fraction(2, 1))
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Fraction | int | str | Decimal):
        return Fraction(value)
    number = check_finite("a number", value)
    simple = Fraction(number).limit_denominator(1_000_000)
    return simple if float(simple) == number else Fraction(repr(number))


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
        raise InvalidValueError(f"{name} must be a number, got {value!r}.")
    try:
        return as_fraction(value)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise InvalidValueError(f'{name} must be a finite number such as 0.5 or "5/4", got {value!r}.') from None


def check_scale(name: str, value: Any) -> Any:
    """Return a number greater than 0 as it came, or as a fraction where it came as text such as "5/4"."""
    number = as_number(name, value)
    check_positive(name, number)
    return number if isinstance(value, str) else value


def entry(problem: Problem, query: int, target: int) -> Any:
    """One entry of a problem's table: a fraction where the table is rational, else a float."""
    if problem.exact is None:
        return float(problem.rho[query, target])
    return Fraction(int(problem.exact.numerators[query, target]), problem.exact.denominator)


def floor_root(value: Fraction) -> int:
    """The largest whole number whose square is at most a non-negative fraction."""
    return math.isqrt(value.numerator // value.denominator)
