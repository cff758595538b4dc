"""The strong SQ dimension and its witness."""

from warmer.dimensions.strong_sq.dimension import StrongSQWitness, strong_sq_dimension

__all__ = ["StrongSQWitness", "strong_sq_dimension"]
