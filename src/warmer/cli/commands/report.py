"""`warmer report`: one self-contained page about a problem."""

import shlex
from typing import Any

from warmer import report as pages
from warmer.analysis import analyse_problem
from warmer.cli.commands.budget import budget_form
from warmer.cli.console import doing, show, show_json
from warmer.cli.goal_argument import find_task
from warmer.cli.options import (
    Alpha,
    AsJSON,
    Delta,
    Epsilon,
    GoalName,
    Horizon,
    NoiseName,
    PagePath,
    RewardRange,
    Runs,
    Seed,
    Sigma,
    Source,
    Square,
    TimeLimit,
)
from warmer.cli.problem_argument import find_problem


def report(
    problem: Source,
    output: PagePath,
    goal: GoalName = None,
    noise: NoiseName = None,
    alpha: Alpha = None,
    epsilon: Epsilon = None,
    delta: Delta = 0.05,
    sigma: Sigma = None,
    runs: Runs = 20,
    horizon: Horizon = 1000,
    seed: Seed = 0,
    time_limit: TimeLimit = 60.0,
    square: Square = None,
    reward_range: RewardRange = None,
    as_json: AsJSON = False,
) -> None:
    """Write a self-contained HTML page about a problem.

    Its parts: complexity, budget, evidence, regret of learners, and which targets are hard to tell apart. The page
    needs no network and no scripts. The time limit is for the complexity measures; simulation takes extra time.
    """
    table = find_problem(problem, square, reward_range)
    task = find_task(table, goal=goal, noise=noise, epsilon=epsilon, delta=delta, sigma=sigma, alpha=alpha)
    with doing() as tell:
        found = analyse_problem(table, task, runs=runs, horizon=horizon, seed=seed, time_limit=time_limit, tell=tell)
        tell("figures")
        task = found.task
        options = {
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
            options["--square" if square else "--table"] = ""
        if reward_range is not None:
            options["--reward-range"] = f"{reward_range[0]!r} {reward_range[1]!r}"
        page = pages.report_page(found, source=problem, made_by=_made_by(problem, options))
    pages.save_page(page, output)
    if as_json:
        measures = [row._asdict() for row in found.complexity.rows()]
        show_json({"source": problem, "page": output, "measures": measures, "budget": budget_form(found.budget)})
    else:
        show(f"Wrote {output} ({len(page.encode()) / 1024:,.0f} kB, self-contained)")


def _made_by(source: str, options: dict[str, Any]) -> str:
    from warmer import __version__

    words = " ".join(f"{name} {value}".rstrip() for name, value in options.items() if value is not None)
    return (
        f"Made by warmer {__version__}: warmer report {shlex.quote(source)} {words}. The same command repeats the same "
        "simulations. Only bounds that the time limit left open, and the theorem rows that use them, may differ."
    )
