"""What all continuous families declare, and how people name their vectors."""

import reprlib
from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from warmer.model import Array
from warmer.model.checks import SLACK, at_least, at_most, check_interval, check_positive
from warmer.model.errors import InvalidValueError

__all__ = ["Box", "ContinuousFamily", "Vectors", "check_alpha"]

_LEAST_SIGMA = 1e-100


@dataclass(frozen=True, eq=False)
class ContinuousFamily(ABC):
    """A class of targets without a table; every family adds what it can ask, what can be true, and a fit."""

    _: KW_ONLY
    reward_range: tuple[float, float] = (-1.0, 1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reward_range", check_interval("reward_range", self.reward_range))

    @property
    def scale(self) -> float:
        """Half the length of the reward range."""
        low, high = self.reward_range
        return (high - low) / 2

    @property
    def tolerance(self) -> float:
        """Some target of the class is the truth, exactly."""
        return 0.0

    def sigma(self, declared: float | None) -> float:
        """The declared deviation of the noise, checked; where none is declared, `scale`, which is always true."""
        sigma = self.scale if declared is None else check_positive("sigma", declared)
        if not _LEAST_SIGMA <= sigma <= 1 / _LEAST_SIGMA:
            raise InvalidValueError(
                f"sigma must lie between {_LEAST_SIGMA:g} and {1 / _LEAST_SIGMA:g}, where squares are numbers that "
                f"counts; got {sigma:g}."
            )
        return sigma

    @property
    def slack(self) -> float:
        """The slack with which expected rewards are compared."""
        return SLACK * min(1.0, max(abs(end) for end in self.reward_range))

    @abstractmethod
    def evaluate(self, query: Any, target: Any) -> Any:
        """The expected reward of a query, or of each of an array of queries, if target is the truth."""

    @abstractmethod
    def best_query(self, target: Any) -> Any:
        """The query that a target evaluates highest."""

    def self_evaluation(self, target: Any) -> float:
        """What the best query of a target earns."""
        return float(self.evaluate(self.best_query(target), target))

    def best_value(self, target: Any) -> float:
        """The most that a query earns: the self-evaluation."""
        return self.self_evaluation(target)

    def in_range(self, values: Any) -> Any:
        """The same values, with those that rounding has pushed out of the reward range set back to its ends."""
        low, high = self.reward_range
        return np.minimum(np.maximum(values, low), high)

    def check_values(self, low: float, high: float) -> None:
        """Raise unless the reward range holds every value that a target of the class can predict."""
        least, most = self.reward_range
        if not (at_least(low, least) and at_most(high, most)):
            raise InvalidValueError(
                f"the reward range must contain every expected reward; those of this class run from {low:g} to "
                f"{high:g}, the range from {least:g} to {most:g}. Declare a wider reward_range or a smaller class."
            )


def check_alpha(alpha: float | None, best: float) -> None:
    """Raise where no target of the class reaches alpha; `best` is the largest self-evaluation there is."""
    if alpha is not None and not at_least(best, alpha):
        raise InvalidValueError(
            f"alpha must be reached by some target's own best query; the best is {best:g}, "
            f"got {alpha:g}. Lower alpha or use Optimistic."
        )


@dataclass(frozen=True)
class Vectors:
    """Vectors that name themselves: n numbers whose Euclidean length lies between two bounds.

    Examples
    --------
    >>> Vectors(2, noun="query", shortest=1.0, longest=1.0).position([0.6, 0.8]).tolist()
    [0.6, 0.8]
    """

    n: int
    _: KW_ONLY
    noun: str
    shortest: float = 0.0
    longest: float

    def position(self, label: Any) -> Array:
        """The vector, checked and copied."""
        vector = _numbers(label, self.n, self.noun)
        length = float(np.linalg.norm(vector))
        if not (at_least(length, self.shortest) and at_most(length, self.longest)):
            raise InvalidValueError(
                f"a {self.noun} must be a vector {self._needed()}, got one of length {length:.12g}."
            )
        return vector

    def __getitem__(self, position: Any) -> Array:
        return np.array(position, dtype=float)

    def _needed(self) -> str:
        if self.shortest == self.longest:
            return f"of length {self.longest:g} (divide it by its own length)"
        return f"no longer than {self.longest:g}"


@dataclass(frozen=True)
class Box:
    """Vectors of n numbers, each between two bounds.

    Examples
    --------
    >>> Box(2, noun="target", low=0.0, high=1.0).position((0.25, 1)).tolist()
    [0.25, 1.0]
    """

    n: int
    _: KW_ONLY
    noun: str
    low: float
    high: float

    def position(self, label: Any) -> Array:
        """The vector, checked and copied."""
        vector = _numbers(label, self.n, self.noun)
        if not (at_least(vector.min(), self.low) and at_most(vector.max(), self.high)):
            raise InvalidValueError(
                f"a {self.noun} must be a vector of numbers in [{self.low:g}, {self.high:g}], got {vector.tolist()}."
            )
        return vector

    def __getitem__(self, position: Any) -> Array:
        return np.array(position, dtype=float)


def _numbers(label: Any, n: int, noun: str) -> Array:
    try:
        vector = np.array(label, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidValueError(f"a {noun} must be a vector of {n} numbers, got {reprlib.repr(label)}.") from None
    if vector.shape != (n,):
        raise InvalidValueError(f"a {noun} must be a vector of {n} numbers, got an array of shape {vector.shape}.")
    if not np.isfinite(vector).all():
        raise InvalidValueError(f"a {noun} must be a vector of finite numbers, got {vector.tolist()}.")
    return vector
