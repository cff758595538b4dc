"""`warmer simulate`: learners compared on a problem of the catalogue or of a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.padding import Padding

from warmer import environments, report
from warmer.analysis import Comparison, Task, compare, draw_targets
from warmer.cli.console import progress, show, show_json
from warmer.cli.json_output import comparison_form
from warmer.cli.options import (
    Alpha,
    AsJSON,
    Delta,
    EnvironmentName,
    Epsilon,
    FigurePath,
    Horizon,
    LearnerNames,
    RewardRange,
    Runs,
    SampleSize,
    Seed,
    Sigma,
    Source,
    Square,
    StrategyName,
    TargetLabel,
    Width,
)
from warmer.cli.problem_argument import accuracy, find_problem, find_target
from warmer.cli.tables import regret_table
from warmer.environments import TargetEnvironment
from warmer.learners import CATALOG
from warmer.model import Problem
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError
from warmer.report.text import counted, listed, short, told_in_words

__all__ = ["sensible_learners", "simulate"]

_ADVERSARIES = ("adversarial", "simulated-samples")
_USED_BY = {"width": ("uniform", "gaussian", *_ADVERSARIES), "n": ("mean",), "strategy": _ADVERSARIES}

_ADVERSE = "The errors of an adversary are not noise: confidence sets and guarantees of the learners need not hold."

_LARGE_TABLE = 200_000
"""Entries above which `information-directed`, which reads the whole table at every query, plays only if named."""


def simulate(
    problem: Source,
    learner: LearnerNames = None,
    environment: EnvironmentName = "uniform",
    target: TargetLabel = None,
    width: Width = None,
    n: SampleSize = None,
    strategy: StrategyName = None,
    alpha: Alpha = None,
    epsilon: Epsilon = None,
    delta: Delta = 0.05,
    sigma: Sigma = None,
    horizon: Horizon = 1000,
    runs: Runs = 20,
    seed: Seed = 0,
    square: Square = None,
    reward_range: RewardRange = None,
    figure: FigurePath = None,
    as_json: AsJSON = False,
) -> None:
    """Compare learners on a problem by simulation.

    Without --learner all are compared, information-directed only if the table has at most 200,000 entries. Regret is
    the sum over queries of alpha minus the expected reward; a query is bad if it falls short of alpha by more than
    epsilon.
    """
    table = find_problem(problem, square, reward_range)
    keepers = _environments(
        table, environment, target=target, runs=runs, seed=seed, width=width, n=n, strategy=strategy
    )
    told = _declared_sigma(table, environment, sigma, width)
    task = Task(accuracy(table, epsilon), delta, told, alpha)
    names = list(dict.fromkeys(learner or sensible_learners(table)))
    with progress("simulating", total=len(names) * runs * horizon) as advance:
        comparison = compare(keepers, names, task, horizon=horizon, seed=seed, progress=advance)
    if figure is not None:
        report.save(report.plot_regret(comparison), figure)
    if as_json:
        show_json({"source": problem, **comparison_form(comparison), "figure": figure})
    else:
        _describe(comparison, problem, environment, figure)


def _environments(
    problem: Problem, name: str, *, target: str | None, runs: int, seed: int, **settings: Any
) -> list[TargetEnvironment]:
    """An environment for each run."""
    for option, names in _USED_BY.items():
        if settings[option] is not None and name not in names:
            raise InvalidValueError(f"--{option} does not apply to {name}, only to {listed(names)}.")
    given = {"width": problem.scale / 2} | {key: value for key, value in settings.items() if value is not None}
    if target is None:
        truths = draw_targets(problem, runs=runs, seed=seed)
        return [environments.build(name, problem, truth, **given) for truth in truths]
    return [environments.build(name, problem, find_target(problem, target), **given)] * check_count("runs", runs)


def _declared_sigma(problem: Problem, name: str, sigma: float | None, width: float | None) -> float | None:
    """What learners are told of the noise; of an adversary's errors only their size is known."""
    if sigma is not None or name not in _ADVERSARIES:
        return sigma
    return problem.scale if name == "simulated-samples" else min(problem.scale, width or problem.scale / 2)


def sensible_learners(problem: Problem) -> Sequence[str]:
    """The learners that play where none are named."""
    is_large = problem.rho.size > _LARGE_TABLE
    return [name for name in CATALOG if not (is_large and name == "information-directed")]


def _describe(comparison: Comparison, source: str, environment: str, figure: Path | None) -> None:
    task, problem = comparison.task, comparison.problem
    truths = {str(keeper.target) for keeper in comparison.environments}
    level = "the best value of each run's target" if task.alpha is None else f"alpha = {task.alpha}"
    words = (
        f"{source}, {problem.n_queries:,} queries x {problem.n_targets:,} targets. Noise model: {environment}; "
        f"learners are told sigma = {short(task.sigma)}. {counted(comparison.n_runs, 'run')} of "
        f"{counted(comparison.horizon, 'query', 'queries')}, seed {comparison.seed}, "
        f"{f'target {truths.pop()}' if len(truths) == 1 else 'one target drawn per run'}. Regret is measured against "
        f"{level}; a bad query falls short of it by more than {task.epsilon:g}."
    )
    show(words, Padding(regret_table(comparison), (1, 0, 0, 0)))
    notes = [told_in_words(comparison), _ADVERSE if environment in _ADVERSARIES else ""]
    if any(notes):
        show("", *filter(None, notes))
    if figure is not None:
        show(f"\nFigure: {figure}")
