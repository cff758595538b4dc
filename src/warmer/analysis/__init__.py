"""History against truth: regret, bad queries, estimation error, comparisons, budgets."""

from warmer.analysis.budgets import Budget, budget
from warmer.analysis.ceilings import RegretBound, regret_bounds
from warmer.analysis.certificates import Certificate, certify
from warmer.analysis.comparison import compare, draw_targets, shared_sigma
from warmer.analysis.goal import Goal
from warmer.analysis.intervals import Interval, clopper_pearson, mean_interval
from warmer.analysis.neighbourhood import Neighbours, neighbours
from warmer.analysis.outcomes import Comparison, Outcome, Rules
from warmer.analysis.problem_report import ProblemReport, analyse_problem
from warmer.analysis.proofs import Proof, first_proof
from warmer.analysis.run_statistics import (
    bad_queries,
    cumulative_regret,
    estimates,
    estimation_errors,
    has_large_self_evaluations,
    success_rate,
)
from warmer.analysis.witnesses import WitnessValues, witness_values

__all__ = [
    "Budget",
    "Certificate",
    "Comparison",
    "Goal",
    "Interval",
    "Neighbours",
    "Outcome",
    "ProblemReport",
    "Proof",
    "RegretBound",
    "Rules",
    "WitnessValues",
    "analyse_problem",
    "bad_queries",
    "budget",
    "certify",
    "clopper_pearson",
    "compare",
    "cumulative_regret",
    "draw_targets",
    "estimates",
    "estimation_errors",
    "first_proof",
    "has_large_self_evaluations",
    "mean_interval",
    "neighbours",
    "regret_bounds",
    "shared_sigma",
    "success_rate",
    "witness_values",
]
