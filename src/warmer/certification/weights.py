r"""Weights over the candidates: what forecasts and choices go by. Nothing that is proven rests on them.

The weight of a candidate is its prior times the likelihood of the answers: Gaussian with the declared deviation, that
of coins, or Gaussian with the variance of the forecast errors so far where nothing is declared.
"""

import math
from typing import NamedTuple

import numpy as np

from warmer.certification import kernels
from warmer.estimation import Losses
from warmer.model import Array

__all__ = ["Weights"]


class Weights(NamedTuple):
    """Losses of all candidates, the rate that turns them into log weights, and the log prior (empty: uniform)."""

    losses: Losses
    rate: float
    log_prior: Array

    def mean(self, row: Array) -> float:
        """The weighted mean of a row of the table."""
        total, mean = self._sums(row)
        return float(mean / total)

    def log_total(self, row: Array) -> float:
        """The logarithm of the weighted mean likelihood, on the scale of the losses; never above the true one."""
        total = math.log(self._sums(row)[0]) - self.rate * self.losses.least
        return total if self.log_prior.size else total - math.log(row.size)

    def likely(self, possible: Array) -> tuple[Array, Array]:
        """The possible candidates with noticeable weight, and their weights, which sum to 1."""
        losses = self.losses
        least = losses.least if possible[losses.best] else float(losses.excess[possible].min())
        places, behind = kernels.evidence.likely(losses.excess, losses.lows, possible, least, self.rate, self._cut)
        log_weights = -behind if self.log_prior.size == 0 else self.log_prior[places] - behind
        weights = np.exp(log_weights - log_weights.max())
        return places, weights / weights.sum()

    def leader(self, possible: Array) -> int:
        """The likeliest possible candidate; the lowest-numbered of several. The likeliest of all where none is left."""
        losses = self.losses
        if self.log_prior.size == 0 and (possible[losses.best] or not possible.any()):
            return losses.best
        places = np.flatnonzero(possible) if possible.any() else np.arange(possible.size)
        behind = self.rate * losses.excess[places]
        return int(places[(behind if self.log_prior.size == 0 else behind - self.log_prior[places]).argmin()])

    @property
    def _cut(self) -> float:
        """Candidates further behind are not weighed; all of them together have less than 5% of the leader's weight."""
        return math.log(self.losses.excess.size) + 3

    def _sums(self, row: Array) -> tuple[float, float]:
        losses, weigh = self.losses, kernels.evidence.weigh
        total, mean = weigh(losses.excess, losses.lows, self.log_prior, losses.least, self.rate, self._cut, row)
        return total, mean
