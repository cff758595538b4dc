"""`warmer demo`: hot and cold on a map, with learners that know the candidates and others that do not."""

from pathlib import Path

from warmer import report
from warmer.analysis import Comparison, Task, compare, draw_targets
from warmer.analysis.problem_report import LEARNERS
from warmer.cli.console import progress, show_result
from warmer.cli.demo_text import scene, story
from warmer.cli.json_output import comparison_form
from warmer.cli.options import AsJSON, FigurePath, Horizon, Runs, Seed
from warmer.cli.tables import regret_table
from warmer.environments import UniformNoise
from warmer.problems import treasure

_LEARNERS = tuple(name for name in LEARNERS if name != "optimistic-paper")
_PICTURED = "least-squares"
_WIDTH = 0.5


def demo(
    seed: Seed = 0,
    horizon: Horizon = 500,
    runs: Runs = 20,
    figure: FigurePath = Path("warmer-demo.png"),
    as_json: AsJSON = False,
) -> None:
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
    table = regret_table(comparison)
    show_result(as_json, form, scene(comparison, width=_WIDTH), "", table, "", *told, f"\nFigure: {figure}")


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
        n_queries, ending = proof.n_answers, f"{proof.certificate.answer} certified after {proof.n_answers} queries"
    run = report.treasure_run(environment, outcome.example[:n_queries])
    report.save(report.plot_treasure(run, comparison, title=f"{_PICTURED}: {ending}"), figure)
