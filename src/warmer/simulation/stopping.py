"""When runs that stop by themselves end: one learner in many environments, on a GPU all of them together."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from warmer.dimensions.search.clique import n_cores
from warmer.model import Array, Runs
from warmer.model.checks import check_count
from warmer.model.time_limit import interruptible
from warmer.simulation import cuda
from warmer.simulation import engine as compiled
from warmer.simulation.runs import check_engine, simulate
from warmer.simulation.streams import key_of

_RUNS_TOGETHER = 1 << 18
"""Runs whose queries come from a GPU at once, between two looks at progress and time."""
_NO_QUERIES = np.empty((0, 0), dtype=np.int32)


class Ended(NamedTuple):
    """The runs in one environment: how many answers each took, and what it proved."""

    n_answers: Array
    proven: Array
    """The answer, by index; -1 where nothing is proven."""
    queries: Array
    """A row for each run; empty where they are not wanted."""
    is_interrupted: bool


def ended_runs(
    learner: Any,
    environments: Sequence[Any],
    *,
    seeds: Sequence[int],
    horizon: int,
    runs: int,
    jobs: int | None = None,
    engine: str = "cpu",
    has_queries: bool = False,
) -> Iterator[Ended]:
    """Runs of a learner in each environment, with a seed for each, until it is done.

    Examples
    --------
    >>> from warmer import LeastSquares, Problem, UntilCertified, environments, goals, noise
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> learner = UntilCertified(LeastSquares(problem, alpha=0.5), goals.BestQuery(0.25), noise=noise.SubGaussian(0.5))
    >>> given = [environments.Exact(problem, target) for target in (0, 1)]
    >>> [found.n_answers.tolist() for found in ended_runs(learner, given, seeds=[0, 1], horizon=9, runs=2)]
    [[8, 8], [3, 3]]
    """
    check_engine(engine)
    for name, value in (("runs", runs), ("horizon", horizon)):
        check_count(name, value)
    if engine == "cuda":
        on_a_gpu = _recorded_on_a_gpu if has_queries else _on_a_gpu
        yield from on_a_gpu(learner, environments, np.array([key_of(seed) for seed in seeds]), horizon, runs)
        return
    n_jobs = n_cores() if jobs is None else check_count("jobs", jobs)
    for environment, seed in zip(environments, seeds, strict=True):
        settings: Any = {"horizon": horizon, "jobs": n_jobs}
        parts = compiled.plan((learner,) * runs, (environment,) * runs, until=learner.is_done, **settings)
        if parts is None:
            found = simulate(learner, environment, runs=runs, seed=seed, until=learner.is_done, **settings)
            proven = np.array([-1 if answer is None else answer for answer in found.proven])
            yield Ended(found.n_answers, proven, found.queries, found.is_interrupted)
            continue
        with interruptible():
            shared: Any = {"is_ending": True, "progress": None, "has_records": has_queries}
            played = compiled.play(parts, key_of(seed), 0, **shared, **settings)
        yield _ended(played.lengths, played.settled, played.queries, runs)


def first_certified(runs: Runs, certifier: Any) -> Array:
    """The number of answers after which each run was first certified, and the proven answer by index; negative where
    there is none.

    A GPU plays the runs again up to there: runs that were played from their start to the horizon, of learners for the
    certifier's problem. Some of them where Ctrl-C comes.
    """
    groups = cuda.groups_of(runs.learners, runs.environments, None, certifier)
    keys = np.tile(key_of(runs.seed), (len(runs), 1))
    numbers = np.arange(runs.first, runs.first + len(runs), dtype=np.uint64)
    found = [np.empty((2, 0), dtype=int)]
    with interruptible(), suppress(KeyboardInterrupt):
        found.extend(cuda.ends(groups, keys, numbers, horizon=runs.horizon))
    return np.concatenate(found, axis=1)


def _ended(lengths: Any, settled: Any, queries: Array, runs: int) -> Ended:
    if len(lengths) == 0:
        raise KeyboardInterrupt
    return Ended(np.array(lengths), np.maximum(settled, -1), queries, len(lengths) < runs)


def _on_a_gpu(learner: Any, environments: Sequence[Any], keys: Array, horizon: int, runs: int) -> Iterator[Ended]:
    ends, n_over, n_given = np.empty((2, len(environments) * runs), dtype=int), 0, 0
    several = cuda.groups_of((learner,) * len(environments), environments, learner.is_done)
    groups = [each._replace(borders=[runs * border for border in each.borders]) for each in several]
    numbers = np.tile(np.arange(runs, dtype=np.uint64), len(environments))
    try:
        for found in cuda.ends(groups, keys.repeat(runs, axis=0), numbers, horizon=horizon):
            ends[:, n_over : n_over + found.shape[1]] = found
            n_over += found.shape[1]
            while (n_given + 1) * runs <= n_over:
                lengths, settled = ends[:, n_given * runs : (n_given + 1) * runs]
                n_given += 1
                yield _ended(lengths, settled, _NO_QUERIES, runs)
    except KeyboardInterrupt:
        if n_given == 0:
            lengths, settled = ends[:, : min(n_over, runs)]
            yield _ended(lengths, settled, _NO_QUERIES, runs)
        raise


def _recorded_on_a_gpu(
    learner: Any, environments: Sequence[Any], keys: Array, horizon: int, runs: int
) -> Iterator[Ended]:
    size = max(1, _RUNS_TOGETHER // runs)
    for start in range(0, len(environments), size):
        several = environments[start : start + size]
        played = cuda.play(
            (learner,) * (runs * len(several)),
            [each for each in several for _ in range(runs)],
            keys[start : start + size].repeat(runs, axis=0),
            np.tile(np.arange(runs, dtype=np.uint64), len(several)),
            horizon=horizon,
            until=learner.is_done,
            progress=None,
        )
        lengths, settled = np.array(played.lengths), np.array(played.settled)
        for k in range(len(several)):
            rows = slice(k * runs, (k + 1) * runs)
            yield _ended(lengths[rows], settled[rows], played.queries[rows], runs)
