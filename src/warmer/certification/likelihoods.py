r"""E-processes that are likelihood ratios: a mixture over all candidates against each of them.

The numerator is the same for every candidate $z$, so that a candidate is ruled out exactly when its likelihood has
fallen below a common limit: $\log e_t(z)=\log N_t-\log\ell_t(z)\ge\ln(1/\delta)$. The numerator $N_t$ mixes the
likelihoods of all candidates by their prior weights, and, at weight `FREE`, that of forecasts which learn each query's
mean freely.
"""

import math
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from warmer.certification import kernels
from warmer.certification.forecasts import free_mean
from warmer.certification.parts import losses_of, part_of, prior_of
from warmer.certification.weights import Weights
from warmer.estimation import Losses, TableFit
from warmer.model import Array, Problem

__all__ = ["FREE", "Coins", "Squares", "coin_variances", "heads_of"]

FREE = 0.1
"""The share of the numerator that bets on all candidates being wrong."""
_IMPOSSIBLE = 1e6
"""Minus the log likelihood of an answer that a candidate calls impossible: it rules out at any delta."""
_MOST_KEPT = 1 << 24
"""Entries of a table up to which their logarithms are kept."""


def coin_variances(problem: Problem, means: Array) -> Array:
    """The variance of an answer at one of the two ends of the range; never quite 0."""
    low, high = problem.reward_range
    return np.maximum((means - low) * (high - means), 1e-6 * (high - low) ** 2)


def heads_of(problem: Problem, reward: float, count: int) -> float:
    """How many of `count` answers came as the upper end, if this is their mean: a whole number, but for rounding.

    What no rounding explains is left as it is: the likelihood ratio of coins is valid for all answers in the range.
    """
    low, high = problem.reward_range
    heads = count * (reward - low) / (high - low)
    return float(round(heads)) if abs(heads - round(heads)) <= 1e-6 * count else heads


class Likelihoods(NamedTuple):
    """Minus the log likelihoods of all candidates, and that of the free forecasts, up to one constant that they share;
    each query's answers.
    """

    losses: Losses
    free: float
    counts: Array
    sums: Array


@dataclass(frozen=True, eq=False)
class _Ratio:
    """What both likelihood processes share: everything but the likelihood of one answer."""

    is_coin: ClassVar[bool] = False

    problem: Problem
    log_prior: Array
    _: KW_ONLY
    n_all: int = 0
    """How many candidates there were before some were put aside; 0 where none was."""

    def start(self) -> Likelihoods:
        """Nothing observed yet."""
        n = self.problem.n_queries
        return Likelihoods(TableFit(self.problem).start(), 0.0, np.zeros(n), np.zeros(n))

    def update(self, state: Likelihoods, query: int, reward: float, count: int = 1) -> Likelihoods:
        """One more answer, in the memory of the given state."""
        row = self.problem.rho[query]
        expected = self.weights(state).mean(row)
        mean = free_mean(state.counts[query], state.sums[query], expected)
        free = state.free - state.losses.least  # an update takes the least loss off all of them
        losses = self._added(state.losses, query, reward, count)
        state.counts[query] += count
        state.sums[query] += count * reward
        return Likelihoods(losses, free + self._loss(query, mean, reward, count), state.counts, state.sums)

    def log_evidence(self, state: Likelihoods) -> Array:
        """The logarithm of each candidate's process."""
        return np.asarray(state.losses.excess - self._limit(state), dtype=float)

    def rule_out(self, state: Likelihoods, possible: Array, threshold: float) -> int:
        """Strike the candidates whose log evidence has reached the threshold; how many were struck."""
        limit = self._limit(state) + threshold
        return int(kernels.evidence.rule_out(possible, state.losses.excess, limit))

    def part(self, state: Likelihoods, places: Array) -> tuple[Self, Likelihoods]:
        """The process and its state for some of the candidates alone."""
        part = part_of(self.problem, places)
        process = replace(self, problem=part, log_prior=prior_of(self.log_prior, places), n_all=self._n_all)
        return process, state._replace(losses=losses_of(part, state.losses, places))

    def weights(self, state: Likelihoods) -> Weights:
        """The posterior."""
        return Weights(state.losses, 1.0, self.log_prior, self._n_all)

    @property
    def _n_all(self) -> int:
        return self.n_all or self.problem.n_targets

    def _limit(self, state: Likelihoods) -> float:
        """Minus the log of the numerator, on the scale of `Losses.excess`."""
        candidates = self.weights(state).log_total(self.problem.rho[0])
        return -float(np.logaddexp(math.log1p(-FREE) + candidates, math.log(FREE) - state.free))

    def _added(self, losses: Losses, query: int, reward: float, count: int) -> Losses:
        raise NotImplementedError

    def _loss(self, query: int, mean: float, reward: float, count: int) -> float:
        """Minus the log likelihood of an answer, less the constant that `_added` leaves out."""
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

    def _loss(self, query: int, mean: float, reward: float, count: int) -> float:
        return count * (reward - mean) ** 2 / (2 * float(self.sigmas[query]) ** 2)

    @cached_property
    def _fit(self) -> TableFit:
        return TableFit(self.problem)


@dataclass(frozen=True, eq=False)
class Coins(_Ratio):
    r"""Answers that are one of the two ends of the range: $-\log\ell(z)=-\sum_i\log p_{z_i}(r_i)$.

    Less the entropy of the coins behind each mean, which no candidate can fall below: so losses stay small, and exact
    in single precision, however many coins were thrown.
    """

    is_coin: ClassVar[bool] = True

    def variances(self, state: Likelihoods, queries: Array, means: Array) -> Array:
        """Those of coins with these means."""
        return coin_variances(self.problem, means)

    def _added(self, losses: Losses, query: int, reward: float, count: int) -> Losses:
        heads = heads_of(self.problem, reward, count)
        tails, base = count - heads, _entropy(heads, count)
        up, down = self._costs(query)
        least, best = kernels.evidence.add_costs(losses.excess, losses.lows, up, down, heads, tails, losses.least, base)
        return Losses(losses.excess, losses.lows, least, best)

    def _loss(self, query: int, mean: float, reward: float, count: int) -> float:
        chance = min(max(float(self._chance(mean)), 1e-3), 1 - 1e-3)
        heads = heads_of(self.problem, reward, count)
        return -heads * math.log(chance) - (count - heads) * math.log1p(-chance) - _entropy(heads, count)

    def _chance(self, mean: Any) -> Any:
        low, high = self.problem.reward_range
        return (mean - low) / (high - low)

    def _costs(self, query: int) -> tuple[Array, Array]:
        """Minus the log chances of the upper and of the lower end, for each candidate; kept for small tables."""
        if query in self._kept:
            return self._kept[query]
        chance = np.clip(self._chance(np.asarray(self.problem.rho[query], dtype=float)), 0.0, 1.0)
        with np.errstate(divide="ignore"):
            up, down = (np.minimum(-np.log(side), _IMPOSSIBLE) for side in (chance, 1 - chance))
        if self.problem.rho.size <= _MOST_KEPT:
            self._kept[query] = up, down
        return up, down

    @cached_property
    def _kept(self) -> dict[int, tuple[Array, Array]]:
        return {}


def _entropy(heads: float, count: int) -> float:
    """Minus the log likelihood of so many heads among so many coins, at its largest."""
    return -sum(part * math.log(part / count) for part in (heads, count - heads) if part > 0)
