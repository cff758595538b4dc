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

__all__ = ["check_sign_matrix", "check_signs", "check_weights"]


def check_signs(name: str, values: Any, n_points: int | None = None) -> npt.NDArray[np.float64]:
    """Return one value -1 or 1 a point as floats, or say what came.

    Examples
    --------
    >>> check_signs("the target", [1, -1]).tolist()
    [1.0, -1.0]
    """
    signs = _numbers(values)
    if signs is None:
        raise InvalidValueError(f"{name} must have a value -1 or 1 for each point, got {reprlib.repr(values)}.")
    if signs.ndim != 1 or signs.size == 0 or (n_points is not None and signs.size != n_points):
        wanted = "each point" if n_points is None else f"each of the {n_points} points"
        raise InvalidValueError(f"{name} needs one value for {wanted}, got shape {signs.shape}.")
    wrong = np.flatnonzero(np.abs(signs) != 1)
    if wrong.size:
        raise InvalidValueError(
            f"{name} must have values -1 and 1, got {signs[wrong[0]]:g} at point {wrong[0]}; write 0 as -1."
        )
    return signs


def check_sign_matrix(name: str, values: Any) -> npt.NDArray[np.float64]:
    """Return values -1 and 1, a row for each hypothesis and a column for each point, as floats, or say what came.

    Examples
    --------
    >>> check_sign_matrix("hypotheses", [[1, -1], [1, 1]]).tolist()
    [[1.0, -1.0], [1.0, 1.0]]
    """
    signs = _numbers(values)
    if signs is None:
        raise InvalidValueError(f"{name} must be a matrix of -1 and 1, got {reprlib.repr(values)}.")
    if signs.ndim != 2 or signs.size == 0:
        raise InvalidValueError(
            f"{name} must be a matrix, a row for each hypothesis and a column for each point, got shape {signs.shape}."
        )
    wrong = np.argwhere(np.abs(signs) != 1)
    if len(wrong):
        row, column = (int(place) for place in wrong[0])
        raise InvalidValueError(
            f"{name} must have values -1 and 1, got {signs[row, column]:g} for hypothesis {row} at point {column}; "
            "write 0 as -1."
        )
    return signs


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


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _numbers(values: Any) -> npt.NDArray[np.float64] | None:
    """The values as an array of floats of their own, or nothing where they are no array of numbers."""
    try:
        array = np.array(values)
        return array.astype(float) if array.dtype.kind in "biufO" else None
    except (TypeError, ValueError):
        return None
