r"""Long eluder sequences among more functions than there can be pairs of: found in cells, with no table of pairs.

Functions that fall into the same cell of a grid of width $\epsilon/\sqrt{d-1}$ on up to $d-1$ actions differ there by
at most $\epsilon$ in the square norm. Two of them that differ by more than $\epsilon$ at another action show that it is
independent of those.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from warmer.dimensions.dissimilarity.window_table import comparable
from warmer.dimensions.eluder.pairs import square_threshold
from warmer.dimensions.eluder.witness import EluderWitness
from warmer.model import Array, Problem
from warmer.model.time_limit import Clock

_ROOM = 1 - 1e-9  # of a cell's width, so that no rounding makes two functions of a cell differ by more than epsilon


def telling_actions(problem: Problem, epsilon: Any) -> Array:
    """The actions at which two functions differ by more than epsilon; no other is in a sequence."""
    legal = problem.legal_queries
    spreads = np.array([_row(problem, action).max() - _row(problem, action).min() for action in legal])
    return np.asarray(legal[np.asarray(spreads > _difference(problem, _threshold(problem, epsilon)), dtype=bool)])


def sequences_in_cells(problem: Problem, epsilon: Any, actions: Array, clock: Clock) -> Iterator[EluderWitness]:
    """Sequences of these actions, each longer than the one before; raises `OutOfTime`."""
    longest, length = 0, len(actions)
    while length > longest:
        queries: list[int] = []
        pairs: list[tuple[int, int]] = []
        for query, pair in _steps(problem, epsilon, actions, length, clock):
            queries.append(query)
            pairs.append(pair)
            if len(queries) > longest:
                longest = len(queries)
                yield EluderWitness(tuple(queries), tuple(pairs), epsilon)
        length = max(length // 2, min(length - 1, longest + 1))


def _steps(
    problem: Problem, epsilon: Any, actions: Array, length: int, clock: Clock
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Up to `length` actions: always the one that the functions of a cell differ on least, so that few are parted."""
    threshold = _threshold(problem, epsilon)
    left, least = [int(action) for action in actions], _difference(problem, threshold)
    least = least if problem.rational is not None else least / _ROOM
    width, cells = _width(problem, threshold, length - 1), np.zeros(problem.n_targets, dtype=np.int64)
    while left and length > 0:
        order = np.argsort(cells, kind="stable")
        starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
        offers = []
        for action in left:
            clock.check()
            row = _row(problem, action)[order]
            gaps = np.maximum.reduceat(row, starts) - np.minimum.reduceat(row, starts)
            cell = int(gaps.argmax())
            if gaps[cell] > least:
                offers.append((gaps[cell], action, cell))
        if not offers:
            return
        _, action, cell = min(offers)
        row = _row(problem, action)
        members = order[starts[cell] : starts[cell + 1] if cell + 1 < len(starts) else None]
        pair = int(members[row[members].argmin()]), int(members[row[members].argmax()])
        yield action, pair
        left.remove(action)
        length -= 1
        if width is not None:
            cells = _numbered(cells, (row - row.min()) // width)


def _numbered(cells: Array, parts: Array) -> Array:
    """The cells that part cells into: numbers from 0, in any order."""
    places = np.unique(parts, return_inverse=True)[1]
    return np.asarray(np.unique(cells * (int(places.max()) + 1) + places, return_inverse=True)[1])


def _row(problem: Problem, action: int) -> Array:
    """What each function says of an action, in numbers whose differences are exact or in double precision."""
    row = comparable(problem)[action]
    return np.asarray(row, dtype=np.float64 if row.dtype == np.float32 else None)


def _threshold(problem: Problem, epsilon: Any) -> Any:
    denominator = None if problem.rational is None else problem.rational.denominator
    return square_threshold(epsilon, denominator, problem.slack)


def _difference(problem: Problem, threshold: Any) -> Any:
    """The largest difference that counts as at most epsilon."""
    return math.sqrt(threshold) if problem.rational is None else math.isqrt(threshold)


def _width(problem: Problem, threshold: Any, n_before: int) -> Any:
    """How wide a cell is along each of so many actions; None where nothing is before."""
    if n_before < 1:
        return None
    if problem.rational is None:
        return math.sqrt(threshold / n_before) * _ROOM
    return math.isqrt(threshold // n_before) + 1
