"""A budget in words: what each number is called, what it says, and which to believe for what."""

from typing import NamedTuple

from warmer.analysis.budgets import MOST_PAIRED, Budget, ManyTargetsBound, Trials, TwoTargetsBound
from warmer.report.text import counted, level_in_words

__all__ = [
    "BudgetRow",
    "answers_for",
    "budget_rows",
    "goal_in_words",
    "noise_in_words",
    "trials_in_words",
    "which_to_believe",
]


class BudgetRow(NamedTuple):
    """One way to count: its name, how many queries, and what that says."""

    name: str
    queries: str
    meaning: str


def budget_rows(found: Budget) -> list[BudgetRow]:
    """What theorems promise, what simulation shows, and what nobody can beat."""
    trials = found.trials
    return [
        BudgetRow("theorem", f"{found.theorem.n_queries:,}", "enough: Algorithm 2 with the paper's constants"),
        BudgetRow("anytime theorem", f"{found.anytime.n_queries:,}", "enough: the same proof with sharper constants"),
        BudgetRow("in turn, anytime", f"{found.in_turn:,}", "enough: ask all in turn until proven at delta/2"),
        BudgetRow("simulated, half", answers_for(trials, 0.5), _share_proven(trials, 0.5)),
        BudgetRow("simulated, 95%", answers_for(trials, 0.95), _share_proven(trials, 0.95)),
        BudgetRow("lower bound", *_lower_bound(found)),
    ]


def which_to_believe(trials: Trials) -> str:
    """One line on what each number is good for; no plan with a simulation that was cut off too soon."""
    plan = (
        "Plan with the simulated 95%, if your candidates and noise are as you say."
        if trials.quantile(0.95) is not None
        else f"Do not plan with the simulation: {trials.n_proven:,} of {counted(trials.n_runs, 'run')} were proven "
        f"within {counted(trials.horizon, 'answer')}; give it a longer horizon."
    )
    return (
        f"{plan} Promise the smallest of the three that are enough: they hold for every candidate and all noise of "
        "this sigma. Compare problems by the theorem, whose constants are not meant to be met. And expect nothing "
        "below the lower bound."
    )


def goal_in_words(found: Budget) -> str:
    """The goal, in one sentence."""
    goal = found.goal
    best = "the best" if goal.alpha is None else f"alpha = {level_in_words(goal.alpha)}"
    return (
        f"Goal: with probability {1 - goal.delta:g}, a query whose expected reward is within {goal.epsilon:g} of "
        f"{best}, from answers with noise {noise_in_words(found)}."
    )


def noise_in_words(found: Budget) -> str:
    """The sigma that counts, and why where another was declared."""
    sigma = f"sigma = {found.goal.sigma:g}"
    if found.declared_sigma <= found.goal.sigma:
        return sigma
    low, high = found.problem.reward_range
    return f"{sigma} (not {found.declared_sigma:g}: no reward in [{low:g}, {high:g}] is noisier than that)"


def _share_proven(trials: Trials, share: float) -> str:
    runs = counted(trials.n_runs, "run")
    if trials.quantile(share) is None:
        return f"cut off: {trials.n_proven:,} of {runs} were proven by then"
    return f"half of {runs} were proven" if share == 0.5 else f"and {share:.0%} of them"


def _lower_bound(found: Budget) -> tuple[str, str]:
    match found.hardest:
        case None if found.goal.delta >= 0.5:
            return "none known", "a guess may do: delta is 1/2 or more"
        case None if found.trials.n_candidates > MOST_PAIRED:
            return "none known", f"any two of {MOST_PAIRED:,} candidates have a good query in common"
        case None:
            return "none known", "any two candidates have a good query in common"
        case ManyTargetsBound(n_answers, n_targets):
            return f"{n_answers:,}", f"needed on average to find one of {n_targets:,} candidates"
        case TwoTargetsBound(1, truth, rival):
            return "1", f"no query is good for {truth} and for {rival}"
        case TwoTargetsBound(n_answers, truth, rival):
            return f"{n_answers:,}", f"needed on average to tell {truth} from {rival}"


def trials_in_words(trials: Trials) -> str:
    """Who was the truth, who asked, and how often the proofs were right."""
    target, median = trials.hardest
    who = (
        f"{len(trials.truths):,} of {trials.n_candidates:,} candidates, drawn by the seed,"
        if trials.is_sample
        else f"each of {counted(trials.n_candidates, 'candidate')}"
    )
    longest = f"{counted(median, 'answer')} at the median" if median is not None else "not proven in half of its runs"
    n_wrong = int(trials.is_wrong.sum())
    faults = "all proofs were right" if n_wrong == 0 else f"{n_wrong} of {trials.n_proven} proofs were wrong"
    if trials.n_proven == 0:
        faults = "no run ended with a proof"
    return (
        f"Simulation: {who} as the truth in {counted(trials.n_runs // len(trials.truths), 'run')} of at most "
        f"{trials.horizon:,} answers with Gaussian noise, asked by {trials.learner}; {faults}. "
        f"The hardest truth is {target}: {longest}."
    )


def answers_for(trials: Trials, share: float) -> str:
    """So many answers were enough in this share of the runs."""
    count = trials.quantile(share)
    return f"> {trials.horizon:,}" if count is None else f"{count:,}"
