"""Continuous classes of targets, which know how to fit themselves."""

from warmer.families.arms import KArms as KArms
from warmer.families.glm import GLM as GLM
from warmer.families.inner_products import LinearBall as LinearBall
from warmer.families.inner_products import Sphere as Sphere
from warmer.families.linear import Linear as Linear
from warmer.families.links import Link as Link
from warmer.families.links import logistic as logistic
from warmer.families.links import probit as probit
from warmer.families.relu import ReLU as ReLU
from warmer.families.separation import Separation as Separation
from warmer.families.separation import SeparationTarget as SeparationTarget
from warmer.lazy import lazily as _lazily

_lazily(__name__)
