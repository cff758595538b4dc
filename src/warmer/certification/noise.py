r"""What is declared about the noise, and the e-process that the declaration allows.

A declaration must be true of every answer, given all earlier ones; a belief that merely helps to choose queries
belongs to a learner. Anything with the three methods of `EvidenceProcess`, made for one problem, can stand in for a
declaration.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from warmer.certification import kernels
from warmer.certification.bets import Bets, RoughCoins, RoughSquares
from warmer.certification.custom import Custom, EvidenceProcess
from warmer.certification.likelihoods import Coins, Squares
from warmer.certification.memory import Batch
from warmer.certification.one_sided import coin_bets, empirical_bets, gaussian_bets
from warmer.certification.surprise.tails import bounded_tail, coin_tail, gaussian_tail, width_tail
from warmer.certification.universal import Universal
from warmer.certification.weights import Weights
from warmer.model import Array, Problem
from warmer.model.checks import check_positive
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array

__all__ = [
    "Bounded",
    "BoundedNoise",
    "Coin",
    "Gaussian",
    "Noise",
    "NoiseOfMeans",
    "Process",
    "SubGaussian",
    "Tails",
    "Told",
    "evidence_process",
]

State = TypeVar("State")

_FAR = 40
"""Deviations beyond which an answer outside the range is a mistake: sub-Gaussian noise goes so far with probability
below 1e-340.
"""


class Process(Protocol[State]):
    """An e-process for each candidate of one table: what confidence sets and learners that prove need of it."""

    is_coin: ClassVar[bool]
    """Whether every answer is one of the two ends of the range."""

    @property
    def problem(self) -> Problem:
        """The table of the candidates that it watches."""
        ...

    def start(self) -> State:
        """Nothing observed yet: every process is 1."""
        ...

    def advance(self, state: State, told: Batch, possible: Array, threshold: float) -> tuple[State, int, int]:
        """Answer after answer until one of them rules possible candidates out; it may reuse the memory of the state.

        The state, how many of the answers were told (at least one), and how many candidates were struck off the
        possible ones: those whose log evidence has reached the threshold.
        """
        ...

    def log_evidence(self, state: State) -> Array:
        """The logarithm of each candidate's process: the evidence against it."""
        ...

    def part(self, state: State, places: Array) -> "tuple[Process[State], State] | None":
        """The process and its state for some of the candidates alone; None where it must watch all."""
        ...

    def weights(self, state: State) -> Weights:
        """How likely the candidates are, for choosing; nothing that is proven rests on it."""
        ...

    def variances(self, state: State, queries: Array, means: Array) -> Array:
        """The variance of an answer to each of some queries, where these are their means; for choosing alone."""
        ...


@runtime_checkable
class Noise(Protocol):
    """A declaration about the noise."""

    def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Process[Any]:
        """The e-process for a table whose entries are right up to a tolerance."""
        ...

    def check(self, problem: Problem, query: int, reward: float, count: int) -> None:
        """Raise `InvalidValueError` for an answer that the declaration calls impossible."""
        ...


@runtime_checkable
class NoiseOfMeans(Protocol):
    """A declaration that can speak of one query's mean alone, where there is no table of candidates."""

    def bets(self, family: Any, scale: float) -> Array:
        """For each query the bets on its mean (`kernels.one_sided`), with answers scaled to [0, 1].

        The scale is a difference of means that matters, also scaled.
        """
        ...


class Tails(Protocol):
    """A declaration that says how far from its mean an answer may be thrown."""

    def tail(self, problem: Problem, query: int, told: "Told", means: Array, tolerance: float) -> Array:
        """A p-value for each of some answers to one query, if these are their means up to a tolerance (`tails`)."""
        ...


class Told(NamedTuple):
    """Some answers to one query: rewards, each the mean of so many."""

    rewards: Array
    counts: Array


def evidence_process(noise: Any, problem: Problem, log_prior: Array, tolerance: float) -> Process[Any]:
    """The e-process of a declaration, or the user's own.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 1.0]])
    >>> process = evidence_process(SubGaussian(0.5), table, np.empty(0), 0.0)
    >>> state, _, struck = process.advance(process.start(), Batch.one(0, 1.0, 4), np.ones(2, dtype=bool), 3.0)
    >>> struck, process.log_evidence(state).round(1).tolist()
    (1, [7.2, -0.8])
    """
    if isinstance(noise, Noise) and not isinstance(noise, type):
        return noise.process(problem, log_prior, tolerance)
    if isinstance(noise, EvidenceProcess) and not isinstance(noise, type):
        if tolerance:
            raise InvalidValueError("an e-process of your own must itself allow for the tolerance of the table.")
        return Custom(problem, log_prior, noise)
    raise InvalidValueError(
        f"noise must be a declaration such as noise.SubGaussian(0.3), got {noise!r}; an e-process of your own has the "
        "methods start, update and log_evidence."
    )


class _InRange:
    """Answers must lie in the reward range."""

    def check(self, problem: Problem, query: int, reward: float, count: int) -> None:
        """Raise `InvalidValueError` for an answer outside the range."""
        low, high = problem.reward_range
        if not low <= reward <= high:
            raise InvalidValueError(
                f"the answer to {problem.queries[query]!r} must be a number in [{low:g}, {high:g}], got {reward:g}; "
                "nothing was recorded, tell it again when it is known."
            )


@dataclass(frozen=True)
class Bounded(_InRange):
    """Nothing is declared but the reward range: the default.

    The bets learn by themselves how small the noise is.

    Examples
    --------
    >>> Bounded()
    Bounded()
    """

    def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Bets:
        """Bets within the reward range."""
        return Bets(problem, log_prior, tolerance=tolerance)

    def information(self, problem: Problem, queries: Array, first: Array, second: Array) -> Array:
        """That of coins, which are the hardest to tell apart of all bounded answers with these means."""
        return coin_information(problem, first, second)

    def bets(self, family: Any, scale: float) -> Array:
        """As if answers were coins, and by how much they were seen to vary."""
        bets = np.concatenate([coin_bets(scale), empirical_bets(scale)])
        return np.broadcast_to(bets, (len(family.queries), *bets.shape))

    def tail(self, problem: Problem, query: int, told: Told, means: Array, tolerance: float) -> Array:
        """By the range alone: only answers near one end are unlikely, under means near the other."""
        return bounded_tail(_share(problem, told.rewards), told.counts, *_interval(problem, means, tolerance))


@dataclass(frozen=True)
class BoundedNoise(_InRange):
    """Every answer lies within `width` of its mean (and in the reward range).

    Examples
    --------
    >>> BoundedNoise(0.5).width
    0.5
    """

    width: float

    def __post_init__(self) -> None:
        check_positive("width", self.width)

    def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Bets:
        """Bets within the width; one answer outside rules a candidate out."""
        _check_precision(problem, "width", float(self.width), tolerance)
        return Bets(problem, log_prior, width=float(self.width), tolerance=tolerance)

    def bets(self, family: Any, scale: float) -> Array:
        """Noise within a width is sub-Gaussian with that deviation (Hoeffding's lemma)."""
        return SubGaussian(self.width).bets(family, scale)

    def tail(self, problem: Problem, query: int, told: Told, means: Array, tolerance: float) -> Array:
        """Nothing lies beyond the width; inside, only means of several answers are ever unlikely."""
        return width_tail(_distance(told, means, tolerance), float(self.width), told.counts, problem.slack)


@dataclass(frozen=True)
class SubGaussian:
    r"""Noise with $\mathbb E\,e^{\lambda\xi}\le e^{\lambda^2\sigma^2/2}$ given the past.

    Gaussian noise of deviation sigma is, and so is any noise in an interval of length 2 sigma.

    Parameters
    ----------
    sigma
        One number; or one for each query, in table order or as a mapping from labels.

    Examples
    --------
    >>> SubGaussian(0.3)
    SubGaussian(sigma=0.3)
    """

    sigma: float | Sequence[float] | Mapping[Any, float]

    def __post_init__(self) -> None:
        sigma = list(self.sigma.values()) if isinstance(self.sigma, Mapping) else self.sigma
        for value in as_array("sigma", sigma).ravel().tolist():
            check_positive("sigma", value)
            if not 1e-100 < value < 1e100:
                raise InvalidValueError(f"sigma must be a deviation of rewards, got {value:g}.")

    def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Squares | RoughSquares:
        """The likelihood ratio of Gaussian noise, which is valid for all sub-Gaussian noise."""
        sigmas = self.sigmas(problem)
        _check_precision(problem, "sigma", float(sigmas.min()), tolerance)
        if tolerance:
            return RoughSquares(problem, log_prior, sigmas=sigmas, tolerance=tolerance)
        return Squares(problem, log_prior, sigmas)

    def information(self, problem: Problem, queries: Array, first: Array, second: Array) -> Array:
        """The divergence between Gaussian answers with these means."""
        return np.asarray((first - second) ** 2 / (2 * self.sigmas(problem)[queries] ** 2))

    def bets(self, family: Any, scale: float) -> Array:
        """By the deviation of each query's answers."""
        return gaussian_bets(scale, self.sigmas(family) / (2 * family.scale))

    def tail(self, problem: Problem, query: int, told: Told, means: Array, tolerance: float) -> Array:
        """By the declared deviation."""
        sigma = self.sigma if isinstance(self.sigma, int | float) else self.sigmas(problem)[query]
        return gaussian_tail(_distance(told, means, tolerance), sigma / np.sqrt(told.counts))

    def check(self, problem: Any, query: int, reward: float, count: int) -> None:
        """Raise `InvalidValueError` for an answer that such noise practically never brings."""
        low, high = problem.reward_range
        if low <= reward <= high:
            return
        sigma = float(self.sigmas(problem)[query])
        if not low - _FAR * sigma <= reward <= high + _FAR * sigma:
            raise InvalidValueError(
                f"the answer to {problem.queries[query]!r} must be a number no further than {_FAR} deviations of "
                f"{sigma:g} from [{low:g}, {high:g}], got {reward:g}; nothing was recorded."
            )

    def sigmas(self, problem: Any) -> Array:
        """The deviation of each query's answers; of all of them where queries are vectors."""
        if problem.query_shape:
            if not isinstance(self.sigma, Mapping) and as_array("sigma", self.sigma).ndim == 0:
                return as_array("sigma", self.sigma)
            raise InvalidValueError("the queries are vectors without a list; sigma must be one number.")
        n_queries = len(problem.queries)
        if isinstance(self.sigma, Mapping):
            places = {problem.queries.position(label): float(value) for label, value in self.sigma.items()}
            missing = next((q for q in range(n_queries) if q not in places), None)
            if missing is not None:
                raise InvalidValueError(f"sigma is missing for query {problem.queries[missing]!r}.")
            return np.array([places[q] for q in range(n_queries)])
        values = as_array("sigma", self.sigma)
        if values.ndim and values.shape != (n_queries,):
            raise InvalidValueError(
                f"sigma must be one number, or one for each of the {n_queries} queries, got an array of shape "
                f"{values.shape}."
            )
        return np.broadcast_to(values, (n_queries,)).astype(float)


@dataclass(frozen=True)
class Coin:
    """Every answer is one of the two ends of the reward range: yes or no, success or failure.

    Examples
    --------
    >>> Coin()
    Coin()
    """

    def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Coins | RoughCoins:
        """The likelihood ratio of coins; an answer that a candidate calls impossible rules it out."""
        return RoughCoins(problem, log_prior, tolerance=tolerance) if tolerance else Coins(problem, log_prior)

    def information(self, problem: Problem, queries: Array, first: Array, second: Array) -> Array:
        """The divergence between coins with these means; infinite where one answer tells them apart."""
        return coin_information(problem, first, second)

    def bets(self, family: Any, scale: float) -> Array:
        """By the mean of a coin."""
        bets = coin_bets(scale)
        return np.broadcast_to(bets, (len(family.queries), *bets.shape))

    def tail(self, problem: Problem, query: int, told: Told, means: Array, tolerance: float) -> Array:
        """By the chances of the two ends."""
        heads = told.counts * _share(problem, told.rewards)
        return coin_tail(heads, told.counts, *_interval(problem, means, tolerance))

    def check(self, problem: Problem, query: int, reward: float, count: int) -> None:
        """Raise `InvalidValueError` for an answer that is no mean of so many ends."""
        low, high = problem.reward_range
        if not (math.isfinite(reward) and kernels.steps.heads_of(low, high, reward, count) in range(count + 1)):
            mean = f", or the mean of {count} such answers" if count > 1 else ""
            raise InvalidValueError(
                f"the answer to {problem.queries[query]!r} must be {low:g} or {high:g}{mean}, got {reward:g}: the "
                "noise is declared to be that of coins; nothing was recorded."
            )


@dataclass(frozen=True)
class Gaussian:
    """Gaussian noise of one deviation, the same for all queries, and unknown. Answers may leave the range.

    Examples
    --------
    >>> Gaussian()
    Gaussian()
    """

    def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Universal:
        """Universal inference over the deviation."""
        return Universal(problem, log_prior, tolerance)

    def check(self, problem: Problem, query: int, reward: float, count: int) -> None:
        """Raise `InvalidValueError` unless the answer is a finite number, and not absurdly far from the range."""
        low, high = problem.reward_range
        if not abs(reward - low) <= 1e9 * (high - low):
            raise InvalidValueError(
                f"the answer to {problem.queries[query]!r} must be a number, and no further than 1e9 times the length "
                f"of [{low:g}, {high:g}] from it, got {reward:g}; nothing was recorded."
            )


def coin_information(problem: Problem, first: Array, second: Array) -> Array:
    """The divergence between answers at the two ends of the range, with these means."""
    low, high = problem.reward_range
    p, q = (np.clip((mean - low) / (high - low), 0.0, 1.0) for mean in (first, second))
    with np.errstate(divide="ignore", invalid="ignore"):
        sides = [np.where(x > 0, x * np.log(x / y), 0.0) for x, y in ((p, q), (1 - p, 1 - q))]
    return np.asarray(sides[0] + sides[1])


def _distance(told: Told, means: Array, tolerance: float) -> Array:
    return np.asarray(np.maximum(np.abs(told.rewards - means) - tolerance, 0.0))


def _share(problem: Problem, rewards: Array) -> Array:
    """How far up the reward range."""
    low, high = problem.reward_range
    return np.clip((rewards - low) / (high - low), 0.0, 1.0)


def _interval(problem: Problem, means: Array, tolerance: float) -> tuple[Array, Array]:
    return _share(problem, means - tolerance), _share(problem, means + tolerance)


def _check_precision(problem: Problem, name: str, value: float, tolerance: float) -> None:
    """Raise where the noise is so small that the rounding of a float32 table would count as evidence."""
    most = max(abs(end) for end in problem.reward_range)
    if problem.dtype == np.float32 and value < 1e-4 * most and tolerance < 1e-7 * most:
        raise InvalidValueError(
            f"{name} must be at least {1e-4 * most:g} with a float32 table, whose entries are rounded, got {value:g}; "
            f"use a float64 table, or declare tolerance={1e-7 * most:g}."
        )
