"""Several learners at the same games."""

import reprlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from operator import is_
from time import perf_counter
from typing import Any

import numpy as np

from warmer.analysis.outcomes import Comparison, Outcome
from warmer.analysis.task import Task, check_table, check_task
from warmer.certification import Certifier
from warmer.dimensions.search.clique import n_cores
from warmer.environments import TargetEnvironment
from warmer.learners import MaxInformation, TopTwo, build
from warmer.model import Array, Label, Learner, Problem
from warmer.model.checks import check_count, check_names
from warmer.model.errors import InvalidValueError
from warmer.model.time_limit import Clock, ending_at, interruptible
from warmer.simulation import simulate

_MAX_ROUNDS_KEPT = 400
"""At how many rounds regret is kept; no picture shows more."""

_ROUNDS_TOGETHER = {"cpu": 1 << 19, "cuda": 1 << 22}
"""Rounds that are played before what is kept of them is gathered, which takes a few hundredths of a second; tenths
where a GPU plays."""

_NEVER_TOLD_ALPHA = TopTwo, MaxInformation
"""Learners of which one serves all runs, so that a GPU plays them together."""

_QUIET = 0.01
"""The sigma, as a share of the reward range's half-length, that learners are told where there is no noise."""


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
    check_names("learners", learners, "top-two")
    check_task("compare", task)
    played = _environments_of(environments)
    if not played or any(environment.problem is not played[0].problem for environment in played):
        raise InvalidValueError("a comparison needs at least one environment, and the same problem in all of them.")
    told = replace(task, epsilon=task.exact_epsilon, sigma=shared_sigma(played) if task.sigma is None else task.sigma)
    kept = min(check_count("horizon", horizon), _MAX_ROUNDS_KEPT)
    rounds = np.unique(np.linspace(1, horizon, kept).round().astype(int))
    players = {name: _build_learners(name, played, told, horizon) for name in learners}  # before the first long run
    certifiers = {name: _certifier(each[0], told) if with_proofs else None for name, each in players.items()}
    outcomes: list[Outcome] = []
    left_out: list[str] = []
    longest: list[Outcome] = []
    is_stopped = False
    settings: dict[str, Any] = {"horizon": horizon, "seed": seed, "first": first, "jobs": jobs, "engine": engine}
    with interruptible():
        clock = Clock(time_limit)
        with clock.loading():  # first calls compile
            for name, each in players.items():
                once = simulate(each[0], played[0], horizon=min(2, horizon), seed=0, engine=engine)
                Outcome.of(name, once, told, rounds[:1], 1.0, certifiers[name], engine)
        for k, (name, each) in enumerate(players.items()):
            mine = Clock(clock.share(1 / (len(players) - k)))
            with ending_at(mine):
                parts = _play(name, each, played, told, rounds, certifiers[name], progress=progress, **settings)
            parts = [part for part in parts if part.is_good.size]  # the last may have been ended in its first run
            n_finished = sum(part.is_good.size for part in parts)
            is_whole, is_stopped = n_finished == len(played), n_finished < len(played) and not mine.has_passed
            if is_whole or (is_stopped and parts and not outcomes):
                outcomes.append(Outcome.joined(parts))
                played = played[:n_finished]
            elif not is_stopped:
                left_out.append(name)
                longest = max(longest, parts, key=lambda each: sum(part.is_good.size for part in each))
            if is_stopped:
                break
        if not outcomes:
            Clock(None).check()
    if not outcomes and longest:
        outcomes.append(Outcome.joined(longest))
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
    check_table("draw_targets", problem)
    rng = np.random.default_rng(check_count("seed", seed, least=0))
    choices = np.flatnonzero(problem.valid_targets)
    choices = choices if choices.size else np.arange(problem.n_targets)
    return [problem.targets[int(choices[k])] for k in rng.integers(choices.size, size=check_count("runs", runs))]


def shared_sigma(environments: Sequence[TargetEnvironment]) -> float:
    """The largest sigma of the environments; a hundredth of the reward range's half-length where there is no noise."""
    largest = max(environment.sigma for environment in environments)
    return largest or _QUIET * environments[0].problem.scale


def _environments_of(given: Any) -> tuple[TargetEnvironment, ...]:
    """The environments, or a sentence where something else was given."""
    several = isinstance(given, Iterable) and not isinstance(given, str)
    wrong = next((each for each in given if not hasattr(each, "target")), None) if several else given
    if wrong is not None:
        got = reprlib.repr(wrong) if isinstance(wrong, str) else f"one {type(wrong).__name__}"
        raise InvalidValueError(
            "compare needs a list of environments, one for each run, such as [environments.Exact(problem, target)], "
            f"got {got}."
        )
    return tuple(given)


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

    @cache
    def built(level: float) -> Learner[Any]:
        return build(name, problem, task.settings(alpha=level, sigma=task.sigma, horizon=horizon))

    first = built(levels[0])
    return [first] * len(levels) if type(first) in _NEVER_TOLD_ALPHA else [built(level) for level in levels]


def _certifier(learner: Learner[Any], task: Task) -> Certifier:
    """What looks for certificates: that of the learner itself, where it goes by the same."""
    own, wanted = getattr(learner, "certifier", None), (task.goal, task.noise, task.delta, None, None)
    if isinstance(own, Certifier) and all(map(is_, (own.goal, *own.declared.values()), wanted)):
        return own
    return Certifier(learner.problem, task.goal, noise=task.noise, delta=task.delta)


def _play(
    name: str,
    learners: Sequence[Learner[Any]],
    environments: Sequence[TargetEnvironment],
    task: Task,
    rounds: Array,
    certifier: Certifier | None,
    *,
    horizon: int,
    first: int,
    engine: str,
    **settings: Any,
) -> list[Outcome]:
    """Some runs after others: so there is little left to gather when Ctrl-C or the time limit ends it."""
    size, parts = max(n_cores(), _ROUNDS_TOGETHER[engine] // horizon), []
    settings |= {"horizon": horizon, "engine": engine}
    with suppress(KeyboardInterrupt):
        for start in range(0, len(environments), size):
            some, began = slice(start, start + size), perf_counter()
            runs = simulate(learners[some], environments[some], first=first + start, **settings)
            parts.append(Outcome.of(name, runs, task, rounds, perf_counter() - began, certifier, engine))
            if parts[-1].is_good.size < len(environments[some]):
                break
    return parts
