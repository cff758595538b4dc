"""The values that a sequence of alternatives can have: the entries of a table below alpha, in order of value."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from warmer.model import Problem
from warmer.model.numbers import as_fraction
from warmer.model.time_limit import Clock

Indices = npt.NDArray[np.int32]
_TOGETHER = 1 << 17  # entries that are sorted between two looks at the clock
_STEPS = 1 << 16  # into how many equal steps of value entries are sorted first


@dataclass(frozen=True, eq=False)
class WindowTable:
    """The part of a table that matters at one alpha.

    `queries` and `targets` are the problem's indices of the rows and columns of `table`: alternatives that reach alpha,
    or the actions and functions that reach it together in some pair, given by `is_reached[row, column]`. The entries
    below alpha, given by `is_entry`, are sorted by value when `sorted` is called: entry k then stands in `rows[k]` and
    `columns[k]`, and those of `values[v]` are the ones from `starts[v]` to `starts[v + 1]`. A symmetric table lists
    each pair once; where `is_two_sided`, every pair of a sequence is constrained both ways.
    """

    table: npt.NDArray[Any]
    is_entry: npt.NDArray[np.bool_]
    is_reached: npt.NDArray[np.bool_]
    queries: npt.NDArray[np.intp]
    targets: npt.NDArray[np.intp]
    is_symmetric: bool
    is_square: bool = True
    is_two_sided: bool = False
    values: npt.NDArray[Any] = field(default_factory=lambda: np.empty(0))
    starts: npt.NDArray[np.intp] = field(default_factory=lambda: np.zeros(1, dtype=np.intp))
    rows: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    columns: Indices = field(default_factory=lambda: np.empty(0, dtype=np.int32))

    def sorted(self, clock: Clock) -> "WindowTable":
        """The same with its entries in the order of their values; raises `OutOfTime`."""
        places = np.flatnonzero(self.is_entry)
        clock.check()
        entries = self.table.reshape(-1)[places] if places.size < self.table.size else self.table.reshape(-1)
        order = _order(entries, clock)
        entries, places = entries[order], places[order]
        clock.check()
        rows, columns = (ends.astype(np.int32) for ends in np.divmod(places, max(1, self.table.shape[1])))
        clock.check()
        is_new = np.ones(len(entries), dtype=bool)
        is_new[1:] = entries[1:] != entries[:-1]
        values = entries[is_new].astype(np.float64) if entries.dtype == np.float32 else entries[is_new]
        starts = np.append(np.flatnonzero(is_new), len(entries))
        return replace(self, values=values, starts=starts, rows=rows, columns=columns)

    def between(self, bottom: int, top: int) -> tuple[Indices, Indices]:
        """Rows and columns of the entries from `values[bottom]` to `values[top]`."""
        window = slice(self.starts[bottom], self.starts[top + 1])
        return self.rows[window], self.columns[window]

    def is_inside(self, bottom: int, top: int) -> npt.NDArray[np.bool_]:
        """Which entries of the table those are."""
        is_inside = np.zeros(self.table.shape, dtype=bool)
        is_inside[self.between(bottom, top)] = True
        return is_inside

    def ends(self, elements: Sequence["Element"]) -> tuple[Any, Any]:
        """The least and the largest value of a sequence of two elements or more."""
        rows, columns = np.transpose(elements)
        is_pair = np.tri(len(elements), k=-1, dtype=bool).T
        values = self.table[np.ix_(rows, columns)][is_pair | is_pair.T if self.is_two_sided else is_pair]
        return values.min(), values.max()

    @property
    def first(self) -> "Element":
        """The first alternative."""
        row = int(np.argmax(self.is_reached.any(axis=1)))
        return Element(row, int(np.argmax(self.is_reached[row])))

    def named(self, elements: Sequence["Element"]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The problem's indices of the targets and of the queries of a sequence."""
        targets = tuple(int(self.targets[element.column]) for element in elements)
        return targets, tuple(int(self.queries[element.row]) for element in elements)


class Element(NamedTuple):
    """One alternative of a sequence: a row and a column of the table."""

    row: int
    column: int


def window_table(problem: Problem, alpha: Fraction, *, is_two_sided: bool = False) -> WindowTable:
    """The entries of a problem that can be values of a sequence with self-evaluations of at least alpha.

    Queries that are forbidden take no part: no learner asks them.
    """
    table, legal = comparable(problem), problem.legal_queries
    if problem.is_square:
        kept = legal[_reaches(problem, table.diagonal()[legal], alpha)]
        table = table[np.ix_(kept, kept)] if len(kept) < problem.n_targets else table
        is_symmetric = bool(np.array_equal(table, table.T))
        below = np.triu(np.ones(table.shape, dtype=bool), 1) if is_symmetric else ~np.eye(len(kept), dtype=bool)
        below &= ~_reaches(problem, table, alpha)
        own = np.eye(len(kept), dtype=bool)
        return WindowTable(table, below, own, kept, kept, is_symmetric, is_two_sided=is_two_sided)
    reached = _reaches(problem, table[legal], alpha)
    rows, columns = np.flatnonzero(reached.any(axis=1)), np.flatnonzero(reached.any(axis=0))
    reached, places = reached[np.ix_(rows, columns)], (legal[rows], columns)
    return WindowTable(table[np.ix_(*places)], ~reached, reached, *places, False, False, is_two_sided)


def _order(entries: npt.NDArray[Any], clock: Clock) -> npt.NDArray[np.intp]:
    """The stable order of the entries: roughly first, then a part at a time."""
    if entries.dtype == object or len(entries) <= _TOGETHER:
        return np.argsort(entries, kind="stable")
    low, high = entries.min(), entries.max()
    steps = (_STEPS - 2) / float(high - low) if high > low else 0.0
    rough = ((entries - low) * steps).astype(np.uint16)
    clock.check()
    order = np.argsort(rough, kind="stable")
    ends = np.cumsum(np.bincount(rough, minlength=_STEPS))
    start = 0
    while start < len(order):
        clock.check()
        stop = int(ends[np.searchsorted(ends, min(start + _TOGETHER, len(order)))])
        part = order[start:stop]
        order[start:stop] = part[np.argsort(entries[part], kind="stable")]
        start = stop
    return order


def comparable(problem: Problem) -> npt.NDArray[Any]:
    """The table's numerators where it is rational, else its floats; differences of them never overflow."""
    if problem.rational is None:
        return problem.rho
    numerators = problem.rational.numerators
    return numerators.astype(object) if _is_large(numerators) else numerators


def ceiling(problem: Problem, number: Any) -> Any:
    """The largest entry of `comparable`, or difference of two, that counts as at most a number."""
    if problem.rational is None:
        return float(number) + problem.slack * max(1.0, abs(float(number)))
    whole = math.floor(as_fraction(number) * problem.rational.denominator)
    return whole if _is_large(problem.rational.numerators) else min(max(whole, -(1 << 62)), 1 << 62)


def _is_large(numerators: npt.NDArray[Any]) -> bool:
    return numerators.dtype == object or max(-int(numerators.min()), int(numerators.max())) > 1 << 60


def _reaches(problem: Problem, values: npt.NDArray[Any], alpha: Fraction) -> npt.NDArray[np.bool_]:
    return np.asarray(values >= -ceiling(problem, -alpha), dtype=bool)
