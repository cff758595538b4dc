"""Complexity measures, computed exactly, with certificates."""

from warmer.dimensions.bracket import Bracket as Bracket
from warmer.dimensions.complexity import Complexity as Complexity
from warmer.dimensions.complexity import complexity as complexity
from warmer.dimensions.covering import Cover as Cover
from warmer.dimensions.covering import Packing as Packing
from warmer.dimensions.covering import covering_number as covering_number
from warmer.dimensions.dissimilarity.dimension import dissimilarity_dimension as dissimilarity_dimension
from warmer.dimensions.dissimilarity.profile import Profile as Profile
from warmer.dimensions.dissimilarity.profile import dissimilarity_profile as dissimilarity_profile
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness as DissimilarityWitness
from warmer.dimensions.dissimilarity.witness import VectorWitness as VectorWitness
from warmer.dimensions.eluder.dimension import eluder_dimension as eluder_dimension
from warmer.dimensions.eluder.witness import EluderWitness as EluderWitness
from warmer.dimensions.games.decision_estimation import DecisionEstimation as DecisionEstimation
from warmer.dimensions.games.decision_estimation import (
    decision_estimation_coefficient as decision_estimation_coefficient,
)
from warmer.dimensions.games.fractional_covering import FractionalCover as FractionalCover
from warmer.dimensions.games.fractional_covering import fractional_covering_number as fractional_covering_number
from warmer.dimensions.stars import star_number as star_number
from warmer.dimensions.strong_sq import StrongSQWitness as StrongSQWitness
from warmer.dimensions.strong_sq import strong_sq_dimension as strong_sq_dimension
from warmer.lazy import lazily as _lazily

_lazily(__name__)
