"""Runs on a GPU: as many launches as its memory asks for, each one's results fetched while the next one plays."""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from warmer.estimation.table_fit import NEGLIGIBLE
from warmer.model import Array
from warmer.model.errors import InvalidValueError
from warmer.model.time_limit import Clock
from warmer.simulation.cuda import device
from warmer.simulation.cuda.device import cupy, kernel
from warmer.simulation.engine.answering import answering_of
from warmer.simulation.engine.forms import DISTANCE_BALL, DRAWN, GAUSSIAN, LEAST_LOSS, SURVIVORS, Answering, Rule
from warmer.simulation.engine.rules import rule_of
from warmer.simulation.engine.run import borders_of

_POINTERS = (
    *("rho", "start", "values", "best", "legal", "double_logs", "means", "beyond", "environments"),
    *("counts", "sums", "shares", "holders", "losses", "distances", "alive", "next", "queries", "rewards"),
)
_FIELDS: dict[str, Sequence[str]] = {
    "u8": (*_POINTERS, "key_first", "key_second", "first"),
    "f8": ("radius", "scale", "cut", "low", "high", "width"),
    "i4": ("n_draws", "strategy", "n_runs", "n_targets", "n_real", "n_queries", "n_legal", "n_shares", "horizon"),
}
GAME = np.dtype([(name, kind) for kind, names in _FIELDS.items() for name in names], align=True)
"""What a kernel reads: the fields of `Game` in runs.cu."""
_WARP = 32
_MOST_THREADS = 1024
_SHAPES = (1, 32), (2, 32), (4, 32), (8, 32), (16, 32), (32, 512)
"""Targets per thread, and the most threads that keep so many each."""
_THREADS_PER_PROCESSOR, _BLOCKS_PER_PROCESSOR = 2048, 32
_ROUNDS_PER_LAUNCH = 1 << 24
"""Between two looks at Ctrl-C."""
_N_COPYING = 8
_PIECE = 1 << 26
"""Bytes that are fetched at once."""


class Group(NamedTuple):
    """Consecutive runs of one learner in environments of one kind: the borders between environments, and each."""

    rule: Rule
    borders: list[int]
    answerings: list[Answering]


def play(
    learners: Sequence[Any],
    environments: Sequence[Any],
    key: Array,
    first: int,
    queries: Array,
    rewards: Array,
    *,
    until: Any,
    progress: Callable[[int], None] | None,
) -> list[int]:
    """Play runs number `first` and following into the rows of the arrays; the length of each that was played.

    Fewer than there are rows where Ctrl-C came.
    """
    groups, clock, done = _groups(learners, environments, until), Clock(None), 0
    cupy()
    try:
        with _Fetching() as fetching:
            for rows, launch in _one_ahead(_launches(groups, key, first, rewards.shape[1])):
                clock.check()
                fetching.copy(launch, launch.queries, queries[rows])
                fetching.copy(launch, launch.rewards, rewards[rows])
                done = rows.stop
                if progress is not None:
                    progress((rows.stop - rows.start) * rewards.shape[1])
    except KeyboardInterrupt:
        pass
    return [rewards.shape[1]] * done


def _one_ahead(items: Iterator[Any]) -> Iterator[Any]:
    """Each item once the next one has been made."""
    before = next(items)
    for item in items:
        yield before
        before = item
    yield before


def _groups(learners: Sequence[Any], environments: Sequence[Any], until: Any) -> list[Group]:
    """The runs by learner and kind of environment; one sentence where one of them is not known to the GPU."""
    if until is not None:
        raise InvalidValueError('engine="cuda" plays runs of a fixed length; leave the engine out.')
    groups: list[Group] = []
    for start, end in pairwise(borders_of(learners, environments)):
        learner, environment = learners[start], environments[start]
        is_new = not groups or learner is not learners[start - 1]
        rule = _known(rule_of(learner), learner) if is_new else groups[-1].rule
        answering = _known(answering_of(environment), environment)
        if is_new or _kind(groups[-1].answerings[-1]) != _kind(answering):
            groups.append(Group(rule, [start], []))
        groups[-1].answerings.append(answering)
        groups[-1].borders.append(end)
    return groups


def _known(found: Any, what: Any) -> Any:
    if found is None or (isinstance(found, Rule) and found.kind > SURVIVORS):
        raise InvalidValueError(f'engine="cuda" does not know {type(what).__name__} here; leave the engine out.')
    return found


def _kind(answering: Answering) -> tuple[Any, ...]:
    return answering.model, *answering[2:]


def _launches(groups: list[Group], key: Array, first: int, horizon: int) -> Iterator[tuple[slice, "_Launch"]]:
    size = max(1, _ROUNDS_PER_LAUNCH // horizon)
    for group in groups:
        table = _Table(group, horizon)
        for start in range(group.borders[0], group.borders[-1], size):
            rows = slice(start, min(start + size, group.borders[-1]))
            yield rows, _Launch(table, key, first, rows, horizon)


class _Table:
    """What all launches of a group read."""

    def __init__(self, group: Group, horizon: int) -> None:
        cp = cupy()
        rule, answerings = group.rule, group.answerings
        self.group, n = group, rule.start.size
        self.fits = LEAST_LOSS <= rule.kind <= SURVIVORS
        self.n_threads, self.n_per_thread = _shape(n if self.fits else 1)
        environments = np.arange(len(answerings), dtype=np.int32)
        self.environments = cp.asarray(np.repeat(environments, np.diff(group.borders)))
        means = np.stack([each.means for each in answerings])
        self.n_targets = self.n_threads * self.n_per_thread if self.fits and self.n_per_thread else n
        more = [(0, 0), (0, self.n_targets - n)]  # made up, for the sake of loops without a look at the end
        self.arrays = {
            "rho": cp.pad(cp.asarray(rule.rho), more) if self.fits else cp.empty(0),
            "start": cp.asarray(np.pad(rule.start, more[1], constant_values=np.inf)),
            "values": cp.asarray(np.pad(rule.values, more[1])),
            "best": cp.asarray(np.pad(rule.best, more[1]), dtype=np.int32),
            "legal": cp.asarray(rule.legal, dtype=np.int32),
            "double_logs": cp.asarray([2 * math.log(max(t, 1)) for t in range(horizon)]),
            "means": cp.asarray(means),
            "beyond": cp.asarray(_beyond(answerings[0], means)),
        }
        self.n_queries = means.shape[1]
        number = "float" if rule.start.dtype == np.float32 else "double"
        self.kernel = kernel(number, rule.kind, answerings[0].model, self.n_per_thread)
        gpu = cp.cuda.Device()
        n_blocks = min(_BLOCKS_PER_PROCESSOR, _THREADS_PER_PROCESSOR // self.n_threads)
        self.n_blocks = gpu.attributes["MultiProcessorCount"] * n_blocks
        gpu.synchronize()


def _shape(n_targets: int) -> tuple[int, int]:
    """Threads per block, and targets per thread: 0 where they do not fit in registers."""
    for per_thread, most in _SHAPES:
        n_threads = -(-n_targets // (per_thread * _WARP)) * _WARP
        if n_threads <= most:
            return n_threads, per_thread
    return _MOST_THREADS, 0


def _beyond(answering: Answering, means: Array) -> Array:
    """The weight of each tail of Gaussian noise that the range cuts off, as `environments` computes it."""
    if answering.model != GAUSSIAN:
        return np.zeros_like(means)
    room = np.minimum(means - answering.low, answering.high - means)
    tails = [math.erfc(each / (answering.width * math.sqrt(2.0))) / 2 for each in room.ravel().tolist()]
    return np.reshape(tails, means.shape)


class _Launch:
    """Some runs on their way: playing, or waiting to be fetched."""

    def __init__(self, table: _Table, key: Array, first: int, rows: slice, horizon: int) -> None:
        cp = cupy()
        rule, answering = table.group.rule, table.group.answerings[0]
        n_runs, n_blocks = rows.stop - rows.start, min(table.n_blocks, rows.stop - rows.start)
        n, n_queries = rule.start.size, table.n_queries
        n_shares = -(-table.n_targets // table.n_threads) * (table.n_threads // _WARP) if rule.kind == DRAWN else 0
        in_memory = n if table.n_per_thread == 0 else 0
        self.stream = cp.cuda.Stream(non_blocking=True)
        with self.stream:
            self.queries = cp.empty((n_runs, horizon), dtype=np.int32)
            self.rewards = cp.empty((n_runs, horizon))
            arrays = table.arrays | {
                "environments": table.environments[rows.start - table.group.borders[0] :],
                "counts": cp.empty((n_blocks, n_queries)),
                "sums": cp.empty((n_blocks, n_queries)),
                "shares": cp.empty((n_blocks, n_shares)),
                "holders": cp.empty((n_blocks, n_queries), dtype=np.int32),
                "losses": cp.empty((n_blocks, in_memory), dtype=rule.start.dtype),
                "distances": cp.empty(
                    (n_blocks, in_memory if rule.kind == DISTANCE_BALL else 0), dtype=rule.start.dtype
                ),
                "alive": cp.empty((n_blocks, in_memory if rule.kind == SURVIVORS else 0), dtype=np.uint8),
                "next": cp.zeros(1, dtype=np.int32),
                "queries": self.queries,
                "rewards": self.rewards,
            }
            game = np.zeros((), dtype=GAME)
            for name, array in arrays.items():
                game[name] = array.data.ptr
            values = {
                "key_first": key[0],
                "key_second": key[1],
                "first": first + rows.start,
                "radius": rule.radius,
                "scale": rule.scale,
                "cut": NEGLIGIBLE,
                "low": answering.low,
                "high": answering.high,
                "width": answering.width,
                "n_draws": answering.n_draws,
                "strategy": answering.strategy,
                "n_runs": n_runs,
                "n_targets": table.n_targets,
                "n_real": n,
                "n_queries": n_queries,
                "n_legal": rule.legal.size,
                "n_shares": n_shares,
                "horizon": horizon,
            }
            for name, value in values.items():
                game[name] = value
            self.kept = arrays
            table.kernel((n_blocks,), (table.n_threads,), (game[()],))


class _Fetching:
    """Brings results out of the GPU: through memory that it writes at full speed, from there by several threads."""

    def __init__(self) -> None:
        self._staged = device.pinned(_PIECE)
        self._pool = ThreadPoolExecutor(_N_COPYING)

    def __enter__(self) -> "_Fetching":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def copy(self, launch: _Launch, source: Any, target: Array) -> None:
        """The rows of an array, as soon as the launch is over."""
        n_rows = max(1, _PIECE // target[0].nbytes)
        for start in range(0, len(target), n_rows):
            piece = target[start : start + n_rows]
            staged = self._staged[: piece.nbytes].view(piece.dtype).reshape(piece.shape)
            source[start : start + n_rows].get(stream=launch.stream, out=staged)
            borders = [len(piece) * k // _N_COPYING for k in range(_N_COPYING + 1)]
            list(
                self._pool.map(
                    lambda a, b, piece=piece, staged=staged: np.copyto(piece[a:b], staged[a:b]), borders, borders[1:]
                )
            )
