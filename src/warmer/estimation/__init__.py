"""Fitting rho to rewards: least squares, posteriors, confidence sets; and families that know how to fit themselves."""

from warmer.estimation.arms import KArms
from warmer.estimation.confidence import DistanceBall, LossBall
from warmer.estimation.finite import FiniteFit
from warmer.estimation.fitting import fitting
from warmer.estimation.goodness import misfit
from warmer.estimation.losses import Losses

__all__ = ["DistanceBall", "FiniteFit", "KArms", "LossBall", "Losses", "fitting", "misfit"]
