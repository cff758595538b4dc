"""Environments that hold a target: every answer lies in the reward range and has the right mean."""

import math
import reprlib
from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.environments import kernels
from warmer.model import Array, Environment, Problem
from warmer.model.checks import check_count, check_positive
from warmer.model.contracts import ProblemLike
from warmer.model.errors import InvalidValueError, ProtocolError

_MOST_DRAWS = 200_000_000
"""How many draws a run of `SampleMean` may make: 1.6 GB of them."""


def toss(low: float, high: float, mean: float, chance: float) -> float:
    """The high end with the probability that makes the mean right, by a uniform number."""
    return high if low + chance * (high - low) < mean else low


class Responding:
    """What every environment adds to its contract: answers to one query at a time, for people."""

    def respond(self: Environment, query: Any, rng: np.random.Generator) -> float:
        """The answer to one query, by label or index, with noise drawn on the spot."""
        return float(self.reward(self.problem.queries.position(query), self.noise(1, rng)[0]))


@dataclass(frozen=True, eq=False)
class TargetEnvironment(Responding, ABC):
    """A problem and the target that the learner does not see; what all noise models share."""

    problem: Any
    """The table, or a family."""
    target: Any
    """The truth, by label or index; a vector in a family of vectors."""

    def __post_init__(self) -> None:
        if isinstance(self.problem, type) or not isinstance(self.problem, Problem | ProblemLike):  # the first is quick
            raise InvalidValueError(
                f"{type(self).__name__} needs a Problem or a family, got {reprlib.repr(self.problem)}."
            )
        _ = self._position  # raises for an unknown target

    @cached_property
    def means(self) -> Array:
        """The expected reward of each query, where queries are indices: the target's column."""
        if self.problem.query_shape:
            raise ProtocolError(
                f"the queries of {self.problem!r} are vectors and cannot be listed; ask for expected(queries)."
            )
        return np.asarray(self.expected(slice(None)))

    @cached_property
    def alpha_star(self) -> float:
        r"""$\alpha^*$, the most that an allowed query earns under the target."""
        return float(self.problem.best_value(self._position))

    def expected(self, queries: Any) -> Array:
        """The expected reward of a query, or of each of an array of queries."""
        return np.asarray(self.problem.evaluate(queries, self._position), dtype=float)

    def noise(self, horizon: int, rng: np.random.Generator) -> Array:
        """A uniform number per round, which is all the chance that most models need."""
        return rng.random(horizon)

    @abstractmethod
    def reward(self, query: Any, noise: Any) -> float:
        """The answer to a query, given the round's row of noise."""

    @property
    @abstractmethod
    def sigma(self) -> float:
        """The noise of one answer is sigma-sub-Gaussian."""

    @cached_property
    def _position(self) -> Any:
        return self.problem.targets.position(self.target)

    def _mean(self, query: Any) -> float:
        return float(self.expected(query)) if self._column is None else self._column[query]

    @cached_property
    def _column(self) -> list[float] | None:
        """The means as plain floats, where queries are indices."""
        return None if self.problem.query_shape else self.means.tolist()

    def _room(self, mean: float) -> float:
        """How far a mean is from the nearer end of the reward range."""
        low, high = self.problem.reward_range
        return float(min(mean - low, high - mean))


@dataclass(frozen=True, eq=False)
class Exact(TargetEnvironment):
    """The expected reward itself: the deterministic setting.

    Examples
    --------
    >>> from warmer import Problem
    >>> Exact(Problem.from_table([[0.25, 0.5]]), target=1).reward(0, None)
    0.5
    """

    @property
    def sigma(self) -> float:
        """There is no noise."""
        return 0.0

    def noise(self, horizon: int, rng: np.random.Generator) -> Array:
        """A row of nothing per round."""
        return np.empty((horizon, 0))

    def reward(self, query: Any, noise: Any) -> float:
        """The mean."""
        return self._mean(query)


@dataclass(frozen=True, eq=False)
class Coin(TargetEnvironment):
    r"""One of the two ends of the reward range: $\pm1$ with mean $\rho$, as one labelled example answers.

    Examples
    --------
    >>> from warmer import Problem
    >>> heads = Coin(Problem.from_table([[0.5]]), target=0)
    >>> heads.reward(0, 0.74), heads.reward(0, 0.76)
    (1.0, -1.0)
    """

    @property
    def sigma(self) -> float:
        """Half the length of the reward range (Hoeffding's lemma)."""
        return float(self.problem.scale)

    def reward(self, query: Any, noise: float) -> float:
        """The high end with the probability that makes the mean right."""
        low, high = self.problem.reward_range
        return toss(low, high, self._mean(query), noise)


@dataclass(frozen=True, eq=False)
class UniformNoise(TargetEnvironment):
    """The mean plus uniform noise of half-width `width`, narrower near the ends of the range, so never biased.

    Examples
    --------
    >>> from warmer import Problem
    >>> UniformNoise(Problem.from_table([[0.25, 0.875]]), target=0, width=0.5).reward(0, 1.0)
    0.75
    >>> UniformNoise(Problem.from_table([[0.25, 0.875]]), target=1, width=0.5).reward(0, 1.0)
    1.0
    """

    _: KW_ONLY
    width: float = 0.5

    def __post_init__(self) -> None:
        check_positive("width", self.width)
        super().__post_init__()

    @property
    def sigma(self) -> float:
        """The width over the root of 3: a uniform variable is sub-Gaussian with its own variance."""
        return float(min(self.width, self.problem.scale) / np.sqrt(3.0))

    def noise(self, horizon: int, rng: np.random.Generator) -> Array:
        """A uniform number in [-1, 1] per round."""
        return 2.0 * rng.random(horizon) - 1.0

    def reward(self, query: Any, noise: float) -> float:
        """The mean and its share of noise."""
        mean = self._mean(query)
        return mean + min(self.width, self._room(mean)) * noise


@dataclass(frozen=True, eq=False)
class TruncatedGaussian(TargetEnvironment):
    """The mean plus Gaussian noise cut off symmetrically where it would leave the range, so never biased.

    A symmetric cut keeps the mean and makes the tails lighter: the noise stays sigma-sub-Gaussian.

    Examples
    --------
    >>> from warmer import Problem
    >>> TruncatedGaussian(Problem.from_table([[0.25]]), target=0, sigma=0.5).reward(0, 0.5)
    0.25
    """

    _: KW_ONLY
    sigma: float = 0.5

    def __post_init__(self) -> None:
        check_positive("sigma", self.sigma)
        super().__post_init__()

    def reward(self, query: Any, noise: float) -> float:
        """The quantile of the truncated Gaussian; an end of the range where rounding would step outside."""
        mean = self._mean(query)
        return mean + kernels.gaussian.truncated_quantile(float(noise), float(self.sigma), self._room(mean))


@dataclass(frozen=True, eq=False)
class RoundedGaussian(TargetEnvironment):
    """`TruncatedGaussian`, read from an instrument that shows multiples of a resolution within the range.

    Rounding is a bias: the mean of the readings is not that of the answers behind them, which is what `expected` says.
    Who learns from them declares `noise.Gaussian(resolution=)`.

    Examples
    --------
    >>> from warmer import Problem
    >>> table = Problem.from_table([[0.25]])
    >>> RoundedGaussian(table, target=0, sigma=0.1, resolution=0.2).reward(0, 0.5)
    0.2
    """

    _: KW_ONLY
    sigma: float = 0.5
    resolution: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        low, high = self.problem.reward_range
        if not 0 < check_positive("resolution", self.resolution) <= high - low:
            raise InvalidValueError(
                f"resolution must be no larger than the reward range [{low:g}, {high:g}], got {self.resolution:g}."
            )
        _ = self._behind  # raises for a sigma that is none

    def reward(self, query: Any, noise: float) -> float:
        """The nearest multiple of the resolution; one within the range where that is not."""
        low, high = self.problem.reward_range
        units = round(self._behind.reward(query, noise) / self.resolution)
        least, most = math.ceil(low / self.resolution - 1e-9), math.floor(high / self.resolution + 1e-9)
        return float(min(max(units, least), most) * self.resolution)

    @cached_property
    def _behind(self) -> TruncatedGaussian:
        return TruncatedGaussian(self.problem, self.target, sigma=self.sigma)


@dataclass(frozen=True, eq=False)
class SampleMean(TargetEnvironment):
    """The mean of n fresh tosses of `Coin`: empirical accuracy on n fresh examples.

    Examples
    --------
    >>> from warmer import Problem
    >>> SampleMean(Problem.from_table([[0.5]]), target=0, n=4).reward(0, [0.1, 0.2, 0.3, 0.9])
    0.5
    """

    _: KW_ONLY
    n: int = 10

    def __post_init__(self) -> None:
        check_count("n", self.n)
        super().__post_init__()

    @property
    def sigma(self) -> float:
        """The sigma of one toss over the root of n."""
        return float(self.problem.scale / np.sqrt(self.n))

    def noise(self, horizon: int, rng: np.random.Generator) -> Array:
        """N uniform numbers per round."""
        if horizon * self.n > _MOST_DRAWS:
            raise InvalidValueError(
                f"{horizon:,} answers of n = {self.n:,} draws each are more than {_MOST_DRAWS:,} draws; lower n, or "
                "use TruncatedGaussian, which the mean of so many draws resembles."
            )
        return rng.random((horizon, self.n))

    def reward(self, query: Any, noise: Any) -> float:
        """The share of tosses that came up high, on the scale of rewards."""
        low, high = self.problem.reward_range
        share = int(np.count_nonzero(low + np.asarray(noise) * (high - low) < self._mean(query))) / self.n
        return float(min(high, low + share * (high - low)))  # rounding must not step outside
