"""How many queries a task takes: guarantees, simulation, and lower bounds."""

from warmer.analysis.budgets.budget import LEARNERS, Budget, budget
from warmer.analysis.budgets.limits import Limits, Need
from warmer.analysis.budgets.lower_bounds import (
    MOST_PAIRED,
    ManyTargetsBound,
    TwoTargetsBound,
    many_targets_bound,
    two_targets_bound,
)
from warmer.analysis.budgets.trials import CERTIFIABLE, MOST_TRUTHS, Trials, simulate_candidates

__all__ = [
    "CERTIFIABLE",
    "LEARNERS",
    "MOST_PAIRED",
    "MOST_TRUTHS",
    "Budget",
    "Limits",
    "ManyTargetsBound",
    "Need",
    "Trials",
    "TwoTargetsBound",
    "budget",
    "many_targets_bound",
    "simulate_candidates",
    "two_targets_bound",
]
