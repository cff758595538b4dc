"""What a kernel is given: the table of a group of runs, and the memory of a launch."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from warmer.certification.answers import LEAST_LEAD
from warmer.estimation.table_fit import NEGLIGIBLE
from warmer.model import Array
from warmer.simulation.cuda.device import cupy, free_bytes, kernel, n_at_once
from warmer.simulation.cuda.groups import Group
from warmer.simulation.engine.forms import (
    ANY,
    DISTANCE_BALL,
    DRAWN,
    GAUSSIAN,
    LEAST_LOSS,
    RATIO,
    SURVIVORS,
    TOP_TWO,
    TOPS,
    Answering,
    Proof,
    Watch,
)

_POINTERS = (
    *("rho", "start", "values", "best", "legal", "double_logs", "logs", "means", "beyond", "environments", "starts"),
    *(
        "keys",
        "numbers",
        "accepts",
        "answers",
        "goal_values",
        "own",
        "preferred",
        "rates",
        "cuts",
        "starts_of",
        "ends_of",
    ),
    *("columns", "costs", "variances", "settles_on"),
    *("counts", "sums", "shares", "holders", "losses", "distances", "alive", "residuals", "seen", "weights", "capital"),
    *(
        "places",
        "objectors",
        "possible",
        "lists",
        "list_weights",
        "next",
        "queries",
        "rewards",
        "lengths",
        "settled",
        "leaders",
    ),
)
_FIELDS: dict[str, Sequence[str]] = {
    "u8": _POINTERS,
    "f8": (
        *("radius", "scale", "cut", "low", "high", "width", "threshold", "log_share", "log_rest", "log_n"),
        *("length", "noise_width", "tolerance", "boldness", "sure", "slack", "least_lead"),
        *("lowest", "highest", "log_arms"),
    ),
    "i4": (
        *("n_draws", "strategy", "n_runs", "n_targets", "n_real", "n_queries", "n_legal", "n_shares", "horizon"),
        *("n_columns", "n_choices", "is_coin", "is_leading", "is_ending", "n_answers", "n_filled", "capacity"),
    ),
}
GAME = np.dtype([(name, kind) for kind, names in _FIELDS.items() for name in names], align=True)
"""What a kernel reads: the fields of `Game` in runs.cu."""
_WARP, _AT_ONCE = 32, 64
"""Threads of a warp, and queries that it weighs at once."""
_SHAPES = (1, 32), (2, 32), (4, 32), (8, 32), (16, 32), (32, 512), (0, 512)
"""Targets per thread, and the most threads that keep so many each; none where they do not fit in registers."""
_REGISTERS, _PARTS = 1 << 16, 4
"""The registers of a processor, and the parts of it that have their own."""
_LONE_BLOCKS = {"prove": 20, "ask_any": 24}
"""Kernels whose blocks are one warp, and the blocks of a processor that they are compiled for: for more, registers are
too few, and no cache holds what they remember. Shared memory may have room for fewer."""
_LANES, _SHARED_BYTES, _LONE_SHARED_BYTES = 128, 16_384, 7_680
"""What the number of watched candidates is made a multiple of, and the shared memory of a block that they may take, in
a block of one warp the last: none where a learner asks for a proof and has other uses for it."""
_MOST_OF_MEMORY = 0.4
"""The part of the free memory that the blocks of a launch may take; there are two launches at a time."""
_NOTHING, _SQUARES, _COINS, _BETS, _ROUGH_SQUARES, _ROUGH_COINS = range(6)


class Table:
    """What all launches of a group read."""

    def __init__(self, group: Group, horizon: int) -> None:
        cp = cupy()
        (rule, watch, proof), answerings = group.player, group.answerings
        self.group, self.horizon = group, horizon
        self.fits = LEAST_LOSS <= rule.kind <= SURVIVORS
        self.n_real = n = rule.start.size if watch is None else watch.preferred.size
        reads = self.fits or watch is not None
        self.n_players, self.n_per_thread = _shape(n if self.fits else 1)
        self.n_targets = self.n_players * self.n_per_thread if self.fits and self.n_per_thread else n
        runs, (starts, which_start), (distinct, which) = np.diff(group.borders), _once(group.starts), _once(answerings)
        means = np.stack([each.means for each in distinct])
        more = [(0, 0), (0, self.n_targets - n)]  # made up, for the sake of loops without a look at the end
        self.arrays = {
            "rho": cp.asarray(np.pad(rule.rho, more) if more[1][1] else rule.rho) if reads else cp.empty(0),
            "start": cp.asarray(np.pad(np.stack(starts), more, constant_values=np.inf) if self.fits else starts[0]),
            "values": cp.asarray(np.pad(rule.values, more[1]) if self.fits else rule.values),
            "best": cp.asarray(np.pad(rule.best, more[1]) if self.fits else rule.best, dtype=np.int32),
            "legal": cp.asarray(rule.legal, dtype=np.int32),
            "double_logs": cp.asarray([2 * math.log(max(t, 1)) for t in range(horizon)]),
            "logs": cp.asarray([math.log1p(n) for n in range(horizon + 1)] if rule.kind == TOPS else []),
            "means": cp.asarray(means),
            "beyond": cp.asarray(_beyond(answerings[0], means)),
            "environments": cp.asarray(np.repeat(which, runs), dtype=np.int32),
            "starts": cp.asarray(np.repeat(which_start, runs), dtype=np.int32),
            **({} if watch is None else _watched(watch)),
            **({} if proof is None else _proving(proof)),
        }
        self.n_queries = means.shape[1]
        self.n_shared_bytes = _capacity(self) * _bytes_each(self)
        number = "float" if rule.rho.dtype == np.float32 else "double"
        self.n_threads = self.n_players + (0 if watch is None or _is_alone(group) else _WARP)
        noise, watching = answerings[0].model, _watching(watch)
        if _is_alone(group):
            name = "ask_any" if proof is None else "prove"
            self.kernel = kernel(f"{name}<{number}, {noise}, {watching}, {_LONE_BLOCKS[name]}>")
        else:
            bounds = _bounds(self.n_threads, self.n_per_thread, rule.rho.itemsize, watch is not None)
            shape = f"{self.n_per_thread}, {bounds[0]}, {bounds[1]}"
            self.kernel = kernel(f"play<{number}, {rule.kind}, {noise}, {watching}, {shape}>")
        n_bytes = sum(size * np.dtype(kind).itemsize for size, kind in memory_of_a_block(self).values())
        n_with_room = int(_MOST_OF_MEMORY * free_bytes() / max(1, n_bytes))
        self.n_blocks = max(1, min(n_at_once(self.kernel, self.n_threads, self.n_shared_bytes), n_with_room))
        cp.cuda.Device().synchronize()


def _is_alone(group: Group) -> bool:
    """Whether one warp plays and watches a run: where the learner remembers nothing but the evidence."""
    return group.player.watch is not None and (group.player.proof is not None or group.player.rule.kind == ANY)


def _once(parts: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """Those that differ, and which of them each is."""
    distinct = {id(part): part for part in parts}
    places = {each: k for k, each in enumerate(distinct)}
    return list(distinct.values()), [places[id(part)] for part in parts]


def _shape(n_targets: int) -> tuple[int, int]:
    """Threads that play, and targets per thread: 0 where they do not fit in registers."""
    *shapes, (_, most) = _SHAPES
    for per_thread, limit in shapes:
        n_threads = -(-n_targets // (per_thread * _WARP)) * _WARP
        if n_threads <= limit:
            return n_threads, per_thread
    return most, 0


def _bounds(n_threads: int, n_per_thread: int, n_bytes: int, is_watched: bool) -> tuple[int, int]:
    """The most threads that a kernel is compiled for, and the fewest blocks per processor: what registers are for."""
    if not is_watched:
        return dict(_SHAPES)[n_per_thread], 1
    for_targets = n_per_thread * n_bytes // 4
    each = 128 if for_targets > 32 else 96 if for_targets > 8 else 80
    n_warps = _PARTS * (_REGISTERS // (_PARTS * _WARP * each))
    return n_threads, max(1, n_warps // (n_threads // _WARP))


def _beyond(answering: Answering, means: Array) -> Array:
    """The weight of each tail of Gaussian noise that the range cuts off, as `environments` computes it."""
    if answering.model != GAUSSIAN:
        return np.zeros_like(means)
    room = np.minimum(means - answering.low, answering.high - means)
    tails = [math.erfc(each / (answering.width * math.sqrt(2.0))) / 2 for each in room.ravel().tolist()]
    return np.reshape(tails, means.shape)


def _watching(watch: Watch | None) -> int:
    """The number of the evidence that is kept."""
    if watch is None:
        return _NOTHING
    if watch.process == RATIO:
        return _SQUARES if watch.sigmas.size else _COINS
    if watch.stakes.is_coin:
        return _ROUGH_COINS
    return _ROUGH_SQUARES if watch.sigmas.size else _BETS


def _watched(watch: Watch) -> dict[str, Any]:
    cp, n = cupy(), watch.preferred.size
    return {
        "accepts": cp.asarray(watch.accepts, dtype=np.uint8),
        "answers": cp.asarray(watch.answers, dtype=np.int32),
        "goal_values": cp.asarray(watch.values),
        "own": cp.asarray(watch.own, dtype=np.int32),
        "preferred": cp.asarray(watch.preferred, dtype=np.int32),
        "rates": cp.asarray(1.0 / (2.0 * watch.sigmas**2)),
        "cuts": cp.asarray([math.log(max(k, 1)) + 3 for k in range(n + 1)]),
        "starts_of": cp.asarray(watch.starts),
        "ends_of": cp.asarray(watch.ends),
    }


def _proving(proof: Proof) -> dict[str, Any]:
    cp = cupy()
    return {
        "columns": cp.asarray(np.pad(proof.columns, [(0, 0), (0, -proof.legal.size % _AT_ONCE)])),
        "costs": cp.asarray(proof.costs),
        "variances": cp.asarray(proof.variances),
        "settles_on": cp.asarray(proof.best, dtype=np.int32),
    }


class Launch:
    """Some runs on their way: playing, or waiting to be fetched."""

    def __init__(self, table: Table, rows: slice, keys: Array, numbers: Array, *, has_records: bool) -> None:
        cp = cupy()
        group, n_runs, horizon = table.group, rows.stop - rows.start, table.horizon
        watch = group.player.watch
        self.n_blocks, start = min(table.n_blocks, n_runs), rows.start - group.borders[0]
        self.stream = cp.cuda.Stream(non_blocking=True)
        with self.stream:
            shape = (n_runs, horizon) if has_records else (0, 0)
            self.queries, self.rewards = cp.empty(shape, dtype=np.int32), cp.empty(shape)
            self.ends = cp.empty((3, n_runs if watch is not None else 0), dtype=np.int32)
            self._kept = table.arrays | {
                "environments": table.arrays["environments"][start:],
                "starts": table.arrays["starts"][start:],
                "keys": cp.asarray(keys[rows]),
                "numbers": cp.asarray(numbers[rows]),
                "next": cp.zeros(1, dtype=np.int32),
                "queries": self.queries,
                "rewards": self.rewards,
                "lengths": self.ends[0],
                "settled": self.ends[1],
                "leaders": self.ends[2],
                **{
                    name: cp.empty((self.n_blocks, size), kind)
                    for name, (size, kind) in memory_of_a_block(table).items()
                },
            }
            game = np.zeros((), dtype=GAME)
            for name, array in self._kept.items():
                game[name] = array.data.ptr if array.size else 0
            for name, value in {**_numbers(table), "n_runs": n_runs}.items():
                game[name] = value
            table.kernel((self.n_blocks,), (table.n_threads,), (game[()],), shared_mem=table.n_shared_bytes)


def memory_of_a_block(table: Table) -> dict[str, tuple[int, Any]]:
    """What each block has for itself: how many numbers, and of which kind."""
    rule, watch, proof = table.group.player
    in_memory = table.n_real if table.n_per_thread == 0 and table.fits else 0
    n_listed = _filled(table.n_real) + _LANES
    watched = _filled(table.n_real) if watch is not None and table.n_real > _capacity(table) else 0
    return {
        "counts": (table.n_queries, float),
        "sums": (table.n_queries, float),
        "shares": (_n_shares(table), float),
        "holders": (table.n_queries, np.int32),
        "losses": (in_memory, rule.start.dtype),
        "distances": (in_memory if rule.kind == DISTANCE_BALL else 0, rule.start.dtype),
        "alive": (in_memory if rule.kind == SURVIVORS else 0, np.uint8),
        "residuals": (watched, rule.rho.dtype),
        "seen": (0 if watch is None else 2 * table.n_queries, float),
        "weights": (watched, float),
        "capital": (watched if watch is not None and watch.process != RATIO else 0, float),
        "places": (watched, np.int32),
        "objectors": (0 if watch is None else watch.answers.size, np.int32),
        "possible": (watched, np.uint8),
        "lists": (0 if proof is None else 4 * n_listed + 2 * -(-_n_choices(watch) // _WARP), np.int32),
        "list_weights": (0 if proof is None else 4 * n_listed, float),
    }


def _n_shares(table: Table) -> int:
    is_drawn = table.group.player.rule.kind == DRAWN
    return -(-table.n_targets // table.n_players) * (table.n_players // _WARP) if is_drawn else 0


def _n_choices(watch: Watch | None) -> int:
    """A number above all answers that candidates would give."""
    return 0 if watch is None else int(watch.preferred.max()) + 1


def _capacity(table: Table) -> int:
    """How many watched candidates fit in shared memory: all, or those that are left after a while."""
    _, watch, proof = table.group.player
    if watch is None or proof is not None:
        return 0
    most = _LONE_SHARED_BYTES if _is_alone(table.group) else _SHARED_BYTES
    return min(_filled(table.n_real), most // _bytes_each(table) // _LANES * _LANES)


def _filled(n: int) -> int:
    """So many candidates, and some that are made up."""
    return -(-n // _LANES) * _LANES


def _bytes_each(table: Table) -> int:
    """A watched candidate's weight, what was won against it, its loss, its place and whether it is possible."""
    rule, watch, _ = table.group.player
    return 8 + (0 if watch is None or watch.process == RATIO else 8) + rule.rho.dtype.itemsize + 4 + 1


def _numbers(table: Table) -> dict[str, float]:
    """All but the arrays."""
    (rule, watch, proof), answering = table.group.player, table.group.answerings[0]
    found = {
        "radius": rule.radius,
        "scale": rule.scale,
        "cut": NEGLIGIBLE,
        "lowest": rule.low,
        "highest": rule.high,
        "log_arms": rule.log_arms,
        "low": answering.low,
        "high": answering.high,
        "width": answering.width,
        "n_draws": answering.n_draws,
        "strategy": answering.strategy,
        "n_targets": table.n_targets,
        "n_real": table.n_real,
        "n_queries": table.n_queries,
        "n_legal": rule.legal.size,
        "n_shares": _n_shares(table),
        "horizon": table.horizon,
    }
    if watch is None:
        return found
    return found | {
        "threshold": watch.threshold,
        "log_share": math.log(watch.share),
        "log_rest": math.log1p(-watch.share),
        "log_n": watch.table.log_n,
        "length": watch.length,
        "noise_width": watch.stakes.width,
        "tolerance": watch.stakes.tolerance,
        "boldness": watch.stakes.boldness,
        "sure": watch.stakes.settled,
        "slack": watch.stakes.slack,
        "least_lead": LEAST_LEAD if watch.values.size else 0.0,
        "n_columns": rule.legal.size + -rule.legal.size % _AT_ONCE,
        "n_choices": _n_choices(watch),
        "is_coin": proof is not None and proof.is_coin,
        "is_leading": proof is not None and proof.kind == TOP_TWO,
        "is_ending": proof is not None and proof.is_ending,
        "n_answers": watch.answers.size,
        "n_filled": _filled(table.n_real),
        "capacity": _capacity(table),
    }
