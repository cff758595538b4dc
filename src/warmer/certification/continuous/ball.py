"""Linear classes whose queries fill the unit ball, and the sphere."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from warmer.certification.continuous.ellipsoids import Moments
from warmer.certification.continuous.paraboloid import Outside
from warmer.certification.continuous.parameter import ParameterModel
from warmer.certification.continuous.questions import Question, Verdict, interval_verdict, unsuitable
from warmer.certification.goals import BestAbove, BestQuery, Goal, ValueOf
from warmer.families import LinearBall, Sphere, kernels
from warmer.families.solvers.quadratic import in_shell, on_sphere, spectrum
from warmer.model import Array
from warmer.model.numbers import as_vector

__all__ = ["BallModel"]


@dataclass(frozen=True, eq=False)
class BallModel(ParameterModel):
    """The evidence about the parameter, the goals, and which direction tells most."""

    family: LinearBall | Sphere

    @property
    def norm(self) -> float:
        """No parameter is longer."""
        return 1.0 if isinstance(self.family, Sphere) else float(self.family.norm)

    @property
    def is_sphere(self) -> bool:
        """Whether all parameters are of length 1."""
        return isinstance(self.family, Sphere)

    @cached_property
    def design(self) -> Array:
        """All directions alike."""
        return np.asarray(np.eye(self.family.n) / (self.family.n * self.sigmas**2))

    def vector(self, query: Array) -> tuple[Array, float]:
        """The query itself."""
        return query, float(self.sigmas)

    def likeliest(self, gram: Array, sums: Array) -> Array:
        """The minimiser of a quadratic over the class."""
        return on_sphere(spectrum(gram, sums), 1.0) if self.is_sphere else super().likeliest(gram, sums)

    def intervals(self, data: Moments) -> dict[Any, tuple[float, float]]:
        """None, as queries cannot be listed; `ValueOf(vector, tolerance)` bounds one."""
        return {}

    def question(self, goal: Goal) -> Question:
        """The goal, read for a ball of queries."""
        if isinstance(goal, BestQuery):
            return BestDirection(self, goal.epsilon)
        if isinstance(goal, BestAbove):
            return LongEnough(self, goal.threshold, goal.epsilon)
        if isinstance(goal, ValueOf) and isinstance(goal.values, str) and goal.values == "best":
            return Length(self, goal.tolerance)
        if isinstance(goal, ValueOf):
            return Functional(self, as_vector("values", goal.values, self.family.n), goal.tolerance)
        raise unsuitable(self.family, goal)

    def between(self, data: Moments, other: Array) -> Array:
        """The direction that tells the likeliest parameter from another; the least known one where they are alike."""
        difference = self.estimate(data) - other
        length = float(np.linalg.norm(difference))
        if length > 1e-6 * self.norm:
            return np.asarray(difference / length)
        return np.asarray(np.linalg.eigh(data.gram)[1][:, 0])

    def is_shorter(self, data: Moments, length: float) -> bool:
        """Whether all parameters of at least this length are ruled out."""
        if length > self.norm:
            return True
        return not self.is_sphere and self.rules_out(data, lambda gram, sums: self.long(gram, sums, length))

    def is_longer(self, data: Moments, length: float) -> bool:
        """Whether all parameters of at most this length are ruled out."""
        if length < 0 or (self.is_sphere and length < 1):
            return True
        return not self.is_sphere and self.rules_out(data, lambda gram, sums: self.short(gram, sums, length))

    def long(self, gram: Array, sums: Array, length: float) -> Array:
        """The likeliest parameter of at least this length."""
        return in_shell(spectrum(gram, sums), inner=max(length, 0.0), outer=self.norm)

    def short(self, gram: Array, sums: Array, length: float) -> Array:
        """The likeliest parameter of at most this length."""
        return np.asarray(kernels.quadratic.ball_minimum(gram, sums, max(length, 1e-12 * self.norm))[0])


@dataclass(frozen=True, eq=False)
class BallQuestion:
    """What all questions about a ball of queries share; the detail of a verdict is the likeliest objector."""

    model: Any
    is_query: ClassVar[bool] = False

    def name(self, answer: Any) -> Any:
        """The answer itself."""
        return answer

    def open(self, data: Any, verdict: Verdict) -> Sequence[Array]:
        """The best query of the likeliest objector."""
        return () if verdict.settled is not None else [self.model.family.best_query(verdict.detail)]

    def most_telling(self, data: Any, verdict: Verdict, rng: np.random.Generator) -> Array:
        """The direction between the likeliest parameter and the likeliest objector."""
        return np.asarray(self.model.between(data, verdict.detail))


@dataclass(frozen=True, eq=False)
class BestDirection(BallQuestion):
    """Which direction is within epsilon of the best."""

    epsilon: float
    is_query: ClassVar[bool] = True

    def judge(self, data: Any) -> Verdict:
        """The best query of the likeliest parameter, when all parameters that object to it are ruled out."""
        model, leader = self.model, self.model.leader(data)
        outside = Outside(leader, self.epsilon, model.norm, model.is_sphere)
        if outside.is_empty:
            return Verdict(leader, leader, ())
        challenger = outside.least(model.precision(data), data.sums)[1]
        threshold, (grams, sums, constants) = -math.log(model.delta), model.scales.quadratics(data)
        values = (grams @ challenger / 2 - sums) @ challenger + constants
        for k in np.flatnonzero(values >= threshold - 0.5).tolist():
            if outside.least((grams[k] + grams[k].T) / 2, sums[k])[0] + constants[k] >= threshold:
                return Verdict(leader, leader, ())
        return Verdict(None, leader, (), challenger)


@dataclass(frozen=True, eq=False)
class LongEnough(BallQuestion):
    """Whether the best query is worth more than a level."""

    level: float
    epsilon: float

    def judge(self, data: Any) -> Verdict:
        """Yes, if all parameters too short are ruled out; no, if all long enough are."""
        model, low, high = self.model, self.level - self.epsilon, self.level + self.epsilon
        if model.is_longer(data, low):
            return Verdict(True, True, ())
        if model.is_shorter(data, high):
            return Verdict(False, False, ())
        answer = bool(np.linalg.norm(model.estimate(data)) > self.level)
        return Verdict(None, answer, (), model.short(*data, low) if answer else model.long(*data, high))


@dataclass(frozen=True, eq=False)
class Length(BallQuestion):
    """What the best query is worth, up to a tolerance."""

    tolerance: float

    def judge(self, data: Any) -> Verdict:
        """The interval around the length of the likeliest parameter, when all others are ruled out."""
        model, length = self.model, float(np.linalg.norm(self.model.estimate(data)))
        low, high = length - self.tolerance, length + self.tolerance
        if not model.is_longer(data, low):
            return Verdict(None, (low, high), (), model.short(*data, low))
        if not model.is_shorter(data, high):
            return Verdict(None, (low, high), (), model.long(*data, high))
        return Verdict((low, high), (low, high), ())


@dataclass(frozen=True, eq=False)
class Functional(BallQuestion):
    """A linear function of the parameter, up to a tolerance."""

    direction: Array
    tolerance: float

    def judge(self, data: Any) -> Verdict:
        """An interval around its bounds."""
        (low,), (top,) = self.model.bounds(data, self.direction[None])
        objector = self.model.estimate(data) - np.linalg.solve(self.model.precision(data), self.direction)
        return interval_verdict((float(low), float(top)), self.tolerance, (), objector)
