"""The longest sequence over all windows of values.

For a length d each value may be the top of one window, and a sequence lies in the window of its largest value. A run
of neighbouring tops is refuted at once by searching the union of their windows; where a sequence is found there that
fits none of them, the run is split. Windows only shrink as d grows, so what was refuted stays so.
"""

import heapq
import time
from typing import NamedTuple

import numpy as np

from warmer.bounds.arguments import largest
from warmer.dimensions.dissimilarity.tolerance import Tolerance, Values
from warmer.dimensions.dissimilarity.window_search import Sequences, WindowSearch
from warmer.dimensions.dissimilarity.window_table import Element, WindowTable
from warmer.dimensions.search.anytime import Anytime
from warmer.model.time_limit import OutOfTime

_SPREAD = 8  # tops are searched at once where they span at most one part in this many of their windows
_RESERVE = 0.1  # the part of a time limit that is kept to lower the upper end when the search was not finished
_GRACE = 0.2  # seconds that lowering the upper end may take at least: after an interrupt, or for a report
_REPORT_EVERY = 2.0  # seconds between two attempts to lower the upper end for a report


class Run(NamedTuple):
    """Neighbouring tops, by their places among the values; those with most entries come first in a heap."""

    rank: int
    start: int
    stop: int


class Sweep:
    """A search over all windows: the longest sequence found, and the runs of tops that are not refuted beyond it.

    Only sequences of more than `more_than` elements are sought.
    """

    def __init__(
        self, table: WindowTable, tolerance: Tolerance, sequences: Sequences, search: Anytime, *, more_than: int = 1
    ) -> None:
        self._table, self._tolerance, self._sequences, self._ends = table, tolerance, sequences, search
        self._values, self._more_than = table.values, more_than
        left = search.clock.left
        self._search_until = None if left is None else time.monotonic() + (1 - _RESERVE) * left
        self._next_report = time.monotonic() + _REPORT_EVERY
        self.found = [table.first]
        search.lower = 1
        self._runs: list[Run] = []
        self._run: Run | None = None
        self._current: WindowSearch | None = None
        self._push(0, len(self._values))

    @property
    def _next(self) -> int:
        """The length that is sought."""
        return max(len(self.found), self._more_than) + 1

    def run(self) -> list[Element]:
        """The longest sequence; where the search is stopped the longest found, with what colourings prove above."""
        if self._ends.stopped:  # before there was anything to search
            return self.found
        with self._ends.running():
            self._ends.move(lower=1)
            while self._runs and self._next <= self._ends.upper:
                self._run = heapq.heappop(self._runs)
                for start, stop in self._pursue(self._run.start, self._run.stop):
                    self._push(start, stop)
                self._run = None
            self._ends.move(upper=self._next - 1)
        if self._ends.stopped:
            self._harvest()
            self._lower_upper(max(self._ends.clock.deadline or 0.0, time.monotonic() + _GRACE))
        return self.found

    def _pursue(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Refute a run, or search it, or split it; what is left of it."""
        length = self._next
        stop = min(stop, self._tolerance.n_tops(self._values, length))
        if start >= stop or self._n_entries(start, stop, length) < length * (length - 1) // 2:
            return []
        bottom = self._tolerance.bottom(self._values, start, length)
        if is_wide(self._values, start, stop, bottom):
            return halves(self._values, start, stop)
        enough = self._enough(start, length) if stop - start == 1 else length
        self._current = self._sequences.search(bottom, stop - 1, more_than=length - 1, enough=enough)
        elements = self._current.run(self._look_up)
        self._current = None
        if not elements:
            return []
        if not self._keep(elements, length):
            return halves(self._values, start, stop)
        return [(start, stop)] if len(elements) >= enough else []

    def _harvest(self) -> None:
        """Keep what the search that is under way has found so far."""
        elements = self._current.found() if self._current is not None else []
        if len(elements) >= self._next:
            self._keep(elements, self._next)

    def _keep(self, elements: list[Element], length: int) -> bool:
        """Whether a beginning of at least this length is a sequence; the longest such is then kept."""
        for size in range(len(elements), length - 1, -1):
            if self._tolerance.is_feasible(*self._table.ends(elements[:size]), size):
                if size > len(self.found):
                    self.found = elements[:size]
                    self._ends.move(lower=size)
                return True
        return False

    def _enough(self, top: int, length: int) -> int:
        """The largest length whose window below this top holds the same values as for `length`."""
        values, tolerance = self._values, self._tolerance
        bottom = tolerance.bottom(values, top, length)

        def is_same(longer: int) -> bool:
            is_possible = longer <= self._sequences.size and tolerance.n_tops(values, longer) > top
            return is_possible and tolerance.bottom(values, top, longer) == bottom

        return largest(is_same, least=length)

    def _push(self, start: int, stop: int) -> None:
        if start < stop:
            heapq.heappush(self._runs, Run(-self._n_entries(start, stop, self._next), start, stop))

    def _n_entries(self, start: int, stop: int, length: int) -> int:
        """Entries in the union of a run's windows."""
        return int(self._table.starts[stop] - self._table.starts[self._tolerance.bottom(self._values, start, length)])

    def _look_up(self) -> None:
        """Look at the clock, and report now and then."""
        self._ends.clock.check()
        now = time.monotonic()
        if self._search_until is not None and now >= self._search_until:
            raise OutOfTime
        if self._ends.has_audience and now >= self._next_report:
            self._harvest()
            self._lower_upper(now + _GRACE)
            self._next_report = time.monotonic() + _REPORT_EVERY

    def _lower_upper(self, deadline: float) -> None:
        """Lower the upper end to what colourings prove before the deadline."""
        low, high = self._next - 1, self._ends.upper
        while low < high:  # a length above high is refuted; one at most low is not, or not in time
            middle = (low + high + 1) // 2
            if self._is_refuted(middle, deadline):
                high = middle - 1
                self._ends.move(upper=high, reason="colouring bound")
            else:
                low = middle

    def _is_refuted(self, length: int, deadline: float) -> bool:
        """Whether colourings alone show, before the deadline, that no sequence is this long."""
        waiting = [(run.start, run.stop) for run in self._runs + ([self._run] if self._run else [])]
        while waiting:
            start, stop = waiting.pop()
            stop = min(stop, self._tolerance.n_tops(self._values, length))
            if start >= stop or self._n_entries(start, stop, length) < length * (length - 1) // 2:
                continue
            bottom = self._tolerance.bottom(self._values, start, length)
            if is_wide(self._values, start, stop, bottom):
                waiting += halves(self._values, start, stop)
            elif time.monotonic() >= deadline or self._sequences.bound(bottom, stop - 1, length - 1) >= length:
                return False
        return True


def is_wide(values: Values, start: int, stop: int, bottom: int) -> bool:
    """Whether a run of tops spans too much of its windows, the first of which begins at `bottom`, for one search."""
    first, last, least = values[[start, stop - 1, bottom]].tolist()  # numbers of Python's own, which never overflow
    return stop - start > 1 and bool(_SPREAD * (last - first) > first - least)


def halves(values: Values, start: int, stop: int) -> list[tuple[int, int]]:
    """A run of two tops or more in two, near the middle of its span."""
    assert stop - start > 1
    tops = values[start:stop]
    half = (tops[-1] - tops[0]) / 2 if tops.dtype.kind == "f" else (tops[-1] - tops[0]) // 2
    middle = start + int(np.searchsorted(tops, tops[0] + half, side="right"))
    middle = min(max(middle, start + 1), stop - 1)
    return [(start, middle), (middle, stop)]
