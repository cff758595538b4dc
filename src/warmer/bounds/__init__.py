"""Theorems as functions that refuse to speak outside their hypotheses."""

from warmer.bounds.budgets import (
    anytime_error_budget,
    covering_error_budget,
    loss_ball_error_budget,
    paper_error_budget,
)
from warmer.bounds.classes import (
    arms_dimension,
    eluder_comparison,
    equal_correlations_dimension,
    glm_dimension_bound,
    linear_dimension_bound,
    linear_dimension_lower_bound,
    sphere_dimension_bound,
    symmetric_dimension_bound,
    two_sided_linear_dimension_bound,
    union_dimension_bound,
)
from warmer.bounds.continuous import (
    arm_radius,
    cover_radius,
    log_cover_of_ball,
    self_normalised_radius,
    smooth_radius,
)
from warmer.bounds.counts import exact_regret_bound, few_bad_queries, fewer_bad_queries, regret_bound
from warmer.bounds.graphs import (
    freedman_bound,
    geometric_sum_bound,
    perturbed_identity_rank,
    root_sum_bound,
    turan_edges,
)
from warmer.bounds.oracles import anytime_oracle_radius, paper_oracle_radius
from warmer.bounds.pac import Promise, exact_pac_horizon, pac_candidates, pac_horizon, pac_repeats
from warmer.bounds.packings import (
    ball_covering_bounds,
    linear_covering_bound,
    relu_circle_dimension,
    relu_dimension_bound,
    relu_dimension_lower_bound,
    relu_paper_bound,
)
from warmer.bounds.radii import anytime_radius, paper_radius
from warmer.bounds.statistical_queries import (
    adversarial_sq_lower_bound,
    cube_root_sq_lower_bound,
    dissimilarity_sq_lower_bound,
    sharper_sq_lower_bound,
    simulation_distance,
    simulation_tolerance,
    sq_lower_bound,
)
from warmer.bounds.strong_sq import (
    dissimilarity_lower_bound,
    dissimilarity_upper_bound,
    strong_sq_lower_bound,
    strong_sq_upper_bound,
)

__all__ = [
    "Promise",
    "adversarial_sq_lower_bound",
    "anytime_error_budget",
    "anytime_oracle_radius",
    "anytime_radius",
    "arm_radius",
    "arms_dimension",
    "ball_covering_bounds",
    "cover_radius",
    "covering_error_budget",
    "cube_root_sq_lower_bound",
    "dissimilarity_lower_bound",
    "dissimilarity_sq_lower_bound",
    "dissimilarity_upper_bound",
    "eluder_comparison",
    "equal_correlations_dimension",
    "exact_pac_horizon",
    "exact_regret_bound",
    "few_bad_queries",
    "fewer_bad_queries",
    "freedman_bound",
    "geometric_sum_bound",
    "glm_dimension_bound",
    "linear_covering_bound",
    "linear_dimension_bound",
    "linear_dimension_lower_bound",
    "log_cover_of_ball",
    "loss_ball_error_budget",
    "pac_candidates",
    "pac_horizon",
    "pac_repeats",
    "paper_error_budget",
    "paper_oracle_radius",
    "paper_radius",
    "perturbed_identity_rank",
    "regret_bound",
    "relu_circle_dimension",
    "relu_dimension_bound",
    "relu_dimension_lower_bound",
    "relu_paper_bound",
    "root_sum_bound",
    "self_normalised_radius",
    "sharper_sq_lower_bound",
    "simulation_distance",
    "simulation_tolerance",
    "smooth_radius",
    "sphere_dimension_bound",
    "sq_lower_bound",
    "strong_sq_lower_bound",
    "strong_sq_upper_bound",
    "symmetric_dimension_bound",
    "turan_edges",
    "two_sided_linear_dimension_bound",
    "union_dimension_bound",
]
