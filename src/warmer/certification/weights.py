r"""Weights over the candidates: what forecasts, mixtures and choices go by.

The weight of a candidate is its prior times the likelihood of the answers: Gaussian with the declared deviation, that
of coins, or Gaussian with the variance of the forecast errors so far where nothing is declared. Sums over candidates
leave out those too light to matter, so they are never above the true sums, and less than 5% below.
"""

import math
from typing import NamedTuple

import numpy as np

from warmer.certification import kernels
from warmer.estimation import Losses
from warmer.model import Array

__all__ = ["Weights", "noticeable"]


class Weights(NamedTuple):
    """Losses of all candidates, the rate that turns them into log weights, and the log prior (empty: uniform)."""

    losses: Losses
    rate: float
    log_prior: Array
    n_all: int
    """Among how many candidates equal prior weights are shared; those that were put aside count."""

    def mean(self, row: Array) -> float:
        """The weighted mean of a row of the table."""
        _, total, mean = self._sums(row)
        return float(mean / total)

    def log_total(self, row: Array) -> float:
        """The logarithm of the weighted mean likelihood, on the scale of the losses; never above the true one."""
        top, sum_of_weights, _ = self._sums(row)
        total = top + math.log(sum_of_weights) - self.rate * self.losses.least
        return float(total if self.log_prior.size else total - math.log(self.n_all))

    def likely(self, possible: Array) -> tuple[Array, Array]:
        """The possible candidates with noticeable weight, and their weights, which sum to 1."""
        losses, prior = self.losses, self._prior_on(possible)
        least = losses.least if possible[losses.best] else float(losses.excess[possible].min())
        places, log_weights = kernels.evidence.likely(
            losses.excess, losses.lows, prior, possible, least, self.rate, noticeable(possible.size)
        )
        weights = np.exp(log_weights)
        return places, weights / weights.sum()

    def leader(self, possible: Array) -> int:
        """The likeliest possible candidate; the lowest-numbered of several. The likeliest of all where none is left."""
        losses = self.losses
        if self.log_prior.size == 0 and (possible[losses.best] or not possible.any()):
            return losses.best
        places = np.flatnonzero(possible) if possible.any() else np.arange(possible.size)
        return int(places[self.behind(places).argmin()])

    def behind(self, places: Array) -> Array:
        """Minus the log weights of some candidates, up to a constant; the prior counts where it allows any of them."""
        behind = self.rate * self.losses.excess[places].astype(float)
        prior = self._prior_on(places)
        return np.asarray(behind - prior[places] if prior.size else behind)

    def _prior_on(self, places: Array) -> Array:
        """The log prior; an empty one, which stands for equal weights, where it allows none of these places."""
        if self.log_prior.size and not np.isfinite(self.log_prior[places]).any():
            return np.empty(0)
        return self.log_prior

    def _sums(self, row: Array) -> tuple[float, float, float]:
        losses = self.losses
        top, total, mean = kernels.evidence.weigh(
            losses.excess, losses.lows, self.log_prior, losses.least, self.rate, noticeable(row.size), row
        )
        return top, total, mean


def noticeable(n_targets: int) -> float:
    """How far behind the heaviest, on the log scale, candidates are still weighed: all others together have less than
    5% of the heaviest one's weight.
    """
    return math.log(n_targets) + 3
