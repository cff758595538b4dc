"""`warmer simulate`: learners by name at a problem of the catalogue or of a file."""

from collections.abc import Sequence
from pathlib import Path

from rich.padding import Padding

from warmer import environments
from warmer.analysis import Comparison, Rules, compare, draw_targets
from warmer.cli.console import progress, show, show_json
from warmer.cli.figures import check_figure, write_regret
from warmer.cli.json_output import comparison_form
from warmer.cli.options import (
    Alpha,
    AsJSON,
    Delta,
    Epsilon,
    FigurePath,
    Horizon,
    LearnerNames,
    NoiseName,
    RewardRange,
    Runs,
    SampleSize,
    Seed,
    Sigma,
    Source,
    Square,
    TargetLabel,
    Width,
)
from warmer.cli.problem_argument import find_problem, find_target
from warmer.cli.tables import regret_table
from warmer.environments import TargetEnvironment
from warmer.learners import CATALOG
from warmer.model import Problem
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError
from warmer.report.text import counted, short

__all__ = ["sensible_learners", "simulate"]

_USES_WIDTH = ("uniform", "gaussian")
_USES_N = ("mean",)

_LARGE_TABLE = 200_000
"""Entries above which `information-directed`, which reads the whole table at every ask, plays only if named."""


def simulate(
    problem: Source,
    learner: LearnerNames = None,
    environment: NoiseName = "uniform",
    target: TargetLabel = None,
    width: Width = None,
    n: SampleSize = None,
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
    """Let learners play at a problem, and print what they lost.

    Without --learner all of them play, but information-directed only where the table has at most 200,000 entries.
    Regret is the sum over asks of alpha less the expected reward; an ask is bad if it falls short by more than epsilon.
    """
    table = find_problem(problem, square, reward_range)
    keepers = _keepers(table, environment, target=target, width=width, n=n, runs=runs, seed=seed)
    accuracy = table.scale / 10 if epsilon is None else epsilon
    rules = Rules(horizon=horizon, seed=seed, epsilon=accuracy, delta=delta, alpha=alpha, sigma=sigma)
    names = list(dict.fromkeys(learner or sensible_learners(table)))
    check_figure(figure)
    with progress("playing", total=len(names) * runs * horizon) as advance:
        comparison = compare(keepers, names, rules, progress=advance)
    write_regret(figure, comparison)
    if as_json:
        show_json({"source": problem, **comparison_form(comparison), "figure": figure})
    else:
        _describe(comparison, problem, environment, figure)


def _keepers(
    problem: Problem, name: str, *, target: str | None, width: float | None, n: int | None, runs: int, seed: int
) -> list[TargetEnvironment]:
    """An environment for each run."""
    if width is not None and name in environments.CATALOG and name not in _USES_WIDTH:
        raise InvalidValueError(f"--width has no meaning for {name}; it is for {' and '.join(_USES_WIDTH)}.")
    if n is not None and name in environments.CATALOG and name not in _USES_N:
        raise InvalidValueError(f"--n has no meaning for {name}; it is for {' and '.join(_USES_N)}.")
    wide, many = problem.scale / 2 if width is None else width, 10 if n is None else n
    if target is None:
        truths = draw_targets(problem, runs=runs, seed=seed)
        return [environments.build(name, problem, truth, width=wide, n=many) for truth in truths]
    keeper = environments.build(name, problem, find_target(problem, target), width=wide, n=many)
    return [keeper] * check_count("runs", runs)


def sensible_learners(problem: Problem) -> Sequence[str]:
    """The learners that play where none are named."""
    is_large = problem.rho.size > _LARGE_TABLE
    return [name for name in CATALOG if not (is_large and name == "information-directed")]


def _describe(comparison: Comparison, source: str, environment: str, figure: Path | None) -> None:
    rules, problem = comparison.rules, comparison.problem
    truths = {str(keeper.target) for keeper in comparison.environments}
    level = "each target's own best value" if rules.alpha is None else f"alpha = {rules.alpha:g}"
    words = (
        f"{source}, {problem.n_queries:,} queries x {problem.n_targets:,} targets; {environment} answers, "
        f"learners told sigma = {short(comparison.sigma)}. "
        f"{counted(comparison.n_runs, 'run')} of {counted(rules.horizon, 'ask')}, seed {rules.seed}, "
        f"{f'target {truths.pop()}' if len(truths) == 1 else 'a target drawn for each run'}. "
        f"Regret against {level}; bad asks fall short by more than {rules.epsilon:g}."
    )
    show(words, Padding(regret_table(comparison), (1, 0, 0, 0)))
    if figure is not None:
        show(f"\nFigure: {figure}")
