"""Total losses over the pool: the forecast, set right by the random draws as far as these can tell."""

import numpy as np

from warmer.choice.pools import Contrast, Pool
from warmer.model import Array


class DrawnDifferences:
    r"""What the random draws say about each model's loss beside one leader's, without bias.

    With d = loss of the model - loss of the leader and D the open points where d may be other than 0: a draw from a
    frame that covers both models falls on a point of D with a chance that is proportional to the point's score. So the
    mean of d over such draws, each weighted by 1/score, is a noisy guess of the mean over D with next to no bias; the
    forecast is calm and may be biased. The bias is a number for each model with mean 0 and a variance that is estimated
    from all models together (empirical Bayes), besides the chance that is left in labels drawn from a true forecast.
    Nothing of a certificate rests on it.

    Parameters
    ----------
    pool
        The predictions.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._draws: list[tuple[int, Array, Array, float]] = []
        self.follow(0)

    def follow(self, leader: int) -> None:
        """Compare with this leader from now on."""
        self._leader = leader
        self._weights, self._squared_weights, self._sums, self._squares = np.zeros((4, self._pool.n_models))
        for draw in self._draws:
            self._count(*draw)

    def observe(self, point: int, covers: Array, losses: Array, weight: float) -> None:
        """Add a draw: the models that its frame covered, the losses of all, and 1/score in units of its frame."""
        self._draws.append((point, covers, losses, weight))
        self._count(*self._draws[-1])

    def corrected(self, forecast: Array, known: Array, contrast: Contrast) -> Array:
        """The totals, from those that are forecast, the losses known so far and what may differ at open points."""
        is_seen = (self._weights > 0) & (contrast.n_differing > 0)
        n_differing, weights = np.maximum(contrast.n_differing, 1), np.where(is_seen, self._weights, 1.0)
        hits = np.where(is_seen, weights**2 / np.where(is_seen, self._squared_weights, 1.0), 1.0)
        ahead = forecast - known
        mean = self._sums / weights
        around = hits * np.maximum(self._squares / weights - mean**2, 0.0)
        variance = (around + contrast.reach**2) / (hits + 1) / hits
        away = np.where(is_seen, mean - (ahead - ahead[self._leader]) / n_differing, 0.0)
        counts = hits * is_seen
        bias = max(0.0, float(counts @ (away**2 - variance)) / max(1.0, float(counts.sum())))
        prior = bias + contrast.reach**2 / (2 * n_differing)
        share = prior / np.maximum(prior + variance, 1e-300)
        return np.asarray(forecast + contrast.n_differing * share * away)

    def _count(self, point: int, covers: Array, losses: Array, weight: float) -> None:
        if covers[self._leader]:
            differs, _ = self._pool.lowest(point, self._leader)
            weights = weight * (differs & covers)
            difference = losses - losses[self._leader]
            self._weights += weights
            self._squared_weights += weights**2
            self._sums += weights * difference
            self._squares += weights * difference**2
