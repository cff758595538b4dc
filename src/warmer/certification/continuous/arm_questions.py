"""The goals, read for K arms: what proves an answer, and which arm to ask next."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from warmer.certification import kernels
from warmer.certification.continuous.questions import Verdict, interval_verdict
from warmer.certification.one_sided import mixed
from warmer.model import Array

__all__ = ["AnyAbove", "BestArm", "BestMean", "Sum"]


@dataclass(frozen=True, eq=False)
class ArmQuestion:
    """What all questions about arms share."""

    model: Any
    is_query: ClassVar[bool] = False

    def name(self, answer: Any) -> Any:
        """The answer itself."""
        return answer

    def open(self, data: Any, verdict: Verdict) -> Sequence[int]:
        """The arms that leave the answer open, the most doubtful first."""
        return verdict.open

    def most_telling(self, data: Any, verdict: Verdict, rng: np.random.Generator) -> int:
        """An arm never pulled, the first of them; then the one that settles most."""
        unseen = np.flatnonzero((data.counts == 0) & self._matters)
        return int(unseen[0]) if unseen.size else self._between(data, verdict, rng)

    @property
    def _matters(self) -> Any:
        """Which arms the question is about."""
        return True

    def _between(self, data: Any, verdict: Verdict, rng: np.random.Generator) -> int:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class BestArm(ArmQuestion):
    r"""Which arm is within epsilon of the best.

    It is the leader when against each other arm b the evidence of both arms together, that not
    $\mu_b>\mu_{\text{leader}}+\epsilon$, reaches $\ln((K-1)/\delta)$.
    """

    epsilon: float
    is_query: ClassVar[bool] = True

    def name(self, answer: int) -> Any:
        """The arm's label."""
        return self.model.family.queries[answer]

    def judge(self, data: Any) -> Verdict:
        """The leader, and the arms that may still be better by more than epsilon."""
        leader, (low, high) = self.model.leader(data), self.model.ends
        n_arms, ends = data.counts.size, np.array([low, high - self.epsilon])
        if n_arms == 1 or ends[1] <= ends[0]:
            return Verdict(leader, leader, ())
        bets, joint = self._bets
        counts, sums, surprises = data
        values, places = kernels.one_sided.pairs(bets, joint, counts, sums, surprises, ends, self.epsilon, leader)
        doubtful = np.flatnonzero(values < math.log((n_arms - 1) / self.model.delta))
        settled = None if doubtful.size else leader
        return Verdict(settled, leader, _sorted(doubtful, values), (values, places))

    def _between(self, data: Any, verdict: Verdict, rng: np.random.Generator) -> int:
        """The leader or its closest challenger, each with the share of the evidence that it holds.

        At the means where the evidence is least, that is in proportion to how far each arm's mean is from there.
        """
        if verdict.detail is None:
            return int(verdict.answer)
        leader, (values, places), means = verdict.answer, verdict.detail, data.means
        challenger = int(values.argmin())
        level = places[challenger]
        own, other = max(means[leader] - level, 0.0), max(level + self.epsilon - means[challenger], 0.0)
        share = own / (own + other) if own + other > 0 else 0.5
        return int(verdict.answer) if rng.random() < share else challenger

    @cached_property
    def _bets(self) -> tuple[Array, Array]:
        bets = self.model.bets(self.epsilon)
        return bets, mixed(bets)


@dataclass(frozen=True, eq=False)
class AnyAbove(ArmQuestion):
    """Whether some arm's mean is above a level."""

    level: float
    epsilon: float

    def judge(self, data: Any) -> Verdict:
        """Yes, no, or the arms that may still be above."""
        model, threshold = self.model, -math.log(self.model.delta)
        lower, upper = self.level - self.epsilon, self.level + self.epsilon
        answer = bool(data.means.max() > self.level)
        if lower < model.ends[0] or (lower < 1 and model.any_above(self._scale, data, lower) >= threshold):
            return Verdict(True, True, ())
        if upper >= model.ends[1]:
            return Verdict(False, False, ())
        against = np.full(data.counts.size, -np.inf)
        if upper > 0:
            against = np.array([model.below(self._scale, data, arm, upper) for arm in range(against.size)])
        doubtful = np.flatnonzero(against < threshold)
        return Verdict(None if doubtful.size else False, answer, _sorted(doubtful, against), against)

    @property
    def _scale(self) -> float:
        return max(self.epsilon, 0.02)

    def _between(self, data: Any, verdict: Verdict, rng: np.random.Generator) -> int:
        """The leader where it looks better than the level; else the arm with the least evidence to be below."""
        if verdict.answer or verdict.detail is None:
            return int(self.model.leader(data))
        return int(verdict.detail.argmin())


@dataclass(frozen=True, eq=False)
class BestMean(ArmQuestion):
    """What the best arm is worth, up to a tolerance."""

    tolerance: float

    def judge(self, data: Any) -> Verdict:
        """An interval around the bounds of the largest mean."""
        model, threshold = self.model, math.log(2 / self.model.delta)
        scale = self.tolerance / (2 * model.family.scale)
        tops = model.limits(scale, data, threshold)[1]
        low = model.least_best(scale, data, threshold)
        doubtful = np.flatnonzero(tops >= low)
        ends = (float(model.unscaled(low)), float(model.unscaled(tops.max())))
        return interval_verdict(ends, self.tolerance, _sorted(doubtful, -tops), tops)

    def _between(self, data: Any, verdict: Verdict, rng: np.random.Generator) -> int:
        """The arm that may be worth the most, or the leader, whichever was asked less."""
        both = (int(verdict.detail.argmax()), int(self.model.leader(data)))
        return min(both, key=lambda arm: data.counts[arm])


@dataclass(frozen=True, eq=False)
class Sum(ArmQuestion):
    """A weighted sum of the means, up to a tolerance."""

    weights: Array
    tolerance: float

    def judge(self, data: Any) -> Verdict:
        """An interval around the sums of the arms' own bounds."""
        used = np.flatnonzero(self.weights)
        scale = self.tolerance / (2 * self.model.family.scale * np.abs(self.weights).sum())
        limits = self.model.limits(scale, data, math.log(2 * used.size / self.model.delta))
        lows, highs = (self.model.unscaled(part) for part in limits)
        products = np.sort(self.weights * np.stack([lows, highs]), axis=0)
        widths = products[1] - products[0]
        ends = (float(products[0].sum()), float(products[1].sum()))
        return interval_verdict(ends, self.tolerance, _sorted(used, -widths), widths)

    @property
    def _matters(self) -> Array:
        return np.asarray(self.weights != 0)

    def _between(self, data: Any, verdict: Verdict, rng: np.random.Generator) -> int:
        """The arm whose interval, weighted, an answer shortens the most."""
        return int((verdict.detail / np.maximum(data.counts, 1)).argmax())


def _sorted(places: Array, keys: Array) -> Sequence[int]:
    """Some places, those with the least keys first."""
    ordered: Sequence[int] = places[np.argsort(keys[places], kind="stable")].tolist()
    return ordered
