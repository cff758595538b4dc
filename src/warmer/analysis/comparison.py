"""Several learners at the same games: who lost how much, what the theorems allow, and when the answer was certified."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from warmer.analysis.run_statistics import (
    Interval,
    Proof,
    bad_queries,
    clopper_pearson,
    cumulative_regret,
    final_values,
    first_proof,
    mean_interval,
)
from warmer.analysis.task import Task
from warmer.bounds import anytime_error_budget, paper_error_budget, regret_bound
from warmer.certification import Certifier
from warmer.dimensions.search.parts import n_cores
from warmer.environments import TargetEnvironment
from warmer.learners import build
from warmer.model import Array, Label, Learner, Problem, Runs
from warmer.model.checks import SLACK, at_least, check_count
from warmer.model.errors import InvalidValueError
from warmer.model.time_limit import Clock, ending_at, interruptible
from warmer.simulation import simulate

_MAX_ROUNDS_KEPT = 400
"""At how many rounds regret is kept; no picture shows more."""

_ROUNDS_TOGETHER = 1 << 19
"""Rounds that are played before what is kept of them is gathered, which takes a few hundredths of a second."""

_QUIET = 0.01
"""The sigma, as a share of the reward range's half-length, that learners are told where there is no noise."""


class Band(NamedTuple):
    """A mean over runs between its two confidence limits, at every kept round."""

    low: Array
    mean: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Outcome:
    """How one learner fared, a row or an entry for each run."""

    learner: str
    told: tuple[str, ...]
    """What the learner was told beyond the problem: of "alpha" (the best value of each run's target), "sigma"."""
    regrets: Array
    """The regret so far, runs by the comparison's `rounds`."""
    n_bad: Array
    """How many queries were epsilon-bad."""
    is_good: Array
    """Whether what the run settled on, else its last query, was within epsilon of alpha."""
    proofs: tuple[Proof | None, ...]
    """The first certificate of each run, where one was granted; empty where none were looked for."""
    is_wrong: Array
    """Whether the certificate gave an answer that the truth does not accept; delta allows a few."""
    example: Array
    """The queries of the first run."""
    steps_per_second: float

    @cached_property
    def regret(self) -> Interval:
        """The mean regret at the horizon, with its 95% interval."""
        return Interval(*map(float, mean_interval(self.regrets[:, -1])))

    @cached_property
    def bad(self) -> Interval:
        """The mean number of epsilon-bad queries, with its 95% interval."""
        return Interval(*map(float, mean_interval(self.n_bad)))

    @cached_property
    def success(self) -> Interval:
        """How often the answer was good, with its 95% Clopper-Pearson interval."""
        return clopper_pearson(int(self.is_good.sum()), self.is_good.size)

    @cached_property
    def regret_band(self) -> Band:
        """The mean regret so far, with its 95% interval, at every round of the comparison's `rounds`."""
        return Band(*map(np.asarray, mean_interval(self.regrets)))

    @property
    def n_wrong_proofs(self) -> int:
        """How many certificates were wrong."""
        return int(self.is_wrong.sum())

    @property
    def n_proven(self) -> int:
        """In how many runs something was certified."""
        return sum(proof is not None for proof in self.proofs)

    def answers_for(self, share: float) -> int | None:
        """After how many answers this share of the runs was certified; None where fewer ever were."""
        counts = sorted(proof.n_answers for proof in self.proofs if proof is not None)
        needed = math.ceil(share * len(self.proofs))
        return counts[needed - 1] if 0 < needed <= len(counts) else None


@dataclass(frozen=True, eq=False)
class Comparison:
    """The outcomes of several learners, and what made them."""

    environments: tuple[TargetEnvironment, ...]
    """One per run."""
    task: Task
    """With the sigma that the learners were told of."""
    horizon: int
    seed: int
    rounds: Array
    """The rounds at which regret was kept, the last one among them."""
    outcomes: tuple[Outcome, ...]
    is_interrupted: bool = False
    """Whether Ctrl-C came before all learners had played all runs."""
    left_out: tuple[str, ...] = ()
    """The learners that did not play all their runs within the time limit."""

    @property
    def problem(self) -> Problem:
        """The problem that was played."""
        problem: Problem = self.environments[0].problem
        return problem

    @property
    def n_runs(self) -> int:
        """How many runs each learner played."""
        return len(self.environments)

    @property
    def ranking(self) -> list[Outcome]:
        """The outcomes, the least mean regret first."""
        return sorted(self.outcomes, key=lambda outcome: outcome.regret.estimate)

    def __getitem__(self, learner: str) -> Outcome:
        return next(outcome for outcome in self.outcomes if outcome.learner == learner)


def compare(
    environments: Sequence[TargetEnvironment],
    learners: Sequence[str],
    task: Task,
    *,
    horizon: int,
    seed: int,
    first: int = 0,
    with_proofs: bool = False,
    jobs: int | None = None,
    engine: str = "cpu",
    time_limit: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """`simulate` each learner of the catalogue, one run in each environment.

    All learners meet the same noise: run k depends on the seed and k alone. Ctrl-C ends with the learners that have
    played; with the finished runs of the first where it is still playing.

    Parameters
    ----------
    environments
        One for each run, all of the same problem; their targets may differ.
    learners
        Names of the catalogue `warmer.learners.CATALOG`.
    task
        Which queries count as bad, and what a certificate must prove from which noise; the alpha that regret is
        measured against and `LeastSquares` is told, the value of each run's own target where None; and the sigma that
        learners are told of.
    horizon, seed, first, jobs, engine
        As for `simulate`.
    with_proofs
        Whether to look for the first certificate of every run.
    time_limit
        Seconds for all, shared out evenly; a learner that needs more than its share is left out. Where all do, the one
        with the most finished runs is kept, with these.
    progress
        Called now and then with the number of rounds played since the last call.

    Examples
    --------
    >>> from warmer import environments, problems
    >>> environment = environments.Exact(problems.treasure(side=3), "B2")
    >>> result = compare([environment], ["uniform", "least-squares"], Task(epsilon=0.1), horizon=20, seed=0)
    >>> [(outcome.learner, outcome.told) for outcome in result.ranking]
    [('least-squares', ('alpha',)), ('uniform', ())]
    """
    played = tuple(environments)
    if not played or any(environment.problem is not played[0].problem for environment in played):
        raise InvalidValueError("a comparison needs at least one environment, and the same problem in all of them.")
    told = replace(task, epsilon=task.exact_epsilon, sigma=shared_sigma(played) if task.sigma is None else task.sigma)
    kept = min(check_count("horizon", horizon), _MAX_ROUNDS_KEPT)
    rounds = np.unique(np.linspace(1, horizon, kept).round().astype(int))
    players = {name: _build_learners(name, played, told, horizon) for name in learners}  # before the first long run
    outcomes: list[Outcome] = []
    left_out: list[str] = []
    longest: list[Outcome] = []
    is_stopped = False
    settings: dict[str, Any] = {"horizon": horizon, "seed": seed, "first": first, "jobs": jobs, "engine": engine}
    with interruptible():
        clock = Clock(time_limit)
        with clock.loading():  # first calls compile
            for each in players.values():
                simulate(each[0], played[0], horizon=min(2, horizon), seed=0, engine=engine)
        for k, (name, each) in enumerate(players.items()):
            mine = Clock(clock.share(1 / (len(players) - k)))
            with ending_at(mine):
                parts = _play(name, each, played, told, rounds, with_proofs, progress=progress, **settings)
            n_finished = sum(part.is_good.size for part in parts)
            is_whole, is_stopped = n_finished == len(played), n_finished < len(played) and not mine.has_passed
            if is_whole or (is_stopped and parts and not outcomes):
                outcomes.append(_joined(parts))
                played = played[:n_finished]
            elif not is_stopped:
                left_out.append(name)
                longest = max(longest, parts, key=lambda each: sum(part.is_good.size for part in each))
            if is_stopped:
                break
        if not outcomes:
            Clock(None).check()
    if not outcomes and longest:
        outcomes.append(_joined(longest))
        left_out.remove(outcomes[0].learner)
        played = played[: outcomes[0].is_good.size]
    if not outcomes:
        raise InvalidValueError(
            f"no learner played a run of {horizon:,} queries within the time limit of {time_limit:g} s; raise it, or "
            "lower the horizon."
        )
    return Comparison(played, told, horizon, seed, rounds, tuple(outcomes), is_stopped, tuple(left_out))


def draw_targets(problem: Problem, *, runs: int, seed: int) -> list[Label]:
    r"""A target for each run, uniformly among those with $\rho(z^*|z^*)\ge\rho(z|z^*)$; among all if there are none.

    Examples
    --------
    >>> draw_targets(Problem.from_table([[0.1, 0.2]], targets=["rain", "sun"]), runs=3, seed=0)
    ['sun', 'sun', 'sun']
    """
    rng = np.random.default_rng(check_count("seed", seed, least=0))
    choices = np.flatnonzero(problem.valid_targets)
    choices = choices if choices.size else np.arange(problem.n_targets)
    return [problem.targets[int(choices[k])] for k in rng.integers(choices.size, size=check_count("runs", runs))]


def shared_sigma(environments: Sequence[TargetEnvironment]) -> float:
    """The largest sigma of the environments; a hundredth of the reward range's half-length where there is no noise."""
    largest = max(environment.sigma for environment in environments)
    return largest or _QUIET * environments[0].problem.scale


class RegretBound(NamedTuple):
    """A bound on the regret so far, at every round of a comparison's `rounds`."""

    name: str
    values: Array


def regret_bounds(comparison: Comparison, *, dimension: int) -> list[RegretBound]:
    r"""The regret theorem for Algorithm 1 with the paper's error budget and with the anytime one, and the worst of all.

    The dimension is the monotone one at $\epsilon=1/T$ (times the scale), or more; it is no smaller at fewer rounds.
    """
    problem, task, rounds = comparison.problem, comparison.task, comparison.rounds
    shared: dict[str, Any] = {"n_targets": problem.n_targets, "delta": task.delta}
    anytime = anytime_error_budget(**shared, sigma=min(1.0, task.sigma / problem.scale))

    def bound(error_budget: Callable[[int], float]) -> Array:
        """In the theorem's units, where rewards lie in [-1, 1]; below ln 2T it is silent, and a larger budget holds."""
        budgets = ((horizon, max(error_budget(horizon), math.log(2 * horizon))) for horizon in rounds.tolist())
        return problem.scale * np.array(
            [regret_bound(dimension=dimension, error_budget=budget, horizon=horizon) for horizon, budget in budgets]
        )

    top = float(problem.best_values.max()) if task.level is None else task.level
    return [
        RegretBound("theorem", bound(lambda horizon: paper_error_budget(**shared, horizon=horizon))),
        RegretBound("anytime theorem", bound(lambda horizon: anytime)),
        RegretBound("the worst query always", rounds * (top - float(problem.rho.min()))),
    ]


def _build_learners(
    name: str, environments: tuple[TargetEnvironment, ...], task: Task, horizon: int
) -> list[Learner[Any]]:
    """The learner of that name for each run, told the run's own alpha."""
    problem = environments[0].problem
    values = [
        problem.self_evaluations[problem.targets.position(each.target)]
        if isinstance(problem, Problem)
        else each.alpha_star
        for each in environments
    ]
    levels = [float(value) if task.level is None else task.level for value in values]
    built = {
        level: build(name, problem, task.settings(alpha=level, sigma=task.sigma, horizon=horizon))
        for level in dict.fromkeys(levels)
    }
    return [built[level] for level in levels]


def _play(
    name: str,
    learners: Sequence[Learner[Any]],
    environments: Sequence[TargetEnvironment],
    task: Task,
    rounds: Array,
    with_proofs: bool,
    *,
    horizon: int,
    first: int,
    **settings: Any,
) -> list[Outcome]:
    """Some runs after others: so there is little left to gather when Ctrl-C or the time limit ends it."""
    certifier = (
        Certifier(environments[0].problem, task.goal, noise=task.noise, delta=task.delta) if with_proofs else None
    )
    size, parts = max(n_cores(), _ROUNDS_TOGETHER // horizon), []
    with suppress(KeyboardInterrupt):
        for start in range(0, len(environments), size):
            some, began = slice(start, start + size), perf_counter()
            runs = simulate(learners[some], environments[some], horizon=horizon, first=first + start, **settings)
            parts.append(_outcome(name, runs, task, rounds, perf_counter() - began, certifier))
            if parts[-1].is_good.size < len(environments[some]):
                break
    return parts


def _outcome(name: str, runs: Runs, task: Task, rounds: Array, seconds: float, certifier: Certifier | None) -> Outcome:
    """Of all runs; where certificates are looked for, of those that had been looked at when Ctrl-C came."""
    proofs: list[Proof | None] = []
    n_runs, clock = len(runs), Clock(None)
    if certifier is not None:
        with suppress(KeyboardInterrupt):
            for k in range(n_runs):
                clock.check()
                proofs.append(first_proof(runs[k], certifier))
        n_runs = len(proofs)
    slack = runs.problem.slack if isinstance(runs.problem, Problem) else SLACK
    alpha = runs.alpha_star if task.level is None else task.level
    is_good = np.asarray(at_least(final_values(runs), alpha - np.full(len(runs), task.epsilon), slack))
    return Outcome(
        learner=name,
        told=_told(runs.learners[0]),
        regrets=cumulative_regret(runs, alpha=task.level)[:n_runs, rounds - 1],
        n_bad=bad_queries(runs, alpha=task.level, epsilon=task.epsilon)[:n_runs],
        is_good=is_good[:n_runs],
        proofs=tuple(proofs),
        is_wrong=np.array(
            [_is_wrong(certifier, *each) for each in zip(runs.environments, proofs, strict=False)], dtype=bool
        ),
        example=runs.queries[0],
        steps_per_second=runs.rewards.size / seconds,
    )


def _joined(parts: Sequence[Outcome]) -> Outcome:
    """The runs of all parts."""
    sizes, speeds = zip(*((part.is_good.size, part.steps_per_second) for part in parts), strict=True)
    return replace(
        parts[0],
        regrets=np.concatenate([part.regrets for part in parts]),
        n_bad=np.concatenate([part.n_bad for part in parts]),
        is_good=np.concatenate([part.is_good for part in parts]),
        proofs=tuple(proof for part in parts for proof in part.proofs),
        is_wrong=np.concatenate([part.is_wrong for part in parts]),
        steps_per_second=sum(sizes) / sum(size / speed for size, speed in zip(sizes, speeds, strict=True)),
    )


def _told(learner: Learner[Any]) -> tuple[str, ...]:
    parts = (learner, getattr(learner, "base", learner))
    names = {"alpha": ("alpha",), "sigma": ("sigma", "noise")}
    held = {name for part in parts for name in ("alpha", "sigma", "noise") if getattr(part, name, None) is not None}
    return tuple(told for told, among in names.items() if held.intersection(among))


def _is_wrong(certifier: Certifier | None, environment: TargetEnvironment, proof: Proof | None) -> bool:
    """Whether the truth does not accept what was proven."""
    if certifier is None or proof is None:
        return False
    truth = certifier.problem.targets.position(environment.target)
    return not certifier.answers.accepts(proof.answer)[truth]
