"""Confidence ellipsoids over the parameters of a linear class with finitely many actions."""

from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from warmer.families.solvers.radii import Radius
from warmer.model import Array, Fit

__all__ = ["ActionEllipsoid", "CenteredEllipsoid", "Spread"]

_REFRESH = 1000
"""Answers between two factorisations from scratch: rounding errors of rank-one updates never add up for longer."""


@cache
def kernels() -> ModuleType:
    """The compiled loops, loaded at first use."""
    from warmer.families.kernels import ellipsoid

    return ellipsoid


class Spread(NamedTuple):
    r"""$V=\lambda I+\sum_ia_ia_i^\top$, $b=\sum_ir_ia_i$ and what follows from them, kept up to date.

    The inverse of V, the ridge estimate (the center), every action's value at it and its width $a^\top V^{-1}a$, the
    log of $\det V/\det\lambda I$, the number of answers, and the number of updates since the last factorisation.
    """

    matrix: Array
    sums: Array
    inverse: Array
    center: Array
    means: Array
    widths: Array
    log_det_ratio: float
    n_answers: int
    age: int


@dataclass(frozen=True, eq=False)
class ActionEllipsoid:
    r"""$(\theta-\hat\theta)^\top V(\theta-\hat\theta)\le R$ around the ridge estimate; a rank-one update an answer.

    The most optimistic target is $\hat\theta+\sqrt R\,V^{-1}a/\sqrt{a^\top V^{-1}a}$ for the action with the largest
    index $\langle\hat\theta,a\rangle+\sqrt{R\,a^\top V^{-1}a}$.
    """

    columns: Array
    ridge: float
    radius: Radius

    def start(self) -> Spread:
        """Nothing observed."""
        n = self.columns.shape[0]
        return self._factorised(self.ridge * np.eye(n), np.zeros(n), 0)

    def update(self, state: Spread, query: int, reward: float, count: int = 1) -> Spread:
        """One more answer, in the memory of the given state."""
        matrix, sums, inverse, center, means, widths, log_det_ratio, n_answers, age = state
        kernels().observe(self.columns, matrix, sums, query, reward, count)
        if age >= _REFRESH:
            return self._factorised(matrix, sums, n_answers + count)
        growth = kernels().absorb(self.columns, inverse, center, means, widths, query, reward, count)
        log_det_ratio += growth
        return Spread(matrix, sums, inverse, center, means, widths, log_det_ratio, n_answers + count, age + 1)

    def most_optimistic(self, state: Spread) -> Array:
        """The target inside with the largest value of some action."""
        return self.highest_point(state, state.center, state.means)

    def highest_point(self, state: Spread, center: Array, means: Array) -> Array:
        """The same around any center; means are the actions' values there."""
        radius = self.radius.at(state.n_answers, state.log_det_ratio)
        highest = kernels().highest_point(self.columns, state.inverse, center, means, state.widths, radius)
        return np.asarray(highest)

    def _factorised(self, matrix: Array, sums: Array, n_answers: int) -> Spread:
        inverse = np.linalg.inv(matrix)
        center = inverse @ sums
        actions = np.ascontiguousarray(self.columns.T)
        widths = ((actions @ inverse) * actions).sum(axis=1)
        log_det_ratio = float(np.linalg.slogdet(matrix / self.ridge)[1])
        return Spread(matrix, sums, inverse, center, center @ self.columns, widths, log_det_ratio, n_answers, 0)


class Centered(NamedTuple):
    """What an ellipsoid remembers, and what the fit of its center does."""

    spread: Spread
    fitted: Any


@dataclass(frozen=True, eq=False)
class CenteredEllipsoid:
    r"""The same ellipsoid around the least-squares parameter of the class, as in the paper, in place of ridge.

    With $R+4\lambda S^2$ it contains the paper's ball of radius $R$, as no two parameters are more than $2S$ apart.
    """

    fit: Fit[Any]
    ellipsoid: ActionEllipsoid

    def start(self) -> Centered:
        """Nothing observed."""
        return Centered(self.ellipsoid.start(), self.fit.start())

    def update(self, state: Centered, query: int, reward: float, count: int = 1) -> Centered:
        """One more answer."""
        spread = self.ellipsoid.update(state.spread, query, reward, count)
        return Centered(spread, self.fit.update(state.fitted, query, reward, count))

    def most_optimistic(self, state: Centered) -> Array:
        """The target inside with the largest value of some action."""
        center = self.fit.estimate(state.fitted)
        return self.ellipsoid.highest_point(state.spread, center, center @ self.ellipsoid.columns)
