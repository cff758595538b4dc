r"""Gaussian noise of unknown deviation: universal inference (Wasserman, Ramdas and Balakrishnan 2020).

The denominator for a candidate $z$ is the largest likelihood that any deviation gives it, $(2\pi e L_t(z)/t)^{-t/2}$
with $L_t(z)=\sum_i(r_i-z_i)^2$. The numerator is a probability density of the answers, whatever it is: here the
mixture over candidates, by their prior weights, and over $\sigma^2$ with an inverse-gamma distribution of shape $a$
and scale $b$, which for one candidate is $b^a\Gamma(a+t/2)/\Gamma(a)\,(2\pi)^{-t/2}(b+L_t/2)^{-a-t/2}$. Under the
truth the ratio is at most one of two densities, which is a martingale that starts at 1.
"""

import math
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple, Self

import numpy as np

from warmer.certification import kernels
from warmer.certification.forecasts import free_mean
from warmer.certification.likelihoods import FREE
from warmer.certification.parts import losses_of, part_of, prior_of
from warmer.certification.weights import Weights, noticeable
from warmer.estimation import Losses, TableFit
from warmer.model import Array, Problem

__all__ = ["Universal"]

_SHAPE = 0.5
_TYPICAL = 0.15
"""The deviation that is thought typical before anything is observed, in units of half the reward range."""


class Squared(NamedTuple):
    """Squared residuals of all candidates, less a constant; those of the free forecasts; each query's answers."""

    losses: Losses
    constant: float
    free: float
    n_means: int
    """How many means were told; a mean of several answers is one observation of known relative precision."""
    counts: Array
    sums: Array
    nearest: Array
    """Squared residuals from the nearest mean that the tolerance allows; empty where none is allowed."""


@dataclass(frozen=True, eq=False)
class Universal:
    """The process for a table whose entries are right up to a tolerance."""

    is_coin: ClassVar[bool] = False

    problem: Problem
    log_prior: Array
    tolerance: float = 0.0
    _: KW_ONLY
    n_all: int = 0
    """How many candidates there were before some were put aside; 0 where none was."""

    def start(self) -> Squared:
        """Nothing observed yet."""
        n = self.problem.n_queries
        nearest = np.zeros(self.problem.n_targets if self.tolerance else 0)
        return Squared(self._fit.start(), 0.0, 0.0, 0, np.zeros(n), np.zeros(n), nearest)

    def update(self, state: Squared, query: int, reward: float, count: int = 1) -> Squared:
        """One more answer, in the memory of the given state."""
        row = self.problem.rho[query]
        free = free_mean(state.counts[query], state.sums[query], self.weights(state).mean(row))
        constant = state.constant + state.losses.least
        losses = self._fit.update(state.losses, query, reward, count)
        if self.tolerance:
            state.nearest[:] += count * np.maximum(np.abs(row - reward) - self.tolerance, 0.0) ** 2
        state.counts[query] += count
        state.sums[query] += count * reward
        squared = state.free + count * (reward - free) ** 2
        return Squared(losses, constant, squared, state.n_means + 1, state.counts, state.sums, state.nearest)

    def log_evidence(self, state: Squared) -> Array:
        """The logarithm of each candidate's process."""
        n = state.n_means
        if n == 0:
            return np.zeros(self.problem.n_targets)
        with np.errstate(divide="ignore"):
            largest = n / 2 * (1 + np.log(self._losses(state) / n))
        return np.asarray(self._log_numerator(state) + largest)

    def rule_out(self, state: Squared, possible: Array, threshold: float) -> int:
        """Strike the candidates whose log evidence has reached the threshold; how many were struck."""
        n = state.n_means
        exponent = 2 * (threshold - self._log_numerator(state)) / n - 1
        if exponent > 700:
            return 0
        limit = n * math.exp(exponent)
        if self.tolerance:
            return int(kernels.evidence.rule_out(possible, state.nearest, limit))
        return int(kernels.evidence.rule_out(possible, state.losses.excess, limit - state.constant))

    def part(self, state: Squared, places: Array) -> tuple[Self, Squared]:
        """The process and its state for some of the candidates alone."""
        part = part_of(self.problem, places)
        process = replace(self, problem=part, log_prior=prior_of(self.log_prior, places), n_all=self._n_all)
        nearest = state.nearest[places] if self.tolerance else state.nearest
        return process, state._replace(losses=losses_of(part, state.losses, places), nearest=nearest)

    def weights(self, state: Squared) -> Weights:
        """Weights as if the noise were Gaussian with the likeliest candidate's variance."""
        rate = self._power(state) / (2 * self._scale + self._least(state))
        return Weights(state.losses, rate, self.log_prior, self._n_all)

    def variances(self, state: Squared, queries: Array, means: Array) -> Array:
        """The estimated one, the same for all queries."""
        return np.full(queries.size, 1 / (2 * self.weights(state).rate))

    def _log_numerator(self, state: Squared) -> float:
        k, b, losses, least = self._power(state), self._scale, state.losses, self._least(state)
        mixed = kernels.evidence.mix(
            losses.excess, losses.lows, self.log_prior, losses.least, 2 * b + least, k, noticeable(self._n_all)
        )
        mean = mixed if self.log_prior.size else mixed - math.log(self._n_all)
        candidates = math.log1p(-FREE) + mean - k * math.log(b + least / 2)
        free = math.log(FREE) - k * math.log(b + state.free / 2)
        return float(_SHAPE * math.log(b) + math.lgamma(k) - math.lgamma(_SHAPE) + np.logaddexp(candidates, free))

    @property
    def _n_all(self) -> int:
        return self.n_all or self.problem.n_targets

    def _power(self, state: Squared) -> float:
        return _SHAPE + state.n_means / 2

    def _least(self, state: Squared) -> float:
        return max(state.losses.least + state.constant, 0.0)

    def _losses(self, state: Squared) -> Array:
        return state.nearest if self.tolerance else np.asarray(state.losses.excess + state.constant, dtype=float)

    @property
    def _scale(self) -> float:
        return _SHAPE * (_TYPICAL * self.problem.scale) ** 2

    @cached_property
    def _fit(self) -> TableFit:
        return TableFit(self.problem)
