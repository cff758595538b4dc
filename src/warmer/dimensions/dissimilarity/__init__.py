"""The dissimilarity dimension, its witness, and its profile over all scales."""

from warmer.dimensions.dissimilarity.dimension import dissimilarity_dimension
from warmer.dimensions.dissimilarity.profile import Piece, Profile, dissimilarity_profile
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness

__all__ = ["DissimilarityWitness", "Piece", "Profile", "dissimilarity_dimension", "dissimilarity_profile"]
