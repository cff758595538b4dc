"""A pool of unlabelled points as the proof sees it: the losses of all models, and what they can be."""

from warmer.choice.pools.classes import ClassPool
from warmer.choice.pools.contract import Contrast, Pool
from warmer.choice.pools.numbers import NumberPool
from warmer.choice.pools.probabilities import ProbabilityPool

__all__ = ["ClassPool", "Contrast", "NumberPool", "Pool", "ProbabilityPool"]
