"""Keepers of the target: the only code that knows the truth."""

from warmer.environments.asked import Asked
from warmer.environments.catalog import CATALOG, build
from warmer.environments.kept import Coin, Exact, Kept, SampleMean, TruncatedGaussian, UniformNoise

__all__ = [
    "CATALOG",
    "Asked",
    "Coin",
    "Exact",
    "Kept",
    "SampleMean",
    "TruncatedGaussian",
    "UniformNoise",
    "build",
]
