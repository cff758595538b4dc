"""Fitting rho to rewards: least squares, posteriors, confidence sets."""

from warmer.estimation.agreement import Agreement, most_agreed_query
from warmer.estimation.confidence import DistanceBall, LossBall
from warmer.estimation.finite import FiniteFit
from warmer.estimation.fitting import error_budget_of, fitting
from warmer.estimation.goodness import misfit
from warmer.estimation.losses import Losses

__all__ = [
    "Agreement",
    "DistanceBall",
    "FiniteFit",
    "LossBall",
    "Losses",
    "error_budget_of",
    "fitting",
    "misfit",
    "most_agreed_query",
]
