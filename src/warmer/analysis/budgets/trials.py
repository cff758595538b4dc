"""Each candidate taken in turn as the truth: after how many answers its best query is proven."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.analysis.intervals import Interval, clopper_pearson
from warmer.environments import TruncatedGaussian
from warmer.estimation import Objectors, TableFit
from warmer.learners import Settings, build
from warmer.model import Array, Label, Learner, Problem
from warmer.model.checks import at_least, check_count
from warmer.model.errors import InvalidValueError
from warmer.simulation import play_until_proven

__all__ = ["Hardest", "Trials", "simulate_candidates"]

Progress = Callable[[int], None]

_MOST_TRUTHS = 200
"""How many candidates take their turn; where there are more, a sample by the seed."""


class Hardest(NamedTuple):
    """The truth whose runs needed the most answers at the median; None where half of them found no proof in time."""

    target: Label
    median: int | None


@dataclass(frozen=True, eq=False)
class Trials:
    """Runs that were stopped by the certificate, truths by runs."""

    learner: str
    horizon: int
    n_candidates: int
    """How many targets could have been the truth."""
    truths: tuple[Label, ...]
    """Those that were, each in as many runs."""
    n_answers: Array
    """How many answers it took; infinity where the horizon came first."""
    is_wrong: Array
    """Whether the proven query falls short by more than epsilon; delta allows a few."""

    @property
    def n_runs(self) -> int:
        """How many runs there were in all."""
        return int(self.n_answers.size)

    @property
    def is_sample(self) -> bool:
        """Whether some candidates were left out."""
        return len(self.truths) < self.n_candidates

    def quantile(self, share: float) -> int | None:
        """So many answers were enough in this share of the runs; None where the horizon came first.

        Examples
        --------
        >>> counts = np.array([[3.0, 1.0, np.inf, 2.0]])
        >>> trials = Trials("uniform", 10, 1, ("rain",), counts, np.zeros((1, 4), dtype=bool))
        >>> trials.quantile(0.5), trials.quantile(0.95)
        (2, None)
        """
        return _quantile(self.n_answers, share)

    @property
    def hardest(self) -> Hardest:
        """The truth that needed the most answers at the median; the first of several."""
        medians = [_quantile(row, 0.5) for row in self.n_answers]
        worst = max(range(len(medians)), key=lambda k: math.inf if medians[k] is None else medians[k] or 0)
        return Hardest(self.truths[worst], medians[worst])

    @property
    def n_proven(self) -> int:
        """How many runs ended with a proof."""
        return int(np.isfinite(self.n_answers).sum())

    @cached_property
    def right(self) -> Interval:
        """How often what was proven was true, with its 95% Clopper-Pearson interval; everything where nothing was."""
        if self.n_proven == 0:
            return Interval(0.0, 1.0, 1.0)
        return clopper_pearson(self.n_proven - int(self.is_wrong.sum()), self.n_proven)


def simulate_candidates(
    problem: Problem,
    settings: Settings,
    *,
    learner: str = "elimination",
    candidates: Array | None = None,
    runs: int = 10,
    seed: int = 0,
    progress: Progress | None = None,
) -> Trials:
    """Let each candidate be the truth in so many runs, under Gaussian noise cut off at the ends of the range.

    Parameters
    ----------
    problem
        The table.
    settings
        Noise, accuracy, horizon, and what the learner is told.
    learner
        A name of the catalogue `warmer.learners.CATALOG`.
    candidates
        The indices of the targets to try; all that obey the paper's assumption on targets where None. Of more than 200
        a sample is drawn by the seed.
    runs
        Runs a candidate.
    seed
        The k-th run of a target depends on the seed, k and the target alone.
    progress
        Called after each run, with 1.

    Examples
    --------
    >>> from warmer.problems import needle
    >>> settings = Settings(alpha=1.0, delta=0.05, sigma=0.5, horizon=1000, epsilon=0.5)
    >>> trials = simulate_candidates(needle(n_arms=3), settings, runs=4)
    >>> trials.n_runs, trials.n_proven, trials.is_sample
    (12, 12, False)
    """
    check_count("runs", runs)
    pool = _valid(problem) if candidates is None else candidates
    if pool.size == 0:
        raise InvalidValueError("there is no candidate to try: alpha is above what any target's best query earns.")
    chosen = _sample(pool, seed)
    player = build(learner, problem, settings)
    table = _Trial(problem, settings, player, Objectors(problem, settings.epsilon), runs, seed, progress)
    outcomes = [table.play(int(target)) for target in chosen]
    return Trials(
        learner=learner,
        horizon=settings.horizon,
        n_candidates=int(pool.size),
        truths=tuple(problem.targets[int(target)] for target in chosen),
        n_answers=np.array([counts for counts, _ in outcomes]),
        is_wrong=np.array([wrong for _, wrong in outcomes]),
    )


@dataclass(frozen=True, eq=False)
class _Trial:
    problem: Problem
    settings: Settings
    learner: Learner[Any]
    objectors: Objectors
    runs: int
    seed: int
    progress: Progress | None

    def play(self, target: int) -> tuple[list[float], list[bool]]:
        """The answers that each run took, and whether it proved something false."""
        counts, wrong = [], []
        for run in range(self.runs):
            seeds = np.random.SeedSequence(self.seed, spawn_key=(target, run))
            n_answers, query = play_until_proven(
                self.learner,
                TruncatedGaussian(self.problem, self.problem.targets[target], sigma=self.settings.sigma),
                seeds,
                ball=self._ball,
                objectors=self.objectors,
                horizon=self.settings.horizon,
            )
            counts.append(math.inf if query is None else float(n_answers))
            wrong.append(query is not None and not self._is_good(query, target))
            if self.progress is not None:
                self.progress(1)
        return counts, wrong

    @cached_property
    def _ball(self) -> Any:
        return TableFit(self.problem).anytime_ball(delta=self.settings.delta, sigma=self.settings.sigma)

    def _is_good(self, query: int, target: int) -> bool:
        level = float(self.problem.self_evaluations[target]) - self.settings.epsilon
        return bool(at_least(float(self.problem.rho[query, target]), level, self.problem.slack))


def _valid(problem: Problem) -> Array:
    valid = np.flatnonzero(problem.valid_targets)
    return valid if valid.size else np.arange(problem.n_targets)


def _sample(pool: Array, seed: int) -> Array:
    rng = np.random.default_rng(check_count("seed", seed, least=0))
    return pool if pool.size <= _MOST_TRUTHS else np.sort(rng.choice(pool, _MOST_TRUTHS, replace=False))


def _quantile(counts: Array, share: float) -> int | None:
    """The smallest count that this share of the runs did not exceed."""
    value = float(np.sort(counts, axis=None)[max(0, math.ceil(share * counts.size) - 1)])
    return int(value) if math.isfinite(value) else None
