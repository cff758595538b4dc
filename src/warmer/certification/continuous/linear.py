"""Linear classes with a list of actions."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.certification.continuous import linear_questions
from warmer.certification.continuous.ellipsoids import Moments, optimal_design
from warmer.certification.continuous.parameter import ParameterModel
from warmer.certification.continuous.questions import Question, unsuitable, weights_of
from warmer.certification.goals import BestAbove, BestQuery, Goal, ValueOf
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

    def question(self, goal: Goal) -> Question:
        """The goal, read for these actions."""
        if isinstance(goal, BestQuery):
            return linear_questions.BestAction(self, goal.epsilon)
        if isinstance(goal, BestAbove):
            return linear_questions.AnyAbove(self, goal.threshold, goal.epsilon)
        if isinstance(goal, ValueOf) and isinstance(goal.values, str) and goal.values == "best":
            return linear_questions.BestValue(self, goal.tolerance)
        if isinstance(goal, ValueOf):
            weights = weights_of(self.family, goal.values)
            return linear_questions.Functional(self, weights @ self.family.matrix, goal.tolerance)
        raise unsuitable(self.family, goal)

    def tellings(self, data: Moments, direction: Array) -> Array:
        r"""By how much an answer of each action reduces the variance of $\langle d,\theta\rangle$."""
        images = np.linalg.solve(self.precision(data), np.column_stack([direction, self.points.T]))
        widths = (self.points * images[:, 1:].T).sum(axis=1)
        return np.asarray((self.points @ images[:, 0]) ** 2 / (1 + widths))
