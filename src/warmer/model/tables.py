"""Tables of expected rewards: where they come from, and what makes one unusable."""

import math
from collections.abc import Sequence
from fractions import Fraction
from mmap import mmap
from numbers import Rational, Real
from typing import Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from warmer.model.checks import at_least, at_most, check_count
from warmer.model.errors import InvalidValueError
from warmer.model.labels import Label
from warmer.model.words import span

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
    is_shared: bool = False
    """Whether the values lie in memory of somebody who may write to it."""


def as_table(rho: Any, *, denominator: int | None = None) -> Source:
    """Read anything two-dimensional as a table; float64 and float32 arrays are not copied yet, what was read stays."""
    if isinstance(rho, Source):
        return rho
    rows, columns = None, None
    if hasattr(rho, "columns") and hasattr(rho, "index") and hasattr(rho, "to_numpy"):
        rho, rows, columns = rho.to_numpy(), list(rho.index), list(rho.columns)
    array = _plain(rho) if isinstance(rho, np.ndarray) else _from_nested(rho)
    if array.size == 0:
        raise InvalidValueError(
            f"the table is empty: its shape is {array.shape}; give at least one query and one target."
        )
    if array.ndim != 2:
        raise InvalidValueError(f"a table must have two dimensions (queries, targets), got shape {array.shape}.")
    try:
        if array.dtype == object:
            array = _unboxed(array, rows, columns)
        return _source(array, denominator)._replace(rows=rows, columns=columns)
    except OverflowError as error:
        raise InvalidValueError(f"the table holds a number that is too large for a float: {error}.") from error


def check_table(
    rho: Table,
    queries: Sequence[Label],
    targets: Sequence[Label],
    *,
    low: float,
    high: float,
    slack: float = 0.0,
    is_shared: bool = False,
) -> Table:
    """The table itself, or an error for the first entry that is not a number in [low, high], by its labels.

    Entries that leave the range by rounding alone, by no more than the slack, come back as its ends. Only then is
    the table copied, or where it is shared with somebody who may write to it.
    """
    rho = read_only(rho.copy()) if is_shared else rho
    rows = max(1, _BLOCK_ENTRIES // rho.shape[1])
    is_inside = True
    for start in range(0, rho.shape[0], rows):
        block = rho[start : start + rows]
        if block.min() >= low and block.max() <= high:  # false where anything is NaN
            continue
        is_inside = False
        fine = at_least(block, low, slack) & at_most(block, high, slack)
        if not fine.all():
            query, target = (int(place[0]) for place in np.nonzero(~fine))
            _refuse(block[query, target], queries[start + query], targets[target], low=low, high=high)
    if not is_inside and is_shared:
        rho.flags.writeable = True  # nobody else has seen the copy
        return read_only(np.clip(rho, low, high, out=rho))
    return rho if is_inside else read_only(np.clip(rho, low, high))


def check_forbidden(forbidden: npt.ArrayLike | None, n_queries: int) -> npt.NDArray[np.bool_] | None:
    """Which queries are allowed, or an error if the mask is none; None where no query is forbidden."""
    if forbidden is None:
        return None
    mask = np.asarray(forbidden)
    if mask.dtype != np.bool_ or mask.shape != (n_queries,):
        raise InvalidValueError(
            f"forbidden must be a mask of {n_queries} booleans, one per query, "
            f"got an array of {mask.dtype} with shape {mask.shape}."
        )
    if mask.all():
        raise InvalidValueError("every query is forbidden; allow at least one.")
    return ~mask


def check_costs(costs: npt.ArrayLike | None, queries: Sequence[Label]) -> npt.NDArray[np.float64] | None:
    """The cost of each query as a float, or an error that names the query; None where none is declared."""
    if costs is None:
        return None
    try:
        given = np.asarray(costs)
        if given.dtype.kind not in "biufO":
            raise TypeError(f"got {given.dtype}")
        values = given.astype(float)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"costs must hold {len(queries)} numbers, one per query: {error}.") from error
    if values.shape != (len(queries),):
        raise InvalidValueError(f"costs must hold {len(queries)} numbers, one per query, got shape {values.shape}.")
    wrong = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if len(wrong):
        raise InvalidValueError(
            f"the cost of query {queries[wrong[0]]!r} must be finite and at least 0, got {values[wrong[0]]}."
        )
    return values


def _refuse(value: Any, query: Label, target: Label, *, low: float, high: float) -> NoReturn:
    if math.isfinite(value):
        needed, advice = (
            f"must lie in {span(low, high)}",
            "; declare reward_range=(low, high) if rewards go further",
        )
    else:
        needed, advice = "must be a finite number", "; fill it in, or leave out its row or column"
    raise InvalidValueError(f"the entry of query {query!r} and target {target!r} {needed}, got {value}{advice}.")


def _plain(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array without the habits of its subclass; masked entries are missing, so NaN."""
    if isinstance(array, np.ma.MaskedArray):
        return read_only(np.asarray(np.ma.filled(array.astype(float), np.nan)))
    return np.asarray(array)


def _from_nested(rho: Any) -> npt.NDArray[Any]:
    if hasattr(rho, "__array__") or isinstance(rho, memoryview):
        return np.asarray(rho)
    try:
        rows = [list(row) for row in rho]
    except TypeError:
        raise InvalidValueError(f"a table must be two-dimensional, got {type(rho).__name__}.") from None
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InvalidValueError(f"row {number} has {len(row)} entries, but row 0 has {len(rows[0])}.")
    if {type(entry) for row in rows for entry in row} in ({float}, {int}):
        return read_only(np.array(rows))
    try:
        return np.array(rows, dtype=object)
    except ValueError as error:  # entries that are themselves sequences, of different lengths
        raise InvalidValueError(f"a table must have two dimensions (queries, targets): {error}.") from error


def _unboxed(array: npt.NDArray[Any], rows: Any, columns: Any) -> npt.NDArray[Any]:
    """Python numbers as an array of theirs: floats, unless every entry is rational."""
    is_rational = True
    for (row, column), entry in np.ndenumerate(array):
        is_rational = is_rational and isinstance(entry, Rational)
        if not isinstance(entry, Real):
            where = f"row {rows[row]!r}, column {columns[column]!r}" if rows else f"row {row}, column {column}"
            raise InvalidValueError(f"the entry in {where} must be a real number, got {entry!r}.")
    return array if is_rational else read_only(array.astype(np.float64))


def _source(array: npt.NDArray[Any], denominator: int | None) -> Source:
    if array.dtype == object:
        return _from_fractions(array, denominator)
    if array.dtype == np.uint64:
        return _from_fractions(array.astype(object), denominator)
    if array.dtype.kind in "iub":
        return _over(array.astype(np.int64), 1 if denominator is None else denominator)
    if denominator is not None:
        raise InvalidValueError(f"a denominator needs a table of whole numbers, got {array.dtype}.")
    if array.dtype.kind != "f":
        raise InvalidValueError(f"a table must hold real numbers, got {array.dtype}.")
    if array.dtype not in (np.float64, np.float32):
        return Source(read_only(array.astype(np.float64)))
    return Source(read_only(array.view()), is_shared=is_written_elsewhere(array))


def handed_over(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """An array that was just built, and the arrays whose memory it uses, which nobody can write to any more.

    A table is made of it without a copy.
    """
    for each in _layers(array)[:-1]:
        read_only(each)
    return array


def _layers(array: Any) -> list[Any]:
    """An array, the arrays whose memory it uses, and what owns that, if it is none."""
    layers = [array]
    while isinstance(layers[-1], np.ndarray):
        layers.append(layers[-1].base)
    return layers


def is_written_elsewhere(array: Any) -> bool:
    """Whether an array lies in memory that somebody may write to; what lies in a file is nobody's memory.

    Examples
    --------
    >>> mine = np.zeros(3)
    >>> is_written_elsewhere(mine[:2]), is_written_elsewhere(read_only(mine))
    (True, False)
    """
    *arrays, owner = _layers(array)
    if isinstance(owner, mmap | bytes) or any(isinstance(each, np.memmap) for each in arrays):
        return False
    return owner is not None or any(each.flags.writeable for each in arrays)


def _from_fractions(array: npt.NDArray[Any], denominator: int | None) -> Source:
    fractions = [[Fraction(entry) for entry in row] for row in array]
    common = math.lcm(*(entry.denominator for row in fractions for entry in row))
    if denominator is not None and common != 1:
        raise InvalidValueError("a denominator needs a table of whole numbers, got fractions.")
    numerators = np.array([[int(entry * common) for entry in row] for row in fractions], dtype=object)
    return _over(compact(numerators), common if denominator is None else denominator)


def _over(numerators: npt.NDArray[Any], denominator: int) -> Source:
    over = check_count("denominator", denominator)
    values = (numerators / over).astype(np.float64)
    return Source(read_only(values), exact=Numerators(read_only(numerators), over))


def compact(numerators: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers as int64 where they fit."""
    is_small = max(map(abs, numerators.flat)) <= np.iinfo(np.int64).max
    return numerators.astype(np.int64) if is_small else numerators


def read_only(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array itself, which nobody can write to any more."""
    values.flags.writeable = False
    return values
