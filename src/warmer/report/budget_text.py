"""A budget in words: what each number is called, what it means, and which to use for what."""

from typing import NamedTuple

from warmer.analysis.budgets import MOST_PAIRED, Budget, ManyTargetsBound, Trials, TwoTargetsBound
from warmer.learners import Plan
from warmer.report.text import counted, level_in_words, short, shortened

__all__ = [
    "BudgetRow",
    "answers_for",
    "assumption_in_words",
    "budget_rows",
    "goal_in_words",
    "noise_in_words",
    "trials_in_words",
    "which_to_believe",
]


class BudgetRow(NamedTuple):
    """One estimate: its name, the number of queries, and what it means."""

    name: str
    queries: str
    meaning: str


def budget_rows(found: Budget) -> list[BudgetRow]:
    """What theorems guarantee, what simulation shows, and what no method beats."""
    trials = found.trials
    return [
        BudgetRow("theorem", *_guaranteed(found.theorem, "Algorithm 2 with the paper's constants")),
        BudgetRow("anytime theorem", *_guaranteed(found.anytime, "the same proof with sharper constants")),
        BudgetRow("round robin", f"{found.round_robin:,}", "guaranteed: cycle through all queries until certified"),
        BudgetRow("simulated median", answers_for(trials, 0.5), _share_certified(trials, 0.5)),
        BudgetRow("simulated 95%", answers_for(trials, 0.95), _share_certified(trials, 0.95)),
        BudgetRow("lower bound", *_lower_bound(found)),
    ]


def assumption_in_words(found: Budget) -> str:
    """A notice where candidates break the assumption of the paper's theorems; empty where none does."""
    if not found.violations:
        return ""
    n, first = len(found.violations), shortened(str(found.violations[0]), 60)
    which = f"{first} values another query above its own"
    if n > 1:
        which = f"{first} and {counted(n - 1, 'other candidate')} value another query above their own"
    return (
        f"Warning: {which}, which the paper's theorems rule out; they do not apply here. The other rows measure from "
        "each candidate's best query and hold."
    )


def which_to_believe(trials: Trials) -> str:
    """One line on what each number is good for; no plan with a simulation that was cut off too soon."""
    plan = (
        "To plan, use the simulated 95%, if the candidates and the noise are as declared."
        if trials.quantile(0.95) is not None
        else f"Do not plan with the simulation: {trials.n_proven:,} of {counted(trials.n_runs, 'run')} were certified "
        f"within {counted(trials.horizon, 'query', 'queries')}; use a longer horizon."
    )
    return (
        f'{plan} For a guarantee use the smallest "guaranteed" row. Theorem rows only compare problems. No method '
        "beats the lower bound on average."
    )


def goal_in_words(found: Budget) -> str:
    """The goal, in one sentence."""
    task = found.task
    best = "the best" if task.alpha is None else f"alpha = {level_in_words(task.alpha)}"
    return (
        f"Goal: with probability {1 - task.delta:g}, a query whose expected reward is within {task.epsilon:g} of "
        f"{best}, from answers with noise {noise_in_words(found)}."
    )


def noise_in_words(found: Budget) -> str:
    """The sigma that counts, and why where another was declared."""
    sigma = f"sigma = {found.task.sigma:g}"
    if found.declared_sigma <= found.task.sigma:
        return sigma
    low, high = found.problem.reward_range
    return f"{sigma} (not {found.declared_sigma:g}: no reward in [{low:g}, {high:g}] is noisier than that)"


def _guaranteed(plan: Plan | None, meaning: str) -> tuple[str, str]:
    if plan is None:
        return "-", "does not apply: a candidate prefers another query"
    return f"{plan.n_queries:,}", f"guaranteed: {meaning}"


def _share_certified(trials: Trials, share: float) -> str:
    runs = counted(trials.n_runs, "run")
    if trials.quantile(share) is None:
        return f"cut off: {trials.n_proven:,} of {runs} were certified by then"
    return f"{share:.0%} of {runs} were certified by then"


def _lower_bound(found: Budget) -> tuple[str, str]:
    match found.hardest:
        case None if found.task.delta >= 0.5:
            return "none known", "delta is 1/2 or more: a guess may be enough"
        case None if found.trials.n_candidates > MOST_PAIRED:
            return "none known", f"any two of {MOST_PAIRED:,} candidates share a good query"
        case None:
            return "none known", "any two candidates share a good query"
        case ManyTargetsBound(n_answers, n_targets):
            return short(n_answers), f"needed on average to find one of {n_targets:,} candidates"
        case TwoTargetsBound(n_answers, truth, rival):
            return short(n_answers), f"needed on average to tell {truth} from {rival}"


def trials_in_words(trials: Trials) -> str:
    """Which targets and which learner were simulated, and how often the certificates were right."""
    target, median = trials.hardest
    who = (
        f"{len(trials.truths):,} of {trials.n_candidates:,} candidates, drawn at random,"
        if trials.is_sample
        else f"each of {counted(trials.n_candidates, 'candidate')}"
    )
    longest = f"median {counted(median, 'query', 'queries')}" if median is not None else "over half of its runs cut off"
    n_wrong = int(trials.is_wrong.sum())
    faults = (
        "all certificates were right" if n_wrong == 0 else f"{n_wrong} of {trials.n_proven} certificates were wrong"
    )
    if trials.n_proven == 0:
        faults = "no run was certified"
    return (
        f"Simulation: {who} as the true target in {counted(trials.n_runs // len(trials.truths), 'run')} of at most "
        f"{counted(trials.horizon, 'query', 'queries')}, with Gaussian noise and the learner {trials.learner}; "
        f"{faults}. Hardest target: {target} ({longest})."
    )


def answers_for(trials: Trials, share: float) -> str:
    """The number of queries after which this share of the runs was certified."""
    count = trials.quantile(share)
    return f"> {trials.horizon:,}" if count is None else f"{count:,}"
