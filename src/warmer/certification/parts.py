"""Candidates that were ruled out are put aside, so that answers are weighed against the remaining ones alone.

Leaving them out of the numerator of a likelihood ratio only ever makes the evidence smaller.
"""

import numpy as np

from warmer.certification import kernels
from warmer.model import Array, Problem

LEAST = 64
SHARE = 2
MOST = 1 << 24
"""A table of more than a few dozen candidates is cut when half of them remain, and its part fits into memory."""
_FEW = 4
_LARGE = 1 << 20
"""Of a table with more entries than that, a part is copied whole where it is one in so many."""


def is_worth_it(problem: Problem, n_watched: int, n_possible: int) -> bool:
    """Whether it pays to go on with the remaining candidates alone."""
    return n_watched >= LEAST and 0 < n_possible * SHARE <= n_watched and n_possible * problem.n_queries <= MOST


class PartOfTable:
    """What some candidates of a table predict: a row is copied when its query is first answered.

    All rows at once where the table is large and the candidates are few: their own parts are then read from the copy.
    """

    def __init__(self, table: Array, places: Array) -> None:
        self._table, self._places, self._unknown = table, places, set(range(len(table)))
        self._filled = np.empty((len(table), places.size), table.dtype)
        self.rho = self._filled.view()
        self.rho.flags.writeable = False
        if table.size > _LARGE and places.size * _FEW <= table.shape[1]:
            self.read(np.arange(len(table)))

    def __reduce__(self) -> tuple[type["PartOfTable"], tuple[Array, Array]]:
        """Copied without its rows, which the copy reads again."""
        return PartOfTable, (self._table, self._places)

    def part(self, places: Array) -> "PartOfTable":
        """Some of these candidates alone."""
        return PartOfTable(self._table, self._places.take(places)) if self._unknown else PartOfTable(self.rho, places)

    def read(self, queries: Array) -> None:
        """Have the rows of some queries."""
        unknown = self._unknown.intersection(queries.tolist())
        if unknown:
            kernels.evidence.gather(self._filled, self._table, np.array([*unknown]), self._places)
            self._unknown -= unknown
