"""Environments: they hold the target, and nothing else knows the truth."""

from warmer.environments.catalog import CATALOG as CATALOG
from warmer.environments.catalog import build as build
from warmer.environments.correlational import CorrelationalOracle as CorrelationalOracle
from warmer.environments.correlational import SplitQuery as SplitQuery
from warmer.environments.correlational import StatisticalOracle as StatisticalOracle
from warmer.environments.correlational import split_query as split_query
from warmer.environments.function import FunctionEnvironment as FunctionEnvironment
from warmer.environments.noise_models import Coin as Coin
from warmer.environments.noise_models import Exact as Exact
from warmer.environments.noise_models import RoundedGaussian as RoundedGaussian
from warmer.environments.noise_models import SampleMean as SampleMean
from warmer.environments.noise_models import TargetEnvironment as TargetEnvironment
from warmer.environments.noise_models import TruncatedGaussian as TruncatedGaussian
from warmer.environments.noise_models import UniformNoise as UniformNoise
from warmer.environments.statistical import STRATEGIES as STRATEGIES
from warmer.environments.statistical import Adversarial as Adversarial
from warmer.environments.statistical import SimulatedSamples as SimulatedSamples
from warmer.environments.statistical import towards as towards
from warmer.lazy import lazily as _lazily

_lazily(__name__)
