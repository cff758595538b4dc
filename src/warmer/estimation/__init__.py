"""Fitting rho to rewards: least squares, posteriors, confidence sets."""

from warmer.estimation.agreement import Agreement, most_agreed_query
from warmer.estimation.confidence import DistanceBall, LossBall
from warmer.estimation.finite import FiniteFit
from warmer.estimation.fitting import error_budget_of, fitting
from warmer.estimation.goodness import misfit
from warmer.estimation.losses import Losses
from warmer.estimation.objectors import Objectors
from warmer.estimation.predictions import Predicted, PredictionBall
from warmer.estimation.regression import AggregatingForecaster, MeanForecaster, VovkAzouryWarmuth

__all__ = [
    "AggregatingForecaster",
    "Agreement",
    "DistanceBall",
    "FiniteFit",
    "LossBall",
    "Losses",
    "MeanForecaster",
    "Objectors",
    "Predicted",
    "PredictionBall",
    "VovkAzouryWarmuth",
    "error_budget_of",
    "fitting",
    "misfit",
    "most_agreed_query",
]
