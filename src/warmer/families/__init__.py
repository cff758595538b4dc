"""Continuous classes of targets, which know how to fit themselves."""

from warmer.families.arms import KArms
from warmer.families.glm import GLM
from warmer.families.linear import Linear
from warmer.families.linear_ball import LinearBall
from warmer.families.links import Link, logistic, probit
from warmer.families.relu import ReLU
from warmer.families.separation import Separation, SeparationTarget
from warmer.families.sphere import Sphere

__all__ = [
    "GLM",
    "KArms",
    "Linear",
    "LinearBall",
    "Link",
    "ReLU",
    "Separation",
    "SeparationTarget",
    "Sphere",
    "logistic",
    "probit",
]
