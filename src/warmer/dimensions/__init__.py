"""Complexity measures, computed exactly, with certificates."""

from warmer.dimensions.bracket import Bracket, Witness
from warmer.dimensions.dissimilarity import dissimilarity_dimension
from warmer.dimensions.witness import DissimilarityWitness

__all__ = ["Bracket", "DissimilarityWitness", "Witness", "dissimilarity_dimension"]
