"""History against truth: regret, bad queries, estimation error, certificates."""

from warmer.analysis.budget import Budget, budget
from warmer.analysis.budget_words import (
    BudgetRow,
    answers_for,
    budget_rows,
    noise_in_words,
    trials_in_words,
    which_to_believe,
)
from warmer.analysis.ceilings import Ceiling, regret_ceilings
from warmer.analysis.certificates import Certificate, certify
from warmer.analysis.comparison import compare, draw_targets, shared_sigma
from warmer.analysis.dossier import PLAYERS, Dossier, assemble
from warmer.analysis.goals import Goal, common_alpha, met
from warmer.analysis.hunts import Hunt, Stop, hunt
from warmer.analysis.intervals import Interval, clopper_pearson, mean_interval
from warmer.analysis.lower_bounds import Crowd, Dilemma, hardest_crowd, hardest_dilemma
from warmer.analysis.neighbourhood import Neighbours, Pair, neighbours
from warmer.analysis.outcomes import Band, Comparison, Outcome, Rules
from warmer.analysis.proofs import Proof, first_proof
from warmer.analysis.trace_proof import Constants, Layer, TraceProof, analyse_trace, as_runs
from warmer.analysis.traces import (
    bad_queries,
    cumulative_regret,
    estimates,
    estimation_errors,
    has_large_self_evaluations,
    success_rate,
)
from warmer.analysis.trials import Hardest, Trials, try_candidates
from warmer.analysis.witnesses import WitnessValues, witness_values
from warmer.analysis.wording import counted, short

__all__ = [
    "PLAYERS",
    "Band",
    "Budget",
    "BudgetRow",
    "Ceiling",
    "Certificate",
    "Comparison",
    "Constants",
    "Crowd",
    "Dilemma",
    "Dossier",
    "Goal",
    "Hardest",
    "Hunt",
    "Interval",
    "Layer",
    "Neighbours",
    "Outcome",
    "Pair",
    "Proof",
    "Rules",
    "Stop",
    "TraceProof",
    "Trials",
    "WitnessValues",
    "analyse_trace",
    "answers_for",
    "as_runs",
    "assemble",
    "bad_queries",
    "budget",
    "budget_rows",
    "certify",
    "clopper_pearson",
    "common_alpha",
    "compare",
    "counted",
    "cumulative_regret",
    "draw_targets",
    "estimates",
    "estimation_errors",
    "first_proof",
    "hardest_crowd",
    "hardest_dilemma",
    "has_large_self_evaluations",
    "hunt",
    "mean_interval",
    "met",
    "neighbours",
    "noise_in_words",
    "regret_ceilings",
    "shared_sigma",
    "short",
    "success_rate",
    "trials_in_words",
    "try_candidates",
    "which_to_believe",
    "witness_values",
]
