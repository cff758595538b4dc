"""The goals, read for a linear class: what proves an answer, and which action to ask next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from warmer.certification.continuous.ellipsoids import reaching
from warmer.certification.continuous.questions import Question, Verdict, interval_verdict, unsuitable, weights_of
from warmer.certification.goals import BestAbove, BestQuery, Goal, ValueOf
from warmer.model import Array

__all__ = ["question_about"]


def question_about(model: Any, goal: Goal) -> Question:
    """A goal, read for the actions of a linear class or of one behind a link."""
    if isinstance(goal, BestQuery):
        return BestAction(model, goal.epsilon)
    if isinstance(goal, BestAbove):
        return AnyAbove(model, goal.threshold, goal.epsilon)
    if isinstance(goal, ValueOf) and isinstance(goal.values, str) and goal.values == "best":
        return BestValue(model, goal.tolerance)
    if isinstance(goal, ValueOf):
        return Functional(model, weights_of(model.family, goal.values), goal.tolerance)
    raise unsuitable(model.family, goal)


@dataclass(frozen=True, eq=False)
class LinearQuestion:
    """What all questions about a linear class share."""

    model: Any
    is_query: ClassVar[bool] = False

    def name(self, answer: Any) -> Any:
        """The answer itself."""
        return answer

    def open(self, data: Any, verdict: Verdict) -> Sequence[int]:
        """The actions that leave the answer open, the most doubtful first."""
        return _from_top(*self.doubts(data, verdict)) if verdict.settled is None else ()

    def doubts(self, data: Any, verdict: Verdict) -> tuple[Array, float]:
        """How much each action may be worth to the answer, and from where on that leaves it open."""
        raise NotImplementedError

    def most_telling(self, data: Any, verdict: Verdict, rng: np.random.Generator) -> int:
        """The action after whose answer the least remains unknown of what the answer hangs on."""
        return int(self.model.tellings(data, verdict.detail).argmax())


@dataclass(frozen=True, eq=False)
class BestAction(LinearQuestion):
    r"""Which action is within epsilon of the best.

    It is the leader a when all parameters with $\langle\theta,b-a\rangle\ge\epsilon$ for some action b are ruled out.
    What the answer hangs on is $\langle\theta,b-a\rangle$ for the likeliest of these.
    """

    epsilon: float
    is_query: ClassVar[bool] = True

    def name(self, answer: int) -> Any:
        """The action's label."""
        return self.model.family.queries[answer]

    def judge(self, data: Any) -> Verdict:
        """The leader, and the actions that may still be better by more than epsilon."""
        model, leader = self.model, self.model.leader(data)
        columns = model.linear.columns
        differences = columns - columns[:, [leader]]
        objectors = reaching(differences, model.lead(data, leader, self.epsilon), model.linear.norm)
        if objectors is None or model.rules_out(data, objectors):
            return Verdict(leader, leader, ())
        challenger = int((model.likeliest_of(data, objectors) @ differences).argmax())
        return Verdict(None, leader, (), differences[:, challenger])

    def doubts(self, data: Any, verdict: Verdict) -> tuple[Array, float]:
        """By how much each action may be better than the leader."""
        points, leader = self.model.linear.matrix, verdict.answer
        return self.model.bounds(data, points - points[leader])[1], self.model.lead(data, leader, self.epsilon)


@dataclass(frozen=True, eq=False)
class AnyAbove(LinearQuestion):
    """Whether some action is worth more than a level."""

    level: float
    epsilon: float

    def judge(self, data: Any) -> Verdict:
        """Yes, if all parameters for which the leader is not are ruled out; no, if all for which some action is."""
        model, columns, norm = self.model, self.model.linear.columns, self.model.linear.norm
        leader = model.leader(data)
        falling = reaching(-columns[:, [leader]], -model.inner(self.level - self.epsilon), norm)
        if falling is None or model.rules_out(data, falling):
            return Verdict(True, True, ())
        rising = reaching(columns, model.inner(self.level + self.epsilon), norm)
        if rising is None or model.rules_out(data, rising):
            return Verdict(False, False, ())
        answer = bool(columns[:, leader] @ model.estimate(data) > model.inner(self.level))
        place = leader if answer else int((model.likeliest_of(data, rising) @ columns).argmax())
        return Verdict(None, answer, (), columns[:, place])

    def doubts(self, data: Any, verdict: Verdict) -> tuple[Array, float]:
        """What each action may be worth."""
        return self.model.bounds(data, self.model.linear.matrix)[1], self.model.inner(self.level + self.epsilon)


@dataclass(frozen=True, eq=False)
class BestValue(LinearQuestion):
    """What the best action is worth, up to a tolerance."""

    tolerance: float

    def judge(self, data: Any) -> Verdict:
        """An interval around the bounds of the largest value; it hangs on an action that may reach the upper one."""
        lows, tops = self.model.bounds(data, self.model.linear.matrix)
        both = (int(tops.argmax()), int(lows.argmax()))
        widest = max(both, key=lambda action: tops[action] - lows[action])
        ends = (self.model.value(float(lows.max())), self.model.value(float(tops.max())))
        return interval_verdict(ends, self.tolerance, (), self.model.linear.matrix[widest])

    def doubts(self, data: Any, verdict: Verdict) -> tuple[Array, float]:
        """What each action may be worth, against the least that the best is worth."""
        lows, tops = self.model.bounds(data, self.model.linear.matrix)
        return tops, float(lows.max())


@dataclass(frozen=True, eq=False)
class Functional(LinearQuestion):
    """A weighted sum of the actions' means, up to a tolerance."""

    weights: Array
    tolerance: float

    def judge(self, data: Any) -> Verdict:
        """An interval around its bounds."""
        ends, direction = self.model.weighted(data, self.weights)
        return interval_verdict(ends, self.tolerance, (), direction)

    def doubts(self, data: Any, verdict: Verdict) -> tuple[Array, float]:
        """How much an answer of each action would tell."""
        tellings = self.model.tellings(data, verdict.detail)
        return tellings, float(tellings.max())


def _from_top(heights: Array, level: float) -> Sequence[int]:
    """The places that reach a level, the highest first."""
    places = np.flatnonzero(heights >= level)
    ordered: Sequence[int] = places[np.argsort(-heights[places], kind="stable")].tolist()
    return ordered
