"""Compiled runs on several cores: threads that take the next few runs until all are played or somebody says stop."""

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import is_not
from typing import Any, NamedTuple

import numpy as np

from warmer.learners import UntilCertified
from warmer.model import Array
from warmer.model.time_limit import Clock
from warmer.simulation.engine import kernels
from warmer.simulation.engine.answering import answering_of
from warmer.simulation.engine.forms import Proof, Rule, Watch
from warmer.simulation.engine.proving import KINDS, proof_of
from warmer.simulation.engine.rules import rule_of
from warmer.simulation.engine.starting import begun_of, memory_of
from warmer.simulation.engine.watching import watch_of

_PARTS_PER_JOB = 8
"""Into how many parts runs are divided for each thread, so that none waits long for the last."""
_ROUNDS_PER_PART = 1 << 18
"""Rounds that a part has at most, unless it is one run: what is finished at Ctrl-C then hardly depends on threads."""
_LOOK = 0.05
"""Seconds between two looks at progress and at Ctrl-C."""
_GRACE = 0.3
"""Seconds that threads have to stop in; one that is still compiling is left behind."""


class Part(NamedTuple):
    """Some consecutive runs of one learner in one environment."""

    start: int
    end: int
    player: Any
    """The rule of the learner or, where it asks for the sake of a proof, what it goes by."""
    watch: Watch | None
    """What watches the answers, if anything does."""
    begin: tuple[Any, ...]
    """What runs remember when they start."""
    environment: Any


class Played(NamedTuple):
    """Queries and rewards, as long as the longest run; how long each was, what it proved (-1 where nothing is, -2 where
    no candidate is left either) and its likeliest candidate at the end.
    """

    queries: Array
    rewards: Array
    lengths: list[int]
    settled: list[int]
    leaders: list[int]


def plan(
    learners: Sequence[Any],
    environments: Sequence[Any],
    *,
    horizon: int,
    jobs: int,
    until: Any = None,
    state: Any = None,
) -> list[Part] | None:
    """The runs in parts; None where a learner, an environment or when to end is not known to compiled runs."""
    parts: list[Part] = []
    players: dict[int, tuple[Any, Watch | None, tuple[Any, ...]] | None] = {}
    known: set[int] = set()
    size = max(1, min(len(learners) // (_PARTS_PER_JOB * jobs), _ROUNDS_PER_PART // horizon))
    for start, end in pairwise(borders_of(learners, environments)):
        learner, environment = learners[start], environments[start]
        if until is not None and until != getattr(learner, "is_done", None):
            return None
        if id(learner) not in players:
            players[id(learner)] = _read(learner, state, is_ending=until is not None)
        player = players[id(learner)]
        if player is None or (id(environment) not in known and answering_of(environment) is None):
            return None
        known.add(id(environment))
        parts += [Part(k, min(k + size, end), *player, environment) for k in range(start, end, size)]
    return parts


def borders_of(learners: Sequence[Any], environments: Sequence[Any]) -> list[int]:
    """The numbers of the runs at which the learner or the environment is another one: the first, ..., and how many."""
    changes = (np.fromiter(map(is_not, each[1:], each), bool, len(learners) - 1) for each in (learners, environments))
    return [0, *(np.flatnonzero(np.logical_or(*changes)) + 1).tolist(), len(learners)]


def play(
    parts: Sequence[Part],
    key: Array,
    first: int,
    *,
    horizon: int,
    is_ending: bool,
    jobs: int,
    progress: Callable[[int], None] | None,
    has_records: bool = True,
) -> Played:
    """Play runs number `first` and following; where they end by themselves, with or without queries and rewards.

    Without them the likeliest candidate at the end is not known of a run that leaves no candidate. Fewer than there are
    where Ctrl-C came: the first runs that were played to their end.
    """
    n_runs, widest = parts[-1].end, max(part.end - part.start for part in parts)
    waiting, (lengths, settled, leaders) = iter(parts), np.full((3, n_runs), -1)
    n_played, stop = np.zeros((jobs, 1), dtype=np.int64), np.zeros(1, dtype=np.bool_)
    whole = None if is_ending else _blank(n_runs, horizon)
    ended: dict[int, list[Array]] = {}
    failures: list[BaseException] = []

    def work(job: int) -> None:
        try:
            pages = _blank(widest, horizon) if whole is None else whole
            while not stop[0] and (part := next(waiting, None)) is not None:
                rows = slice(part.start, part.end)
                written = [each[rows] if whole else each[: part.end - part.start] for each in pages]
                answering: Any = answering_of(part.environment)
                watch = part.watch
                evidence = None if watch is None else kernels.watching.blank_evidence(watch, answering.means.size)
                read: Any = part.player, answering, watch, *part.begin, evidence
                outputs = *written, lengths[rows], settled[rows], leaders[rows]
                run: Any = kernels.prove.prove
                more = *read, key, first + part.start, *outputs, n_played[job], stop
                if not isinstance(part.player, Proof):
                    run, more = kernels.play.play, (*more, has_records)
                run(*more)
                if whole is None and has_records:
                    # ended runs are short: to write them far apart would cost more than to play them
                    longest = max(0, lengths[rows].max())
                    ended[part.start] = [each[:, :longest].copy() for each in written]
        except BaseException as error:  # it is raised again where it is heard
            failures.append(error)
            stop[0] = True

    threads = [threading.Thread(target=work, args=(job,), daemon=True) for job in range(min(jobs, len(parts)))]
    try:
        for thread in threads:
            thread.start()
        _watch(threads, n_played, progress)
    except KeyboardInterrupt:
        stop[0] = True
        for thread in threads:
            thread.join(_GRACE)
    if failures:
        raise failures[0]
    done = lengths.tolist()
    n = done.index(-1) if -1 in done else len(done)
    queries, rewards = _gathered(ended, done[:n] if has_records else [0] * n) if whole is None else whole
    return Played(queries[:n], rewards[:n], done[:n], settled[:n].tolist(), leaders[:n].tolist())


def conclusions(learners: Sequence[Any], played: Played) -> tuple[list[Any], list[int | None]]:
    """What each run that could stop settled on, and what it proved: None where nothing is proven."""
    is_proving = type(learners[0]) in KINDS
    if not is_proving and type(learners[0]) is not UntilCertified:
        return [], []
    recommended: list[Any] = [None] * len(played.settled)
    known: dict[tuple[int, int, int], Any] = {}
    for k in np.flatnonzero(np.array(played.settled) != -1).tolist():
        certifier, answer, leader = learners[k].certifier, played.settled[k], played.leaders[k]
        given = int(certifier.answers.preferred[leader]) if answer == -2 and is_proving else answer
        if given >= 0:
            key = id(certifier), given, leader
            if key not in known:
                known[key] = certifier.query_for(given, leader)
            recommended[k] = known[key]
    return recommended, [None if answer < 0 else answer for answer in played.settled]


def _read(learner: Any, state: Any, *, is_ending: bool) -> tuple[Rule | Proof, Watch | None, tuple[Any, ...]] | None:
    """The learner as compiled runs read it, and the state that they start from; None where they do not know it.

    One that stops when certified is known where that ends runs, others where nothing does; those that ask for the sake
    of a proof either way.
    """
    watch = watch_of(learner.certifier) if type(learner) in (UntilCertified, *KINDS) else None
    player: Rule | Proof | None = None
    if type(learner) in KINDS:
        player = None if watch is None else proof_of(learner, watch, is_ending=is_ending)
    elif type(learner) is UntilCertified:
        player = rule_of(learner.base) if is_ending and watch is not None else None
    elif not is_ending:
        player = rule_of(learner)
    if player is None:
        return None
    state = learner.init(np.random.default_rng(0)) if state is None else state
    if isinstance(player, Proof):
        return player, watch, (begun_of(learner.certifier, state),)
    if watch is None:
        return player, watch, (memory_of(player, learner.problem, state), None)
    memory = memory_of(player, learner.problem, state.base)
    return player, watch, (memory, begun_of(learner.certifier, state.evidence))


def _blank(n_runs: int, horizon: int) -> tuple[Array, Array]:
    """Room for the queries and the rewards of runs."""
    return np.empty((n_runs, horizon), dtype=np.int32), np.empty((n_runs, horizon))


def _gathered(ended: dict[int, list[Array]], lengths: list[int]) -> tuple[Array, Array]:
    """The runs of all parts under each other."""
    queries, rewards = _blank(len(lengths), max(lengths, default=0))
    queries[:], rewards[:] = -1, np.nan
    for start, parts in ended.items():
        ours = np.array(lengths[start : start + len(parts[0])], dtype=np.intp)
        width = min(parts[0].shape[1], queries.shape[1])
        is_played = np.arange(width) < ours[:, None]
        for whole, part in zip((queries, rewards), parts, strict=True):
            np.copyto(whole[start : start + ours.size, :width], part[: ours.size, :width], where=is_played)
    return queries, rewards


def _watch(threads: Sequence[threading.Thread], n_played: Array, progress: Callable[[int], None] | None) -> None:
    """Wait for all, and tell how many rounds were played since the last time; raise `KeyboardInterrupt` at Ctrl-C."""
    clock, told = Clock(None), 0
    for thread in threads:
        while thread.is_alive():
            thread.join(_LOOK)
            clock.check()
            told = _tell(n_played, told, progress)
    _tell(n_played, told, progress)


def _tell(n_played: Array, told: int, progress: Callable[[int], None] | None) -> int:
    total = int(n_played.sum())
    if progress is not None and total > told:
        progress(total - told)
    return total
