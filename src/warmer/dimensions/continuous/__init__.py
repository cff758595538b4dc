"""Sequences of vectors for classes that have no table."""

from warmer.dimensions.continuous.vector_search import search_vectors
from warmer.dimensions.continuous.vectors import VectorWitness

__all__ = ["VectorWitness", "search_vectors"]
