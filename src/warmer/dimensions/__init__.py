"""Complexity measures, computed exactly, with certificates."""

from warmer.dimensions.bracket import Bracket, Witness
from warmer.dimensions.dissimilarity import dissimilarity_dimension
from warmer.dimensions.profile import Profile, dissimilarity_profile
from warmer.dimensions.witness import DissimilarityWitness

__all__ = ["Bracket", "DissimilarityWitness", "Profile", "Witness", "dissimilarity_dimension", "dissimilarity_profile"]
