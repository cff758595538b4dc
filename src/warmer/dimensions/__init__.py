"""Complexity measures, computed exactly, with certificates."""

from warmer.dimensions.bracket import Bracket, Witness
from warmer.dimensions.complexity import Complexity, complexity
from warmer.dimensions.continuous.vector_search import (
    linear_upper_bound,
    search_linear,
    search_sphere,
    sphere_upper_bound,
)
from warmer.dimensions.continuous.vectors import VectorWitness
from warmer.dimensions.converters import (
    dissimilarity_from_strong_sq,
    eluder_from_dissimilarity,
    strong_sq_from_dissimilarity,
)
from warmer.dimensions.covering.number import (
    Cover,
    CoverAndPacking,
    Packing,
    covering_number,
    prediction_distance,
    prediction_distances,
)
from warmer.dimensions.dissimilarity.dimension import dissimilarity_dimension
from warmer.dimensions.dissimilarity.profile import Piece, Profile, dissimilarity_profile
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness
from warmer.dimensions.eluder.dimension import eluder_dimension
from warmer.dimensions.eluder.witness import EluderWitness, is_dependent, is_independent
from warmer.dimensions.games.decision_estimation import DecisionEstimation, decision_estimation_coefficient
from warmer.dimensions.games.fractional_covering import FractionalCover, fractional_covering_number
from warmer.dimensions.strong_sq.dimension import StrongSQWitness, strong_sq_dimension

__all__ = [
    "Bracket",
    "Complexity",
    "Cover",
    "CoverAndPacking",
    "DecisionEstimation",
    "DissimilarityWitness",
    "EluderWitness",
    "FractionalCover",
    "Packing",
    "Piece",
    "Profile",
    "StrongSQWitness",
    "VectorWitness",
    "Witness",
    "complexity",
    "covering_number",
    "decision_estimation_coefficient",
    "dissimilarity_dimension",
    "dissimilarity_from_strong_sq",
    "dissimilarity_profile",
    "eluder_dimension",
    "eluder_from_dissimilarity",
    "fractional_covering_number",
    "is_dependent",
    "is_independent",
    "linear_upper_bound",
    "prediction_distance",
    "prediction_distances",
    "search_linear",
    "search_sphere",
    "sphere_upper_bound",
    "strong_sq_dimension",
    "strong_sq_from_dissimilarity",
]
