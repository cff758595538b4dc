"""Fitting rho to rewards: least squares, posteriors, confidence sets; and families that know how to fit themselves."""

from warmer.estimation.agreement import Agreement, most_agreed_query
from warmer.estimation.arms import KArms
from warmer.estimation.confidence import DistanceBall, LossBall
from warmer.estimation.finite import FiniteFit
from warmer.estimation.fitting import error_budget_of, fitting
from warmer.estimation.glm import GLM
from warmer.estimation.goodness import misfit
from warmer.estimation.linear import Linear
from warmer.estimation.linear_ball import LinearBall
from warmer.estimation.links import Link, logistic, probit
from warmer.estimation.losses import Losses
from warmer.estimation.objectors import Objectors
from warmer.estimation.predictions import Predicted, PredictionBall
from warmer.estimation.regression import AggregatingForecaster, MeanForecaster, VovkAzouryWarmuth
from warmer.estimation.relu import ReLU
from warmer.estimation.separation import Bumpy, Separation
from warmer.estimation.sphere import Sphere

__all__ = [
    "GLM",
    "AggregatingForecaster",
    "Agreement",
    "Bumpy",
    "DistanceBall",
    "FiniteFit",
    "KArms",
    "Linear",
    "LinearBall",
    "Link",
    "LossBall",
    "Losses",
    "MeanForecaster",
    "Objectors",
    "Predicted",
    "PredictionBall",
    "ReLU",
    "Separation",
    "Sphere",
    "VovkAzouryWarmuth",
    "error_budget_of",
    "fitting",
    "logistic",
    "misfit",
    "most_agreed_query",
    "probit",
]
