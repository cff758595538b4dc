"""Complexity measures, computed exactly, with certificates."""

from warmer.dimensions.bracket import Bracket
from warmer.dimensions.complexity import Complexity, complexity
from warmer.dimensions.continuous.witness import VectorWitness
from warmer.dimensions.covering.number import covering_number
from warmer.dimensions.covering.witness import Cover, Packing
from warmer.dimensions.dissimilarity.dimension import dissimilarity_dimension
from warmer.dimensions.dissimilarity.profile import Piece, Profile, dissimilarity_profile
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness
from warmer.dimensions.eluder.dimension import eluder_dimension
from warmer.dimensions.eluder.witness import EluderWitness
from warmer.dimensions.games.decision_estimation import DecisionEstimation, decision_estimation_coefficient
from warmer.dimensions.games.fractional_covering import FractionalCover, fractional_covering_number
from warmer.dimensions.strong_sq.dimension import strong_sq_dimension
from warmer.dimensions.strong_sq.witness import StrongSQWitness

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
