"""`warmer budget`: how many queries a goal takes."""

from collections.abc import Iterator
from typing import Any

from warmer.analysis import Budget
from warmer.analysis import budget as reckon
from warmer.analysis.budgets import LEARNERS, MOST_TRUTHS
from warmer.cli import options
from warmer.cli.console import command_clock, progress
from warmer.cli.json_output import interval_form, problem_form
from warmer.cli.problem_argument import changed
from warmer.cli.tables import new_table, size_of
from warmer.cli.verbs import Decided, Given
from warmer.learners import Plan
from warmer.report import budget_text

_TIME_LIMIT = 60.0
"""Seconds for everything where no time limit is given."""
_SEARCH_TIME = 1.0
"""Seconds that the search for the dimension then has at least."""


def budget(
    given: Given,
    decided: Decided,
    learner: options.CertifiedNames = None,
    runs: options.Runs = 3,
    truths: options.Truths = MOST_TRUTHS,
    horizon: options.Horizon = 10_000,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    engine: options.Engine = "cpu",
    drop: options.Dropped = None,
    add: options.Added = None,
    time_limit: options.TimeLimit = None,
) -> Any:
    """Estimate how many queries a goal takes.

    By default the goal is a query within epsilon of the best. Prints what theorems guarantee, what simulation shows
    with each candidate as the true target, and, for the hardest candidates and on average, how far the first learner
    is from what no method beats. By default top-two, elimination and uniform are simulated. Where nothing is declared
    about the noise and no sigma is given, answers are simulated as coins, the noisiest that the range allows. With
    --add and --drop also for the problem after the edits: first all files are added, then all labels dropped. Ctrl-C
    ends with what is known. Without --time-limit everything has 60 seconds, and the search for the dimension of the
    theorems ends with the rest, at the earliest after 1; with it, at a fifth of it.
    """
    clock = command_clock(_TIME_LIMIT if time_limit is None else time_limit)
    tables = [given.table, *([changed(given.table, add=add or [], drop=drop or [])] if add or drop else [])]
    task = decided.on(given.table)
    learners = learner or LEARNERS
    n_truths = sum(min(truths, each.n_targets) for each in tables)
    with progress("simulating each candidate", total=n_truths * runs * len(learners)) as step:
        found = [
            reckon(
                each,
                task,
                learners=learners,
                runs=runs,
                truths=truths,
                horizon=horizon,
                seed=seed,
                time_limit=clock.share(1 / (len(tables) - k)),
                search_time=_SEARCH_TIME if time_limit is None else None,
                jobs=jobs,
                engine=engine,
                progress=step,
            )
            for k, each in enumerate(tables)
        ]
    edited = {"edited": budget_form(found[1])} if found[1:] else {}
    return {"source": given.problem, **budget_form(found[0]), **edited}, *_described(given.problem, found)


def budget_form(found: Budget) -> dict[str, Any]:
    """The numbers as JSON has them; null for what the horizon cut off and for a bound that is not known."""
    task, trials, hardest, dimension = found.task, found.trials, found.hardest, found.dimension
    return {
        "problem": problem_form(found.problem),
        "epsilon": task.epsilon,
        "delta": task.delta,
        "goal": repr(task.goal),
        "noise": repr(task.noise),
        "sigma": task.sigma,
        "declared_sigma": found.declared_sigma,
        "alpha": None if task.alpha is None else str(task.alpha),
        "algorithm": found.algorithm,
        "violations": found.violations,
        "dimension": None if dimension is None else {"lower": dimension.lower, "upper": dimension.upper},
        "theorem": _plan_form(found.theorem),
        "anytime": _plan_form(found.anytime),
        "round_robin": None if found.round_robin is None else {"queries": found.round_robin},
        "simulation": {
            "learner": trials.learner,
            "noise": trials.noise,
            "horizon": trials.horizon,
            "candidates": trials.n_candidates,
            "truths": len(trials.truths),
            "runs": trials.n_runs,
            "certified": trials.n_proven,
            "right": interval_form(trials.right),
            "median": trials.quantile(0.5),
            "quantile_95": trials.quantile(0.95),
            "hardest": trials.hardest._asdict(),
        },
        "limit_is_exact": found.limits.is_exact,
        "needs": [
            {
                "candidate": need.who,
                "candidates": need.n_candidates,
                "unit": "cost" if need.is_money else "answers",
                "limit": need.limit,
                "learners": dict(zip([each.learner for each in found.simulated], need.means, strict=True)),
                "ratio": need.ratio,
            }
            for need in found.needs
        ],
        "lower_bound": None if hardest is None else hardest._asdict(),
        "not_computed": found.unreached,
    }


def _described(source: str, found: list[Budget]) -> Iterator[Any]:
    first, last = found[0], found[-1]
    rows = [budget_text.budget_rows(each) for each in found]
    yield _goal_in_words(source, first)
    for notice in dict.fromkeys(filter(None, map(budget_text.assumption_in_words, found))):
        yield from ("", notice)
    if len(found) == 1:
        table = new_table(("estimate", "queries", "meaning"), rows[0])
        table.columns[1].justify, table.columns[1].no_wrap = "right", True
    else:
        both = ((before.name, before.queries, after.queries) for before, after in zip(*rows, strict=True))
        table = new_table(("estimate", "as it is", "edited"), both, numbers=2)
        yield f"\nEdited: {size_of(last.problem)}."
    words = budget_text.trials_in_words(first.trials), budget_text.which_to_believe(first.trials)
    yield from ("", table, "", words[0], "", words[1])
    if unreached := budget_text.unreached_in_words([name for each in found for name in each.unreached]):
        yield from ("", unreached)
    for each in found:
        heading, *lines = budget_text.needs_table(each)
        if each is not first:
            yield from ("", "Edited:")
        yield from ("", new_table(heading, lines, numbers=len(heading) - 1), "", budget_text.limit_in_words(each))


def _plan_form(plan: Plan | None) -> dict[str, int] | None:
    return None if plan is None else {"queries": plan.n_queries, **plan._asdict()}


def _goal_in_words(source: str, found: Budget) -> str:
    words, dimension = f"{source}, {size_of(found.problem)}. {budget_text.goal_in_words(found)}", found.dimension
    if found.theorem is None or dimension is None:
        return words
    size = str(dimension.upper)
    if not dimension.is_exact:
        more = "; a longer --time-limit gives its search more time"
        size = (
            f"between {dimension.lower} and {dimension.upper}{more}"
            if dimension.witness is not None
            else str(dimension)
        )
    return f"{words} The theorems are for {found.algorithm} with dimension {size}."
