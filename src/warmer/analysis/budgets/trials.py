"""Each candidate taken in turn as the truth: after how many answers the goal is certified."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.analysis.run_statistics import Interval, clopper_pearson
from warmer.analysis.task import Task
from warmer.environments import Coin, RoundedGaussian, TruncatedGaussian, UniformNoise
from warmer.learners import CATALOG, UntilCertified, build
from warmer.model import Array, Label, Problem
from warmer.model.checks import check_count
from warmer.model.contracts import CertifyingLearner
from warmer.model.errors import InvalidValueError
from warmer.model.time_limit import Clock, ending_at, interruptible
from warmer.simulation import Ended, ended_runs

Progress = Callable[[int], None]

_OWN_PLANS = ("pac", "pac-theorem", "exact-pac")

CERTIFIABLE = tuple(name for name in CATALOG if name not in _OWN_PLANS)
"""The learners of the catalogue that go on until the goal is certified, and do not end by a plan of their own."""

MOST_TRUTHS = 100
"""How many candidates take their turn where nobody says how many; where there are more, a sample by the seed."""


_NOISES = {
    Coin: "coins",
    UniformNoise: "uniform noise",
    TruncatedGaussian: "Gaussian noise",
    RoundedGaussian: "rounded readings",
}


class Hardest(NamedTuple):
    """The truth whose runs needed the most answers at the median; None where half of them found no proof in time."""

    target: Label
    median: int | None


@dataclass(frozen=True, eq=False)
class Trials:
    """Runs that were stopped by the certificate, truths by runs."""

    learner: str
    noise: str
    """What the simulated answers were, in words."""
    horizon: int
    n_candidates: int
    """How many targets could have been the truth."""
    truths: tuple[Label, ...]
    """Those that were, each in as many runs."""
    n_answers: Array
    """How many answers it took; infinity where the horizon came first."""
    is_wrong: Array
    """Whether the truth does not accept what was proven; delta allows a few."""
    costs: Array | None = None
    """What the answers cost, where the problem has costs; infinity where the horizon came first."""
    is_interrupted: bool = False
    """Whether Ctrl-C or a time limit came before all truths had their turn."""

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
        >>> trials = Trials("uniform", "coins", 10, 1, ("rain",), counts, np.zeros((1, 4), dtype=bool))
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
    task: Task,
    *,
    learner: str = "top-two",
    candidates: Array | None = None,
    runs: int = 10,
    horizon: int = 10_000,
    seed: int = 0,
    truths: int = MOST_TRUTHS,
    jobs: int | None = None,
    engine: str = "cpu",
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Trials:
    """Let each candidate be the truth in so many runs, with answers as noisy as the task says (`Task.environment`).

    The k-th run of a target depends on the seed, k and the target alone. A learner that needs an alpha is told the
    task's, else the least best value. Ctrl-C, or the time limit in seconds, ends with the candidates done so far;
    before the first, with KeyboardInterrupt. Other parameters are those of `budget`.

    Parameters
    ----------
    learner
        A name of the catalogue `warmer.learners.CATALOG` that does not end by a plan of its own (`CERTIFIABLE`).
    candidates
        The indices of the targets to try; all where None.
    progress
        Called after each candidate's runs, with their number.

    Examples
    --------
    >>> from warmer.problems import needle
    >>> trials = simulate_candidates(needle(n_arms=3), Task(epsilon=0.5, sigma=0.5), runs=4)
    >>> trials.n_runs, trials.n_proven, trials.is_sample
    (12, 12, False)
    """
    task = task.on(problem)
    pool = np.arange(problem.n_targets) if candidates is None else candidates
    chosen = _sample(pool, seed, check_count("truths", truths))
    player = _player(problem, task, learner, horizon)
    played = ended_runs(
        player,
        [task.environment(problem, problem.targets[target]) for target in chosen.tolist()],
        seeds=[_seed(seed, target) for target in chosen.tolist()],
        horizon=horizon,
        runs=runs,
        jobs=jobs,
        engine=engine,
        has_queries=problem.costs is not None,
    )
    found: list[tuple[Array, Array, Array]] = []
    is_interrupted = False
    try:
        with interruptible(), ending_at(Clock(time_limit)):
            for target, ended in zip(chosen.tolist(), played, strict=True):
                is_interrupted = ended.is_interrupted
                if is_interrupted and found:
                    break
                found.append(_judged(player, ended, target))
                if progress is not None:
                    progress(runs)
                if is_interrupted:
                    break
    except KeyboardInterrupt:
        if not found:
            raise
    tried = tuple(problem.targets[int(target)] for target in chosen[: len(found)])
    n_answers, is_wrong, costs = (np.array(part) for part in zip(*found, strict=True))
    return Trials(
        learner,
        _NOISES[type(task.environment(problem, tried[0]))],
        horizon,
        int(pool.size),
        tried,
        n_answers,
        is_wrong,
        None if problem.costs is None else costs,
        is_interrupted=len(found) < chosen.size or is_interrupted,
    )


def warm_up(problem: Problem, task: Task, learners: Sequence[str], *, horizon: int, engine: str = "cpu") -> None:
    """Play one round each, so that nobody compiles when the clock runs."""
    task = task.on(problem)
    for learner in learners:
        player = _player(problem, task, learner, horizon)
        one = [task.environment(problem, problem.targets[0])]
        list(ended_runs(player, one, seeds=[0], horizon=1, runs=1, engine=engine))


def _player(problem: Problem, task: Task, learner: str, horizon: int) -> Any:
    """The learner of that name, which stops when the goal is certified."""
    level = float(problem.self_evaluations.min()) if task.level is None else task.level
    sigma = problem.scale if task.sigma is None else task.sigma
    if learner in _OWN_PLANS:
        raise InvalidValueError(f"{learner} ends by its own plan; name one of {', '.join(CERTIFIABLE)}.")
    base = build(learner, problem, task.settings(alpha=level, sigma=sigma, horizon=horizon))
    if isinstance(base, CertifyingLearner):
        return base
    return UntilCertified(base, task.goal, noise=task.noise, delta=task.delta)


def _judged(player: Any, ended: Ended, target: int) -> tuple[Array, Array, Array]:
    """After how many answers each run was certified, whether wrongly, and what its answers cost."""
    is_certified, accepts, prices = ended.proven >= 0, player.certifier.answers.accepts, player.problem.costs
    wrong = [answer for answer in np.unique(ended.proven[is_certified]).tolist() if not accepts(answer)[target]]
    spent: Any = 0.0
    if prices is not None:
        spent = [float(prices[row[:n]].sum()) for row, n in zip(ended.queries, ended.n_answers, strict=True)]
    is_wrong = np.isin(ended.proven, wrong) & is_certified
    return np.where(is_certified, ended.n_answers, np.inf), is_wrong, np.where(is_certified, spent, np.inf)


def _seed(seed: int, target: int) -> int:
    return int(np.random.SeedSequence(seed, spawn_key=(target,)).generate_state(1, np.uint64)[0])


def _sample(pool: Array, seed: int, most: int) -> Array:
    rng = np.random.default_rng(check_count("seed", seed, least=0))
    return pool if pool.size <= most else np.sort(rng.choice(pool, most, replace=False))


def _quantile(counts: Array, share: float) -> int | None:
    """The smallest count that this share of the runs did not exceed."""
    value = float(np.sort(counts, axis=None)[max(0, math.ceil(share * counts.size) - 1)])
    return int(value) if math.isfinite(value) else None
