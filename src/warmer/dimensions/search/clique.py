"""The largest clique of a graph, with a proof or with the time that was given."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from warmer.dimensions import kernels
from warmer.dimensions.search.parts import Parts
from warmer.model.time_limit import Clock

_SLICE = 20_000
"""Nodes between two looks at the clock: some hundredths of a second."""
_GREEDY_STEPS = 20_000_000
"""Word operations that the first incumbent may cost."""


class Clique(NamedTuple):
    """Vertices in increasing order (none if no clique was larger than asked), and whether that is proved largest."""

    members: npt.NDArray[np.intp]
    is_proved: bool


def maximum_clique(adjacency: npt.NDArray[np.bool_], *, more_than: int = 0, clock: Clock | None = None) -> Clique:
    """Find the largest clique of an undirected graph, if it has more than `more_than` vertices.

    The diagonal of the adjacency is ignored; where the clock ends the search, it is the largest found.

    Examples
    --------
    >>> triangle_with_tail = np.array([[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]], dtype=bool)
    >>> members, is_proved = maximum_clique(triangle_with_tail)
    >>> members.tolist(), is_proved
    ([0, 1, 2], True)
    """
    neighbours = adjacency & ~np.eye(len(adjacency), dtype=bool)
    search = CliqueSearch(kernels.bits.pack(neighbours), more_than=more_than)
    clock = clock or Clock(None)
    while not (search.is_finished or clock.is_over):
        search.advance(_SLICE)
    return Clique(search.members, search.is_finished)


class CliqueSearch:
    """A search for a clique of more than `more_than` vertices, slice by slice; one with `enough` of them ends it early.

    `adjacency` holds each vertex's neighbours as a packed row, without itself. Where `forced` says which of them it
    must precede, and which must precede it, only cliques that can be ordered count. What is found does not depend on
    the number of threads, `jobs`: as many as there are cores unless told otherwise.
    """

    def __init__(
        self,
        adjacency: kernels.Bits,
        *,
        more_than: int = 0,
        enough: int | None = None,
        forced: tuple[kernels.Bits, kernels.Bits] | None = None,
        jobs: int | None = None,
    ) -> None:
        n_vertices = adjacency.shape[0]
        self._enough = n_vertices if enough is None else enough
        self._parts: Parts | None = None
        self.is_finished = n_vertices <= more_than
        if not self.is_finished:
            self._order, width = kernels.clique.narrow_order(adjacency, n_vertices)
            self.is_finished = width <= more_than
        if not self.is_finished:
            nowhere = np.zeros((0, adjacency.shape[1]), dtype=np.uint64)
            relations = (adjacency, *(forced or (nowhere, nowhere)))
            graph = kernels.clique.Graph(
                *(kernels.bits.reordered(each, self._order) if len(each) else each for each in relations)
            )
            self._parts = Parts(graph, width, more_than=more_than, enough=self._enough, jobs=jobs)
            if forced is None:
                n_starts = max(1, _GREEDY_STEPS // (n_vertices * adjacency.size))
                incumbent = kernels.clique.greedy(graph.adjacency, n_vertices, n_starts)
                self._parts.offer(incumbent)
                self.is_finished = len(incumbent) >= min(self._enough, width)

    @property
    def members(self) -> npt.NDArray[np.intp]:
        """The largest clique found so far, or nothing while none is larger than asked."""
        if self._parts is None:
            return np.zeros(0, dtype=np.intp)
        return np.sort(self._order[self._parts.best]).astype(np.intp)

    def advance(self, n_nodes: int) -> None:
        """Visit up to `n_nodes` more nodes."""
        assert self._parts is not None
        self.is_finished = self._parts.advance(n_nodes)


def ordered_by(after: kernels.Bits, members: Sequence[int]) -> list[int]:
    """The members in an order in which each may precede all that follow; there must be one."""
    may_precede = {v: {w for w in members if after[v, w >> 6] >> np.uint64(w & 63) & np.uint64(1)} for v in members}
    left, backwards = list(members), []
    while left:  # removing an element never hurts the others, so any that can stand last may
        last = next(w for w in left if all(w in may_precede[v] for v in left if v != w))
        left.remove(last)
        backwards.append(last)
    return backwards[::-1]
