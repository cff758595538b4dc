"""`warmer report`: one self-contained page about a problem."""

import shlex
from typing import Any

from warmer import report as pages
from warmer.analysis import analyse_problem
from warmer.cli import options
from warmer.cli.commands.budget import budget_form
from warmer.cli.console import doing, show_result, written
from warmer.cli.goal_argument import find_task
from warmer.cli.problem_argument import find_problem
from warmer.cli.timing import command_clock
from warmer.report.budget_text import unreached_in_words

_DRAWING = 3.0
"""Seconds that the last run and drawing take; a quarter of a time limit at least is left for the rest."""


def report(
    problem: options.Source,
    output: options.PagePath,
    goal: options.GoalName = None,
    noise: options.NoiseName = None,
    alpha: options.Alpha = None,
    epsilon: options.Epsilon = None,
    delta: options.Delta = 0.05,
    sigma: options.Sigma = None,
    runs: options.Runs = 20,
    horizon: options.Horizon = 1000,
    seed: options.Seed = 0,
    time_limit: options.TimeLimit = 60.0,
    square: options.Square = None,
    reward_range: options.RewardRange = None,
    as_json: options.AsJSON = False,
) -> None:
    """Write a self-contained HTML page about a problem.

    Its parts: complexity, budget, evidence, regret of learners, and which targets are hard to tell apart. The page
    needs no network and no scripts. What the time limit leaves out is named on the page.
    """
    clock = command_clock(time_limit)
    table = find_problem(problem, square, reward_range)
    task = find_task(table, goal=goal, noise=noise, epsilon=epsilon, delta=delta, sigma=sigma, alpha=alpha)
    with doing() as tell:
        share = None if clock.left is None else clock.share(max(0.25, 1 - _DRAWING / max(clock.left, _DRAWING)))
        found = analyse_problem(table, task, runs=runs, horizon=horizon, seed=seed, time_limit=share, tell=tell)
        tell("figures")
        task = found.task
        given = {
            "--goal": goal,
            "--noise": noise,
            "--epsilon": None if str(goal).startswith("best-query") else task.exact_epsilon,
            "--delta": task.delta,
            "--sigma": sigma,
            "--alpha": task.alpha,
            "--runs": runs,
            "--horizon": horizon,
            "--seed": seed,
            "--time-limit": time_limit,
        }
        if square is not None:
            given["--square" if square else "--table"] = ""
        if reward_range is not None:
            given["--reward-range"] = f"{reward_range[0]!r} {reward_range[1]!r}"
        page = pages.report_page(found, source=problem, made_by=_made_by(problem, given))
    pages.save_page(page, output)
    form = {
        "source": problem,
        "page": output,
        "measures": [row._asdict() for row in found.complexity.rows()],
        "budget": budget_form(found.budget),
        "not_computed": found.unreached,
    }
    missing = [unreached_in_words(found.unreached)] if found.unreached else []
    show_result(as_json, form, written(page, output), *missing)


def _made_by(source: str, given: dict[str, Any]) -> str:
    from warmer import __version__

    words = " ".join(f"{name} {value}".rstrip() for name, value in given.items() if value is not None)
    return (
        f"Made by warmer {__version__}: warmer report {shlex.quote(source)} {words}. The same command repeats the same "
        "simulations. Only what the time limit cut short may differ."
    )
