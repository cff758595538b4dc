"""The strong SQ dimension and its witness."""

from warmer.dimensions.strong_sq.dimension import strong_sq_dimension
from warmer.dimensions.strong_sq.witness import StrongSQWitness

__all__ = ["StrongSQWitness", "strong_sq_dimension"]
