"""Searches for a sequence whose forward values lie in one window of values, one kind for each shape of table."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from warmer.dimensions import kernels
from warmer.dimensions.dissimilarity.window_table import Element, Forward, Indices
from warmer.dimensions.search.clique import CliqueSearch, SparseCliqueSearch, ordered_by
from warmer.model.errors import InvalidValueError

__all__ = ["SequenceSearch", "Sequences", "sequences"]

_MOST_PAIRS = 30_000
"""Pairs of an action and a function that the two-sided search of a bandit table may hold as a graph."""
_LARGE = 512
"""Vertices above which a graph with few edges is searched around each vertex."""
_FEW = 0.1
"""Edges over squared vertices below which a graph has few."""
_MEMORY = 1 << 15
"""Live sets that a search of chains remembers."""


class SequenceSearch(Protocol):
    """A search in one window that goes on slice by slice."""

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to visit."""
        ...

    def advance(self, n_nodes: int) -> None:
        """Visit up to `n_nodes` more nodes."""
        ...

    @property
    def found(self) -> list[Element]:
        """The longest sequence found so far, if it is longer than asked."""
        ...


class Sequences(Protocol):
    """The sequences of one table."""

    @property
    def size(self) -> int:
        """No sequence is longer than this."""
        ...

    def search(self, bottom: int, top: int, *, more_than: int, enough: int) -> SequenceSearch:
        """Look for the longest sequence with values from place `bottom` to place `top`.

        It must have more than `more_than` elements; one with `enough` ends the search.
        """
        ...

    def bound(self, bottom: int, top: int, more_than: int) -> int:
        """A colouring bound on the length of such a sequence; `more_than` where it is at most that."""
        ...


def sequences(forward: Forward, *, is_two_sided: bool) -> Sequences:
    """The sequences of a table: cliques where order does not matter, else ordered sets or chains."""
    if forward.is_square:
        return Cliques(forward) if is_two_sided or forward.is_symmetric else OrderedSets(forward)
    return PairCliques(forward) if is_two_sided else Chains(forward)


class Cliques:
    """Square tables where every pair is constrained both ways: cliques of the window's graph."""

    def __init__(self, forward: Forward) -> None:
        self._forward = forward
        self.size = len(forward.targets)

    def search(self, bottom: int, top: int, *, more_than: int, enough: int) -> SequenceSearch:
        """Look for a clique of the window's graph."""
        rows, columns, members = self._core(bottom, top, more_than)
        search: CliqueSearch | SparseCliqueSearch
        if self._forward.is_symmetric and len(members) > _LARGE and len(rows) < _FEW * len(members) ** 2:
            search = SparseCliqueSearch(rows, columns, members, more_than=more_than, enough=enough)
        else:
            adjacency = self._adjacency(rows, columns, members)
            search = CliqueSearch(adjacency, more_than=more_than, enough=enough)
        return _InWindow(search, lambda: [Element(int(members[k]), int(members[k])) for k in search.members])

    def bound(self, bottom: int, top: int, more_than: int) -> int:
        """Colours of the window's graph, without the vertices that have too few neighbours."""
        return _colours(self._adjacency(*self._core(bottom, top, more_than)), more_than)

    def _core(self, bottom: int, top: int, more_than: int) -> tuple[Indices, Indices, Indices]:
        """The window's entries, and the vertices that have enough of them."""
        rows, columns = self._forward.between(bottom, top)
        # a directed entry counts at both ends, so a pair with both counts twice
        degree = more_than if self._forward.is_symmetric else 2 * more_than
        return rows, columns, kernels.windows.core(rows, columns, self.size, degree, more_than + 1)

    def _adjacency(self, rows: Indices, columns: Indices, members: Indices) -> kernels.Bits:
        after, before = kernels.windows.pair_graph(rows, columns, self.size, members)
        return after | before if self._forward.is_symmetric else after & before


class OrderedSets:
    """Square tables that are not symmetric: sets that can be ordered so that each forward pair is an entry."""

    def __init__(self, forward: Forward) -> None:
        self._forward = forward
        self.size = len(forward.targets)

    def search(self, bottom: int, top: int, *, more_than: int, enough: int) -> SequenceSearch:
        """Look for a set that can be ordered."""
        members, after, before = self._graph(bottom, top, more_than)
        forced = after & ~before, before & ~after
        search = CliqueSearch(after | before, more_than=more_than, enough=enough, forced=forced)

        def read() -> list[Element]:
            return [Element(int(members[k]), int(members[k])) for k in ordered_by(after, search.members.tolist())]

        return _InWindow(search, read)

    def bound(self, bottom: int, top: int, more_than: int) -> int:
        """Colours of the graph of pairs that may stand in some order."""
        _, after, before = self._graph(bottom, top, more_than)
        return _colours(after | before, more_than)

    def _graph(self, bottom: int, top: int, more_than: int) -> tuple[npt.NDArray[np.int32], kernels.Bits, kernels.Bits]:
        rows, columns = self._forward.between(bottom, top)
        members = kernels.windows.core(rows, columns, self.size, more_than, more_than + 1)
        return members, *kernels.windows.pair_graph(rows, columns, self.size, members)


class Chains:
    """Bandit tables: chains of functions with live actions, or of actions with live functions, if those are fewer."""

    def __init__(self, forward: Forward) -> None:
        n_actions, n_functions = len(forward.queries), len(forward.targets)
        self._forward = forward
        self._is_backward = n_actions <= n_functions
        self.size = min(n_actions, n_functions)
        self._own = kernels.bits.pack(forward.is_reached.T if self._is_backward else forward.is_reached)

    def search(self, bottom: int, top: int, *, more_than: int, enough: int) -> SequenceSearch:
        """Look for chains of `more_than + 1` items, and of more up to `enough`."""
        search = _ChainSearch(self._reach(bottom, top), self._own, self.size, more_than=more_than, enough=enough)
        return _InWindow(search, lambda: self._elements(search.chain))

    def _elements(self, chain: list[tuple[int, int]]) -> list[Element]:
        """Items with partners as actions with functions, the first of the sequence first."""
        if self._is_backward:
            return [Element(partner, item) for item, partner in reversed(chain)]
        return [Element(item, partner) for item, partner in chain]

    def bound(self, bottom: int, top: int, more_than: int) -> int:
        """Colours of the graph of partners that can share a chain."""
        return _colours(_compatible(self._reach(bottom, top), self._own, self.size), more_than)

    def _reach(self, bottom: int, top: int) -> kernels.Bits:
        rows, columns = self._forward.between(bottom, top)
        n_actions, n_functions = self._forward.is_reached.shape
        if self._is_backward:
            return kernels.windows.table_bits(rows, columns, n_actions, n_functions)
        return kernels.windows.table_bits(columns, rows, n_functions, n_actions)


class PairCliques:
    """Bandit tables where every pair is constrained both ways: cliques of (action, function) pairs."""

    def __init__(self, forward: Forward) -> None:
        n_pairs = int(forward.is_reached.sum())
        if n_pairs > _MOST_PAIRS:
            raise InvalidValueError(
                f'sided="two" can search up to {_MOST_PAIRS} pairs of an action and a function that reach alpha, '
                f"got {n_pairs}; raise alpha, or use fewer actions or functions."
            )
        self._forward = forward
        self._actions, self._functions = np.nonzero(forward.is_reached)
        self.size: int = min(forward.is_reached.shape)

    def search(self, bottom: int, top: int, *, more_than: int, enough: int) -> SequenceSearch:
        """Look for a clique of pairs."""
        members, adjacency = self._graph(bottom, top, more_than)
        actions, functions = self._actions[members], self._functions[members]
        search = CliqueSearch(adjacency, more_than=more_than, enough=enough)
        return _InWindow(search, lambda: [Element(int(actions[k]), int(functions[k])) for k in search.members])

    def bound(self, bottom: int, top: int, more_than: int) -> int:
        """Colours of the graph of pairs."""
        return min(self.size, _colours(self._graph(bottom, top, more_than)[1], more_than))

    def _graph(self, bottom: int, top: int, more_than: int) -> tuple[npt.NDArray[np.intp], kernels.Bits]:
        is_inside = np.zeros(self._forward.is_reached.shape, dtype=bool)
        is_inside[self._forward.between(bottom, top)] = True
        adjacency = is_inside[np.ix_(self._actions, self._functions)]
        adjacency &= adjacency.T.copy()
        members = np.flatnonzero(adjacency.sum(axis=1) >= more_than)
        return members, kernels.bits.pack(adjacency[np.ix_(members, members)])


class _InWindow:
    """A search of a window, and how to read what it finds as elements."""

    def __init__(
        self, search: "CliqueSearch | SparseCliqueSearch | _ChainSearch", read: Callable[[], list[Element]]
    ) -> None:
        self._search = search
        self._read = read

    @property
    def is_finished(self) -> bool:
        return bool(self._search.is_finished)

    def advance(self, n_nodes: int) -> None:
        self._search.advance(n_nodes)

    @property
    def found(self) -> list[Element]:
        return self._read()


class _ChainSearch:
    """A search for chains of more and more items, from one more than `more_than` up to `enough`."""

    def __init__(self, reach: kernels.Bits, own: kernels.Bits, n_partners: int, *, more_than: int, enough: int) -> None:
        self._reach, self._own, self._n_partners = reach, own, n_partners
        self._enough = min(enough, len(reach), n_partners)
        self._compatible = _compatible(reach, own, n_partners)
        self._memory = np.zeros((_MEMORY, reach.shape[1]), dtype=np.uint64), np.zeros(_MEMORY, dtype=np.int32)
        self._advance: Callable[..., bool] = kernels.chains.search
        self._stack: tuple[Any, ...] = ()
        self.is_finished = False
        self.chain: list[tuple[int, int]] = []
        self._look_for(more_than + 1)

    def advance(self, n_nodes: int) -> None:
        """Visit up to `n_nodes` more nodes."""
        if not self._advance(self._reach, self._own, self._compatible, *self._stack, *self._memory, n_nodes):
            return
        alive, _, _, current, counters = self._stack
        if counters[kernels.chains.DEPTH] != len(current):
            self.is_finished = True
            return
        partners = [kernels.bits.first(alive[place] & self._own[item]) for place, item in enumerate(current)]
        self.chain = [(int(item), int(partner)) for item, partner in zip(current, partners, strict=True)]
        self._look_for(len(current) + 1)

    def _look_for(self, length: int) -> None:
        n_items, words = self._reach.shape
        self.is_finished = length > self._enough
        alive = np.zeros((length + 1, words), dtype=np.uint64)
        alive[0] = kernels.bits.pack(np.ones((1, self._n_partners), dtype=bool))[0]
        self._stack = (
            alive,
            np.zeros((length, n_items), dtype=np.int32),
            np.zeros(length, dtype=np.int32),
            np.zeros(length, dtype=np.int32),
            np.array([0, 0, 1], dtype=np.int64),
        )


def _compatible(reach: kernels.Bits, own: kernels.Bits, n_partners: int) -> kernels.Bits:
    """For each partner those that can share a chain with it: some item owns one and reaches the other."""
    owns = _unpacked(own, n_partners).astype(np.float32)
    reaches = _unpacked(reach, n_partners).astype(np.float32)
    can_precede = owns.T @ reaches > 0
    return kernels.bits.pack(can_precede | can_precede.T)


def _unpacked(rows: kernels.Bits, size: int) -> npt.NDArray[np.uint8]:
    return np.unpackbits(rows.view(np.uint8), axis=1, count=size, bitorder="little")


def _colours(adjacency: kernels.Bits, more_than: int) -> int:
    n_vertices = adjacency.shape[0]
    if n_vertices <= more_than:
        return more_than
    order, _ = kernels.clique.narrow_order(adjacency, n_vertices)
    everything = kernels.bits.pack(np.ones((1, n_vertices), dtype=bool))[0]
    return max(more_than, int(kernels.colouring.colours(kernels.bits.reordered(adjacency, order), everything)))
