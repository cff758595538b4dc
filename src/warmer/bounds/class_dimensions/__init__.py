"""The dissimilarity dimension of whole classes (Section 5), as far as it is proved."""

from warmer.bounds.class_dimensions.general import arms_dimension as arms_dimension
from warmer.bounds.class_dimensions.general import eluder_comparison as eluder_comparison
from warmer.bounds.class_dimensions.general import equal_correlations_dimension as equal_correlations_dimension
from warmer.bounds.class_dimensions.general import separation_dimension_bound as separation_dimension_bound
from warmer.bounds.class_dimensions.general import sphere_dimension_bound as sphere_dimension_bound
from warmer.bounds.class_dimensions.general import symmetric_dimension_bound as symmetric_dimension_bound
from warmer.bounds.class_dimensions.general import union_dimension_bound as union_dimension_bound
from warmer.bounds.class_dimensions.linear import glm_dimension_bound as glm_dimension_bound
from warmer.bounds.class_dimensions.linear import linear_dimension_bound as linear_dimension_bound
from warmer.bounds.class_dimensions.linear import linear_dimension_lower_bound as linear_dimension_lower_bound
from warmer.bounds.class_dimensions.linear import two_sided_linear_dimension_bound as two_sided_linear_dimension_bound
from warmer.bounds.class_dimensions.relu import relu_circle_dimension as relu_circle_dimension
from warmer.bounds.class_dimensions.relu import relu_dimension_bound as relu_dimension_bound
from warmer.bounds.class_dimensions.relu import relu_dimension_lower_bound as relu_dimension_lower_bound
from warmer.bounds.class_dimensions.relu import relu_paper_bound as relu_paper_bound
