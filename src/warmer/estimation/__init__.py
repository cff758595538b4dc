"""Fitting rho to rewards: least squares, posteriors, confidence sets, online regression oracles."""

from warmer.estimation.agreement import Agreement, most_agreed_query
from warmer.estimation.confidence import DistanceBall, LossBall
from warmer.estimation.fit_of import error_budget_of, fit_of
from warmer.estimation.goodness import misfit
from warmer.estimation.losses import Losses
from warmer.estimation.objectors import Objectors
from warmer.estimation.predictions import Predicted, PredictionBall
from warmer.estimation.regression import AggregatingForecaster, MeanForecaster, VovkAzouryWarmuth
from warmer.estimation.table_fit import TableFit

__all__ = [
    "AggregatingForecaster",
    "Agreement",
    "DistanceBall",
    "LossBall",
    "Losses",
    "MeanForecaster",
    "Objectors",
    "Predicted",
    "PredictionBall",
    "TableFit",
    "VovkAzouryWarmuth",
    "error_budget_of",
    "fit_of",
    "misfit",
    "most_agreed_query",
]
