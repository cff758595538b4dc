"""Searches for a sequence whose forward values lie in one window of values, one kind for each shape of table."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from warmer.dimensions import kernels
from warmer.dimensions.dissimilarity.window_table import Element, Indices, WindowTable
from warmer.dimensions.search.clique import CliqueSearch, ordered_by
from warmer.model.errors import InvalidValueError

_SLICE = 4_000  # nodes between two looks at the clock
_MEMORY = 1 << 15  # live sets that a search of chains remembers
_MOST_PAIRS = 30_000
"""Pairs of an action and a function that the two-sided search of a bandit table may hold as a graph."""


class ChainSearch:
    """A search for chains of more and more items, from one more than `more_than` up to `enough`."""

    def __init__(self, reach: kernels.Bits, own: kernels.Bits, n_partners: int, *, more_than: int, enough: int) -> None:
        self._links = kernels.chains.Links(reach, own, compatible(reach, own, n_partners))
        self._memory = kernels.chains.Memory(
            np.zeros((_MEMORY, reach.shape[1]), dtype=np.uint64), np.zeros(_MEMORY, dtype=np.int32)
        )
        self._everyone = kernels.bits.pack(np.ones((1, n_partners), dtype=bool))[0]
        self._enough = min(enough, len(reach), n_partners)
        self.chain: list[tuple[int, int]] = []
        self._stack: kernels.chains.Stack
        self._look_for(more_than + 1)

    def advance(self, n_nodes: int) -> None:
        """Visit up to `n_nodes` more nodes."""
        if not kernels.chains.search(self._links, self._stack, self._memory, n_nodes):
            return
        alive, current = self._stack.alive, self._stack.current
        if self._stack.counters[kernels.chains.DEPTH] != len(current):
            self.is_finished = True
            return
        partners = [kernels.bits.first(alive[place] & self._links.own[item]) for place, item in enumerate(current)]
        self.chain = [(int(item), int(partner)) for item, partner in zip(current, partners, strict=True)]
        self._look_for(len(current) + 1)

    def _look_for(self, length: int) -> None:
        n_items, words = self._links.reach.shape
        self.is_finished = length > self._enough
        self._stack = kernels.chains.Stack(
            alive=np.zeros((length + 1, words), dtype=np.uint64),
            choices=np.zeros((length, n_items), dtype=np.int32),
            n_left=np.zeros(length, dtype=np.int32),
            current=np.zeros(length, dtype=np.int32),
            counters=np.array([0, 0, 1], dtype=np.int64),
        )
        self._stack.alive[0] = self._everyone


class WindowSearch(NamedTuple):
    """A search in one window that goes on slice by slice, and its longest sequence so far, if longer than asked."""

    steps: CliqueSearch | ChainSearch
    found: Callable[[], list[Element]]

    def run(self, look_up: Callable[[], None]) -> list[Element]:
        """Search to the end, and look up from it now and then."""
        while not self.steps.is_finished:
            look_up()
            self.steps.advance(_SLICE)
        look_up()
        return self.found()


class Cliques:
    """Cliques of the window's graph, or sets that can be ordered where an entry of a square table counts one way only.

    The vertices are the alternatives: those of a square table, or the pairs of an action and a function of a bandit
    table where every pair of them is constrained both ways. No sequence is longer than `size`.
    """

    def __init__(self, table: WindowTable) -> None:
        self._table = table
        self._is_ordered = not (table.is_two_sided or table.is_symmetric)
        self._rows, self._columns = np.nonzero(table.is_reached)
        self.size: int = min(table.is_reached.shape)
        if not table.is_square and self._rows.size > _MOST_PAIRS:
            raise InvalidValueError(
                f'sided="two" can search up to {_MOST_PAIRS} pairs of an action and a function that reach alpha, '
                f"got {self._rows.size}; raise alpha, or use fewer actions or functions."
            )

    def search(self, bottom: int, top: int, *, more_than: int, enough: int) -> WindowSearch:
        """Look for the longest sequence with values from place `bottom` to place `top`.

        It must have more than `more_than` elements; one with `enough` ends the search.
        """
        members, adjacency, after, forced = self._graph(bottom, top, more_than)
        search = CliqueSearch(adjacency, more_than=more_than, enough=enough, forced=forced)

        def read() -> list[Element]:
            places = search.members.tolist()
            ordered = members[ordered_by(after, places) if forced else places]
            return list(map(Element, self._rows[ordered].tolist(), self._columns[ordered].tolist()))

        return WindowSearch(search, read)

    def bound(self, bottom: int, top: int, more_than: int) -> int:
        """A colouring bound on the length of such a sequence; `more_than` where it is at most that."""
        return min(self.size, _colours(self._graph(bottom, top, more_than).adjacency, more_than))

    def _graph(self, bottom: int, top: int, more_than: int) -> "_Graph":
        """The graph of the window's entries, on the vertices that have enough of them."""
        if not self._table.is_square:
            inside = self._table.is_inside(bottom, top)[np.ix_(self._rows, self._columns)]
            inside &= inside.T.copy()
            members = np.flatnonzero(inside.sum(axis=1) >= more_than).astype(np.int32)
            adjacency = kernels.bits.pack(inside[np.ix_(members, members)])
            return _Graph(members, adjacency, adjacency, None)
        rows, columns = self._table.between(bottom, top)
        # a directed entry counts at both ends, so a pair with both counts twice
        degree = more_than if self._table.is_symmetric or self._is_ordered else 2 * more_than
        members = kernels.windows.core(rows, columns, self.size, degree, more_than + 1)
        after, before = kernels.windows.pair_graph(rows, columns, self.size, members)
        if self._is_ordered:
            return _Graph(members, after | before, after, (after & ~before, before & ~after))
        return _Graph(members, after | before if self._table.is_symmetric else after & before, after, None)


class _Graph(NamedTuple):
    """The vertices, which of them go together, which may precede which, and which must."""

    members: Indices
    adjacency: kernels.Bits
    after: kernels.Bits
    forced: tuple[kernels.Bits, kernels.Bits] | None


class Chains:
    """Bandit tables: chains of functions with live actions, or of actions with live functions, if those are fewer."""

    def __init__(self, table: WindowTable) -> None:
        n_actions, n_functions = table.is_reached.shape
        self._table = table
        self._is_backward = n_actions <= n_functions
        self.size = min(n_actions, n_functions)
        self._own = kernels.bits.pack(table.is_reached.T if self._is_backward else table.is_reached)

    def search(self, bottom: int, top: int, *, more_than: int, enough: int) -> WindowSearch:
        """Look for chains of `more_than + 1` items, and of more up to `enough`."""
        search = ChainSearch(self._reach(bottom, top), self._own, self.size, more_than=more_than, enough=enough)
        return WindowSearch(search, lambda: self._elements(search.chain))

    def bound(self, bottom: int, top: int, more_than: int) -> int:
        """Colours of the graph of partners that can share a chain."""
        return _colours(compatible(self._reach(bottom, top), self._own, self.size), more_than)

    def _elements(self, chain: list[tuple[int, int]]) -> list[Element]:
        """Items with partners as actions with functions, the first of the sequence first."""
        if self._is_backward:
            return [Element(partner, item) for item, partner in reversed(chain)]
        return [Element(item, partner) for item, partner in chain]

    def _reach(self, bottom: int, top: int) -> kernels.Bits:
        is_inside = self._table.is_inside(bottom, top)
        return kernels.bits.pack(is_inside.T if self._is_backward else is_inside)


Sequences = Cliques | Chains
"""The sequences of one table."""


def sequences(table: WindowTable) -> Sequences:
    """The sequences of a table: cliques where order does not matter, else ordered sets or chains."""
    return Cliques(table) if table.is_square or table.is_two_sided else Chains(table)


def _colours(adjacency: kernels.Bits, more_than: int) -> int:
    n_vertices = adjacency.shape[0]
    if n_vertices <= more_than:
        return more_than
    order, _ = kernels.clique.narrow_order(adjacency, n_vertices)
    everything = kernels.bits.pack(np.ones((1, n_vertices), dtype=bool))[0]
    return max(more_than, int(kernels.colouring.colours(kernels.bits.reordered(adjacency, order), everything)))


def compatible(reach: kernels.Bits, own: kernels.Bits, n_partners: int) -> kernels.Bits:
    """For each partner those that can share a chain with it: some item owns one and reaches the other."""
    can_precede = np.unpackbits(
        kernels.chains.followers(reach, own, n_partners).view(np.uint8), axis=1, count=n_partners, bitorder="little"
    ).view(np.bool_)
    return kernels.bits.pack(can_precede | can_precede.T)
