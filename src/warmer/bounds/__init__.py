"""Theorems as functions that refuse to speak outside their hypotheses."""

from warmer.bounds.radii import anytime_radius, paper_radius

__all__ = ["anytime_radius", "paper_radius"]
