r"""E-processes that are likelihood ratios: a mixture over all candidates against each of them.

The numerator is the same for every candidate $z$, so that a candidate is ruled out exactly when its likelihood has
fallen below a common limit: $\log e_t(z)=\log N_t-\log\ell_t(z)\ge\ln(1/\delta)$. The numerator $N_t$ mixes the
likelihoods of all candidates by their prior weights, and, at weight `FREE`, that of forecasts which learn each query's
mean freely.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from warmer.certification import kernels
from warmer.certification.forecasts import free_mean
from warmer.certification.weights import Weights
from warmer.estimation import Losses, TableFit
from warmer.model import Array, Problem

__all__ = ["FREE", "Coins", "Squares", "coin_variances"]

FREE = 0.1
"""The share of the numerator that bets on all candidates being wrong."""
_IMPOSSIBLE = 1e6
"""Minus the log likelihood of an answer that a candidate calls impossible: it rules out at any delta."""


def coin_variances(problem: Problem, means: Array) -> Array:
    """The variance of an answer at one of the two ends of the range; never quite 0."""
    low, high = problem.reward_range
    return np.maximum((means - low) * (high - means), 1e-6 * (high - low) ** 2)


class Likelihoods(NamedTuple):
    """Minus the log likelihoods of all candidates, less a constant; that of the free forecasts; each query's
    answers.
    """

    losses: Losses
    constant: float
    log_free: float
    counts: Array
    sums: Array


@dataclass(frozen=True, eq=False)
class _Ratio:
    """What both likelihood processes share: everything but the likelihood of one answer."""

    is_coin: ClassVar[bool] = False

    problem: Problem
    log_prior: Array

    def start(self) -> Likelihoods:
        """Nothing observed yet."""
        n = self.problem.n_queries
        return Likelihoods(TableFit(self.problem).start(), 0.0, 0.0, np.zeros(n), np.zeros(n))

    def update(self, state: Likelihoods, query: int, reward: float, count: int = 1) -> Likelihoods:
        """One more answer, in the memory of the given state."""
        row = self.problem.rho[query]
        expected = self.weights(state).mean(row)
        free = free_mean(state.counts[query], state.sums[query], expected)
        constant = state.constant + state.losses.least  # an update takes the least loss off all of them
        losses = self._added(state.losses, query, reward, count)
        state.counts[query] += count
        state.sums[query] += count * reward
        log_free = state.log_free + self._log_likelihood(query, free, reward, count)
        return Likelihoods(losses, constant, log_free, state.counts, state.sums)

    def log_evidence(self, state: Likelihoods) -> Array:
        """The logarithm of each candidate's process."""
        return np.asarray(state.losses.excess - self._limit(state), dtype=float)

    def rule_out(self, state: Likelihoods, possible: Array, threshold: float) -> int:
        """Strike the candidates whose log evidence has reached the threshold; how many were struck."""
        limit = self._limit(state) + threshold
        return int(kernels.evidence.rule_out(possible, state.losses.excess, limit))

    def weights(self, state: Likelihoods) -> Weights:
        """The posterior."""
        return Weights(state.losses, 1.0, self.log_prior)

    def _limit(self, state: Likelihoods) -> float:
        """Minus the log of the numerator, on the scale of `Losses.excess`."""
        candidates = self.weights(state).log_total(self.problem.rho[0])
        free = state.log_free + state.constant
        return -float(np.logaddexp(candidates + math.log1p(-FREE), free + math.log(FREE)))

    def _added(self, losses: Losses, query: int, reward: float, count: int) -> Losses:
        raise NotImplementedError

    def _log_likelihood(self, query: int, mean: float, reward: float, count: int) -> float:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Squares(_Ratio):
    r"""Sub-Gaussian noise of known deviation: $-\log\ell(z)=\sum_i(r_i-z_i)^2/(2\sigma_i^2)$."""

    sigmas: Array

    def variances(self, state: Likelihoods, queries: Array, means: Array) -> Array:
        """The declared ones."""
        return np.asarray(self.sigmas[queries] ** 2)

    def _added(self, losses: Losses, query: int, reward: float, count: int) -> Losses:
        weight = count / (2 * float(self.sigmas[query]) ** 2)
        return self._fit.update(losses, query, reward, weight)  # type: ignore[arg-type]

    def _log_likelihood(self, query: int, mean: float, reward: float, count: int) -> float:
        return -count * (reward - mean) ** 2 / (2 * float(self.sigmas[query]) ** 2)

    @cached_property
    def _fit(self) -> TableFit:
        return TableFit(self.problem)


@dataclass(frozen=True, eq=False)
class Coins(_Ratio):
    r"""Answers that are one of the two ends of the range: $-\log\ell(z)=-\sum_i\log p_{z_i}(r_i)$."""

    is_coin: ClassVar[bool] = True

    def variances(self, state: Likelihoods, queries: Array, means: Array) -> Array:
        """Those of coins with these means."""
        return coin_variances(self.problem, means)

    def _added(self, losses: Losses, query: int, reward: float, count: int) -> Losses:
        heads = count * float(self._chance(reward))
        up, down = self._costs(query)
        least, best = losses.least, losses.best
        shift = losses.least
        for costs, times in ((up, heads), (down, count - heads)):
            if times:
                least, best = kernels.evidence.add_costs(losses.excess, losses.lows, costs, times, shift)
                shift = 0.0
        return Losses(losses.excess, losses.lows, least, best)

    def _log_likelihood(self, query: int, mean: float, reward: float, count: int) -> float:
        chance = min(max(float(self._chance(mean)), 1e-3), 1 - 1e-3)
        heads = count * float(self._chance(reward))
        return heads * math.log(chance) + (count - heads) * math.log1p(-chance)

    def _chance(self, mean: Any) -> Any:
        low, high = self.problem.reward_range
        return (mean - low) / (high - low)

    def _costs(self, query: int) -> tuple[Array, Array]:
        """Minus the log chances of the upper and of the lower end, for each candidate; kept once worked out."""
        if query not in self._kept:
            chance = np.clip(self._chance(np.asarray(self.problem.rho[query], dtype=float)), 0.0, 1.0)
            with np.errstate(divide="ignore"):
                self._kept[query] = tuple(np.minimum(-np.log(side), _IMPOSSIBLE) for side in (chance, 1 - chance))
        up, down = self._kept[query]
        return up, down

    @cached_property
    def _kept(self) -> dict[int, Any]:
        return {}
