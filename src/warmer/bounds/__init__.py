"""Theorems as functions that refuse to speak outside their hypotheses."""

from warmer.bounds.continuous import (
    arm_radius,
    cover_radius,
    log_cover_of_ball,
    self_normalised_radius,
    smooth_radius,
)
from warmer.bounds.radii import anytime_radius, paper_radius

__all__ = [
    "anytime_radius",
    "arm_radius",
    "cover_radius",
    "log_cover_of_ball",
    "paper_radius",
    "self_normalised_radius",
    "smooth_radius",
]
