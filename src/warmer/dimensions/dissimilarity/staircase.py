"""The windows that decide the dimension at every epsilon."""

import math
from typing import Any, NamedTuple

import numpy as np

from warmer.dimensions.dissimilarity.tolerance import ExactTolerance, FloatTolerance
from warmer.dimensions.dissimilarity.window_search import Sequences
from warmer.dimensions.dissimilarity.window_sweep import halves, is_wide
from warmer.dimensions.dissimilarity.window_table import Element, WindowTable
from warmer.model.time_limit import Clock


class Window(NamedTuple):
    """The values of a table from bottom to top hold a sequence, given by its targets and their queries."""

    targets: tuple[int, ...]
    queries: tuple[int, ...]
    bottom: Any
    top: Any

    @property
    def length(self) -> int:
        """The length of the sequence."""
        return len(self.targets)

    def epsilons(self, tolerance: ExactTolerance | FloatTolerance) -> tuple[float, float]:
        """The least and the largest epsilon at which such a sequence is feasible, rounded."""
        width = tolerance.number(self.top) - tolerance.number(self.bottom)
        return math.sqrt(self.length) * float(width) / 2, highest(tolerance, self.top, self.length)


class Staircase:
    """For each length the windows that no other beats in both width and top: the narrower, the higher."""

    def __init__(
        self, table: WindowTable, tolerance: ExactTolerance | FloatTolerance, within: Sequences, clock: Clock
    ) -> None:
        self._table, self._tolerance, self._within, self._clock = table, tolerance, within, clock
        self._values = table.values
        self._least_step = tolerance.slack if isinstance(tolerance, FloatTolerance) else 1
        self.length, self._first = 2, 0
        self.windows: list[Window] = []

    @property
    def unsettled_to(self) -> float:
        """An epsilon above which no longer sequence will be found."""
        return highest(self._tolerance, self._values[self._first], self.length)

    def climb(self) -> bool:
        """Find the windows of this length, from the lowest top up, and go to the next; whether there were any."""
        start, cap, is_first = self._first, None, True
        while cap is None or cap >= 0:
            top, elements = self._lowest(start, cap)
            if not elements:
                break
            if is_first:
                self._first, is_first = top, False
            bottom, elements = self._narrowest(top, elements)
            self.windows.append(Window(*self._table.named(elements), *self._values[[bottom, top]].tolist()))
            start, cap = top + 1, self._values[top] - self._values[bottom] - self._least_step
        self.length += 1
        return not is_first

    def _lowest(self, start: int, cap: Any) -> tuple[int, list[Element]]:
        """The lowest top from `start` on with a sequence no wider than `cap`, if there is one, and that sequence."""
        stop = self._tolerance.n_tops(self._values, self.length)
        runs = [(start, stop)] if start < stop else []
        while runs:
            low, high = runs.pop()
            bottom = self._tolerance.bottom(self._values, low, self.length)
            if cap is not None:
                bottom = max(bottom, int(np.searchsorted(self._values, self._values[low] - cap, side="left")))
            too_wide = is_wide(self._values, low, high, bottom)
            elements = [] if too_wide else self._search(bottom, high - 1)
            if too_wide or (elements and high - low > 1):
                runs += reversed(halves(self._values, low, high))
            elif elements:
                return low, elements
        return start, []

    def _narrowest(self, top: int, elements: list[Element]) -> tuple[int, list[Element]]:
        """The highest bottom below this top with a sequence, and that sequence, starting from one."""
        low, high = self._place_of_least(elements), top + 1
        while high - low > 1:
            middle = (low + high) // 2
            narrower = self._search(middle, top)
            if narrower:
                low, elements = self._place_of_least(narrower), narrower
            else:
                high = middle
        return low, elements

    def _place_of_least(self, elements: list[Element]) -> int:
        least, _ = self._table.ends(elements)
        return int(np.searchsorted(self._values, least, side="left"))

    def _search(self, bottom: int, top: int) -> list[Element]:
        length = self.length
        if self._table.starts[top + 1] - self._table.starts[bottom] < length * (length - 1) // 2:
            return []
        search = self._within.search(bottom, top, more_than=length - 1, enough=length)
        return search.run(self._clock.check)[:length]


def highest(tolerance: ExactTolerance | FloatTolerance, top: Any, length: int) -> float:
    """The largest epsilon at which a sequence of this length may have this largest value, rounded."""
    root = math.sqrt(length)
    return float(tolerance.alpha - tolerance.number(top)) * root / (root - 1)
