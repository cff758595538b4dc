"""Theorems as functions that refuse to speak outside their hypotheses.

The names here are what learners, budgets and people call. The rest has rooms of its own: `bounds.lemmas` for the steps
of proofs, `bounds.class_dimensions`, `bounds.eluder_dimensions`, `bounds.coverings`, `bounds.budgets`, `bounds.radii`,
`bounds.sample_sizes`, `bounds.statistical_queries` and `bounds.strong_sq`.
"""

from warmer.bounds import coverings as coverings
from warmer.bounds import eluder_dimensions as eluder_dimensions
from warmer.bounds import lemmas as lemmas
from warmer.bounds import sample_sizes as sample_sizes
from warmer.bounds import statistical_queries as statistical_queries
from warmer.bounds import strong_sq as strong_sq
from warmer.bounds.bad_queries import bad_queries_bound as bad_queries_bound
from warmer.bounds.bad_queries import exact_regret_bound as exact_regret_bound
from warmer.bounds.bad_queries import regret_bound as regret_bound
from warmer.bounds.budgets import anytime_error_budget as anytime_error_budget
from warmer.bounds.budgets import paper_error_budget as paper_error_budget
from warmer.bounds.characteristic_times import characteristic_time as characteristic_time
from warmer.bounds.class_dimensions import arms_dimension as arms_dimension
from warmer.bounds.class_dimensions import eluder_comparison as eluder_comparison
from warmer.bounds.class_dimensions import glm_dimension_bound as glm_dimension_bound
from warmer.bounds.class_dimensions import linear_dimension_bound as linear_dimension_bound
from warmer.bounds.class_dimensions import relu_dimension_bound as relu_dimension_bound
from warmer.bounds.class_dimensions import sphere_dimension_bound as sphere_dimension_bound
from warmer.bounds.pac import Promise as Promise
from warmer.bounds.pac import exact_pac_horizon as exact_pac_horizon
from warmer.bounds.pac import pac_candidates as pac_candidates
from warmer.bounds.pac import pac_horizon as pac_horizon
from warmer.bounds.pac import pac_repeats as pac_repeats
from warmer.bounds.radii import anytime_radius as anytime_radius
from warmer.bounds.radii import paper_radius as paper_radius
from warmer.lazy import lazily as _lazily

_lazily(__name__)
