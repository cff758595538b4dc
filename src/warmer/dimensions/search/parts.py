"""A clique search in parts that go on side by side, each on a stack of its own."""

import os
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import numpy as np

from warmer.dimensions import kernels

_MOST = 16
"""Parts at a time: as many on every machine, so that what is found does not depend on the number of threads."""
_BYTES = 1 << 28
"""Memory that all stacks together may take."""


def n_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Parts:
    """The search for a clique of more than `more_than` vertices, divided where branches are left.

    All parts visit a number of nodes, side by side; then the largest clique is shared, and a part that still has
    branches near its root gives them to a new one. No step depends on which thread came first, or how many there are.
    The graph's vertices are in the order of the search, and no clique has more than `width` of them.
    """

    def __init__(
        self, graph: "kernels.clique.Graph", width: int, *, more_than: int, enough: int, jobs: int | None = None
    ) -> None:
        n_vertices, words = graph.adjacency.shape
        self.best = np.zeros(0, dtype=np.int32)
        self._graph, self._size, self._enough = graph, more_than, enough
        self._jobs = n_cores() if jobs is None else jobs
        self._most = max(1, min(_MOST, _BYTES // ((width + 2) * (8 * n_vertices + 8 * words))))
        whole = _empty_stack(n_vertices, words, width + 2)
        whole.candidates[0] = kernels.bits.pack(np.ones((1, n_vertices), dtype=bool))[0]
        whole.counters[kernels.clique.DEPTH] = -2
        self._parts = [(whole, kernels.colouring.Classes.room(width + 2, words))]

    def offer(self, clique: kernels.Ints) -> None:
        """Take a clique, if it is larger than the best so far."""
        if len(clique) > self._size:
            self.best, self._size = clique.copy(), len(clique)

    def advance(self, n_nodes: int) -> bool:
        """Visit about `n_nodes` more nodes, an equal share in each part; whether the search is finished."""
        share = max(1, n_nodes // len(self._parts))
        for stack, _ in self._parts:
            stack.counters[kernels.clique.SIZE] = self._size
        if len(self._parts) == 1 or self._jobs == 1:
            have_ended = [self._go_on(part, share) for part in self._parts]
        else:
            with ThreadPoolExecutor(min(self._jobs, len(self._parts))) as threads:
                have_ended = list(threads.map(lambda part: self._go_on(part, share), self._parts))
        for stack, _ in self._parts:
            self.offer(stack.best[: stack.counters[kernels.clique.SIZE]])
        self._parts = [part for part, has_ended in zip(self._parts, have_ended, strict=True) if not has_ended]
        self._divide()
        return not self._parts or self._size >= self._enough

    def _go_on(self, part: "tuple[kernels.clique.Stack, kernels.colouring.Classes]", n_nodes: int) -> bool:
        return bool(kernels.clique.search(self._graph, *part, self._enough, n_nodes))

    def _divide(self) -> None:
        """Give the branches that are left nearest to the root of a part to a new part, while there may be more."""
        for stack, room in tuple(self._parts):
            if len(self._parts) >= self._most:
                return
            depth = self._open_depth(stack)
            if depth is not None:
                rest = deepcopy(stack)
                rest.counters[kernels.clique.DEPTH] = depth
                stack.n_left[depth] = 0
                self._parts.append((rest, kernels.colouring.Classes.room(*room.members.shape)))

    def _open_depth(self, stack: "kernels.clique.Stack") -> int | None:
        """The least depth above the present one with a branch that may lead to something larger."""
        for depth in range(stack.counters[kernels.clique.DEPTH]):
            left = stack.n_left[depth]
            if left and stack.bounds[depth, left - 1] + depth > self._size:
                return depth
        return None


def _empty_stack(n_vertices: int, words: int, n_rows: int) -> "kernels.clique.Stack":
    return kernels.clique.Stack(
        candidates=np.zeros((n_rows, words), dtype=np.uint64),
        branches=np.zeros((n_rows, n_vertices), dtype=np.int32),
        bounds=np.zeros((n_rows, n_vertices), dtype=np.int32),
        n_left=np.zeros(n_rows, dtype=np.int32),
        current=np.zeros(n_rows, dtype=np.int32),
        best=np.zeros(n_vertices, dtype=np.int32),
        counters=np.zeros(3, dtype=np.int64),
    )
