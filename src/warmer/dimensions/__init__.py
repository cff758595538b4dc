"""Complexity measures, computed exactly, with certificates."""

from warmer.dimensions.bracket import Bracket
from warmer.dimensions.complexity import Complexity, complexity
from warmer.dimensions.continuous import VectorWitness
from warmer.dimensions.covering import Cover, Packing, covering_number
from warmer.dimensions.dissimilarity import (
    DissimilarityWitness,
    Piece,
    Profile,
    dissimilarity_dimension,
    dissimilarity_profile,
)
from warmer.dimensions.eluder import EluderWitness, eluder_dimension
from warmer.dimensions.games import (
    DecisionEstimation,
    FractionalCover,
    decision_estimation_coefficient,
    fractional_covering_number,
)
from warmer.dimensions.strong_sq import StrongSQWitness, strong_sq_dimension

__all__ = [
    "Bracket",
    "Complexity",
    "Cover",
    "DecisionEstimation",
    "DissimilarityWitness",
    "EluderWitness",
    "FractionalCover",
    "Packing",
    "Piece",
    "Profile",
    "StrongSQWitness",
    "VectorWitness",
    "complexity",
    "covering_number",
    "decision_estimation_coefficient",
    "dissimilarity_dimension",
    "dissimilarity_profile",
    "eluder_dimension",
    "fractional_covering_number",
    "strong_sq_dimension",
]
