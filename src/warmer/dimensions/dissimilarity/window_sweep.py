"""The longest sequence over all windows of values.

For a length d each value may be the top of one window, and a sequence lies in the window of its largest value. A run
of neighbouring tops is refuted at once by searching the union of their windows; where a sequence is found there that
fits none of them, the run is split. Windows only shrink as d grows, so what was refuted stays so.
"""

import heapq
import time
from typing import Any, NamedTuple

import numpy as np

from warmer.dimensions.dissimilarity.tolerance import Scale, Values
from warmer.dimensions.dissimilarity.window_search import Sequences, SequenceSearch
from warmer.dimensions.dissimilarity.window_table import Element, Forward
from warmer.dimensions.search.time_limit import Clock, OutOfTime, Progress

__all__ = ["Longest", "Sweep", "halves", "is_wide", "longest_sequence"]

_SLICE = 4_000
"""Nodes between two looks at the clock."""
_SPREAD = 8
"""Tops are searched at once where they span at most one part in this many of their windows."""
_RESERVE = 0.1
"""The part of a time limit that is kept to lower the upper end when the search was not finished."""
_GRACE = 0.2
"""Seconds that lowering the upper end may take at least: after an interrupt, or for a report."""
_REPORT_EVERY = 2.0
"""Seconds between two attempts to lower the upper end for a report."""


class Longest(NamedTuple):
    """The longest sequence found, an upper bound on the longest there is, and the reason for the bound."""

    elements: list[Element]
    upper: int
    reason: str


class Run(NamedTuple):
    """Neighbouring tops, by their places among the values; those with most entries come first in a heap."""

    rank: int
    start: int
    stop: int


def longest_sequence(sweep: "Sweep") -> Longest:
    """Find the longest sequence, or bracket it by what is known at the deadline or at Ctrl-C."""
    try:
        sweep.run()
        return sweep.outcome("")
    except OutOfTime:
        return sweep.outcome("time limit")
    except KeyboardInterrupt:
        return sweep.outcome("interrupted")


class Sweep:
    """A search over all windows: the longest sequence found, and the runs of tops that are not refuted beyond it."""

    def __init__(
        self,
        forward: Forward,
        scale: Scale,
        sequences: Sequences,
        *,
        is_two_sided: bool,
        upper: tuple[int, str],
        clock: Clock,
        progress: Progress | None = None,
    ) -> None:
        self._clock, left = clock, clock.left
        self._search_until = None if left is None else time.monotonic() + (1 - _RESERVE) * left
        self._forward, self._scale, self._sequences = forward, scale, sequences
        self._values = forward.values
        self._is_two_sided = is_two_sided
        self._upper, self._reason = upper
        self._progress = progress
        self._found = [_first_element(forward)]
        self._runs: list[Run] = []
        self._run: Run | None = None
        self._current: SequenceSearch | None = None
        self._next_report = time.monotonic() + _REPORT_EVERY
        self._push(0, len(self._values))

    def run(self) -> None:
        """Search until nothing is left, or raise `OutOfTime`."""
        self._report()
        while self._runs and len(self._found) < self._upper:
            self._run = heapq.heappop(self._runs)
            for start, stop in self._pursue(self._run.start, self._run.stop):
                self._push(start, stop)
            self._run = None

    def outcome(self, stopped: str) -> Longest:
        """What is known now, after a search that was stopped for a reason or ended by itself."""
        self._progress = None
        self._harvest()
        lower = len(self._found)
        if stopped:
            self._lower_upper(max(self._clock.deadline or 0.0, time.monotonic() + _GRACE))
        elif lower < self._upper:
            self._upper, self._reason = lower, "exhausted search"
        if self._upper == lower:
            return Longest(self._found, lower, self._reason)
        return Longest(self._found, self._upper, f"{stopped}: the search was not finished; upper end by {self._reason}")

    def _pursue(self, start: int, stop: int) -> list[tuple[int, int]]:
        """Refute a run, or search it, or split it; what is left of it."""
        length = len(self._found) + 1
        stop = min(stop, self._scale.n_tops(self._values, length))
        if start >= stop or self._n_entries(start, stop) < length * (length - 1) // 2:
            return []
        if is_wide(self._values, start, stop, self._scale.bottom(self._values, start, length)):
            return halves(self._values, start, stop)
        enough = self._enough(start, length) if stop - start == 1 else length
        elements = self._search(start, stop, length, enough)
        if not elements:
            return []
        if not self._keep(elements, length):
            return halves(self._values, start, stop)
        return [(start, stop)] if len(elements) >= enough else []

    def _search(self, start: int, stop: int, length: int, enough: int) -> list[Element]:
        """The longest sequence in the union of a run's windows if it has this length, or any with `enough` elements."""
        bottom = self._scale.bottom(self._values, start, length)
        search = self._sequences.search(bottom, stop - 1, more_than=length - 1, enough=enough)
        self._current = search
        while not search.is_finished:
            self._look_up()
            search.advance(_SLICE)
        self._current = None
        self._look_up()
        return search.found

    def _harvest(self) -> None:
        """Keep what the search that is under way has found so far."""
        elements = self._current.found if self._current is not None else []
        if len(elements) > len(self._found):
            self._keep(elements, len(self._found) + 1)

    def _keep(self, elements: list[Element], length: int) -> bool:
        """Whether a beginning of at least this length is a sequence; the longest such is then kept."""
        for size in range(len(elements), length - 1, -1):
            if self._scale.is_feasible(*self._forward.ends(elements[:size], is_two_sided=self._is_two_sided), size):
                if size > len(self._found):
                    self._found = elements[:size]
                    self._report()
                return True
        return False

    def _enough(self, top: int, length: int) -> int:
        """The largest length whose window below this top holds the same values as for `length`."""
        bottom = self._scale.bottom(self._values, top, length)
        low, high = length, self._sequences.size
        while low < high:
            middle = (low + high + 1) // 2
            is_same = self._scale.n_tops(self._values, middle) > top
            if is_same and self._scale.bottom(self._values, top, middle) == bottom:
                low = middle
            else:
                high = middle - 1
        return low

    def _push(self, start: int, stop: int) -> None:
        if start < stop:
            heapq.heappush(self._runs, Run(-self._n_entries(start, stop), start, stop))

    def _n_entries(self, start: int, stop: int) -> int:
        """Entries in the union of a run's windows."""
        bottom = self._scale.bottom(self._values, start, len(self._found) + 1)
        return int(self._forward.starts[stop] - self._forward.starts[bottom])

    def _look_up(self) -> None:
        """Look at the clock, and report now and then."""
        self._clock.check()
        now = time.monotonic()
        if self._search_until is not None and now >= self._search_until:
            raise OutOfTime
        if self._progress is not None and now >= self._next_report:
            self._harvest()
            self._lower_upper(now + _GRACE)
            self._next_report = time.monotonic() + _REPORT_EVERY
            self._report()

    def _report(self) -> None:
        if self._progress is not None:
            self._progress(len(self._found), self._upper)

    def _lower_upper(self, deadline: float) -> None:
        """Lower the upper end to what colourings prove before the deadline."""
        low, high = len(self._found), self._upper
        while low < high:  # a length above high is refuted; one at most low is not, or not in time
            middle = (low + high + 1) // 2
            if self._is_refuted(middle, deadline):
                high = middle - 1
                self._upper, self._reason = high, "colouring bound"
            else:
                low = middle

    def _is_refuted(self, length: int, deadline: float) -> bool:
        """Whether colourings alone show, before the deadline, that no sequence is this long."""
        waiting = [(run.start, run.stop) for run in self._runs + ([self._run] if self._run else [])]
        while waiting:
            start, stop = waiting.pop()
            stop = min(stop, self._scale.n_tops(self._values, length))
            if start >= stop:
                continue
            if is_wide(self._values, start, stop, self._scale.bottom(self._values, start, length)):
                waiting += halves(self._values, start, stop)
                continue
            bottom = self._scale.bottom(self._values, start, length)
            n_entries = self._forward.starts[stop] - self._forward.starts[bottom]
            if n_entries < length * (length - 1) // 2:
                continue
            if time.monotonic() >= deadline or self._sequences.bound(bottom, stop - 1, length - 1) >= length:
                return False
        return True


def is_wide(values: Values, start: int, stop: int, bottom: int) -> bool:
    """Whether a run of tops spans too much of its windows, the first of which begins at `bottom`, for one search."""
    first, last, least = (_plain(values[place]) for place in (start, stop - 1, bottom))
    return stop - start > 1 and bool(_SPREAD * (last - first) > first - least)


def halves(values: Values, start: int, stop: int) -> list[tuple[int, int]]:
    """A run of two tops or more in two, near the middle of its span."""
    assert stop - start > 1
    tops = values[start:stop]
    half = (tops[-1] - tops[0]) / 2 if tops.dtype.kind == "f" else (tops[-1] - tops[0]) // 2
    middle = start + int(np.searchsorted(tops, tops[0] + half, side="right"))
    middle = min(max(middle, start + 1), stop - 1)
    return [(start, middle), (middle, stop)]


def _first_element(forward: Forward) -> Element:
    row = int(np.argmax(forward.is_reached.any(axis=1)))
    return Element(row, int(np.argmax(forward.is_reached[row])))


def _plain(value: Any) -> Any:
    """A number of Python's own, which never overflows."""
    return value.item() if isinstance(value, np.generic) else value
