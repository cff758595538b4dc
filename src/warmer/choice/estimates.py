"""Total losses over the pool: the forecast, set right by the random draws as far as these can tell."""

from typing import NamedTuple

import numpy as np

from warmer.choice.pools import Contrast, Pool
from warmer.model import Array


class Estimates(NamedTuple):
    """Each model's total loss, and the standard error of its difference from the leader's in the draws alone."""

    totals: Array
    errors: Array


class DrawnDifferences:
    r"""What the random draws say about each model's loss beside one leader's, without bias.

    With d = loss of the model - loss of the leader and D the open points where d may be other than 0: a draw from a
    frame that covers both models and falls into D is uniform on D, whatever the frame was. So the mean of d over such
    draws is an unbiased, noisy guess of the mean over D; the forecast is calm and may be biased. The bias is a number
    for each model with mean 0 and a variance that is estimated from all models together (empirical Bayes), besides the
    chance that is left in labels drawn from a true forecast. Nothing of a certificate rests on it.

    Parameters
    ----------
    pool
        The predictions.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._draws: list[tuple[int, Array, Array]] = []
        self.follow(0)

    def follow(self, leader: int) -> None:
        """Compare with this leader from now on."""
        self._leader = leader
        self._hits, self._sums, self._squares = (np.zeros(self._pool.n_models) for _ in range(3))
        for draw in self._draws:
            self._count(*draw)

    def observe(self, point: int, covers: Array, losses: Array) -> None:
        """Add a draw: the models that its frame covered, and the losses of all."""
        self._draws.append((point, covers, losses))
        self._count(point, covers, losses)

    def corrected(self, forecast: Array, known: Array, contrast: Contrast) -> Estimates:
        """The totals, from those that are forecast, the losses known so far and what may differ at open points."""
        n_differing, hits = np.maximum(contrast.n_differing, 1), np.maximum(self._hits, 1)
        is_seen = (self._hits > 0) & (contrast.n_differing > 0)
        ahead = forecast - known
        mean = self._sums / hits
        variance = (np.maximum(self._squares - hits * mean**2, 0.0) + contrast.reach**2) / (hits + 1) / hits
        away = np.where(is_seen, mean - (ahead - ahead[self._leader]) / n_differing, 0.0)
        weights = self._hits * is_seen
        bias = max(0.0, float(weights @ (away**2 - variance)) / max(1.0, float(weights.sum())))
        prior = bias + contrast.reach**2 / (2 * n_differing)
        share = prior / np.maximum(prior + variance, 1e-300)
        errors = np.where(is_seen, n_differing * np.sqrt(variance), np.where(contrast.n_differing > 0, np.inf, 0.0))
        return Estimates(forecast + contrast.n_differing * share * away, errors)

    def _count(self, point: int, covers: Array, losses: Array) -> None:
        if covers[self._leader]:
            differs, _ = self._pool.lowest(point, self._leader)
            is_hit = differs & covers
            difference = np.where(is_hit, losses - losses[self._leader], 0.0)
            self._hits += is_hit
            self._sums += difference
            self._squares += difference**2
