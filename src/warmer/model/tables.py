"""Tables of expected rewards: where they come from, and what makes one unusable."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError
from warmer.model.labels import Label

__all__ = ["Numerators", "Source", "Table", "as_table", "check_table"]

Table = npt.NDArray[np.floating[Any]]

_BLOCK_ENTRIES = 1 << 22
"""How many entries are checked at a time, so that a large map is never expanded."""


class Numerators(NamedTuple):
    """A rational table: whole numerators over one common denominator.

    The numerators are int64 where they fit, else an object array of Python's own integers.
    """

    numerators: npt.NDArray[Any]
    denominator: int


class Source(NamedTuple):
    """What a table was made of: its floats, its labels and its exact form, where it has them."""

    values: Table
    rows: Sequence[Label] | None = None
    columns: Sequence[Label] | None = None
    exact: Numerators | None = None


def as_table(rho: Any, *, denominator: int | None = None) -> Source:
    """Read anything two-dimensional as a table, without copying float64 or float32 arrays."""
    if hasattr(rho, "columns") and hasattr(rho, "to_numpy"):
        inner = as_table(rho.to_numpy(), denominator=denominator)
        return inner._replace(rows=list(rho.index), columns=list(rho.columns))
    array = rho if isinstance(rho, np.ndarray) else _from_nested(rho)
    if array.ndim != 2:
        raise InvalidValueError(f"a table must have two dimensions (queries, targets), got shape {array.shape}.")
    if array.size == 0:
        raise InvalidValueError(
            f"the table is empty: its shape is {array.shape}; give at least one query and one target."
        )
    if array.dtype == object:
        return _from_fractions(array, denominator)
    if array.dtype.kind in "iub":
        return _over(array.astype(np.int64), 1 if denominator is None else denominator)
    if denominator is not None:
        raise InvalidValueError(f"a denominator needs a table of whole numbers, got {array.dtype}.")
    if array.dtype.kind != "f":
        raise InvalidValueError(f"a table must hold real numbers, got {array.dtype}.")
    values = array.view() if array.dtype in (np.float64, np.float32) else array.astype(np.float64)
    values.flags.writeable = False
    return Source(values)


def check_table(rho: Table, queries: Sequence[Label], targets: Sequence[Label], *, low: float, high: float) -> None:
    """Raise for the first entry that is not a number in [low, high], by its labels."""
    rows = max(1, _BLOCK_ENTRIES // rho.shape[1])
    for start in range(0, rho.shape[0], rows):
        block = rho[start : start + rows]
        if block.min() >= low and block.max() <= high:  # false where anything is NaN
            continue
        query, target = (int(place[0]) for place in np.nonzero(~((block >= low) & (block <= high))))
        value = block[query, target]
        what = f"must lie in [{low:g}, {high:g}]" if math.isfinite(value) else "must be a finite number"
        advice = "; declare reward_range=(low, high) if rewards have another range" if math.isfinite(value) else ""
        raise InvalidValueError(
            f"the entry of query {queries[start + query]!r} and target {targets[target]!r} {what}, got {value}{advice}."
        )


def _from_nested(rho: Any) -> npt.NDArray[Any]:
    if hasattr(rho, "__array__"):
        return np.asarray(rho)
    try:
        rows = [list(row) for row in rho]
    except TypeError:
        raise InvalidValueError(f"a table must be two-dimensional, got {type(rho).__name__}.") from None
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InvalidValueError(f"row {number} has {len(row)} entries, but row 0 has {len(rows[0])}.")
    if any(isinstance(entry, Fraction) for row in rows for entry in row):
        return np.array(rows, dtype=object)
    return np.array(rows)


def _from_fractions(array: npt.NDArray[Any], denominator: int | None) -> Source:
    for (row, column), entry in np.ndenumerate(array):
        if isinstance(entry, bool) or not isinstance(entry, int | Fraction):
            raise InvalidValueError(
                f"the entry in row {row}, column {column} must be a whole number or a Fraction "
                f"in a table that holds either, got {entry!r}."
            )
    if denominator is not None and any(Fraction(entry).denominator != 1 for entry in array.flat):
        raise InvalidValueError("a denominator needs a table of whole numbers, got fractions.")
    common = math.lcm(*(Fraction(entry).denominator for entry in array.flat))
    numerators = np.array([[int(Fraction(entry) * common) for entry in row] for row in array], dtype=object)
    if max(abs(entry) for entry in numerators.flat) <= np.iinfo(np.int64).max:
        numerators = numerators.astype(np.int64)
    return _over(numerators, common if denominator is None else denominator)


def _over(numerators: npt.NDArray[Any], denominator: int) -> Source:
    over = check_count("denominator", denominator)
    return Source(_read_only((numerators / over).astype(np.float64)), exact=Numerators(numerators, over))


def _read_only(values: Table) -> Table:
    values.flags.writeable = False
    return values
