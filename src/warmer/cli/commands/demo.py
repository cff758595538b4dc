"""`warmer demo`: hot and cold on a map, with learners that know the candidates and others that do not."""

import math
from pathlib import Path
from typing import Any

from warmer import report
from warmer.analysis import Comparison, Task, compare, draw_targets
from warmer.analysis.problem_report import LEARNERS
from warmer.cli.console import progress
from warmer.cli.json_output import comparison_form
from warmer.cli.options import FigurePath, Horizon, Runs, Seed
from warmer.cli.tables import regret_table
from warmer.environments import UniformNoise
from warmer.problems import treasure
from warmer.report.text import counted, listed, short

_LEARNERS = tuple(name for name in LEARNERS if name != "optimistic-paper")
_PICTURED = "least-squares"
_WIDTH = 0.5


def demo(seed: Seed = 0, horizon: Horizon = 500, runs: Runs = 20, figure: FigurePath = Path("warmer-demo.png")) -> Any:
    """Find a treasure on a map by asking "how warm am I?".

    Compares eight learners on the map, says what happened, and draws it. Takes about ten seconds.
    """
    comparison = _play(seed=seed, horizon=horizon, runs=runs)
    if comparison.is_interrupted:
        raise KeyboardInterrupt  # a story needs its end
    if figure is not None:
        _draw(comparison, figure)
    told = story(comparison)
    form = {**comparison_form(comparison), "story": told, "figure": figure}
    return form, scene(comparison, width=_WIDTH), "", regret_table(comparison), "", *told, f"\nFigure: {figure}"


def scene(comparison: Comparison, *, width: float) -> str:
    """The rules of the game."""
    problem, task = comparison.problem, comparison.task
    return (
        f"A treasure lies in one of {problem.n_queries} places, {problem.queries[0]} to {problem.queries[-1]}. A query "
        f"names a place, and the answer says how warm it is, within {width:g}: 1 on the spot, 0 three steps away, "
        f"towards -1 beyond. Each learner has {counted(comparison.n_runs, 'run')} of "
        f"{counted(comparison.horizon, 'query', 'queries')}. Regret is the warmth missed in a run; a bad query misses "
        f"more than {task.epsilon:g}; half of the runs were certified after the number of queries shown."
    )


def story(comparison: Comparison) -> list[str]:
    """Three to five sentences."""
    sentences = [_extremes(comparison), _ties(comparison), _blind(comparison), _speed(comparison), _trust(comparison)]
    return [sentence for sentence in sentences if sentence]


def _play(*, seed: int, horizon: int, runs: int) -> Comparison:
    problem = treasure()
    environments = [
        UniformNoise(problem, target, width=_WIDTH) for target in draw_targets(problem, runs=runs, seed=seed)
    ]
    with progress("simulating", total=len(_LEARNERS) * runs * horizon) as advance:
        return compare(
            environments, _LEARNERS, Task(epsilon=0.1), horizon=horizon, seed=seed, with_proofs=True, progress=advance
        )


def _draw(comparison: Comparison, figure: Path) -> None:
    """The first run up to its certificate, or as a whole where there was none."""
    outcome, environment = comparison[_PICTURED], comparison.environments[0]
    proof = outcome.proofs[0]
    if proof is None:
        n_queries, ending = len(outcome.example), f"{environment.target} not yet certified"
    else:
        place = comparison.task.goal.answers(environment.problem).names[proof.answer]
        n_queries, ending = proof.n_answers, f"{place} certified after {proof.n_answers} queries"
    run = report.treasure_run(environment, outcome.example[:n_queries])
    report.save(report.plot_treasure(run, comparison, title=f"{_PICTURED}: {ending}"), figure)


def _extremes(comparison: Comparison) -> str:
    first, last = comparison.ranking[0], comparison.ranking[-1]
    low, high = first.regret.estimate, last.regret.estimate
    times = f", {high / low:,.0f} times as much" if low > 0 else ""
    least = f"{first.learner} has the least regret, {short(low)} per run"
    return f"{least}, and {last.learner} the most, {short(high)}{times}."


def _ties(comparison: Comparison) -> str:
    first, *others = comparison.ranking
    near = [outcome.learner for outcome in others if outcome.regret.low <= first.regret.high]
    return f"Its interval overlaps that of {listed(near)}: these runs alone do not rank them." if near else ""


def _blind(comparison: Comparison) -> str:
    n_places, missed = comparison.problem.n_queries, comparison["ucb1"].regret.estimate
    return (
        f"ucb1 does not know that neighbouring places are alike: it tries all {n_places} before it repeats one, and "
        f"has a regret of {short(missed)}."
    )


def _speed(comparison: Comparison) -> str:
    task = comparison.task
    answer = f"an answer within {task.epsilon:g} of the best, with probability {1 - task.delta:.0%}"
    fewest = min((outcome.answers_for(0.5) or math.inf for outcome in comparison.outcomes), default=math.inf)
    if math.isinf(fewest):
        return f"No learner certified {answer}, in half of its runs."
    soonest = [outcome.learner for outcome in comparison.ranking if outcome.answers_for(0.5) == fewest]
    random = comparison["uniform"]
    needed, certified = random.answers_for(0.5), f"certified {random.n_proven} of {comparison.n_runs} runs"
    return (
        f"{listed(soonest)} needed the fewest queries to certify {answer}: {fewest} in half of the runs; random "
        f"queries {certified if needed is None else f'needed {needed}'}."
    )


def _trust(comparison: Comparison) -> str:
    made = sum(outcome.n_proven for outcome in comparison.outcomes)
    wrong = sum(outcome.n_wrong_proofs for outcome in comparison.outcomes)
    if not made:
        return ""
    if wrong:
        return f"{wrong} of {counted(made, 'certificate')} turned out wrong."
    return f"All {made} certificates were right." if made > 1 else "The one certificate was right."
