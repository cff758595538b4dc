"""`warmer budget`: how many queries a goal will take, in four ways."""

from typing import Any

from rich.padding import Padding

from warmer.analysis import Budget, Goal
from warmer.analysis import budget as reckon
from warmer.cli.console import progress, show, show_json
from warmer.cli.edits import changed
from warmer.cli.json_output import interval_form, problem_form
from warmer.cli.options import (
    Accuracy,
    Added,
    AsJSON,
    Delta,
    Dropped,
    Level,
    Noise,
    Player,
    Seed,
    Source,
    Square,
    TimeLimit,
    Truncation,
    TruthRuns,
)
from warmer.cli.problem_argument import find_problem
from warmer.cli.tables import new_table
from warmer.model import Problem
from warmer.report.budget_text import budget_rows, noise_in_words, trials_in_words, which_to_believe

__all__ = ["budget", "budget_form"]


def budget(
    problem: Source,
    epsilon: Accuracy,
    delta: Delta = 0.05,
    sigma: Noise = None,
    alpha: Level = None,
    learner: Player = "elimination",
    runs: TruthRuns = 10,
    horizon: Truncation = 10_000,
    seed: Seed = 0,
    drop: Dropped = None,
    add: Added = None,
    time_limit: TimeLimit = 60.0,
    square: Square = None,
    as_json: AsJSON = False,
) -> None:
    """Say how many queries it will take to find an answer within epsilon of the best.

    Side by side: what theorems promise, what simulation shows with each candidate in turn as the truth, and what no
    method can beat. With --drop and --add also for the problem that would then be left; first all files are added, then
    all labels dropped.
    """
    table = find_problem(problem, square)
    other = changed(table, add=add or [], drop=drop or []) if add or drop else None
    tables = [table] if other is None else [table, other]
    goal = Goal(epsilon, delta, table.sigma(sigma), alpha)
    with progress("each candidate as the truth", total=sum(min(200, each.n_targets) for each in tables) * runs) as step:
        found = [
            reckon(
                each,
                goal,
                learner=learner,
                runs=runs,
                horizon=horizon,
                seed=seed,
                time_limit=time_limit,
                progress=step,
            )
            for each in tables
        ]
    if as_json:
        form = {"source": problem, **budget_form(found[0])}
        show_json(form if other is None else {**form, "changed": budget_form(found[1])})
    else:
        _describe(problem, found)


def budget_form(found: Budget) -> dict[str, Any]:
    """The numbers as JSON has them; null for what the horizon cut off and for a bound that is not known."""
    goal, trials, hardest = found.goal, found.trials, found.hardest
    return {
        "problem": problem_form(found.problem),
        "epsilon": goal.epsilon,
        "delta": goal.delta,
        "sigma": goal.sigma,
        "declared_sigma": found.declared_sigma,
        "alpha": None if goal.alpha is None else str(goal.alpha),
        "algorithm": found.algorithm,
        "dimension": found.dimension._asdict(),
        "theorem": {"queries": found.theorem.n_queries, **found.theorem._asdict()},
        "anytime": {"queries": found.anytime.n_queries, **found.anytime._asdict()},
        "in_turn": {"queries": found.in_turn},
        "simulation": {
            "learner": trials.learner,
            "horizon": trials.horizon,
            "candidates": trials.n_candidates,
            "truths": len(trials.truths),
            "runs": trials.n_runs,
            "proven": trials.n_proven,
            "right": interval_form(trials.right),
            "median": trials.quantile(0.5),
            "quantile_95": trials.quantile(0.95),
            "hardest": trials.hardest._asdict(),
        },
        "lower_bound": None if hardest is None else hardest._asdict(),
    }


def _describe(source: str, found: list[Budget]) -> None:
    first, last = found[0], found[-1]
    rows = [budget_rows(each) for each in found]
    show(_goal_in_words(source, first))
    if len(found) == 1:
        table = new_table("how many", "queries", "what it says")
        table.columns[1].justify, table.columns[1].no_wrap = "right", True
        for row in rows[0]:
            table.add_row(*row)
    else:
        table = new_table("how many", "as it is", "changed", numbers=2)
        for before, after in zip(*rows, strict=True):
            table.add_row(before[0], before[1], after[1])
        show(f"\nChanged: {_size(last.problem)}.")
    show(Padding(table, (1, 0, 1, 0)), trials_in_words(first.trials), "", which_to_believe(first.trials))


def _goal_in_words(source: str, found: Budget) -> str:
    goal, dimension = found.goal, found.dimension
    best = "the best" if goal.alpha is None else f"alpha = {goal.alpha}"
    ends = f"{dimension.upper}" if dimension.lower == dimension.upper else f"at most {dimension.upper}"
    return (
        f"{source}, {_size(found.problem)}: a query within {goal.epsilon:g} of {best}, with probability "
        f"{1 - goal.delta:g}, from answers with noise {noise_in_words(found)}. The theorems are for {found.algorithm} "
        f"with dimension {ends}."
    )


def _size(problem: Problem) -> str:
    return f"{problem.n_queries:,} queries x {problem.n_targets:,} targets"
