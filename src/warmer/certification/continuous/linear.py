"""Linear classes with a list of actions."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.certification.continuous import linear_questions
from warmer.certification.continuous.ellipsoids import Minimiser, Moments, optimal_design
from warmer.certification.continuous.parameter import ParameterModel
from warmer.certification.continuous.questions import Question
from warmer.certification.goals import Goal
from warmer.families import Linear
from warmer.model import Array

__all__ = ["LinearModel"]


@dataclass(frozen=True, eq=False)
class LinearModel(ParameterModel):
    """The evidence about the parameter, the goals, and which action tells most."""

    family: Linear

    @cached_property
    def design(self) -> Array:
        """The optimal design of the actions."""
        return optimal_design(self.points)

    @cached_property
    def points(self) -> Array:
        """The actions, a row each, over the deviations of their answers."""
        return np.asarray(self.family.matrix / self.sigmas[:, None])

    def vector(self, query: int) -> tuple[Array, float]:
        """The action."""
        return self.family.matrix[query], float(self.sigmas[query])

    def intervals(self, data: Moments) -> dict[Any, tuple[float, float]]:
        """Where the mean of each action lies, all of them at all times."""
        pairs = zip(*self.bounds(data, self.family.matrix), strict=True)
        return {label: (float(low), float(high)) for label, (low, high) in zip(self.family.queries, pairs, strict=True)}

    @property
    def linear(self) -> Linear:
        """The class itself."""
        return self.family

    def lead(self, data: Moments, leader: int, epsilon: float) -> float:
        """By how much the inner product of an action that is better by epsilon is larger, at least."""
        return epsilon

    def inner(self, value: float) -> float:
        """The inner product of an action that is worth so much."""
        return value

    def value(self, inner: float) -> float:
        """What an action with such an inner product is worth."""
        return inner

    def weighted(self, data: Moments, weights: Array) -> tuple[tuple[float, float], Array]:
        """Bounds on a weighted sum of the means, and the vector whose inner product it is."""
        direction = weights @ self.family.matrix
        (low,), (top,) = self.bounds(data, direction[None])
        return (float(low), float(top)), direction

    def likeliest_of(self, data: Moments, minimiser: Minimiser) -> Array:
        """The likeliest parameter of a set."""
        return minimiser(*data)

    def question(self, goal: Goal) -> Question:
        """The goal, read for these actions."""
        return linear_questions.question_about(self, goal)

    def tellings(self, data: Moments, direction: Array) -> Array:
        r"""By how much an answer of each action reduces the variance of $\langle d,\theta\rangle$."""
        images = np.linalg.solve(self.precision(data), np.column_stack([direction, self.points.T]))
        widths = (self.points * images[:, 1:].T).sum(axis=1)
        return np.asarray((self.points @ images[:, 0]) ** 2 / (1 + widths))
