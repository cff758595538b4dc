"""`warmer report`: one self-contained page about a problem."""

import shlex
from typing import Any

from warmer.analysis import Goal, analyse_problem
from warmer.cli.budget import budget_form
from warmer.cli.console import doing, show, show_json
from warmer.cli.options import (
    AsJSON,
    Delta,
    Epsilon,
    Horizon,
    Level,
    Noise,
    PagePath,
    Runs,
    Seed,
    Source,
    Square,
    TimeLimit,
)
from warmer.cli.problem_argument import find_problem
from warmer.report.text import counted

__all__ = ["report"]


def report(
    problem: Source,
    output: PagePath,
    alpha: Level = None,
    epsilon: Epsilon = None,
    delta: Delta = 0.05,
    sigma: Noise = None,
    runs: Runs = 20,
    horizon: Horizon = 1000,
    seed: Seed = 0,
    time_limit: TimeLimit = 60.0,
    square: Square = None,
    as_json: AsJSON = False,
) -> None:
    """Write one self-contained HTML page: complexity, budget, regret, and which targets are hard to tell apart.

    It needs no network and no scripts. The time limit is for the complexity measures; simulation comes on top.
    """
    from warmer.report import check_page_path, report_page, save_page

    check_page_path(output)
    table = find_problem(problem, square)
    accuracy = table.scale / 10 if epsilon is None else epsilon
    goal = Goal(accuracy, delta, table.sigma(sigma), alpha)
    with doing() as tell:
        dossier = analyse_problem(table, goal, runs=runs, horizon=horizon, seed=seed, time_limit=time_limit, tell=tell)
        tell("figures")
        goal = dossier.goal
        options = {
            "--epsilon": goal.epsilon,
            "--delta": goal.delta,
            "--sigma": dossier.budget.declared_sigma,
            "--alpha": goal.alpha,
            "--runs": runs,
            "--horizon": horizon,
            "--seed": seed,
            "--time-limit": time_limit,
        }
        if square is not None:
            options["--square" if square else "--table"] = ""
        page = report_page(dossier, source=problem, made_by=_made_by(problem, options))
    save_page(page, output)
    size = f"{len(page.encode()) / 1024:,.0f} kB"
    if as_json:
        measures = [row._asdict() for row in dossier.complexity.rows()]
        show_json({"source": problem, "page": output, "measures": measures, "budget": budget_form(dossier.budget)})
    else:
        learners, proofs = len(dossier.comparison.outcomes), dossier.budget.trials.n_runs
        played = f"{counted(learners, 'learner')}, {counted(proofs, 'run')} to a proof"
        show(f"{output}: {size}, nothing else needed to read it. {played}.")


def _made_by(source: str, options: dict[str, Any]) -> str:
    from warmer import __version__

    words = " ".join(f"{name} {value}".rstrip() for name, value in options.items() if value is not None)
    return (
        f"Made by warmer {__version__}: warmer report {shlex.quote(source)} {words}. The same command plays the same "
        "games again. A dimension that the time limit left open may be closed further on a faster machine, and what "
        "the theorems say changes with it."
    )
