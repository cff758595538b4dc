r"""Forecasts of the next answer, made from earlier answers alone: what bets against candidates are placed by.

Two forecasts are mixed: the weighted mean of the candidates' predictions, and one that learns each query's mean freely,
which wins where all candidates are wrong. Each weighs as much as its past squared errors allow.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from warmer.certification.weights import Weights
from warmer.estimation import Losses, TableFit
from warmer.model import Array, Problem

__all__ = ["Forecast", "Forecaster", "Seen", "free_mean"]


class Forecast(NamedTuple):
    """What is expected of the next answer: by the candidates, by the query's own past, and by both together."""

    candidates: float
    free: float
    mixed: float


class Seen(NamedTuple):
    """Squared residuals of all candidates, each query's answers, and the squared errors of the forecasts."""

    losses: Losses
    counts: Array
    sums: Array
    errors: tuple[float, float, float]
    """Of the candidates' forecast, of the free one, and of the mixed one."""
    n_errors: float


def free_mean(seen_count: float, seen_sum: float, start: float) -> float:
    """The mean of a query's answers and of one answer that was expected before any came."""
    return (start + seen_sum) / (1 + seen_count)


@dataclass(frozen=True, eq=False)
class Forecaster:
    """Forecasts for one table, with weights by squared residuals over the variance of the forecast errors."""

    problem: Problem
    log_prior: Array

    def start(self) -> Seen:
        """Nothing observed yet."""
        n = self.problem.n_queries
        return Seen(self.fit.start(), np.zeros(n), np.zeros(n), (0.0, 0.0, 0.0), 0.0)

    def forecast(self, state: Seen, query: int) -> Forecast:
        """What the next answer to a query should be."""
        candidates = self.weights(state).mean(self.problem.rho[query])
        free = free_mean(state.counts[query], state.sums[query], candidates)
        advantage = (state.errors[0] - state.errors[1]) / (2 * self.variance(state))
        share = 1 / (1 + math.exp(min(max(-advantage, -700.0), 700.0)))
        return Forecast(candidates, free, candidates + share * (free - candidates))

    def update(self, state: Seen, query: int, reward: float, count: int, forecast: Forecast) -> Seen:
        """One more answer, in the memory of the given state."""
        losses = self.fit.update(state.losses, query, reward, count)
        state.counts[query] += count
        state.sums[query] += count * reward
        errors = tuple(e + count * (reward - f) ** 2 for e, f in zip(state.errors, forecast, strict=True))
        return Seen(losses, state.counts, state.sums, errors, state.n_errors + 1)  # type: ignore[arg-type]

    def variance(self, state: Seen) -> float:
        """The mean squared error of the forecasts; a quarter of the squared scale stands for one more of them."""
        return float((state.errors[2] + self.problem.scale**2 / 4) / (state.n_errors + 1))

    def weights(self, state: Seen) -> Weights:
        """Weights as if the noise were Gaussian with that variance."""
        return Weights(state.losses, 1 / (2 * self.variance(state)), self.log_prior, self.problem.n_targets)

    @cached_property
    def fit(self) -> TableFit:
        """Least squares over the candidates."""
        return TableFit(self.problem)
