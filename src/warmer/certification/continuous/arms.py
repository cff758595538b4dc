"""K arms: what the answers of each say about its mean."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.certification import kernels
from warmer.certification.continuous import arm_questions
from warmer.certification.continuous.questions import Question, unsuitable, weights_of
from warmer.certification.goals import BestAbove, BestQuery, Goal, ValueOf
from warmer.certification.noise import NoiseOfMeans
from warmer.certification.one_sided import mixed
from warmer.families import KArms
from warmer.model import Array
from warmer.model.errors import InvalidValueError

__all__ = ["ArmsModel", "Pulls"]

_SCALE = 0.02
"""A difference of means that matters where the goal names none, as a part of the reward range."""


class Pulls(NamedTuple):
    """Of each arm the number of answers, their sum and their squared surprises, on the scale where answers lie in
    [0, 1].

    A surprise is the distance from the mean of the arm's earlier answers, with one of 1/2 thrown in.
    """

    counts: Array
    sums: Array
    surprises: Array

    @property
    def means(self) -> Array:
        """The mean of each arm's answers, with one of 1/2 thrown in."""
        return np.asarray((self.sums + 0.5) / (self.counts + 1))


@dataclass(frozen=True, eq=False)
class ArmsModel:
    """The evidence about the means of K arms (docs/evidence.md, Classes without a table)."""

    family: KArms
    noise: Any
    delta: float

    def __post_init__(self) -> None:
        if not isinstance(self.noise, NoiseOfMeans) or isinstance(self.noise, type):
            raise InvalidValueError(
                f"{self.noise!r} says nothing about one arm's mean alone; declare noise.SubGaussian(sigma), "
                "noise.Coin(), noise.BoundedNoise(width), or nothing but the reward range."
            )

    def start(self) -> Pulls:
        """No arm pulled."""
        return Pulls(*np.zeros((3, self.family.n_arms)))

    def update(self, data: Pulls, query: int, reward: float, count: int = 1) -> Pulls:
        """Count the answer, in the memory of the given data."""
        answer, forecast = float(self.scaled(reward)), data.means[query]
        if count == 1:
            data.surprises[query] += (answer - forecast) ** 2
        else:  # the most that answers in [0, 1] with this mean can have
            data.surprises[query] += count * max(answer - 2 * answer * forecast + forecast**2, 0.0)
        data.counts[query] += count
        data.sums[query] += count * answer
        return data

    def imagined(self, data: Pulls, pending: Sequence[int]) -> Pulls:
        """Pending arms answer with their means."""
        means = data.means
        counts, sums, surprises = (part.copy() for part in data)
        for query in pending:
            counts[query] += 1
            sums[query] += means[query]
        return Pulls(counts, sums, surprises)

    def is_refuted(self, data: Pulls) -> bool:
        """Whether some arm's mean is proven to lie outside the interval of means."""
        low, high = self.ends
        threshold = math.log(2 * self.family.n_arms / self.delta)
        return any(
            (low > 0 and self.below(_SCALE, data, arm, low) >= threshold)
            or (high < 1 and self.above(_SCALE, data, arm, high) >= threshold)
            for arm in np.flatnonzero(data.counts).tolist()
        )

    def leader(self, data: Pulls) -> int:
        """The arm with the largest mean."""
        return int(data.means.argmax())

    def intervals(self, data: Pulls) -> dict[Any, tuple[float, float]]:
        """Where the mean of each arm lies, all of them at all times."""
        lows, highs = self.limits(_SCALE, data, math.log(2 * self.family.n_arms / self.delta))
        return {
            label: (float(low), float(high))
            for label, low, high in zip(self.family.queries, self.unscaled(lows), self.unscaled(highs), strict=True)
        }

    def question(self, goal: Goal) -> Question:
        """The goal, read for these arms."""
        if isinstance(goal, BestQuery):
            return arm_questions.BestArm(self, goal.epsilon / self._length)
        if isinstance(goal, BestAbove):
            return arm_questions.AnyAbove(self, float(self.scaled(goal.threshold)), goal.epsilon / self._length)
        if isinstance(goal, ValueOf) and isinstance(goal.values, str) and goal.values == "best":
            return arm_questions.BestMean(self, goal.tolerance)
        if isinstance(goal, ValueOf):
            return arm_questions.Sum(self, weights_of(self.family, goal.values), goal.tolerance)
        raise unsuitable(self.family, goal)

    def bets(self, scale: float) -> Array:
        """The bets on each arm's mean, for differences of this scale."""
        return np.ascontiguousarray(self.noise.bets(self.family, min(max(scale, 1e-6), 0.25)))

    def above(self, scale: float, data: Pulls, arm: int, level: float) -> float:
        """The evidence that an arm's mean is above a level."""
        bets, weights = self._known(scale)
        counts, sums, surprises = (float(part[arm]) for part in data)
        return float(kernels.one_sided.above(bets[arm], weights, counts, sums, surprises, level))

    def below(self, scale: float, data: Pulls, arm: int, level: float) -> float:
        """The evidence that an arm's mean is below a level."""
        return self.above(scale, data._replace(sums=data.counts - data.sums), arm, 1 - level)

    def any_above(self, scale: float, data: Pulls, level: float) -> float:
        """The evidence that some arm's mean is above a level."""
        bets, weights = self._known(scale)
        return float(kernels.one_sided.averaged(bets, weights, data.counts, data.sums, data.surprises, level))

    def least_best(self, scale: float, data: Pulls, threshold: float) -> float:
        """A lower bound of the largest mean."""
        bets, weights = self._known(scale)
        low = kernels.one_sided.bound(bets, weights, data.counts, data.sums, data.surprises, threshold)
        return max(float(low), self.ends[0])

    def limits(self, scale: float, data: Pulls, threshold: float) -> tuple[Array, Array]:
        """The means of each arm against which there is less evidence than the threshold, on either side."""
        lows = self._bounds(scale, data, threshold)
        highs = 1 - self._bounds(scale, data._replace(sums=data.counts - data.sums), threshold)
        return np.maximum(lows, self.ends[0]), np.minimum(highs, self.ends[1])

    @property
    def ends(self) -> tuple[float, float]:
        """The interval of means, scaled."""
        low, high = (float(self.scaled(end)) for end in self.family.means)
        return max(low, 0.0), min(high, 1.0)

    def scaled(self, rewards: Any) -> Any:
        """Rewards on the scale where the range is [0, 1]."""
        return (rewards - self.family.reward_range[0]) / self._length

    def unscaled(self, values: Any) -> Any:
        """Back to rewards."""
        return self.family.reward_range[0] + self._length * values

    @property
    def _length(self) -> float:
        return 2 * self.family.scale

    def _bounds(self, scale: float, data: Pulls, threshold: float) -> Array:
        bets, weights = self._known(scale)
        bound, (counts, sums, surprises) = kernels.one_sided.bound, data
        arms = [slice(arm, arm + 1) for arm in range(self.family.n_arms)]
        return np.array([bound(bets[a], weights, counts[a], sums[a], surprises[a], threshold) for a in arms])

    def _known(self, scale: float) -> tuple[Array, Array]:
        if scale not in self._kept:
            bets = self.bets(scale)
            self._kept[scale] = (bets, mixed(bets).sum(axis=0))
        return self._kept[scale]

    @cached_property
    def _kept(self) -> dict[float, tuple[Array, Array]]:
        return {}
