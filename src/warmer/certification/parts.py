"""Candidates that were ruled out are put aside, so that answers are weighed against the remaining ones alone.

Leaving them out of the numerator of a likelihood ratio only ever makes the evidence smaller.
"""

import numpy as np

from warmer.model import Array, Problem

LEAST = 64
SHARE = 2
MOST = 1 << 24
"""A table of more than a few dozen candidates is cut when half of them remain, and its part fits into memory."""
_FEW = 4
"""The share of a table up to which a part is copied whole is one in so many."""


def is_worth_it(problem: Problem, n_watched: int, n_possible: int) -> bool:
    """Whether it pays to go on with the remaining candidates alone."""
    return n_watched >= LEAST and 0 < n_possible * SHARE <= n_watched and n_possible * problem.n_queries <= MOST


class PartOfTable:
    """What some candidates of a table predict: a row is copied when its query is first answered.

    All rows at once where the candidates are few: their own parts are then read from the copy.
    """

    def __init__(self, table: Array, places: Array) -> None:
        is_small = places.size * _FEW <= table.shape[1]
        self._table, self._places, self._known = table, places, np.full(len(table), is_small)
        self._filled = table.take(places, axis=1) if is_small else np.empty((len(table), places.size), table.dtype)
        self.rho = self._filled.view()
        self.rho.flags.writeable = False

    def __reduce__(self) -> tuple[type["PartOfTable"], tuple[Array, Array]]:
        """Copied without its rows, which the copy reads again."""
        return PartOfTable, (self._table, self._places)

    def part(self, places: Array) -> "PartOfTable":
        """Some of these candidates alone."""
        return PartOfTable(self.rho, places) if self._known.all() else PartOfTable(self._table, self._places[places])

    def read(self, queries: Array) -> None:
        """Have the rows of some queries."""
        for query in set(queries[~self._known[queries]].tolist()):
            self._table[query].take(self._places, out=self._filled[query], mode="clip")
            self._known[query] = True
