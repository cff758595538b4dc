"""Theorems as functions that refuse to speak outside their hypotheses.

The names here are what learners, budgets and people call. The rest has rooms of its own: `bounds.lemmas` for the steps
of proofs, `bounds.class_dimensions`, `bounds.coverings`, `bounds.budgets`, `bounds.radii`, `bounds.sample_sizes`,
`bounds.statistical_queries` and `bounds.strong_sq`.
"""

from warmer.bounds import coverings as coverings
from warmer.bounds import lemmas as lemmas
from warmer.bounds import sample_sizes as sample_sizes
from warmer.bounds import statistical_queries as statistical_queries
from warmer.bounds import strong_sq as strong_sq
from warmer.bounds.bad_queries import bad_queries_bound, exact_regret_bound, regret_bound
from warmer.bounds.budgets import anytime_error_budget, paper_error_budget
from warmer.bounds.characteristic_times import characteristic_time
from warmer.bounds.class_dimensions import (
    arms_dimension,
    eluder_comparison,
    glm_dimension_bound,
    linear_dimension_bound,
    relu_dimension_bound,
    sphere_dimension_bound,
)
from warmer.bounds.pac import Promise, exact_pac_horizon, pac_candidates, pac_horizon, pac_repeats
from warmer.bounds.radii import anytime_radius, paper_radius

__all__ = [
    "Promise",
    "anytime_error_budget",
    "anytime_radius",
    "arms_dimension",
    "bad_queries_bound",
    "characteristic_time",
    "eluder_comparison",
    "exact_pac_horizon",
    "exact_regret_bound",
    "glm_dimension_bound",
    "linear_dimension_bound",
    "pac_candidates",
    "pac_horizon",
    "pac_repeats",
    "paper_error_budget",
    "paper_radius",
    "regret_bound",
    "relu_dimension_bound",
    "sphere_dimension_bound",
]
