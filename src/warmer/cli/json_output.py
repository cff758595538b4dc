"""Results as plain values, for JSON."""

import math
from typing import Any

from warmer.analysis import Comparison, Interval, Outcome
from warmer.model import Problem
from warmer.report.text import is_told_more


def problem_form(problem: Any) -> dict[str, Any]:
    """The size and the range of a problem; the name and the range of a family."""
    low, high = problem.reward_range
    if not isinstance(problem, Problem):
        return {"family": repr(problem), "reward_range": [low, high]}
    values = problem.self_evaluations
    return {
        "n_queries": problem.n_queries,
        "n_targets": problem.n_targets,
        "is_square": problem.is_square,
        "dtype": str(problem.rho.dtype),
        "is_exact": problem.rational is not None,
        "reward_range": [low, high],
        "self_evaluations": {"least": float(values.min()), "greatest": float(values.max())},
    }


def comparison_form(comparison: Comparison) -> dict[str, Any]:
    """The goal and the outcomes of a comparison, in the order the learners were named."""
    task = comparison.task
    return {
        "problem": problem_form(comparison.problem),
        "environment": type(comparison.environments[0]).__name__,
        "targets": [each.target for each in comparison.environments],
        "horizon": comparison.horizon,
        "runs": comparison.n_runs,
        "seed": comparison.seed,
        "alpha": task.level,
        "epsilon": task.epsilon,
        "delta": task.delta,
        "sigma": task.sigma,
        "goal": repr(task.goal),
        "noise": repr(task.noise),
        "interrupted": comparison.is_interrupted,
        "outcomes": [outcome_form(comparison, outcome) for outcome in comparison.outcomes],
    }


def outcome_form(comparison: Comparison, outcome: Outcome) -> dict[str, Any]:
    """One learner's numbers; `certificate` is null where no certificates were looked for."""
    proofs = {
        "certified": outcome.n_proven,
        "wrong": outcome.n_wrong_proofs,
        "median_queries": outcome.answers_for(0.5),
        "quantile_95": outcome.answers_for(0.95),
        "queries": [None if proof is None else proof.n_answers for proof in outcome.proofs],
    }
    return {
        "learner": outcome.learner,
        "is_told_alpha": is_told_more(comparison, outcome),
        "regret": interval_form(outcome.regret),
        "bad_queries": interval_form(outcome.bad),
        "success": interval_form(outcome.success),
        "certificate": proofs if outcome.proofs else None,
        "steps_per_second": round(outcome.steps_per_second),
    }


def interval_form(interval: Interval) -> dict[str, float | None]:
    """The three numbers of an interval; null for an end that a single run cannot give."""
    return {name: value if math.isfinite(value) else None for name, value in interval._asdict().items()}
