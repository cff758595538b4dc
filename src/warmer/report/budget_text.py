"""A budget in words: what each number is called, what it means, and which to use for what."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from warmer.analysis.budgets import MOST_PAIRED, Budget, ManyTargetsBound, Trials, TwoTargetsBound
from warmer.certification.noise import Bounded, Coin, SubGaussian
from warmer.learners import Plan
from warmer.model.words import certainty, exact, span
from warmer.report.task_text import decided_in_words, declared_in_words
from warmer.report.text import counted, short, shortened

NOT_REACHED = "not computed within the time limit"


class BudgetRow(NamedTuple):
    """One estimate: its name, the number of queries, and what it means."""

    name: str
    queries: str
    meaning: str


def budget_rows(found: Budget) -> list[BudgetRow]:
    """What theorems guarantee, what simulation shows, and what no method beats."""
    trials = found.trials
    return [
        BudgetRow("theorem", *_guaranteed(found, found.theorem, "Algorithm 2 with the paper's error budget")),
        BudgetRow("anytime theorem", *_guaranteed(found, found.anytime, "the same with a sharper error budget")),
        BudgetRow("round robin", *_round_robin(found)),
        BudgetRow("simulated median", answers_for(trials, 0.5), _share_certified(trials, 0.5)),
        BudgetRow("simulated 95%", answers_for(trials, 0.95), _share_certified(trials, 0.95)),
        BudgetRow("lower bound", *_lower_bound(found)),
    ]


def unreached_in_words(names: Sequence[str]) -> str:
    """A sentence about what a time limit or Ctrl-C left out; empty where nothing is missing."""
    return f"{NOT_REACHED.capitalize()}: {', '.join(names)}." if names else ""


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
        f'{plan} Every "guaranteed" row is a guarantee, if a loose one; use the smallest of them. No method beats the '
        "lower bound on average."
    )


def goal_in_words(found: Budget) -> str:
    """The goal and what is declared about the noise, in one sentence."""
    task = found.task
    decided = decided_in_words(task, tolerance=found.problem.tolerance or 0.0)
    words = f"Goal: {decided}, with probability {certainty(task.delta)}; {declared_in_words(task)}"
    if found.declared_sigma is not None and found.declared_sigma > found.problem.scale:
        low, high = found.problem.reward_range
        words += f" (not {exact(found.declared_sigma)}: no reward in {span(low, high)} is noisier than that)"
    return f"{words}."


def needs_table(found: Budget) -> list[tuple[str, ...]]:
    """A heading, and a row for each of the hardest candidates and for the average: limit, learners, ratio."""
    learners = [trials.learner for trials in found.simulated]
    rows: list[tuple[str, ...]] = [("true candidate", "limit", *learners, "ratio")]
    for need in found.needs:
        who = f"average of {need.n_candidates:,}" if need.who is None else shortened(str(need.who), 30)
        cells = [None if value is None else short(value) for value in (need.limit, *need.means, need.ratio)]
        rows.append((f"{who}, cost" if need.is_money else who, *("-" if cell is None else cell for cell in cells)))
    return rows


def limit_in_words(found: Budget) -> str:
    """What the limit is, and under which hypotheses."""
    limits, first = found.limits, found.trials.learner
    if np.isnan(limits.answers).all():
        reason = limits.reason or "none was worked out in time"
        return f"Mean numbers of answers until certified. Limit: not known ({reason.rstrip('.')})."
    form = (
        "T* kl(delta, 1 - delta): no method that is wrong with probability at most delta needs fewer on average"
        if limits.is_exact
        else "T* ln(1/delta): what no method beats in the limit of small delta"
    )
    noise = "coins" if found.task.sigma is None else f"Gaussian with sigma = {exact(found.task.sigma)}"
    unknown = int(np.isnan(limits.answers).sum())
    open_ones = f" It was not worked out in time for {counted(unknown, 'candidate')}." if unknown else ""
    return (
        f"Mean numbers of answers until certified. Limit: {form}; the answers are {noise}. Ratio: {first} over the "
        f"limit.{open_ones}"
    )


def _guaranteed(found: Budget, plan: Plan | None, meaning: str) -> tuple[str, str]:
    if plan is not None:
        return f"{plan.n_queries:,}", f"guaranteed: {meaning}"
    if found.violations:
        return "-", "does not apply: a candidate prefers another query"
    return "-", _no_theorem(found)


def _round_robin(found: Budget) -> tuple[str, str]:
    if found.round_robin is None:
        is_late = "round robin" in found.unreached
        return "-", NOT_REACHED if is_late else _no_theorem(found)
    return f"{found.round_robin:,}", "guaranteed: cycle through all queries until certified"


def _no_theorem(found: Budget) -> str:
    if not found.task.is_best_query:
        return "does not apply: only for the goal best-query"
    return "does not apply: the deviation of the noise is unknown"


def _share_certified(trials: Trials, share: float) -> str:
    runs = counted(trials.n_runs, "run")
    if trials.quantile(share) is None:
        return f"cut off: {trials.n_proven:,} of {runs} were certified by then"
    return f"{share:.0%} of {runs} were certified by then"


def _lower_bound(found: Budget) -> tuple[str, str]:
    match found.hardest:
        case None if "lower bound" in found.unreached:
            return "none known", NOT_REACHED
        case None if not found.task.is_best_query:
            return "-", "see the limit of each candidate"
        case None if not isinstance(found.task.noise, SubGaussian | Bounded | Coin):
            return "none known", "nothing is known for this noise"
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
        f"{len(trials.truths):,} of {trials.n_candidates:,} candidates"
        f"{' (those reached in time)' if trials.is_interrupted else ', drawn at random,'}"
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
        f"{counted(trials.horizon, 'query', 'queries')}, with {trials.noise} and the learner {trials.learner}; "
        f"{faults}. Hardest target: {target} ({longest})."
    )


def answers_for(trials: Trials, share: float) -> str:
    """The number of queries after which this share of the runs was certified."""
    count = trials.quantile(share)
    return f"> {trials.horizon:,}" if count is None else f"{count:,}"
