"""Covers, packings and the covering number."""

from warmer.dimensions.covering.number import Cover, CoverAndPacking, Packing, covering_number, prediction_distance

__all__ = ["Cover", "CoverAndPacking", "Packing", "covering_number", "prediction_distance"]
