r"""E-processes that are bets: a candidate's capital is multiplied by $1+\lambda_i(r_i-z_i)$ with each answer.

While the mean of the answer is $z_i$ the capital is a martingale, whatever the stake $\lambda_i$ is, as long as it was
chosen before the answer came and the factor cannot be negative. The stake goes by a forecast $f$ of the answer and the
variance $v$ of the forecast errors so far: $\lambda=d/(v+d^2)$ with $d=f-z_i$, cut so that at most a share `BOLDNESS`
of the capital can be lost. Where a candidate is right only up to a tolerance, $z_i$ is the end of its interval nearest
to $f$: the factor's mean is then at most 1 for every mean inside.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple, Self

import numpy as np

from warmer.certification import kernels
from warmer.certification.forecasts import Forecaster, Seen
from warmer.certification.likelihoods import coin_variances, heads_of
from warmer.certification.parts import losses_of, part_of, prior_of
from warmer.certification.weights import Weights
from warmer.model import Array, Problem

__all__ = ["Bets", "RoughCoins", "RoughSquares"]

BOLDNESS = 0.95
SETTLED = 800.0
"""Log evidence beyond which nothing more is bet against a candidate: no delta above 1e-340 asks for so much."""


class Betting(NamedTuple):
    """What forecasts are made from, and the logarithm of each candidate's capital."""

    seen: Seen
    capital: Array


@dataclass(frozen=True, eq=False)
class _Betting:
    """What all betting processes share: everything but one bet."""

    is_coin: ClassVar[bool] = False

    problem: Problem
    log_prior: Array

    def start(self) -> Betting:
        """Nothing observed yet."""
        return Betting(self._forecaster.start(), np.zeros(self.problem.n_targets))

    def update(self, state: Betting, query: int, reward: float, count: int = 1) -> Betting:
        """One more answer, in the memory of the given state."""
        forecast = self._forecaster.forecast(state.seen, query)
        self._bet(state, query, reward, count, forecast.mixed)
        return Betting(self._forecaster.update(state.seen, query, reward, count, forecast), state.capital)

    def log_evidence(self, state: Betting) -> Array:
        """The logarithm of each candidate's process."""
        return state.capital

    def rule_out(self, state: Betting, possible: Array, threshold: float) -> int:
        """Strike the candidates whose log evidence has reached the threshold; how many were struck."""
        return int(kernels.evidence.rule_out(possible, state.capital, threshold))

    def part(self, state: Betting, places: Array) -> tuple[Self, Betting]:
        """The process and its state for some of the candidates alone."""
        part = part_of(self.problem, places)
        seen = state.seen._replace(losses=losses_of(part, state.seen.losses, places))
        process = replace(self, problem=part, log_prior=prior_of(self.log_prior, places))
        return process, Betting(seen, state.capital[places])

    def weights(self, state: Betting) -> Weights:
        """Weights by squared residuals over the variance of the forecast errors."""
        return self._forecaster.weights(state.seen)

    def variances(self, state: Betting, queries: Array, means: Array) -> Array:
        """That of the forecast errors, the same for all queries."""
        return np.full(queries.size, self._forecaster.variance(state.seen))

    def _bet(self, state: Betting, query: int, reward: float, count: int, forecast: float) -> None:
        raise NotImplementedError

    @cached_property
    def _forecaster(self) -> Forecaster:
        return Forecaster(self.problem, self.log_prior)


@dataclass(frozen=True, eq=False)
class Bets(_Betting):
    """Answers in the reward range, and within a width of their mean where one is declared."""

    width: float = np.inf
    tolerance: float = 0.0

    def _bet(self, state: Betting, query: int, reward: float, count: int, forecast: float) -> None:
        kernels.evidence.bet(
            state.capital,
            self.problem.rho[query],
            forecast,
            self._forecaster.variance(state.seen),
            reward,
            float(count),
            *self.problem.reward_range,
            self.width,
            self.tolerance,
            BOLDNESS,
            SETTLED,
            self.problem.slack,
        )


@dataclass(frozen=True, eq=False)
class RoughSquares(_Betting):
    r"""Sub-Gaussian noise around means that the table gives up to a tolerance."""

    sigmas: Array
    tolerance: float

    def variances(self, state: Betting, queries: Array, means: Array) -> Array:
        """The declared ones."""
        return np.asarray(self.sigmas[queries] ** 2)

    def _bet(self, state: Betting, query: int, reward: float, count: int, forecast: float) -> None:
        rate = count / (2 * float(self.sigmas[query]) ** 2)
        row = self.problem.rho[query]
        kernels.evidence.compare_squares(state.capital, row, forecast, reward, rate, self.tolerance, SETTLED)


@dataclass(frozen=True, eq=False)
class RoughCoins(_Betting):
    """Answers at one of the two ends of the range, around means that the table gives up to a tolerance."""

    is_coin: ClassVar[bool] = True

    tolerance: float

    def variances(self, state: Betting, queries: Array, means: Array) -> Array:
        """Those of coins with these means."""
        return coin_variances(self.problem, means)

    def _bet(self, state: Betting, query: int, reward: float, count: int, forecast: float) -> None:
        low, high = self.problem.reward_range
        edge = 1e-3 * (high - low)
        heads = heads_of(self.problem, reward, count)
        kernels.evidence.compare_coins(
            state.capital,
            self.problem.rho[query],
            min(max(forecast, low + edge), high - edge),
            heads,
            count - heads,
            low,
            high,
            self.tolerance,
            SETTLED,
        )
