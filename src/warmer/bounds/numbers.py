"""Numbers as fractions, for bounds whose rounding must be right."""

from fractions import Fraction
from typing import Any

from warmer.model import InvalidValueError, check_finite

__all__ = ["exact_number", "exact_positive"]


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
