"""The dissimilarity dimension of whole classes (Section 5), as far as it is proved."""

from warmer.bounds.class_dimensions.general import (
    arms_dimension,
    eluder_comparison,
    equal_correlations_dimension,
    separation_dimension_bound,
    sphere_dimension_bound,
    symmetric_dimension_bound,
    union_dimension_bound,
)
from warmer.bounds.class_dimensions.linear import (
    glm_dimension_bound,
    linear_dimension_bound,
    linear_dimension_lower_bound,
    two_sided_linear_dimension_bound,
)
from warmer.bounds.class_dimensions.relu import (
    relu_circle_dimension,
    relu_dimension_bound,
    relu_dimension_lower_bound,
    relu_paper_bound,
)

__all__ = [
    "arms_dimension",
    "eluder_comparison",
    "equal_correlations_dimension",
    "glm_dimension_bound",
    "linear_dimension_bound",
    "linear_dimension_lower_bound",
    "relu_circle_dimension",
    "relu_dimension_bound",
    "relu_dimension_lower_bound",
    "relu_paper_bound",
    "separation_dimension_bound",
    "sphere_dimension_bound",
    "symmetric_dimension_bound",
    "two_sided_linear_dimension_bound",
    "union_dimension_bound",
]
