"""Runs on a GPU: as many launches as its memory asks for, each one's results fetched while the next one plays."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from warmer.model import Array
from warmer.model.time_limit import Clock
from warmer.simulation.cuda import device
from warmer.simulation.cuda.device import cupy
from warmer.simulation.cuda.groups import Group, groups_of
from warmer.simulation.cuda.launches import Launch, Table
from warmer.simulation.engine.run import Played

_ROUNDS_PER_LAUNCH, _ENDING_ROUNDS_PER_LAUNCH = 1 << 24, 1 << 26
"""Between two looks at Ctrl-C; more where runs are expected to end early, if that leaves too few runs."""
_RUNS_PER_LAUNCH, _RECORDED_RUNS_PER_LAUNCH = 1 << 16, 1 << 13
_N_COPYING, _ROWS_AT_ONCE = 8, 1024
_PIECE = 1 << 25
"""Bytes that are fetched at once, or one run where it has more."""
_ROUNDS_PER_ROW = 2000
"""Rounds that are looked at, with those of other runs, in the time that it takes to end one run alone."""


def play(
    learners: Sequence[Any],
    environments: Sequence[Any],
    keys: Array,
    numbers: Array,
    *,
    horizon: int,
    until: Any,
    progress: Callable[[int], None] | None,
) -> Played:
    """Play a run for each learner, each with a key and a number of its own.

    Fewer than there are where Ctrl-C came: the first runs.
    """
    groups, clock, done = groups_of(learners, environments, until), Clock(None), 0
    cupy()
    found, pages = np.full((3, len(learners)), -1), _Pages(len(learners), horizon)
    try:
        with _Fetching() as fetching:
            for rows, launch in _one_ahead(_launches(groups, keys, numbers, horizon, has_records=True)):
                clock.check()
                found[0, rows] = horizon
                if launch.ends.size:
                    found[:, rows] = launch.ends.get(stream=launch.stream)
                fetching.copy(launch, pages, rows, int(found[0, rows].max()))
                done = rows.stop
                if progress is not None:
                    progress(int(found[0, rows].sum()))
            fetching.wait()
            queries, rewards = pages.cut(found[0, :done], fetching.pool)
    except KeyboardInterrupt:
        queries, rewards = pages.cut(found[0, :done], None)
    return Played(queries, rewards, *found[:, :done].tolist())


def ends(groups: list[Group], keys: Array, numbers: Array, *, horizon: int) -> Iterator[Array]:
    """Play runs that end by themselves, each with a key and a number of its own, and yield how long they are and the
    answers that they prove.

    Launch by launch: the next one plays while the caller looks at this. Less than 0 where nothing is proven.
    """
    clock, gpu = Clock(None), cupy().cuda.Device()
    try:
        for _, launch in _one_ahead(_launches(groups, keys, numbers, horizon, has_records=False)):
            clock.check()
            yield launch.ends[:2].get(stream=launch.stream)
    finally:  # after Ctrl-C a launch may still read memory that others would be given
        gpu.synchronize()


class _Pages:
    """Queries and rewards, a row for each run, as wide as the longest run so far needs them."""

    def __init__(self, n_runs: int, horizon: int) -> None:
        self._n_runs, self._horizon = n_runs, horizon
        self.arrays = [np.empty((n_runs, 0), dtype=kind) for kind in (np.int32, float)]

    def has_room(self, width: int) -> bool:
        """Whether runs of this length fit."""
        return width <= self.arrays[0].shape[1]

    def widen(self, width: int) -> None:
        """Have room for runs of this length; with some to spare, so that this is rarely asked for."""
        wide = [np.empty((self._n_runs, min(self._horizon, 2 * width)), dtype=each.dtype) for each in self.arrays]
        for old, new in zip(self.arrays, wide, strict=True):
            new[:, : old.shape[1]] = old
        self.arrays = wide

    def cut(self, lengths: Array, pool: Any) -> tuple[Array, Array]:
        """The runs of these lengths, with nothing after their ends."""
        longest = int(lengths.max(initial=0))
        queries, rewards = (each[: lengths.size, :longest] for each in self.arrays)
        short = np.flatnonzero(lengths < longest)

        def blank(start: int, end: int) -> None:
            is_over = np.arange(longest) >= lengths[start:end, None]
            np.putmask(queries[start:end], is_over, -1)
            np.putmask(rewards[start:end], is_over, np.nan)

        if short.size * _ROUNDS_PER_ROW < lengths.size * longest:
            for row, length in zip(short.tolist(), lengths[short].tolist(), strict=True):
                queries[row, length:], rewards[row, length:] = -1, np.nan
        else:
            borders = range(0, lengths.size + _ROWS_AT_ONCE, _ROWS_AT_ONCE)
            list((map if pool is None else pool.map)(blank, borders, borders[1:]))
        return queries, rewards


def _one_ahead(items: Iterator[Any]) -> Iterator[Any]:
    """Each item once the next one has been made."""
    before = next(items)
    for item in items:
        yield before
        before = item
    yield before


def _launches(
    groups: list[Group], keys: Array, numbers: Array, horizon: int, *, has_records: bool
) -> Iterator[tuple[slice, Launch]]:
    for group in groups:
        table = Table(group, horizon)
        size = _n_runs(horizon, is_ending=group.player.watch is not None) if has_records else _RUNS_PER_LAUNCH
        for start in range(group.borders[0], group.borders[-1], size):
            rows = slice(start, min(start + size, group.borders[-1]))
            yield rows, Launch(table, rows, keys, numbers, has_records=has_records)


def _n_runs(horizon: int, *, is_ending: bool) -> int:
    """Runs whose queries and rewards a launch has room for."""
    most = min(_ENDING_ROUNDS_PER_LAUNCH // horizon, _RECORDED_RUNS_PER_LAUNCH) if is_ending else 1
    return max(1, _ROUNDS_PER_LAUNCH // horizon, most)


class _Fetching:
    """Brings results out of the GPU: through memory that it writes at full speed, from there by several threads, which
    copy one piece while the GPU writes the next.
    """

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(_N_COPYING)
        self._stages: deque[tuple[Array, list[Future[None]]]] = deque((np.empty(0, np.uint8), []) for _ in range(2))

    def __enter__(self) -> "_Fetching":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.pool.shutdown()
        finally:  # after Ctrl-C a launch may still read memory that others would be given
            cupy().cuda.Device().synchronize()

    def wait(self) -> None:
        """Until all is where it belongs."""
        for _, copies in self._stages:
            _finish(copies)

    def copy(self, launch: Launch, pages: _Pages, rows: slice, width: int) -> None:
        """The rows of a launch, as soon as it is over, as far as they were written; the last of them after `wait`."""
        if not pages.has_room(width):
            self.wait()
            pages.widen(width)
        for source, page in zip((launch.queries, launch.rewards), pages.arrays, strict=True):
            target = page[rows, :width]
            n_rows = max(1, _PIECE // max(1, target[0].nbytes))
            for start in range(0, len(target), n_rows):
                with launch.stream:
                    written = cupy().ascontiguousarray(source[start : start + n_rows, :width])
                self._bring(written, target[start : start + n_rows], launch.stream)

    def _bring(self, written: Any, piece: Array, stream: Any) -> None:
        stage, copies = self._stages.popleft()
        _finish(copies)
        if stage.nbytes < piece.nbytes:
            stage = device.pinned(max(_PIECE, piece.nbytes))
        self._stages.append((stage, copies))
        staged = stage[: piece.nbytes].view(piece.dtype).reshape(piece.shape)
        written.get(stream=stream, out=staged)
        borders = [len(piece) * k // _N_COPYING for k in range(_N_COPYING + 1)]
        copies += [self.pool.submit(np.copyto, piece[a:b], staged[a:b]) for a, b in pairwise(borders)]


def _finish(copies: list[Future[None]]) -> None:
    for each in copies:
        each.result()
    copies.clear()
