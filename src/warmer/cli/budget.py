"""`warmer budget`: how many queries a goal will take, in four ways."""

from typing import Any

from rich.padding import Padding

from warmer.analysis import Budget, Goal, Trials
from warmer.analysis import budget as reckon
from warmer.cli.changes import changed
from warmer.cli.forms import interval_form, problem_form
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
from warmer.cli.screen import progress, show, show_json
from warmer.cli.sources import find_problem
from warmer.cli.tables import counted, new_table
from warmer.model import Problem

__all__ = ["budget", "budget_form", "budget_rows", "which_to_believe"]


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


def budget_rows(found: Budget) -> list[tuple[str, str, str]]:
    """What each number is called, the number, and what it says."""
    trials, lower = found.trials, found.lower_bound
    return [
        ("theorem", f"{found.theorem.n_queries:,}", "enough: Algorithm 2 with the paper's constants"),
        ("anytime theorem", f"{found.anytime.n_queries:,}", "enough: the same proof with sharper constants"),
        ("in turn, anytime", f"{found.in_turn:,}", "enough: ask all queries in turn until proven"),
        ("simulated, half", _at(trials, 0.5), f"half of {counted(trials.n_runs, 'run')} had their proof by then"),
        ("simulated, 95%", _at(trials, 0.95), "and so had 95% of them"),
        ("lower bound", "none known" if lower is None else f"{lower:,}", _beaten_by_none(found)),
    ]


def which_to_believe(found: Budget) -> str:
    """One sentence on what each number is good for."""
    return (
        "Plan with the simulated 95%, if your candidates and noise are as you say; promise the smallest of the three "
        "that are enough, which hold for every candidate and all noise of this sigma; compare problems by the theorem, "
        "whose constants are not meant to be met; and expect nothing below the lower bound."
    )


def budget_form(found: Budget) -> dict[str, Any]:
    """The numbers as JSON has them; null for what the horizon cut off and for a bound that is not known."""
    goal, trials, dilemma = found.goal, found.trials, found.dilemma
    return {
        "problem": problem_form(found.problem),
        "epsilon": goal.epsilon,
        "delta": goal.delta,
        "sigma": goal.sigma,
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
        "lower_bound": None if dilemma is None else dilemma._asdict(),
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
    show(Padding(table, (1, 0, 1, 0)), _simulation_in_words(first.trials), "", which_to_believe(first))


def _goal_in_words(source: str, found: Budget) -> str:
    goal, dimension = found.goal, found.dimension
    best = "the best" if goal.alpha is None else f"alpha = {goal.alpha}"
    ends = f"{dimension.upper}" if dimension.lower == dimension.upper else f"at most {dimension.upper}"
    return (
        f"{source}, {_size(found.problem)}: a query within {goal.epsilon:g} of {best}, with probability "
        f"{1 - goal.delta:g}, from answers with noise sigma = {goal.sigma:g}. The theorems are for {found.algorithm} "
        f"with dimension {ends}."
    )


def _simulation_in_words(trials: Trials) -> str:
    target, median = trials.hardest
    of_all = (
        f"{len(trials.truths)} of {trials.n_candidates} candidates, drawn by the seed,"
        if trials.is_sample
        else (f"each of {counted(trials.n_candidates, 'candidate')}")
    )
    longest = f"{counted(median, 'answer')} at the median" if median is not None else "not proven in half of its runs"
    n_wrong = int(trials.is_wrong.sum())
    faults = "all proofs were right" if n_wrong == 0 else f"{n_wrong} of {trials.n_proven} proofs were wrong"
    return (
        f"Simulation: {of_all} as the truth in {counted(trials.n_runs // len(trials.truths), 'run')} of at most "
        f"{trials.horizon:,} answers with Gaussian noise, asked by {trials.learner}; {faults}. "
        f"The hardest truth is {target}: {longest}."
    )


def _beaten_by_none(found: Budget) -> str:
    dilemma = found.dilemma
    if dilemma is None:
        return "every two candidates have a good query in common"
    return f"on average, to tell {dilemma.truth} from {dilemma.rival}"


def _at(trials: Trials, share: float) -> str:
    count = trials.quantile(share)
    return f"> {trials.horizon:,}" if count is None else f"{count:,}"


def _size(problem: Problem) -> str:
    return f"{problem.n_queries:,} queries x {problem.n_targets:,} targets"
