"""Searches for a sequence whose forward values lie in one window of values, one kind for each shape of table."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from warmer.dimensions import kernels
from warmer.dimensions.dissimilarity.window_table import Element, Indices, WindowTable
from warmer.dimensions.search.chains import ChainSearch, compatible
from warmer.dimensions.search.clique import CliqueSearch, ordered_by
from warmer.model.errors import InvalidValueError

_SLICE = 4_000
"""Nodes between two looks at the clock."""
_MOST_PAIRS = 30_000
"""Pairs of an action and a function that the two-sided search of a bandit table may hold as a graph."""


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

    def __init__(self, table: WindowTable, *, is_two_sided: bool) -> None:
        self._table = table
        self._is_ordered = not (is_two_sided or table.is_symmetric)
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


def sequences(table: WindowTable, *, is_two_sided: bool = False) -> Sequences:
    """The sequences of a table: cliques where order does not matter, else ordered sets or chains."""
    return Cliques(table, is_two_sided=is_two_sided) if table.is_square or is_two_sided else Chains(table)


def _colours(adjacency: kernels.Bits, more_than: int) -> int:
    n_vertices = adjacency.shape[0]
    if n_vertices <= more_than:
        return more_than
    order, _ = kernels.clique.narrow_order(adjacency, n_vertices)
    everything = kernels.bits.pack(np.ones((1, n_vertices), dtype=bool))[0]
    return max(more_than, int(kernels.colouring.colours(kernels.bits.reordered(adjacency, order), everything)))
