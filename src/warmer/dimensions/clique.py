"""The largest clique of a graph, with a proof or with the time that was given."""

import time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from warmer.dimensions.kernels import bits
from warmer.dimensions.kernels import clique as kernel

__all__ = ["Clique", "CliqueSearch", "maximum_clique"]

_SLICE = 20_000
"""Nodes between two looks at the clock: some hundredths of a second."""
_GREEDY_STEPS = 20_000_000
"""Word operations that the first incumbent may cost."""


class Clique(NamedTuple):
    """Vertices in increasing order (none if no clique was larger than asked), and whether that is proved largest."""

    members: npt.NDArray[np.intp]
    is_proved: bool


def maximum_clique(adjacency: npt.NDArray[np.bool_], *, more_than: int = 0, deadline: float | None = None) -> Clique:
    """Find the largest clique of an undirected graph, if it has more than `more_than` vertices.

    Parameters
    ----------
    adjacency
        A symmetric boolean matrix; its diagonal is ignored.
    more_than
        Only cliques with more vertices than this are looked for; a proof that there is none is much cheaper.
    deadline
        The value of `time.monotonic()` at which to stop with what was found.

    Examples
    --------
    >>> triangle_with_tail = np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]], dtype=bool)
    >>> members, is_proved = maximum_clique(triangle_with_tail)
    >>> members.tolist(), is_proved
    ([0, 1, 2], True)
    >>> maximum_clique(triangle_with_tail, more_than=3).members.size
    0
    """
    search = CliqueSearch(bits.pack(adjacency), more_than=more_than)
    while not search.is_finished:
        if deadline is not None and time.monotonic() >= deadline:
            break
        search.advance(_SLICE)
    return Clique(search.members, search.is_finished)


class CliqueSearch:
    """A search for a clique of more than `more_than` vertices that goes on slice by slice.

    `adjacency` holds each vertex's neighbours as a packed row. The search ends early at a clique with `enough` vertices.
    """

    def __init__(self, adjacency: bits.Bits, *, more_than: int = 0, enough: int | None = None) -> None:
        self._n = adjacency.shape[0]
        self._enough = self._n if enough is None else enough
        self._more_than = more_than
        self._best = np.zeros(0, dtype=np.int32)
        self.is_finished = self._n <= more_than
        if not self.is_finished:
            self._prepare(adjacency)

    @property
    def members(self) -> npt.NDArray[np.intp]:
        """The largest clique found so far, or nothing while none is larger than asked."""
        size = int(self._counters[kernel.SIZE]) if hasattr(self, "_counters") else 0
        if size <= self._more_than:
            return np.zeros(0, dtype=np.intp)
        return np.sort(self._order[self._best[:size]]).astype(np.intp)

    def advance(self, n_nodes: int) -> None:
        """Visit up to `n_nodes` more nodes."""
        self.is_finished = kernel.search(*self._stack, self._enough, n_nodes)

    def _prepare(self, adjacency: bits.Bits) -> None:
        self._order, width = kernel.narrow_order(adjacency, self._n)
        ordered = _reordered(adjacency, self._order)
        words = ordered.shape[1]
        incumbent = kernel.greedy(ordered, self._n, max(1, _GREEDY_STEPS // (self._n * self._n * words)))
        size = max(len(incumbent), self._more_than)
        self._best = np.zeros(self._n, dtype=np.int32)
        self._best[: len(incumbent)] = incumbent
        self._counters = np.array([-2, size, 0], dtype=np.int64)
        rows = width + 2
        candidates = np.zeros((rows, words), dtype=np.uint64)
        candidates[0] = bits.pack(np.ones((1, self._n), dtype=bool))[0]
        self._stack = (
            ordered,
            candidates,
            np.zeros((rows, self._n), dtype=np.int32),
            np.zeros((rows, self._n), dtype=np.int32),
            np.zeros(rows, dtype=np.int32),
            np.zeros(rows, dtype=np.int32),
            self._best,
            self._counters,
            np.zeros((self._n + 1, words), dtype=np.uint64),
        )
        self.is_finished = width <= self._more_than or size >= min(self._enough, width)


def _reordered(adjacency: bits.Bits, order: npt.NDArray[np.int32]) -> bits.Bits:
    n_vertices = adjacency.shape[0]
    octets = adjacency.view(np.uint8)[order]
    matrix = np.unpackbits(octets, axis=1, count=n_vertices, bitorder="little").astype(bool)[:, order]
    np.fill_diagonal(matrix, False)
    return bits.pack(matrix)
