"""History against truth: regret, bad queries, estimation error, comparisons, budgets."""

from warmer.analysis.budgets import Budget, budget
from warmer.analysis.comparison import Comparison, Outcome, RegretBound, compare, draw_targets
from warmer.analysis.neighbourhood import Neighbours, neighbours
from warmer.analysis.problem_report import ProblemReport, analyse_problem
from warmer.analysis.run_statistics import (
    Interval,
    bad_queries,
    cumulative_regret,
    estimation_errors,
    has_large_self_evaluations,
    success_rate,
)
from warmer.analysis.task import Task
from warmer.analysis.witnesses import WitnessValues, witness_values

__all__ = [
    "Budget",
    "Comparison",
    "Interval",
    "Neighbours",
    "Outcome",
    "ProblemReport",
    "RegretBound",
    "Task",
    "WitnessValues",
    "analyse_problem",
    "bad_queries",
    "budget",
    "compare",
    "cumulative_regret",
    "draw_targets",
    "estimation_errors",
    "has_large_self_evaluations",
    "neighbours",
    "success_rate",
    "witness_values",
]
