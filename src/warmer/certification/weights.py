r"""Weights over the candidates: what forecasts, mixtures and choices go by.

The weight of a candidate is its prior times the likelihood of the answers: Gaussian with the declared deviation, that
of coins, or Gaussian with the variance of the forecast errors so far where nothing is declared. Sums over candidates
leave out those too light to matter, so they are never above the true sums, and less than 5% below.
"""

from typing import NamedTuple

import numpy as np

from warmer.certification import kernels
from warmer.certification.memory import Memory, Table
from warmer.model import Array

MOST_LIKELY = 256
N_DRAWN = 128
"""How many candidates, drawn by their weights, stand for all when a query is chosen and more than that are likely."""


class Weights(NamedTuple):
    """The weights of all candidates, and what they come from: losses, and the rate that turns them into log weights."""

    table: Table
    memory: Memory
    rate: float
    least: float
    best: int

    def likely(self, possible: Array) -> tuple[Array, Array]:
        """The possible candidates with noticeable weight, and their weights, which sum to 1."""
        memory, prior = self.memory, self._prior_on(possible)
        least = self.least if possible[self.best] else float(memory.losses[possible].min())
        places, weights = kernels.evidence.likely(
            memory.losses, memory.lows, prior, possible, least, self.rate, self.table.cut
        )
        return places, weights

    def drawn(self, possible: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        """The likely candidates where they are few; else a systematic sample of them, and their shares."""
        places, shares = kernels.evidence.draw(self.memory.weights, possible, MOST_LIKELY, N_DRAWN, rng.random())
        if places.size:
            return places, shares
        places, weights = self.likely(possible)  # the heaviest of all was ruled out
        everyone = np.ones(places.size, dtype=bool)
        picked, shares = kernels.evidence.draw(weights, everyone, MOST_LIKELY, N_DRAWN, rng.random())
        return places[picked], shares

    def leader(self, possible: Array) -> int:
        """The likeliest possible candidate; the lowest-numbered of several. The likeliest of all where none is left."""
        if self.table.log_prior.size == 0 and (possible[self.best] or not possible.any()):
            return self.best
        places = np.flatnonzero(possible) if possible.any() else np.arange(possible.size)
        return int(places[self.behind(places).argmin()])

    def behind(self, places: Array) -> Array:
        """Minus the log weights of some candidates, up to a constant; the prior counts where it allows any of them."""
        behind = self.rate * self.memory.losses[places].astype(float)
        prior = self._prior_on(places)
        return np.asarray(behind - prior[places] if prior.size else behind)

    def _prior_on(self, places: Array) -> Array:
        """The log prior; an empty one, which stands for equal weights, where it allows none of these places."""
        prior = self.table.log_prior
        return np.empty(0) if prior.size and not np.isfinite(prior[places]).any() else prior


def weighed(table: Table, memory: Memory, least: float, rate: float) -> tuple[float, float]:
    """Fill in the weights; the logarithm of the largest, and their sum in units of it."""
    top, total = kernels.evidence.weigh(
        memory.weights, memory.losses, memory.lows, table.log_prior, least, rate, table.cut
    )
    return top, total
