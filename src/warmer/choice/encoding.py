"""Classes as whole numbers, and labels as what they are compared with."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import numpy as np

from warmer.model import Array, Label
from warmer.model.errors import InvalidValueError

_MOST_CLASSES = 100_000


class Encoded:
    """Predictions as codes, points x models, and the class that each code stands for."""

    def __init__(self, codes: Array, classes: list[Label]) -> None:
        self.codes, self.classes = codes, classes
        self.positions = {name: code for code, name in enumerate(classes)}


def plain(value: Any) -> Any:
    """A NumPy scalar as Python's own; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def encode(predictions: Array) -> Encoded:
    """The predicted classes, models x points, as codes, in the order in which they first come; the text "1" is not 1.

    Examples
    --------
    >>> found = encode(np.array([["cat", "dog"], ["cat", "cow"]]))
    >>> found.codes.tolist(), found.classes
    ([[0, 0], [1, 2]], ['cat', 'dog', 'cow'])
    >>> extended(found, ["dog", "horse"]).classes
    ['cat', 'dog', 'cow', 'horse']
    """
    positions: dict[Any, int] = {}
    rows = []
    for row in predictions:
        names, places = _distinct(row)
        codes = np.array([positions.setdefault(name, len(positions)) for name in names], dtype=np.int32)
        rows.append(codes.astype(np.min_scalar_type(len(positions)))[places])
        if len(positions) > _MOST_CLASSES:
            raise InvalidValueError(
                f"the models predict more than {_MOST_CLASSES:,} different classes; for numbers use "
                "loss=Squared(low, high) or Absolute(low, high)."
            )
    codes = np.empty((predictions.shape[1], len(rows)), dtype=_width(len(positions)))
    for model, found in enumerate(rows):
        codes[:, model] = found
    return Encoded(codes, list(positions))


def extended(encoded: Encoded, more: Sequence[Any]) -> Encoded:
    """The same predictions with further classes."""
    classes = list(dict.fromkeys([*encoded.classes, *map(plain, more)]))
    return Encoded(encoded.codes.astype(_width(len(classes)), copy=False), classes)


def label_reader(encoded: Encoded, declared: Sequence[Any] | None) -> Callable[[Any], int]:
    """From a user's label to its code: -1 for a whole number that nobody predicts, an error for such a text."""
    return partial(_code, encoded, None if declared is None else dict.fromkeys(map(plain, declared)))


def _code(encoded: Encoded, declared: dict[Any, None] | None, label: Any) -> int:
    value = plain(label)
    allowed: Collection[Any] = encoded.positions if declared is None else declared
    try:
        if value in allowed:
            return encoded.positions[value]
    except TypeError:
        raise InvalidValueError(f"a label must be a single class, got {value!r}.") from None
    if declared is None and _is_whole(value) and any(_is_whole(name) for name in encoded.classes):
        return -1
    shown = ", ".join(repr(name) for name in list(allowed)[:8]) + (", ..." if len(allowed) > 8 else "")
    remedy = "name it in classes= if it is right" if declared is None else "they were declared in classes="
    raise InvalidValueError(f"there is no class {value!r}; the classes are {shown}; {remedy}.")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | float) and value == value and float(value).is_integer()


def _distinct(row: Array) -> tuple[list[Any], Array]:
    if row.dtype.kind != "O":
        names, places = np.unique(row, return_inverse=True)
        return names.tolist(), places.ravel()
    positions: dict[Any, int] = {}
    places = np.array([positions.setdefault(plain(name), len(positions)) for name in row.tolist()])
    return list(positions), places


def _width(n_classes: int) -> Any:
    return np.uint8 if n_classes <= 2**8 else np.uint16 if n_classes <= 2**16 else np.int32
