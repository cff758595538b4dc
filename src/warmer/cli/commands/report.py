"""`warmer report`: one self-contained page about a problem."""

import shlex
from typing import Any

from warmer import report as pages
from warmer.analysis import analyse_problem
from warmer.cli import options
from warmer.cli.commands.budget import budget_form
from warmer.cli.console import command_clock, doing, written
from warmer.cli.verbs import Decided, Given
from warmer.report.budget_text import unreached_in_words

_DRAWING = 3.0
"""Seconds that the last run and drawing take; a quarter of a time limit at least is left for the rest."""


def report(
    given: Given,
    output: options.PagePath,
    decided: Decided,
    runs: options.Runs = 20,
    horizon: options.Horizon = 1000,
    seed: options.Seed = 0,
    time_limit: options.TimeLimit = 60.0,
) -> Any:
    """Write a self-contained HTML page about a problem.

    Its parts: complexity, budget, evidence, regret of learners, and which targets are hard to tell apart. The page
    needs no network and no scripts. What the time limit leaves out is named on the page.
    """
    clock = command_clock(time_limit)
    task = decided.on(given.table)
    with doing() as tell:
        share = None if clock.left is None else clock.share(max(0.25, 1 - _DRAWING / max(clock.left, _DRAWING)))
        found = analyse_problem(given.table, task, runs=runs, horizon=horizon, seed=seed, time_limit=share, tell=tell)
        tell("figures")
        words = {
            "--goal": decided.goal,
            "--noise": decided.noise,
            "--epsilon": None if str(decided.goal).startswith("best-query") else task.exact_epsilon,
            "--delta": task.delta,
            "--sigma": decided.sigma,
            "--resolution": decided.resolution,
            "--alpha": found.task.alpha,
            "--runs": runs,
            "--horizon": horizon,
            "--seed": seed,
            "--time-limit": time_limit,
            "--square" if given.square else "--table": None if given.square is None else "",
            "--reward-range": given.reward_range and "{!r} {!r}".format(*given.reward_range),
        }
        page = pages.report_page(found, source=given.problem, made_by=_made_by(given.problem, words))
    pages.save_page(page, output)
    form = {
        "source": given.problem,
        "page": output,
        "measures": [row._asdict() for row in found.complexity.rows()],
        "budget": budget_form(found.budget),
        "not_computed": found.unreached,
    }
    missing = [unreached_in_words(found.unreached)] if found.unreached else []
    return form, written(page, output), *missing


def _made_by(source: str, given: dict[str, Any]) -> str:
    from warmer import __version__

    words = " ".join(f"{name} {value}".rstrip() for name, value in given.items() if value is not None)
    return (
        f"Made by warmer {__version__}: warmer report {shlex.quote(source)} {words}. The same command repeats the same "
        "simulations. Only what the time limit cut short may differ."
    )
