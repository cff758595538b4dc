"""Linear classes: what answers say about the parameter."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.certification.continuous import linear_questions
from warmer.certification.continuous.deviations import deviations
from warmer.certification.continuous.ellipsoids import Minimiser, Moments, Scales, optimal_design
from warmer.certification.continuous.questions import Question, unsuitable, weights_of
from warmer.certification.goals import BestAbove, BestQuery, Goal, ValueOf
from warmer.families import Linear, kernels
from warmer.model import Array

__all__ = ["LinearModel"]


@dataclass(frozen=True, eq=False)
class LinearModel:
    """The evidence about the parameter of a linear class with a list of actions (docs/evidence.md)."""

    family: Linear
    noise: Any
    delta: float

    def __post_init__(self) -> None:
        assert self.sigmas.shape == (self.family.n_actions,)  # raises for noise that cannot be

    @cached_property
    def sigmas(self) -> Array:
        """The deviation of each action's answers."""
        return deviations(self.noise, self.family)

    @cached_property
    def scales(self) -> Scales:
        """The evidence, for an optimal design of the actions."""
        return Scales(optimal_design(self.points))

    @cached_property
    def points(self) -> Array:
        """The actions, a row each, over the deviations of their answers."""
        return np.asarray(self.family.matrix / self.sigmas[:, None])

    def start(self) -> Moments:
        """Nothing observed."""
        return Moments(np.zeros((self.family.n, self.family.n)), np.zeros(self.family.n))

    def update(self, data: Moments, query: int, reward: float, count: int = 1) -> Moments:
        """One more answer, in the memory of the given data."""
        kernels.ellipsoid.observe(self._columns, *data, query, reward / self.sigmas[query], count)
        return data

    def imagined(self, data: Moments, pending: Sequence[int]) -> Moments:
        """Pending actions answer with the values that the likeliest parameter gives them."""
        values = self.family.matrix @ self.estimate(data)
        after = Moments(data.gram.copy(), data.sums.copy())
        for query in pending:
            self.update(after, query, float(values[query]))
        return after

    def is_refuted(self, data: Moments) -> bool:
        """Whether every parameter no longer than the norm is ruled out.

        While the likeliest one is shorter, all residuals are balanced there, and there is no evidence against it.
        """
        norm = self.family.norm
        if np.linalg.norm(self.estimate(data)) < (1 - 1e-6) * norm:
            return False
        return self.rules_out(data, lambda gram, sums: kernels.reaching.in_ball(gram, sums, norm)[0])

    def rules_out(self, data: Moments, minimiser: Minimiser) -> bool:
        """Whether all parameters of a set are ruled out."""
        return self.scales.rules_out(data, minimiser, -math.log(self.delta))

    def estimate(self, data: Moments) -> Array:
        """The likeliest parameter no longer than the norm."""
        return kernels.reaching.in_ball(*data, self.family.norm)[0]

    def leader(self, data: Moments) -> int:
        """The action with the largest value for the likeliest parameter."""
        return self.family.best_query(self.estimate(data))

    def bounds(self, data: Moments, directions: Array) -> tuple[Array, Array]:
        """Where the inner products of the parameter with some vectors (rows) lie."""
        both = np.concatenate([-directions, directions])
        both = self.scales.largest(data, both, -math.log(self.delta), self.family.norm)
        return -both[: len(directions)], both[len(directions) :]

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
        precision = data.gram + self.family.n / self.family.norm**2 * np.eye(self.family.n)
        images = np.linalg.solve(precision, np.column_stack([direction, self.points.T]))
        widths = (self.points * images[:, 1:].T).sum(axis=1)
        return np.asarray((self.points @ images[:, 0]) ** 2 / (1 + widths))

    @cached_property
    def _columns(self) -> Array:
        return np.ascontiguousarray(self.points.T)
