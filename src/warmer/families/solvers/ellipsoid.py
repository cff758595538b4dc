"""Confidence ellipsoids over the parameters of a linear class with finitely many actions."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from warmer.bounds.budgets import ball_error_budget, ellipsoid_error_budget
from warmer.families import kernels
from warmer.families.solvers.radii import Radius, SelfNormalised, Smooth, check_own_delta
from warmer.model import Array, Ball, Fit
from warmer.model.checks import check_radius

_REFRESH = 1000
"""Answers between two factorisations from scratch: rounding errors of rank-one updates never add up for longer."""


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
class ActionEllipsoid(Ball[Spread]):
    r"""$(\theta-\hat\theta)^\top V(\theta-\hat\theta)\le R$ around the ridge estimate; a rank-one update per answer.

    The most optimistic target is $\hat\theta+\sqrt R\,V^{-1}a/\sqrt{a^\top V^{-1}a}$ for the action with the largest
    index $\langle\hat\theta,a\rangle+\sqrt{R\,a^\top V^{-1}a}$.
    """

    fit: Any
    radius: Radius
    is_in_class = False

    def start(self) -> Spread:
        """Nothing observed."""
        family = self.fit.family
        return self._factorised(family.ridge * np.eye(family.n), np.zeros(family.n), 0)

    def update(self, state: Spread, query: int, reward: float, count: int = 1) -> Spread:
        """One more answer, in the memory of the given state."""
        matrix, sums, inverse, center, means, widths, log_det_ratio, n_answers, age = state
        columns = self.fit.family.columns
        kernels.ellipsoid.observe(columns, matrix, sums, query, reward, count)
        if age >= _REFRESH:
            return self._factorised(matrix, sums, n_answers + count)
        growth = kernels.ellipsoid.absorb(columns, inverse, center, means, widths, query, reward, count)
        log_det_ratio += growth
        return Spread(matrix, sums, inverse, center, means, widths, log_det_ratio, n_answers + count, age + 1)

    def most_optimistic(self, state: Spread) -> Array:
        """The target inside with the largest value of some action."""
        return self.highest_point(state, state.center, state.means)

    def highest_point(self, state: Spread, center: Array, means: Array) -> Array:
        """The same around any center; means are the actions' values there."""
        radius = self.radius.at(state.n_answers, state.log_det_ratio)
        highest = kernels.ellipsoid.highest_point(
            self.fit.family.columns, state.inverse, center, means, state.widths, radius
        )
        return np.asarray(highest)

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        """Of every parameter inside: `ridge_error_budget`."""
        return ridge_error_budget(self.fit.family, self.radius, horizon=horizon, delta=delta, sigma=sigma)

    def _factorised(self, matrix: Array, sums: Array, n_answers: int) -> Spread:
        family = self.fit.family
        inverse = np.linalg.inv(matrix)
        center = inverse @ sums
        widths = ((family.matrix @ inverse) * family.matrix).sum(axis=1)
        log_det_ratio = float(np.linalg.slogdet(matrix / family.ridge)[1])
        return Spread(matrix, sums, inverse, center, center @ family.columns, widths, log_det_ratio, n_answers, 0)


class Centered(NamedTuple):
    """What an ellipsoid remembers, and what the fit of its center does."""

    spread: Spread
    fitted: Any


@dataclass(frozen=True, eq=False)
class CenteredEllipsoid(Ball[Centered]):
    r"""The same ellipsoid around the least-squares parameter of the class, as in the paper, in place of ridge.

    Predictions are a function of the inner product with slopes between $\kappa$ and $h$. With
    $R/\kappa^2+4\lambda S^2$ it contains the distance ball of radius $R$: no two parameters are more than $2S$ apart.
    """

    fit: Fit[Any]
    ellipsoid: ActionEllipsoid
    slopes: tuple[float, float] = (1.0, 1.0)
    is_in_class = False

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
        return self.ellipsoid.highest_point(state.spread, center, center @ self.ellipsoid.fit.family.columns)

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        """Of every parameter inside: `centered_error_budget`."""
        center = self.fit.error_budget(horizon=horizon, delta=delta, sigma=sigma)
        family, radius = self.ellipsoid.fit.family, self.ellipsoid.radius
        return centered_error_budget(family, radius, center, horizon=horizon, delta=delta, slopes=self.slopes)


def ridge_error_budget(family: Any, radius: Radius, *, horizon: int, delta: float, sigma: float) -> float:
    r"""The budget of every parameter in an ellipsoid around the ridge estimate, where it keeps the truth.

    Targets inside may be longer than $S$. So a dimension that goes with this budget must be that of the linear class
    without the bound on the norm.
    """
    truth = {"ridge": family.ridge, "norm": family.norm, "longest": family.lipschitz}
    if isinstance(radius, SelfNormalised):
        check_own_delta(radius.delta, delta)
        return ellipsoid_error_budget(n=family.n, horizon=horizon, delta=radius.delta, sigma=radius.sigma, **truth)
    center = ellipsoid_error_budget(n=family.n, horizon=horizon, delta=delta, sigma=sigma, **truth) / 4
    fixed = radius.most(horizon)
    check_radius(fixed, needed=center, delta=delta)
    return ball_error_budget(center=center, radius=fixed)


def centered_error_budget(
    family: Any,
    radius: Radius,
    center: float,
    *,
    horizon: int,
    delta: float,
    slopes: tuple[float, float] = (1.0, 1.0),
) -> float:
    """The same around the least-squares parameter, whose own budget is the center's."""
    low, high = slopes
    largest = radius.most(horizon)
    if isinstance(radius, Smooth):
        check_own_delta(radius.delta, delta)
        center = radius.center(horizon)
    check_radius(largest, needed=center / low**2 + 4 * family.ridge * family.norm**2, delta=delta)
    return ball_error_budget(center=center, radius=high**2 * largest)
