"""The pairs of functions that an eluder sequence lives on: what each action costs each pair."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.model import Array, Problem
from warmer.model.numbers import as_fraction
from warmer.model.time_limit import Clock

_PER_PRODUCT = 2  # how many times as long as handling an entry a block of products takes, per entry
_MAX_ENTRIES = 1 << 26  # pairs times actions that may be held at once; beyond it only the most even pairs are searched
MAX_FUNCTIONS = 1 << 13
"""How many functions are compared in pairs; of more, as many that stand at equal distances in the table."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Squared differences of function pairs, on actions no two of which every pair sees alike.

    The numbers are whole (int64, or Python's own where they are too large), in units of the table's denominator,
    or floats. `is_complete` says whether every pair that can matter is here.
    """

    squares: Array
    functions: npt.NDArray[np.int64]
    actions: npt.NDArray[np.intp]
    denominator: int | None
    slack: float
    is_complete: bool

    def threshold(self, epsilon: Any) -> Any:
        """The largest square that counts as at most `epsilon`, or the largest there is where every square does."""
        largest = np.asarray(self.squares.max(initial=0)).item()  # a number of Python's own
        return min(square_threshold(epsilon, self.denominator, self.slack), largest)


@dataclass(frozen=True, eq=False)
class Scales:
    r"""The scales to search, in order, and the largest square that counts as at most each.

    One scale is itself. To maximise over all scales from $\epsilon$ on, one for each difference $D>\epsilon$ is enough:
    between two neighbouring differences only the budget changes, so that the best scale is the last before $D$, any
    $\epsilon'<D$ such that no sum of squares below $D^2$ exceeds $\epsilon'^2$.
    """

    pairs: Pairs
    epsilon: Any
    squares: Array | None = None

    @classmethod
    def above(cls, epsilon: Any, pairs: Pairs, clock: Clock) -> "Scales":
        """The last scale before each difference greater than `epsilon`."""
        return cls(pairs, epsilon, _distinct_above(pairs.squares, pairs.threshold(epsilon), clock))

    def __len__(self) -> int:
        return 1 if self.squares is None else len(self.squares)

    def scale(self, at: int) -> Any:
        """The scale at a place."""
        if self.squares is None:
            return self.epsilon
        if self.pairs.denominator is None:
            difference = float(self.squares[at]) ** 0.5
            return max(float(self.epsilon), difference - 2 * self.pairs.slack * max(1.0, difference))
        square = int(self.squares[at])
        # over the denominator D - 1/(2D), a number whose square is at least D^2 - 1 and less than D^2
        below = Fraction(2 * square - 1, 2 * math.isqrt(square) * self.pairs.denominator)
        return max(as_fraction(self.epsilon), below)

    def threshold(self, at: int) -> Any:
        """The largest square that counts as at most the scale at a place."""
        if self.squares is None or self.pairs.denominator is None:
            return self.pairs.threshold(self.scale(at))
        return int(self.squares[at]) - 1


def square_threshold(epsilon: Any, denominator: int | None, slack: float) -> Any:
    """The largest square that counts as at most `epsilon`, in units of a table's denominator.

    With floats, that of the largest number that passes as at most epsilon, less what rounding can add to a sum.
    """
    if denominator is None:
        largest = float(epsilon) + slack * max(1.0, float(epsilon))
        return largest * largest * (1 - 1e-13)  # a power would raise where a product is infinite
    scaled = as_fraction(epsilon) * denominator
    return scaled.numerator**2 // scaled.denominator**2


def function_pairs(problem: Problem, clock: Clock) -> Pairs:
    """The distinct pairs of distinct functions, on the queries that may be asked."""
    legal = problem.legal_queries
    table = (
        np.asarray(problem.rho[legal], dtype=float) if problem.rational is None else problem.rational.numerators[legal]
    )
    if table.dtype == np.int64 and max(abs(int(table.max())), abs(int(table.min()))) >= 1 << 29:
        table = table.astype(object)
    kept = _first_of_each(table.T, clock, at_most=MAX_FUNCTIONS + 1)
    are_all = kept.size <= MAX_FUNCTIONS
    if not are_all:
        spaced = np.linspace(0, problem.n_targets - 1, MAX_FUNCTIONS).astype(np.intp)
        kept = spaced[_first_of_each(table.T[spaced], clock)]
    firsts, seconds = np.triu_indices(kept.size, 1)
    fits = firsts.size * legal.size <= _MAX_ENTRIES
    if not fits:
        firsts, seconds = _most_alike(table, kept, firsts, seconds, _MAX_ENTRIES // legal.size, clock)
    functions, first, second = table.T, kept[firsts], kept[seconds]
    squares = np.empty((firsts.size, legal.size), table.dtype)
    for block in clock.blocks(*squares.shape):
        squares[block] = (functions[first[block]] - functions[second[block]]) ** 2
    rows = _first_of_each(squares, clock)
    columns = _first_of_each(squares[rows].T, clock)
    return Pairs(
        squares=np.ascontiguousarray(squares[np.ix_(rows, columns)]),
        functions=np.stack([first[rows], second[rows]], axis=1).astype(np.int64).reshape(-1, 2),
        actions=legal[columns],
        denominator=None if problem.rational is None else problem.rational.denominator,
        slack=problem.slack,
        is_complete=are_all and fits,
    )


def _first_of_each(rows: Array, clock: Clock, *, at_most: float = math.inf) -> npt.NDArray[np.intp]:
    """The first of each set of equal rows, in order; it ends with the block in which there are so many."""
    seen: dict[Any, int] = {}
    for block in clock.blocks(*rows.shape):
        together = rows[block] if rows.dtype == object else np.ascontiguousarray(rows[block])
        for number, row in enumerate(together, start=block.start):
            seen.setdefault(tuple(row) if rows.dtype == object else row.tobytes(), number)
        if len(seen) >= at_most:
            break
    return np.array(sorted(seen.values()), dtype=np.intp)


def _distinct_above(squares: Array, threshold: Any, clock: Clock) -> Array:
    """The distinct entries greater than a threshold, sorted: block by block, then range by range of values."""
    blocks = (squares[block] for block in clock.blocks(*squares.shape))
    runs = [np.unique(block[block > threshold]) for block in blocks]
    longest = max(runs, key=len, default=squares[:0, :0].ravel())
    cuts = longest[:: max(1, len(longest) // max(1, len(runs)))]
    ends = [[0, *np.searchsorted(run, cuts), len(run)] for run in runs]
    parts = [longest[:0]]
    for k in range(len(cuts) + 1):
        clock.check()
        parts.append(
            np.unique(np.concatenate([longest[:0], *(r[e[k] : e[k + 1]] for r, e in zip(runs, ends, strict=True))]))
        )
    return np.concatenate(parts)


def _most_alike(
    table: Array, kept: Array, firsts: Array, seconds: Array, n_kept: int, clock: Clock
) -> tuple[Array, Array]:
    """The pairs that differ least in all: those that live longest."""
    values = np.asarray(table[:, kept], dtype=float)
    norms = (values**2).sum(axis=0)
    distances = np.empty((kept.size, kept.size))
    for block in clock.blocks(kept.size, len(values) * _PER_PRODUCT):
        distances[block] = norms[block, None] + norms - 2 * (values[:, block].T @ values)
    clock.check()
    chosen = np.sort(np.argpartition(distances[firsts, seconds], n_kept)[:n_kept])
    return firsts[chosen], seconds[chosen]
