"""Hypotheses with values -1 and 1, and distributions over their points."""

import math
import reprlib
from collections.abc import Iterable
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array, as_matrix


def check_signs(name: str, values: Any, n_points: int | None = None) -> npt.NDArray[np.float64]:
    """Return a value -1 or 1 for each point as floats, or say what came."""
    signs = as_array(name, values)
    if signs.ndim != 1 or signs.size == 0 or (n_points is not None and signs.size != n_points):
        wanted = "each point" if n_points is None else f"each of the {n_points} points"
        raise InvalidValueError(f"{name} needs one value for {wanted}, got shape {signs.shape}.")
    return _checked(name, signs, "at point {}")


def check_sign_matrix(name: str, values: Any) -> npt.NDArray[np.float64]:
    """Return values -1 and 1, a row for each hypothesis and a column for each point, as floats, or say what came."""
    return _checked(name, as_matrix(name, values), "for hypothesis {} at point {}")


def check_weights(name: str, values: Iterable[Any], n_points: int) -> list[Any]:
    """Return the weights of a distribution, one per point, as they came, or say why they are none.

    Whole numbers and fractions must add up to 1 exactly, floats up to rounding.

    Examples
    --------
    >>> check_weights("distribution", [Fraction(1, 4), Fraction(3, 4)], 2)
    [Fraction(1, 4), Fraction(3, 4)]
    """
    try:
        weights = list(values)
    except TypeError:
        raise InvalidValueError(f"{name} must hold numbers, one per point, got {reprlib.repr(values)}.") from None
    if len(weights) != n_points:
        raise InvalidValueError(f"{name} needs {n_points} weights, one per point, got {len(weights)}.")
    for place, weight in enumerate(weights):
        if not _is_number(weight):
            raise InvalidValueError(f"{name} must hold numbers, one per point, got {weight!r} at point {place}.")
        if not 0 <= weight <= 1:
            raise InvalidValueError(f"{name} needs weights between 0 and 1, got {weight} at point {place}.")
    total = sum(weights)
    if not math.isclose(total, 1):
        raise InvalidValueError(f"the weights of {name} must add up to 1, got {float(total):g}; divide by the sum.")
    if total != 1 and all(isinstance(weight, int | Fraction) for weight in weights):
        raise InvalidValueError(f"the exact weights of {name} must add up to 1, got {total}.")
    return weights


def _checked(name: str, signs: npt.NDArray[np.float64], where: str) -> npt.NDArray[np.float64]:
    for place in np.argwhere(np.abs(signs) != 1)[:1].tolist():
        came = f"{signs[tuple(place)]:g} {where.format(*place)}"
        raise InvalidValueError(f"{name} must have values -1 and 1, got {came}; write 0 as -1.")
    return signs


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
