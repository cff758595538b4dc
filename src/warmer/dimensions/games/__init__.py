"""Measures that are values of finite games, bracketed by linear programs."""

from warmer.dimensions.games.decision_estimation import DecisionEstimation, decision_estimation_coefficient
from warmer.dimensions.games.fractional_covering import FractionalCover, fractional_covering_number

__all__ = ["DecisionEstimation", "FractionalCover", "decision_estimation_coefficient", "fractional_covering_number"]
