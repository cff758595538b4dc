"""Fitting rho to rewards: least squares, posteriors, confidence sets; and families that know how to fit themselves."""

from warmer.estimation.arms import KArms
from warmer.estimation.confidence import DistanceBall, LossBall
from warmer.estimation.finite import FiniteFit
from warmer.estimation.fitting import fitting
from warmer.estimation.glm import GLM
from warmer.estimation.goodness import misfit
from warmer.estimation.linear import Linear
from warmer.estimation.linear_ball import LinearBall
from warmer.estimation.links import Link, logistic, probit
from warmer.estimation.losses import Losses
from warmer.estimation.relu import ReLU
from warmer.estimation.separation import Bumpy, Separation
from warmer.estimation.sphere import Sphere

__all__ = [
    "GLM",
    "Bumpy",
    "DistanceBall",
    "FiniteFit",
    "KArms",
    "Linear",
    "LinearBall",
    "Link",
    "LossBall",
    "Losses",
    "ReLU",
    "Separation",
    "Sphere",
    "fitting",
    "logistic",
    "misfit",
    "probit",
]
