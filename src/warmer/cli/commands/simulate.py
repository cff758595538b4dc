"""`warmer simulate`: learners compared on a problem of the catalogue or of a file, or on a family."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from warmer import environments, report
from warmer.analysis import Comparison, Task, compare, draw_targets, simulated_evidence
from warmer.analysis.problem_report import quick_learners
from warmer.certification.noise import BoundedNoise, Coin, Gaussian, SubGaussian
from warmer.cli import options
from warmer.cli.console import progress
from warmer.cli.families import FAMILIES, Draw, build_family
from warmer.cli.json_output import comparison_form
from warmer.cli.problem_argument import ADVERSARIES, find_problem, find_target, noise_settings
from warmer.cli.tables import proof_table, regret_table, size_of
from warmer.cli.theorems import check_lemma, check_plan, lemma_in_words
from warmer.cli.verbs import Decided, GivenTask
from warmer.environments import TargetEnvironment
from warmer.learners import CATALOG
from warmer.model import Problem
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError
from warmer.model.words import certainty
from warmer.report.task_text import decided_in_words, declared_in_words
from warmer.report.text import counted, told_in_words

_ADVERSE = "The errors of an adversary are not noise: confidence sets and guarantees of the learners need not hold."

_SIMULATED = {Gaussian: "gaussian", SubGaussian: "gaussian", BoundedNoise: "uniform", Coin: "coin"}
"""How answers are simulated that are declared to be such."""
_PER_DEVIATION = {"gaussian": 1.0, "uniform": math.sqrt(3)}
"""The width of noise whose deviation is 1."""

_SIZES = {"gaussian": " with sigma = {}, cut off symmetrically within the reward range", "uniform": " within {}"}

_NEED_DIMENSION = ("pac-theorem", "exact-pac")
_FOR_FAMILIES = ("least-squares", "optimistic", "pac")


def simulate(
    problem: options.SourceOrFamily,
    decided: Decided,
    learner: options.LearnerNames = None,
    environment: options.EnvironmentName = None,
    target: options.TargetLabel = None,
    width: options.Width = None,
    n: options.SampleSize = None,
    strategy: options.StrategyName = None,
    horizon: options.Horizon = 1000,
    runs: options.Runs = 20,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    engine: options.Engine = "cpu",
    check: options.CheckLemmas = False,
    square: options.Square = None,
    reward_range: options.RewardRange = None,
    figure: options.FigurePath = None,
    evidence_figure: options.EvidencePath = None,
) -> Any:
    """Compare learners on a problem by simulation.

    Without --learner all are compared except for pac-theorem and exact-pac, which need the exact dimension, and
    information-directed on a table of more than 200,000 entries; on a family least-squares, optimistic and pac. Regret
    is the sum over queries of alpha minus the expected reward; a query is bad if it falls short of alpha by more than
    epsilon. With --goal also how many answers each learner needs until the goal is certified, and how many certificates
    are wrong. Ctrl-C ends with what is finished.
    """
    is_family = problem.partition(":")[0] in FAMILIES
    table, draw = build_family(problem) if is_family else (find_problem(problem, square, reward_range), None)
    environment, width = _as_declared(decided.on(table), decided, environment, width)
    played = _environments(
        table, draw, environment, target=target, runs=runs, seed=seed, width=width, n=n, strategy=strategy
    )
    if decided.resolution is not None:
        played = [_rounded(each, decided.resolution) for each in played]
    task = decided.on(table, sigma=_declared_sigma(table, environment, decided.sigma, width))
    names = list(dict.fromkeys(learner or sensible_learners(table)))
    if evidence_figure is not None and is_family:
        raise InvalidValueError("--evidence-figure needs a table of candidates; a continuous family has none.")
    if check and is_family:
        raise InvalidValueError("--check-lemmas needs the exact dimension of a table; a family has none.")
    for name in set(names) & set(_NEED_DIMENSION):
        check_plan(name, played[0], task, horizon=horizon)
    with progress("simulating", total=len(names) * runs * horizon) as advance:
        how: Any = {"with_proofs": decided.goal is not None, "jobs": jobs, "engine": engine, "progress": advance}
        comparison = compare(played, names, task, horizon=horizon, seed=seed, **how)
    if figure is not None:
        report.save(report.plot_regret(comparison), figure)
    if evidence_figure is not None:
        report.save(
            report.plot_evidence(simulated_evidence(played[0], names[0], comparison.task, horizon=horizon, seed=seed)),
            evidence_figure,
        )
    lemmas = [check_lemma(comparison, each.learner) for each in comparison.outcomes if check]
    figures = {"figure": figure, "evidence_figure": evidence_figure}
    form = {"source": problem, **comparison_form(comparison), **figures, **({"lemmas": lemmas} if check else {})}
    proofs = (f"\n{lemma_in_words(lemma)}" for lemma in lemmas)
    written = (f"\nFigure: {path}" for path in figures.values() if path is not None)
    return form, *_described(comparison, problem, environment, width), *proofs, *written


def _environments(
    problem: Any, draw: Draw | None, name: str, *, target: str | None, runs: int, seed: int, **settings: Any
) -> list[TargetEnvironment]:
    """An environment for each run."""
    given = noise_settings(name, problem.scale, **settings)
    if target is not None:
        return [environments.build(name, problem, find_target(problem, target), **given)] * check_count("runs", runs)
    rng = np.random.default_rng(check_count("seed", seed, least=0))
    targets = (
        draw_targets(problem, runs=runs, seed=seed)
        if draw is None
        else [draw(rng) for _ in range(check_count("runs", runs))]
    )
    return [environments.build(name, problem, each, **given) for each in targets]


def _rounded(environment: TargetEnvironment, resolution: float) -> TargetEnvironment:
    """The same answers, as an instrument of this resolution shows them."""
    if not isinstance(environment, environments.TruncatedGaussian):
        raise InvalidValueError("--resolution R rounds Gaussian answers; leave --environment out, or say gaussian.")
    truth = environment.problem, environment.target
    return environments.RoundedGaussian(*truth, sigma=environment.sigma, resolution=resolution)


def _as_declared(task: Task, given: GivenTask, name: str | None, width: float | None) -> tuple[str, float | None]:
    """How answers are simulated: as --noise declares them, with the deviation --sigma, where nothing else is said."""
    if given.noise is None:
        return name or "uniform", width
    declared = task.noise
    if name is None:
        name = next((name for kind, name in _SIMULATED.items() if isinstance(declared, kind)), "uniform")
        if isinstance(declared, BoundedNoise) and given.sigma is None and width is None:
            return name, float(declared.width)
        if isinstance(declared, SubGaussian) and given.sigma is None and width is None:
            return name, task.sigma
    if given.sigma is None:
        return name, width
    if width is not None:
        raise InvalidValueError("beside --noise, --sigma and --width both say how large the noise is; give one.")
    if name not in _PER_DEVIATION:
        raise InvalidValueError(
            f"beside --noise, --sigma is the deviation of simulated answers, and {name} has its own; leave --sigma "
            f"out, or choose --environment {' or '.join(_PER_DEVIATION)}."
        )
    return name, _PER_DEVIATION[name] * given.sigma


def _declared_sigma(problem: Any, name: str, sigma: float | None, width: float | None) -> float | None:
    """What learners are told of the noise; of an adversary's errors only their size is known."""
    if sigma is not None or name not in ADVERSARIES:
        return sigma
    largest = float(problem.scale)
    return largest if name == "simulated-samples" else min(largest, width or largest / 2)


def sensible_learners(problem: Any) -> Sequence[str]:
    """The learners that are compared where none are named."""
    if not isinstance(problem, Problem):
        return _FOR_FAMILIES
    return quick_learners([name for name in CATALOG if name not in _NEED_DIMENSION], problem)


def _described(comparison: Comparison, source: str, environment: str, width: float | None) -> Iterator[Any]:
    task = comparison.task
    truths = {str(each.target) for each in comparison.environments}
    size = float(comparison.problem.scale) / 2 if width is None else width
    simulated = environment + _SIZES.get(environment, "").format(f"{size:.6g}")
    level = "the best value of each run's target" if task.alpha is None else f"alpha = {task.alpha}"
    words = (
        f"{source}, {size_of(comparison.problem)}. Noise model: {simulated}; "
        f"learners are told sigma = {task.sigma:.6g}. {counted(comparison.n_runs, 'run')} of "
        f"{counted(comparison.horizon, 'query', 'queries')}, seed {comparison.seed}, "
        f"{f'target {truths.pop()}' if len(truths) == 1 else 'one target drawn per run'}. Regret is measured against "
        f"{level}; a bad query falls short of it by more than {task.epsilon:g}."
    )
    if any(outcome.proofs for outcome in comparison.outcomes):
        decided = decided_in_words(task, tolerance=getattr(comparison.problem, "tolerance", 0.0) or 0.0)
        words += f" Goal: {decided}, with probability {certainty(task.delta)}; {declared_in_words(task)}."
        yield from (words, "", proof_table(comparison))
    else:
        yield from (words, "", regret_table(comparison))
    notes = [
        f"* {told}" if (told := told_in_words(comparison)) else "",
        _ADVERSE if environment in ADVERSARIES else "",
        "Interrupted: learners and runs that were not finished are left out." if comparison.is_interrupted else "",
    ]
    if any(notes):
        yield from ("", *filter(None, notes))
