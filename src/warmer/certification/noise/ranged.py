"""Answers that stay in the reward range: nothing but that, within a width of their mean, or at one of the two ends."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.certification import kernels
from warmer.certification.bets import Bets, RoughCoins
from warmer.certification.likelihoods import Coins
from warmer.certification.noise.declared import Told
from warmer.certification.noise.gaussian import SubGaussian, check_precision, distance
from warmer.certification.one_sided import coin_bets, empirical_bets
from warmer.certification.surprise.tails import bounded_tail, coin_tail, width_tail
from warmer.model import Array, Problem
from warmer.model.checks import check_positive
from warmer.model.errors import InvalidValueError
from warmer.model.words import exact, span


class _InRange:
    """Answers must lie in the reward range."""

    def check(self, problem: Problem, query: int, reward: float, count: int) -> None:
        """Raise `InvalidValueError` for an answer outside the range."""
        low, high = problem.reward_range
        if not low <= reward <= high:
            raise InvalidValueError(
                f"the answer to {problem.queries[query]!r} must be a number in {span(low, high)}, got {exact(reward)}; "
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
        check_precision(problem, "width", float(self.width), tolerance)
        return Bets(problem, log_prior, width=float(self.width), tolerance=tolerance)

    def bets(self, family: Any, scale: float) -> Array:
        """Noise within a width is sub-Gaussian with that deviation (Hoeffding's lemma)."""
        return SubGaussian(self.width).bets(family, scale)

    def tail(self, problem: Problem, query: int, told: Told, means: Array, tolerance: float) -> Array:
        """Nothing lies beyond the width; inside, only means of several answers are ever unlikely."""
        return width_tail(distance(told, means, tolerance), float(self.width), told.counts, problem.slack)


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
                f"the answer to {problem.queries[query]!r} must be {exact(low)} or {exact(high)}{mean}, got "
                f"{exact(reward)}: the noise is declared to be that of coins; nothing was recorded."
            )


def coin_information(problem: Problem, first: Array, second: Array) -> Array:
    """The divergence between answers at the two ends of the range, with these means."""
    low, high = problem.reward_range
    p, q = (np.clip((mean - low) / (high - low), 0.0, 1.0) for mean in (first, second))
    with np.errstate(divide="ignore", invalid="ignore"):
        sides = [np.where(x > 0, x * np.log(x / y), 0.0) for x, y in ((p, q), (1 - p, 1 - q))]
    return np.asarray(sides[0] + sides[1])


def _share(problem: Problem, rewards: Array) -> Array:
    """How far up the reward range."""
    low, high = problem.reward_range
    return np.clip((rewards - low) / (high - low), 0.0, 1.0)


def _interval(problem: Problem, means: Array, tolerance: float) -> tuple[Array, Array]:
    return _share(problem, means - tolerance), _share(problem, means + tolerance)
