"""Fitting rho to rewards: least squares, posteriors, confidence sets."""

from warmer.estimation.confidence import Ball, DistanceBall, LossBall
from warmer.estimation.finite import FiniteFit, Losses
from warmer.estimation.goodness import misfit

__all__ = ["Ball", "DistanceBall", "FiniteFit", "LossBall", "Losses", "misfit"]
