"""Keepers of the target: the only code that knows the truth."""

from warmer.environments.asked import Asked
from warmer.environments.catalog import CATALOG, build
from warmer.environments.correlational import CorrelationalOracle, SplitQuery, StatisticalOracle, split_query
from warmer.environments.kept import Coin, Exact, Kept, SampleMean, TruncatedGaussian, UniformNoise
from warmer.environments.statistical import STRATEGIES, Adversarial, SimulatedSamples, towards

__all__ = [
    "CATALOG",
    "STRATEGIES",
    "Adversarial",
    "Asked",
    "Coin",
    "CorrelationalOracle",
    "Exact",
    "Kept",
    "SampleMean",
    "SimulatedSamples",
    "SplitQuery",
    "StatisticalOracle",
    "TruncatedGaussian",
    "UniformNoise",
    "build",
    "split_query",
    "towards",
]
