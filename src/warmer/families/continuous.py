"""What all continuous families declare, and how people name their vectors."""

import math
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np

from warmer.bounds.budgets import cover_error_budget
from warmer.bounds.coverings import log_cover_of_ball
from warmer.bounds.radii import cover_radius
from warmer.families.solvers.answers import Answers
from warmer.model import Array, Ball, Family, Fit
from warmer.model.checks import SLACK, at_least, at_most, check_alpha, check_count, check_interval, slack_for
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_vector
from warmer.model.readings import Tally
from warmer.model.rewards import Rewarded

State = TypeVar("State")

_FLOAT64 = np.dtype(np.float64)
_ROUNDING = 1e-12
"""The rounding of a vector's squared length, relative; far below the slack of comparisons."""


@dataclass(frozen=True, eq=False)
class ContinuousFamily(Rewarded, Family):
    """A class of targets without a table; every family adds what it can ask, what can be true, and a fit."""

    _: KW_ONLY
    reward_range: tuple[float, float] = (-1.0, 1.0)
    norm = 1.0  # the largest length of a target, where targets are vectors

    def __post_init__(self) -> None:
        least, most = check_interval("reward_range", self.reward_range)
        object.__setattr__(self, "reward_range", (least, most))
        low, high = self.value_range
        if not (at_least(low, least) and at_most(high, most)):
            raise InvalidValueError(
                f"the reward range must contain every expected reward; those of this class run from {low:g} to "
                f"{high:g}, the range from {least:g} to {most:g}. Declare a wider reward_range or a smaller class."
            )

    @property
    def value_range(self) -> tuple[float, float]:
        """The least and the largest expected reward of the class; the largest is some target's self-evaluation."""
        largest = self.norm * self.lipschitz
        return -largest, largest

    @property
    def lipschitz(self) -> float:
        """How much predictions differ at most, per distance of the targets, where targets are vectors."""
        return 1.0

    @property
    def tolerance(self) -> float:
        """Some target of the class is the truth, exactly."""
        return 0.0

    @property
    def slack(self) -> float:
        """The slack with which expected rewards are compared."""
        return SLACK * min(1.0, max(abs(end) for end in self.reward_range))

    def self_evaluation(self, target: Any) -> float:
        """What the best query of a target earns."""
        return float(self.evaluate(self.best_query(target), target))

    def best_value(self, target: Any) -> float:
        """The most that a query earns: the self-evaluation."""
        return self.self_evaluation(target)

    def log_cover(self, width: float) -> float:
        """Log of the size of a cover: of every target's predictions some element's are within the width."""
        targets: Any = self.targets
        return log_cover_of_ball(dimension=targets.n, width=width / (self.norm * self.lipschitz))

    def in_range(self, values: Any) -> Any:
        """The same values, with those that rounding has pushed out of the reward range set back to its ends."""
        low, high = self.reward_range
        return np.minimum(np.maximum(values, low), high)


@dataclass(frozen=True, eq=False)
class VectorFamily(ContinuousFamily):
    """A family whose queries are vectors of the unit ball, and whose targets are vectors too."""

    n: int
    shortest: ClassVar[float] = 0.0  # the least length of queries and targets: 1 on the sphere

    def __post_init__(self) -> None:
        check_count("n", self.n)
        super().__post_init__()

    @cached_property
    def queries(self) -> "Vectors":
        """Vectors of the unit ball."""
        return Vectors(self.n, noun="query", shortest=self.shortest, longest=1.0)

    @cached_property
    def targets(self) -> "Vectors":
        """Vectors no longer than the norm."""
        return Vectors(self.n, noun="target", shortest=self.shortest, longest=self.norm)

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

    def paper_ball(self, *, delta: float, horizon: int) -> Ball[Any]:
        """The ball of the paper's radius."""
        return self.ball(self.paper_radius(delta=delta, horizon=horizon))

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

    def ball(self, radius: float) -> CenterOnly:
        """The center."""
        return CenterOnly(self)


class Tallied(NamedTuple):
    """The answers so far, and the level that the self-evaluation must reach."""

    tally: Any  # a `Tally` where queries are indices, `Answers` where they are vectors
    alpha: float | None


class TalliedFit(ContinuousFit[Tallied]):
    """A fit that works from the counts and sums of the answers to each query."""

    def start(self, alpha: float | None = None) -> Tallied:
        """Nothing observed."""
        check_alpha(alpha, self.family.value_range[1])
        return Tallied(Answers() if self.family.query_shape else Tally.empty(len(self.family.queries)), alpha)

    def update(self, state: Tallied, query: Any, reward: float, count: int = 1) -> Tallied:
        """Count the answer, in the memory of the given state."""
        state.tally.add(query, reward, count)
        return state


@dataclass(frozen=True)
class Vectors:
    """Vectors that name themselves: n numbers within bounds, on their Euclidean length and on each of them.

    Examples
    --------
    >>> Vectors(2, noun="query", shortest=1.0, longest=1.0).position([0.6, 0.8]).tolist()
    [0.6, 0.8]
    """

    n: int
    _: KW_ONLY
    noun: str
    shortest: float = 0.0
    longest: float = math.inf
    low: float = -math.inf
    high: float = math.inf

    def position(self, label: Any) -> Array:
        """The vector, checked and copied."""
        vector = as_vector(f"a {self.noun}", label, self.n)
        length, slack = float(np.linalg.norm(vector)), slack_for(getattr(label, "dtype", np.float64))
        if not (at_least(length, self.shortest, slack) and at_most(length, self.longest, slack)):
            is_unit, longest = self.shortest == self.longest, f"{self.longest:g}"
            needed = f"of length {longest} (divide it by its own length)" if is_unit else f"no longer than {longest}"
            raise InvalidValueError(f"a {self.noun} must be a vector {needed}, got one of length {length:.12g}.")
        if not (at_least(vector.min(), self.low) and at_most(vector.max(), self.high)):
            raise InvalidValueError(
                f"a {self.noun} must be a vector of numbers in [{self.low:g}, {self.high:g}], got {vector.tolist()}."
            )
        if slack > SLACK and length > 0:  # single precision cannot hold a length to the last digit
            vector *= min(max(length, self.shortest), self.longest) / length
        return vector

    def holds(self, query: Any) -> bool:
        """Whether `position` gives back just this vector, by a quick look; False where it takes a longer one."""
        is_plain = type(query) is np.ndarray and query.dtype is _FLOAT64 and query.shape == (self.n,)
        return is_plain and bool(self._squares[0] <= query @ query <= self._squares[1])

    @cached_property
    def _squares(self) -> tuple[float, float]:
        """Squared lengths that nothing more need be asked of; none where single numbers have bounds too."""
        if (self.low, self.high) != (-math.inf, math.inf):
            return math.inf, -math.inf
        return self.shortest**2 * (1 - _ROUNDING), min(self.longest**2, 1e300) * (1 + _ROUNDING)

    def __getitem__(self, position: Any) -> Array:
        return np.array(position, dtype=float)
