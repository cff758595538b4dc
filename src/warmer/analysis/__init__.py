"""History against truth: regret, bad queries, estimation error, comparisons, budgets."""

from warmer.analysis.budgets import Budget, budget
from warmer.analysis.comparison import Comparison, Outcome, RegretBound, compare, draw_targets
from warmer.analysis.evidence_history import EvidenceHistory, evidence_history, simulated_evidence
from warmer.analysis.neighbourhood import neighbours
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

__all__ = [
    "Budget",
    "Comparison",
    "EvidenceHistory",
    "Interval",
    "Outcome",
    "ProblemReport",
    "RegretBound",
    "Task",
    "analyse_problem",
    "bad_queries",
    "budget",
    "compare",
    "cumulative_regret",
    "draw_targets",
    "estimation_errors",
    "evidence_history",
    "has_large_self_evaluations",
    "neighbours",
    "simulated_evidence",
    "success_rate",
]
