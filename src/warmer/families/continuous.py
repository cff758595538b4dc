"""What all continuous families declare, and how people name their vectors."""

import math
from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from warmer.bounds.budgets import cover_error_budget
from warmer.bounds.radii import cover_radius
from warmer.model import Array, Ball, Fit
from warmer.model.checks import SLACK, at_least, at_most, check_count, check_interval, check_sigma
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_vector
from warmer.model.tally import Tally

State = TypeVar("State")


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
        return check_sigma(declared, self.scale)

    @property
    def query_shape(self) -> tuple[int, ...]:
        """A query is an index."""
        return ()

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

    @abstractmethod
    def log_cover(self, width: float) -> float:
        """Log of the size of a cover: of every target's predictions some element's are within the width."""

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


@dataclass(frozen=True, eq=False)
class VectorFamily(ContinuousFamily):
    """A family whose queries are vectors of the unit ball, and whose targets are vectors too."""

    n: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("n", self.n)

    @cached_property
    def queries(self) -> "Vectors":
        """Vectors of the unit ball."""
        return Vectors(self.n, noun="query", longest=1.0)

    @property
    def query_shape(self) -> tuple[int, ...]:
        """A query is a vector."""
        return (self.n,)

    def evaluate(self, query: Any, target: Array) -> Any:
        """The inner product."""
        return self.in_range(query @ target)

    def best_query(self, target: Array) -> Array:
        """The direction of the target; the first axis for the target 0, to which all queries are equal."""
        length = math.sqrt(target @ target)
        return np.asarray(target / length) if length > 0 else np.eye(1, self.n)[0]


@dataclass(frozen=True, eq=False)
class ContinuousFit(Fit[State]):
    """Least squares over a family; what it can promise comes from covers of the family."""

    family: Any

    def error_budget(self, *, alpha: float | None = None, horizon: int, delta: float, sigma: float) -> float:
        """Of the targets with the least loss, for any alpha that the truth reaches: `cover_error_budget`."""
        log_cover, scale = self._log_cover(horizon), self.family.scale
        return cover_error_budget(log_cover=log_cover, horizon=horizon, delta=delta, sigma=sigma, scale=scale)

    def paper_radius(self, *, delta: float, horizon: int) -> float:
        r"""The paper's radius of the distance ball, $128\,s^2\ln(2TN/\delta)$, for the family's cover at $4s/T$."""
        return cover_radius(log_cover=self._log_cover(horizon), horizon=horizon, delta=delta, scale=self.family.scale)

    def _log_cover(self, horizon: int) -> float:
        return float(self.family.log_cover(4 * self.family.scale / check_count("horizon", horizon)))


@dataclass(frozen=True, eq=False)
class CenterOnly(Ball[Any]):
    """Any ball around the least-squares target, in a class whose self-evaluations are all equal.

    Every target inside is a most optimistic one, and the center is always inside: the tie goes to it.
    """

    fit: Any

    def most_optimistic(self, state: Any) -> Any:
        """The least-squares target."""
        return self.fit.estimate(state)

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        """That of the least-squares target."""
        return float(self.fit.error_budget(horizon=horizon, delta=delta, sigma=sigma))


@dataclass(frozen=True, eq=False)
class EqualFit(ContinuousFit[State]):
    """A fit of a class whose self-evaluations are all equal, so that every ball is its center."""

    def anytime_ball(self, *, delta: float, sigma: float) -> CenterOnly:
        """The center."""
        return CenterOnly(self)

    def paper_ball(self, *, delta: float, horizon: int) -> CenterOnly:
        """The center, where the class has a cover."""
        return self.ball(self.paper_radius(delta=delta, horizon=horizon))

    def ball(self, radius: float) -> CenterOnly:
        """The center."""
        return CenterOnly(self)


class Tallied(NamedTuple):
    """Answers to queries that are indices, and the level that the self-evaluation must reach."""

    tally: Tally
    alpha: float | None


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
        vector = as_vector(f"a {self.noun}", label, self.n)
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
        vector = as_vector(f"a {self.noun}", label, self.n)
        if not (at_least(vector.min(), self.low) and at_most(vector.max(), self.high)):
            raise InvalidValueError(
                f"a {self.noun} must be a vector of numbers in [{self.low:g}, {self.high:g}], got {vector.tolist()}."
            )
        return vector

    def __getitem__(self, position: Any) -> Array:
        return np.array(position, dtype=float)
