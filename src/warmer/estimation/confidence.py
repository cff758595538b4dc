"""Confidence sets around the least-squares target of finitely many, the most optimistic target inside, their sizes."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from warmer.bounds import anytime_error_budget, anytime_radius, paper_radius
from warmer.bounds.budgets import ball_error_budget, loss_ball_error_budget
from warmer.model import Array, Ball, Fit
from warmer.model.checks import check_radius
from warmer.model.errors import HypothesisError

State = TypeVar("State")


class Losses(NamedTuple):
    r"""The sum of squared residuals of every target, up to one constant that they share.

    Only differences of losses ever matter, so each update first takes the least loss off all of them. The losses
    of the targets in contention then stay small, and single precision stays sharp however long the run. `lows` holds
    the least loss of each block of targets, `least` the least of all, `best` the lowest-numbered target that has it;
    `offset` is what was taken off so far.
    """

    excess: Array
    lows: Array
    least: float
    best: int
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class LossBall(Ball[Losses]):
    r"""$\{z : L_t(z)-\min L_t\le R\}$: the targets that explain the rewards almost as well as any.

    With $R=2\sigma^2\ln(|Z|/\delta)$ it contains the target at all times with probability $1-\delta$, however the
    queries were chosen, if the noise is $\sigma$-sub-Gaussian.
    """

    fit: "FiniteFit[Any]"
    radius: float

    def mask(self, state: Losses) -> Array:
        """Which targets are inside."""
        return np.asarray(state.excess <= np.float64(self.limit(state)))

    def most_optimistic(self, state: Losses) -> int:
        """The lowest-numbered target inside with the largest self-evaluation."""
        return self.fit.most_promising(state, self.limit(state))

    def limit(self, state: Losses) -> float:
        """The largest loss, on the scale of `Losses.excess`, that is still inside."""
        return state.least + self.radius

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        r"""$C_\delta$ of every target inside, at all times, where the ball also keeps the truth.

        The ball itself loses the truth with probability up to $|Z|e^{-R/(2\sigma^2)}$; what is left of delta goes into
        the budget.
        """
        n_targets = self.fit.problem.n_targets
        lost = n_targets * math.exp(-self.radius / (2 * sigma**2))
        if lost >= delta:
            raise HypothesisError(
                f"the confidence set may lose the truth with probability {lost:g}; with a total of {delta:g} nothing "
                "is left for the error budget. Give the learner a smaller delta, such as half of that."
            )
        return loss_ball_error_budget(n_targets=n_targets, radius=self.radius, delta=delta - lost, sigma=sigma)


class Distances(NamedTuple):
    """Losses, how often each query was answered, and the squared distances to the center over those answers.

    The distances are what the losses would be, had every answer been the center's own prediction.
    """

    losses: Any
    counts: Array
    center: int
    distances: Any


@dataclass(frozen=True, eq=False)
class DistanceBall(Ball[Distances]):
    r"""$\{z : \sum_{i<t}(\rho(z_i|z)-\rho(z_i|\hat z_t))^2\le R\}$: the paper's ball around the minimiser.

    The distances grow by one row per answer; they are summed anew only when the minimiser changes.
    """

    fit: "FiniteFit[Any]"
    radius: float

    def start(self) -> Distances:
        """Every target is inside."""
        losses = self.fit.start()
        counts = np.zeros(self.fit.problem.n_queries, dtype=np.int64)
        return Distances(losses, counts, losses.best, self.fit.start())

    def update(self, state: Distances, query: int, reward: float, count: int = 1) -> Distances:
        """One more answer, in the memory of the given state."""
        losses = self.fit.update(state.losses, query, reward, count)
        state.counts[query] += count
        distances, asked, times = state.distances, np.array([query]), [count]
        if losses.best != state.center:  # measured anew
            distances, asked = self.fit.start(), np.flatnonzero(state.counts)
            times = state.counts[asked].tolist()
        centers = self.fit.problem.evaluate(asked, losses.best)
        for move in zip(asked.tolist(), centers, times, strict=True):
            distances = self.fit.update(distances, *move)
        return Distances(losses, state.counts, losses.best, distances)

    def mask(self, state: Distances) -> Array:
        """Which targets are inside."""
        return np.asarray(state.distances.excess <= np.float64(self.radius))

    def most_optimistic(self, state: Distances) -> int:
        """The lowest-numbered target inside with the largest self-evaluation."""
        return self.fit.most_promising(state.distances, self.radius)

    def error_budget(self, *, horizon: int, delta: float, sigma: float) -> float:
        r"""$C_\delta=(\sqrt R+\sqrt c)^2$ of every target inside, with $c$ the budget of the center.

        The ball keeps the truth where $R\ge c$; then the triangle inequality gives the rest.
        """
        center = self.fit.error_budget(horizon=horizon, delta=delta, sigma=sigma)
        check_radius(self.radius, needed=center, delta=delta)
        return ball_error_budget(center=center, radius=self.radius)


@dataclass(frozen=True, eq=False)
class FiniteFit(Fit[State]):
    """Least squares over finitely many targets; what it remembers has the least loss and the target that has it."""

    problem: Any

    def estimate(self, state: Any) -> int:
        """The lowest-numbered target with the least loss."""
        return int(state.best)

    def n_viable(self, alpha: float) -> int:
        """How many targets reach alpha."""
        raise NotImplementedError

    def most_promising(self, state: State, limit: float) -> int:
        """The lowest-numbered target with the largest self-evaluation among those whose excess is within a limit."""
        raise NotImplementedError

    def anytime_ball(self, *, delta: float, sigma: float) -> LossBall:
        r"""The loss ball of radius $2\sigma^2\ln(|Z|/\delta)$."""
        return LossBall(self, anytime_radius(n_targets=self.problem.n_targets, delta=delta, sigma=sigma))

    def paper_ball(self, *, delta: float, horizon: int) -> DistanceBall:
        r"""The distance ball of radius $128\ln(2T|Z|/\delta)$."""
        problem = self.problem
        radius = paper_radius(n_targets=problem.n_targets, horizon=horizon, delta=delta, scale=problem.scale)
        return DistanceBall(self, radius)

    def ball(self, radius: float) -> DistanceBall:
        """The distance ball of any radius."""
        return DistanceBall(self, radius)

    def error_budget(self, *, alpha: float | None = None, horizon: int, delta: float, sigma: float) -> float:
        r"""$C_\delta$ of the least-squares target, at all times: $8\sigma^2\ln(|Z_\alpha|/\delta)$."""
        n_targets = self.problem.n_targets if alpha is None else self.n_viable(alpha)
        return anytime_error_budget(n_targets=n_targets, delta=delta, sigma=sigma)
