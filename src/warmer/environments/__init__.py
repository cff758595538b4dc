"""Environments: they hold the target, and nothing else knows the truth."""

from warmer.environments.catalog import CATALOG, build
from warmer.environments.correlational import CorrelationalOracle, SplitQuery, StatisticalOracle, split_query
from warmer.environments.function import FunctionEnvironment
from warmer.environments.noise_models import Coin, Exact, SampleMean, TargetEnvironment, TruncatedGaussian, UniformNoise
from warmer.environments.statistical import STRATEGIES, Adversarial, SimulatedSamples, towards

__all__ = [
    "CATALOG",
    "STRATEGIES",
    "Adversarial",
    "Coin",
    "CorrelationalOracle",
    "Exact",
    "FunctionEnvironment",
    "SampleMean",
    "SimulatedSamples",
    "SplitQuery",
    "StatisticalOracle",
    "TargetEnvironment",
    "TruncatedGaussian",
    "UniformNoise",
    "build",
    "split_query",
    "towards",
]
