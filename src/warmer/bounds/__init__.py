"""Theorems as functions that refuse to speak outside their hypotheses."""

from warmer.bounds.budgets import (
    anytime_error_budget,
    covering_error_budget,
    loss_ball_error_budget,
    paper_error_budget,
)
from warmer.bounds.counts import exact_regret_bound, few_bad_queries, fewer_bad_queries, regret_bound
from warmer.bounds.oracles import anytime_oracle_radius, paper_oracle_radius
from warmer.bounds.pac import Promise, exact_pac_horizon, pac_candidates, pac_horizon, pac_repeats
from warmer.bounds.radii import anytime_radius, paper_radius
from warmer.bounds.sample_sizes import (
    every_query_answers,
    in_turn_answers,
    sharper_pac_horizon,
    two_point_divergence,
    two_point_lower_bound,
)

__all__ = [
    "Promise",
    "anytime_error_budget",
    "anytime_oracle_radius",
    "anytime_radius",
    "covering_error_budget",
    "every_query_answers",
    "exact_pac_horizon",
    "exact_regret_bound",
    "few_bad_queries",
    "fewer_bad_queries",
    "in_turn_answers",
    "loss_ball_error_budget",
    "pac_candidates",
    "pac_horizon",
    "pac_repeats",
    "paper_error_budget",
    "paper_oracle_radius",
    "paper_radius",
    "regret_bound",
    "sharper_pac_horizon",
    "two_point_divergence",
    "two_point_lower_bound",
]
