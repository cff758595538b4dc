"""ReLU bandits: nothing is heard until the query is near the target."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.bounds.budgets import ball_error_budget
from warmer.families import kernels
from warmer.families.continuous import Tallied, TalliedFit, VectorFamily
from warmer.families.solvers.answers import Observed
from warmer.families.solvers.arrangement import n_regions_at_most, regions
from warmer.families.solvers.circle import TURN, least_on_arcs, square_terms
from warmer.families.solvers.gauss_newton import best_first, loss
from warmer.families.solvers.radii import FixedRadius, Radius, Smooth, check_own_delta
from warmer.model import Array, Ball
from warmer.model.checks import check_finite, check_radius
from warmer.model.errors import InvalidValueError

_N_CANDIDATES, _N_STARTS, _N_FLIPPED, _N_REGIONS, _N_BISECTIONS = 256, 24, 6, 3000, 12


@dataclass(frozen=True, eq=False)
class ReLU(VectorFamily):
    r"""A ReLU bandit: $f_\theta(a)=\max(\langle\theta,a\rangle-b,0)$ for actions and parameters of the unit ball.

    The best query of a target is its direction, worth $\max(|\theta|-b,0)$. In the plane with $\alpha=1-b$, the
    setting of the paper's theorem, targets are unit vectors and the fit is exact to rounding: between the angles
    where some answered query starts to be heard the loss is a trigonometric polynomial of degree 2. Otherwise the loss
    is the least of convex functions, one for each set of queries with positive mean answers that can be heard (see
    `kernels/relu.py`). Up to 3,000 such sets are all looked at, in the order of a lower bound, until it passes the best
    loss found; of more, those that 3,000 directions meet. That what the descents reach is the global minimum is tested
    (`benchmarks/fits.py`), not proved: where $|\theta|\ge\alpha+b$ holds with equality the problems are not convex.

    Parameters
    ----------
    bias
        b, in [0, 1).

    Examples
    --------
    >>> fit = ReLU(2, bias=0.5).fit()
    >>> state = fit.update(fit.start(alpha=0.5), np.array([1.0, 0.0]), 0.1)
    >>> fit.estimate(state).round(6).tolist()
    [0.6, 0.8]
    """

    bias: float

    def __post_init__(self) -> None:
        if not 0 <= check_finite("bias", self.bias) < 1:
            raise InvalidValueError(f"bias must lie in [0, 1), got {self.bias:g}.")
        super().__post_init__()

    @property
    def value_range(self) -> tuple[float, float]:
        """From silence to what exceeds the bias of 1."""
        return 0.0, 1.0 - self.bias

    def evaluate(self, query: Any, target: Array) -> Any:
        """What exceeds the bias of the inner product."""
        return self.in_range(np.maximum(query @ target - self.bias, 0.0))

    def fit(self) -> "ReLUFit":
        """Least squares over the ball of parameters."""
        return ReLUFit(self)

    def __repr__(self) -> str:
        return f"ReLU({self.n}, bias={self.bias:g})"


@dataclass(frozen=True, eq=False)
class ReLUFit(TalliedFit):
    """Least squares over parameters no longer than 1 and long enough to be worth alpha."""

    family: ReLU

    def is_exact(self, alpha: float | None = None) -> bool:
        """On the circle, where the plane's targets are unit vectors; elsewhere it is not proved."""
        return self.family.n == 2 and self._inner(alpha) >= 1 - 1e-12

    def estimate(self, state: Tallied) -> Array:
        """The best parameter that was found."""
        return self.nearest(state.tally.observed(self.family.n), state.alpha)

    def nearest(self, observed: Observed, alpha: float | None) -> Array:
        """The best parameter for any data, worth at least alpha."""
        if self.is_exact(alpha):
            return self._on_circle(observed)
        inner = self._inner(alpha)
        data, free = kernels.relu.Data(*observed, self.family.bias, inner), np.zeros(len(observed.counts), dtype=bool)
        reached = best_first([kernels.relu.descended(start, free, data) for start in self._starts(observed, inner)])
        reached[0] = kernels.relu.best_of_bowls(reached[0], self._sets(observed), data)[0]
        different = list({tuple(theta.round(6)): theta for theta in reached}.values())
        return best_first([kernels.relu.flipped(theta, free, data) for theta in different[:_N_FLIPPED]])[0]

    def response(self, inner: Array) -> tuple[Array, Array]:
        """What exceeds the bias, and where it does."""
        above = inner - self.family.bias
        return np.maximum(above, 0.0), (above > 0).astype(float)

    def anytime_ball(self, *, delta: float, sigma: float) -> "ReLUBall":
        """The distance ball of `smooth_radius`; a guarantee as far as the fits are global minima."""
        return ReLUBall(self, Smooth(self.family, delta=delta, sigma=sigma))

    def ball(self, radius: float) -> "ReLUBall":
        """The distance ball of any radius."""
        return ReLUBall(self, FixedRadius(radius))

    def _inner(self, alpha: float | None) -> float:
        """The length from which on a parameter is worth alpha."""
        return 0.0 if alpha is None or alpha <= 0 else min(alpha + self.family.bias, 1.0)

    def _on_circle(self, observed: Observed) -> Array:
        lengths = np.linalg.norm(observed.points, axis=1)
        angles = np.arctan2(observed.points[:, 1], observed.points[:, 0])
        reach = np.arccos(np.minimum(self.family.bias / np.maximum(lengths, 1e-300), 1.0))
        breaks = np.unique(np.mod(np.concatenate([[0.0], angles - reach, angles + reach]), TURN))
        ends = np.append(breaks[1:], TURN)
        is_heard = np.cos((breaks + ends)[:, None] / 2 - angles) * lengths > self.family.bias
        heard = square_terms(angles, lengths=lengths, levels=observed.means + self.family.bias, counts=observed.counts)
        silent = square_terms(0.0, lengths=0.0, levels=observed.means, counts=observed.counts)
        angle, _ = least_on_arcs(is_heard @ heard + ~is_heard @ silent, breaks, ends)
        return np.array([np.cos(angle), np.sin(angle)])

    def _sets(self, observed: Observed) -> Array:
        """Sets of queries with positive means that can be heard together and alone: all of them where there are few."""
        points, bias = observed.points, self.family.bias
        louder = np.flatnonzero((observed.means > 0) & (np.linalg.norm(points, axis=1) > bias))
        if n_regions_at_most(len(louder), self.family.n) <= _N_REGIONS:
            sides = regions(points[louder], bias)
        else:
            fixed = np.random.default_rng(1).standard_normal((_N_REGIONS, self.family.n))
            fixed *= (np.arange(_N_REGIONS) % 4 + 1)[:, None] / 4 / np.linalg.norm(fixed, axis=1, keepdims=True)
            sides = np.unique(fixed @ points[louder].T > bias, axis=0)
        sets = np.zeros((len(sides), len(points)), dtype=bool)
        sets[:, louder] = sides
        return sets

    def _starts(self, observed: Observed, inner: float) -> Iterable[Array]:
        """The axes, the answered queries and directions that never change: the best for each set of heard queries."""
        n = self.family.n
        fixed = np.random.default_rng(0).standard_normal((_N_CANDIDATES, n))
        rows = np.concatenate([np.eye(n), -np.eye(n), observed.points, fixed])
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        directions = rows[lengths[:, 0] > 0] / lengths[lengths[:, 0] > 0]
        candidates = np.concatenate([length * directions for length in (1.0, (1.0 + inner) / 2, max(inner, 0.5))])
        residuals = self.response(candidates @ observed.points.T)[0] - observed.means
        losses = (residuals * residuals) @ observed.counts
        order = np.argsort(losses, kind="stable")
        heard = candidates[order] @ observed.points.T > self.family.bias
        _, first = np.unique(heard, axis=0, return_index=True)
        return candidates[order[np.sort(first)[:_N_STARTS]]]


@dataclass(frozen=True, eq=False)
class ReLUBall(Ball[Tallied]):
    r"""$\{\theta:\sum_i(f_\theta(a_i)-f_{\hat\theta}(a_i))^2\le R\}$, and its longest vector.

    Whether some vector of a given length lies inside is one more least-squares problem, with the center's predictions
    as rewards; the longest is found by bisection. Where such a fit misses its global minimum, so does this.
    """

    fit: ReLUFit
    radius: Radius

    def most_optimistic(self, state: Tallied) -> Array:
        """The longest vector inside that was found."""
        fit, observed = self.fit, state.tally.observed(self.fit.family.n)
        center, radius = fit.estimate(state), self.radius.at(int(observed.counts.sum()), 0.0)
        predicted = observed._replace(means=fit.response(observed.points @ center)[0])
        best, low, high = center, max(float(np.linalg.norm(center)) - fit.family.bias, 0.0), 1.0 - fit.family.bias
        level = high
        for _ in range(_N_BISECTIONS):
            trial = fit.nearest(predicted, level)
            if loss(trial, predicted, fit.response) <= radius:
                best, low = trial, level
            else:
                high = level
            if low >= high:
                break
            level = (low + high) / 2
        return best

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        """By the triangle inequality: what is found lies inside, however the search went."""
        if isinstance(self.radius, Smooth):
            check_own_delta(self.radius.delta, delta)
            center = self.radius.center(horizon)
        else:
            center = self.fit.error_budget(horizon=horizon, delta=delta, sigma=sigma)
        radius = self.radius.most(horizon)
        check_radius(radius, needed=center, delta=delta)
        return ball_error_budget(center=center, radius=radius)
