"""When runs that stop by themselves end: one learner in many environments, on a GPU all of them together."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from warmer.model import Array
from warmer.simulation import cuda
from warmer.simulation.runs import simulate
from warmer.simulation.streams import key_of

_RUNS_TOGETHER = 1 << 17
"""Runs that go to a GPU at once, between two looks at progress and time."""


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
    if engine == "cuda":
        yield from _on_a_gpu(learner, environments, seeds, horizon, runs, has_queries)
        return
    for environment, seed in zip(environments, seeds, strict=True):
        played = simulate(
            learner, environment, horizon=horizon, runs=runs, seed=seed, jobs=jobs, engine=engine, until=learner.is_done
        )
        proven = np.array([-1 if answer is None else answer for answer in played.proven])
        yield Ended(played.n_answers, proven, played.queries, played.is_interrupted)


def _on_a_gpu(
    learner: Any, environments: Sequence[Any], seeds: Sequence[int], horizon: int, runs: int, has_queries: bool
) -> Iterator[Ended]:
    size = max(1, _RUNS_TOGETHER // runs)
    for start in range(0, len(environments), size):
        several = environments[start : start + size]
        keys = np.repeat([key_of(seed) for seed in seeds[start : start + size]], runs, axis=0)
        played = cuda.play(
            (learner,) * (runs * len(several)),
            [each for each in several for _ in range(runs)],
            keys,
            np.tile(np.arange(runs, dtype=np.uint64), len(several)),
            horizon=horizon,
            until=learner.is_done,
            has_records=has_queries,
            progress=None,
        )
        lengths, settled = np.array(played.lengths), np.array(played.settled)
        for k in range(0, len(several)):
            rows = slice(k * runs, (k + 1) * runs)
            if lengths[rows].size == 0:
                raise KeyboardInterrupt
            yield Ended(
                lengths[rows],
                np.maximum(settled[rows], -1),
                played.queries[rows] if has_queries else np.empty((0, 0), dtype=np.int32),
                lengths[rows].size < runs,
            )
