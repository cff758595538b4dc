"""The largest clique of a graph, with a proof or with the time that was given."""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from warmer.dimensions import kernels
from warmer.model.time_limit import Clock

_SLICE = 20_000  # nodes between two looks at the clock: some hundredths of a second
_GREEDY_STEPS = 20_000_000  # word operations that the first incumbent may cost
_MOST = 16  # parts at a time: as many on every machine, so that what is found does not depend on the number of threads
_BYTES = 1 << 28  # memory that all stacks together may take


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
    must precede, and which must precede it, only cliques that can be ordered count.

    The search is divided where branches are left: all parts visit a number of nodes, side by side on `jobs` threads (as
    many as there are cores unless told otherwise); then the largest clique is shared, and a part that still has
    branches near its root gives them to a new one. No step depends on which thread came first, or how many there are.
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
        n_vertices, words = adjacency.shape
        self._size, self._enough = more_than, n_vertices if enough is None else enough
        self._jobs = n_cores() if jobs is None else jobs
        self._best = self._order = np.zeros(0, dtype=np.int32)
        self._parts: list[tuple[kernels.clique.Stack, kernels.colouring.Classes]] = []
        width = 0
        if n_vertices > more_than:
            self._order, width = kernels.clique.narrow_order(adjacency, n_vertices)
        if width <= more_than:  # no clique has more vertices than the width
            return
        relations = (adjacency, *(forced or (adjacency[:0], adjacency[:0])))
        self._graph = kernels.clique.Graph(
            *(kernels.bits.reordered(each, self._order) if len(each) else each for each in relations)
        )
        if forced is None:
            n_starts = max(1, _GREEDY_STEPS // (n_vertices * adjacency.size))
            self._offer(kernels.clique.greedy(self._graph.adjacency, n_vertices, n_starts))
        if self._size < min(self._enough, width):
            self._most = max(1, min(_MOST, _BYTES // ((width + 2) * (8 * n_vertices + 8 * words))))
            whole = kernels.clique.Stack.room(n_vertices, words, width + 2)
            whole.candidates[0] = kernels.bits.pack(np.ones((1, n_vertices), dtype=bool))[0]
            whole.counters[kernels.clique.DEPTH] = -2
            self._parts = [(whole, kernels.colouring.Classes.room(width + 2, words))]

    @property
    def is_finished(self) -> bool:
        """Whether nothing larger is left to be found, or enough was found."""
        return not self._parts or self._size >= self._enough

    @property
    def members(self) -> npt.NDArray[np.intp]:
        """The largest clique found so far, or nothing while none is larger than asked."""
        return np.sort(self._order[self._best]).astype(np.intp)

    def advance(self, n_nodes: int) -> None:
        """Visit about `n_nodes` more nodes, an equal share in each part."""
        share = max(1, n_nodes // len(self._parts))
        for stack, _ in self._parts:
            stack.counters[kernels.clique.SIZE] = self._size

        def go_on(part: "tuple[kernels.clique.Stack, kernels.colouring.Classes]") -> bool:
            return bool(kernels.clique.search(self._graph, *part, self._enough, share))

        if len(self._parts) == 1 or self._jobs == 1:
            have_ended = list(map(go_on, self._parts))
        else:
            with ThreadPoolExecutor(min(self._jobs, len(self._parts))) as threads:
                have_ended = list(threads.map(go_on, self._parts))
        for stack, _ in self._parts:
            self._offer(stack.best[: stack.counters[kernels.clique.SIZE]])
        self._parts = [part for part, has_ended in zip(self._parts, have_ended, strict=True) if not has_ended]
        self._divide()

    def _offer(self, clique: kernels.Ints) -> None:
        """Take a clique, if it is larger than the best so far."""
        if len(clique) > self._size:
            self._best, self._size = clique.copy(), len(clique)

    def _divide(self) -> None:
        """Give the branches that are left nearest to the root of a part to a new part, while there may be more."""
        for stack, room in tuple(self._parts):
            if len(self._parts) >= self._most:
                return
            for depth in range(stack.counters[kernels.clique.DEPTH]):
                left = stack.n_left[depth]
                if left and stack.bounds[depth, left - 1] + depth > self._size:  # it may lead to something larger
                    rest = deepcopy(stack)
                    rest.counters[kernels.clique.DEPTH] = depth
                    stack.n_left[depth] = 0
                    self._parts.append((rest, kernels.colouring.Classes.room(*room.members.shape)))
                    break


def n_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def ordered_by(after: kernels.Bits, members: Sequence[int]) -> list[int]:
    """The members in an order in which each may precede all that follow; there must be one."""
    may_precede = {v: {w for w in members if after[v, w >> 6] >> np.uint64(w & 63) & np.uint64(1)} for v in members}
    left, backwards = list(members), []
    while left:  # removing an element never hurts the others, so any that can stand last may
        last = next(w for w in left if all(w in may_precede[v] for v in left if v != w))
        left.remove(last)
        backwards.append(last)
    return backwards[::-1]
