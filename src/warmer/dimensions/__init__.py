"""Complexity measures, computed exactly, with certificates."""

from warmer.dimensions.bracket import Bracket, Witness

__all__ = ["Bracket", "Witness"]
