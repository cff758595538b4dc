"""Fitting rho to rewards: least squares, posteriors, confidence sets, online regression oracles."""

from warmer.estimation.confidence import DistanceBall, LossBall, Losses
from warmer.estimation.fit_of import fit_of
from warmer.estimation.predictions import Audited, Predicted, PredictionBall, RegretAudit
from warmer.estimation.regression import AggregatingForecaster, MeanForecaster, VovkAzouryWarmuth
from warmer.estimation.table_fit import TableFit

__all__ = [
    "AggregatingForecaster",
    "Audited",
    "DistanceBall",
    "LossBall",
    "Losses",
    "MeanForecaster",
    "Predicted",
    "PredictionBall",
    "RegretAudit",
    "TableFit",
    "VovkAzouryWarmuth",
    "fit_of",
]
