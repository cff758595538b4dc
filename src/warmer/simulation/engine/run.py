"""Compiled runs on several cores: threads that take the next few runs until all are played or somebody says stop."""

import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from warmer.learners import UntilCertified
from warmer.model import Array
from warmer.model.time_limit import Clock
from warmer.simulation.engine import kernels
from warmer.simulation.engine.answering import answering_of
from warmer.simulation.engine.forms import Rule, Watch
from warmer.simulation.engine.rules import rule_of
from warmer.simulation.engine.watching import nobody, watch_of

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
    learner: Any
    environment: Any


class Played(NamedTuple):
    """How long each run was, what it proved (-1 where nothing is proven) and its likeliest candidate at the end."""

    lengths: list[int]
    settled: list[int]
    leaders: list[int]


def plan(
    learners: Sequence[Any], environments: Sequence[Any], *, horizon: int, jobs: int, until: Any = None
) -> list[Part] | None:
    """The runs in parts; None where a learner, an environment or when to end is not known to compiled runs."""
    if until is not None and any(until != getattr(learner, "is_done", None) for learner in learners):
        return None
    parts, known = [], set()
    size = max(1, min(len(learners) // (_PARTS_PER_JOB * jobs), _ROUNDS_PER_PART // horizon))
    for start, end in pairwise(borders_of(learners, environments)):
        learner, environment = learners[start], environments[start]
        if id(learner) not in known and not _is_known(learner, is_watched=until is not None):
            return None
        if id(environment) not in known and answering_of(environment) is None:
            return None
        known |= {id(learner), id(environment)}
        parts += [Part(k, min(k + size, end), learner, environment) for k in range(start, end, size)]
    return parts


def borders_of(learners: Sequence[Any], environments: Sequence[Any]) -> list[int]:
    """The numbers of the runs at which the learner or the environment is another one: the first, ..., and how many."""
    inside = range(1, len(learners))
    return [
        0,
        *(k for k in inside if learners[k] is not learners[k - 1] or environments[k] is not environments[k - 1]),
        len(learners),
    ]


def play(
    parts: Sequence[Part],
    key: Array,
    first: int,
    queries: Array,
    rewards: Array,
    *,
    jobs: int,
    progress: Callable[[int], None] | None,
) -> Played:
    """Play runs number `first` and following into the rows of the arrays.

    Fewer than there are rows where Ctrl-C came: the first runs that were played to their end.
    """
    waiting, (lengths, settled, leaders) = iter(parts), np.full((3, len(rewards)), -1)
    n_played, stop = np.zeros((jobs, 1), dtype=np.int64), np.zeros(1, dtype=np.bool_)
    failures: list[BaseException] = []

    def work(job: int) -> None:
        learner: Any = None
        read: tuple[Any, ...] = ()
        try:
            while not stop[0] and (part := next(waiting, None)) is not None:
                rows = slice(part.start, part.end)
                if part.learner is not learner:
                    learner, read = part.learner, _read(part.learner)
                rule, watch = read
                answering: Any = answering_of(part.environment)
                outputs = queries[rows], rewards[rows], lengths[rows], settled[rows], leaders[rows]
                kernels.play.play(rule, answering, watch, key, first + part.start, *outputs, n_played[job], stop)
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
    return Played(done[:n], settled[:n].tolist(), leaders[:n].tolist())


def conclusions(learners: Sequence[Any], played: Played) -> tuple[list[Any], list[int | None]]:
    """What each run that could stop settled on, and what it proved: None where nothing is proven."""
    if type(learners[0]) is not UntilCertified:
        return [], []
    proven = [None if answer < 0 else answer for answer in played.settled]
    recommended = [
        None if answer is None else learner.certifier.query_for(answer, leader)
        for learner, answer, leader in zip(learners, proven, played.leaders, strict=False)
    ]
    return recommended, proven


def _is_known(learner: Any, *, is_watched: bool) -> bool:
    """Whether compiled runs know the learner: one that stops when certified where that ends runs, else another."""
    is_certified = type(learner) is UntilCertified
    return is_certified == is_watched and None not in _read(learner)


def _read(learner: Any) -> tuple[Rule | None, Watch | None]:
    """The rule of a learner, and what watches its answers."""
    if type(learner) is UntilCertified:
        return rule_of(learner.base), watch_of(learner.certifier)
    rule = rule_of(learner)
    return rule, None if rule is None else nobody(rule)


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
