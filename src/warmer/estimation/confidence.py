"""Confidence sets around the least-squares target, and the most optimistic target inside."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from warmer.estimation.finite import FiniteFit, Losses
from warmer.model import Array

__all__ = ["Ball", "DistanceBall", "LossBall"]


@dataclass(frozen=True, eq=False)
class LossBall:
    r"""$\{z : L_t(z)-\min L_t\le R\}$: the targets that explain the rewards almost as well as any.

    With $R=2\sigma^2\ln(|Z|/\delta)$ it contains the target at all times with probability $1-\delta$, however the
    queries were chosen, if the noise is $\sigma$-sub-Gaussian.
    """

    fit: FiniteFit
    radius: float

    def start(self) -> Losses:
        """Every target is inside."""
        return self.fit.start()

    def update(self, state: Losses, query: int, reward: float, count: int = 1) -> Losses:
        """One more answer."""
        return self.fit.update(state, query, reward, count)

    def mask(self, state: Losses) -> Array:
        """Which targets are inside."""
        return np.asarray(state.excess <= state.least + self.radius)

    def most_optimistic(self, state: Losses) -> int:
        """The lowest-numbered target inside with the largest self-evaluation."""
        return int(
            self.fit.kernels.top_within(state.excess, self.fit.problem.self_evaluations, state.least + self.radius)
        )


class Distances(NamedTuple):
    """Losses, how often each query was answered, and the squared distances to the center over those answers."""

    losses: Losses
    counts: Array
    center: int
    distances: Array


@dataclass(frozen=True, eq=False)
class DistanceBall:
    r"""$\{z : \sum_{i<t}(\rho(z_i|z)-\rho(z_i|\hat z_t))^2\le R\}$: the paper's ball around the minimiser.

    The distances grow by one row an answer; they are summed anew only when the minimiser changes.
    """

    fit: FiniteFit
    radius: float

    def start(self) -> Distances:
        """Every target is inside."""
        losses = self.fit.start()
        counts = np.zeros(self.fit.problem.n_queries, dtype=np.int64)
        return Distances(losses, counts, losses.best, np.zeros_like(losses.excess))

    def update(self, state: Distances, query: int, reward: float, count: int = 1) -> Distances:
        """One more answer, in the memory of the given state."""
        losses = self.fit.update(state.losses, query, reward, count)
        state.counts[query] += count
        if losses.best == state.center:
            row = self.fit.problem.rho[query]
            self.fit.kernels.add_squared_differences(state.distances, row, row[losses.best], count)
        else:
            self._measure(state, losses.best)
        return Distances(losses, state.counts, losses.best, state.distances)

    def mask(self, state: Distances) -> Array:
        """Which targets are inside."""
        return np.asarray(state.distances <= self.radius)

    def most_optimistic(self, state: Distances) -> int:
        """The lowest-numbered target inside with the largest self-evaluation."""
        return int(self.fit.kernels.top_within(state.distances, self.fit.problem.self_evaluations, self.radius))

    def _measure(self, state: Distances, center: int) -> None:
        state.distances.fill(0)
        for query in np.flatnonzero(state.counts):
            row = self.fit.problem.rho[query]
            self.fit.kernels.add_squared_differences(state.distances, row, row[center], state.counts[query])


Ball = LossBall | DistanceBall
