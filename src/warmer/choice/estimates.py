"""Total losses over the pool: the forecast, set right by the random draws as far as these can tell."""

import numpy as np

from warmer.model import Array

_TRUSTED_NOISE, _EARLY_DOUBT = 0.5, 10.0
"""The forecast is believed unless the draws leave it by more than (0.5 + 10 / draws) times their own variance."""


class DrawnTotals:
    r"""What the random draws say about all total losses, without bias.

    A point drawn from a frame of F points, with the residuals r = loss - forecast, gives each model the total
    known + forecast + F r, whose expectation is the true one (up to a number that is the same for all models). The mean
    of these, weighted by $1/F^2$, is unbiased and noisy; the forecast is calm and may be biased. `corrected` goes from
    the forecast towards the mean by the share $1-V/|D|^2$, where D is what lies between them and V the variance of the
    mean (James and Stein's way). Nothing of a certificate rests on it.

    Examples
    --------
    >>> drawn = DrawnTotals(2)
    >>> forecast = np.array([5.0, 5.0])
    >>> for _ in range(40):  # the first model is always worse than foretold
    ...     drawn.observe(forecast, np.array([0.5, -0.5]), n_points=10)
    >>> drawn.corrected(forecast, np.ones(2, bool)).round(2).tolist()
    [9.91, 0.09]
    """

    def __init__(self, n_models: int) -> None:
        self._n_draws, self._weight = 0, 0.0
        self._sums, self._variances = np.zeros(n_models), np.zeros(n_models)

    def observe(self, forecast: Array, residuals: Array, *, n_points: int) -> None:
        """Add a draw from so many points: totals as they were forecast before it, and its residuals."""
        self._n_draws += 1
        self._weight += n_points**-2.0
        self._sums += (forecast + n_points * residuals) * n_points**-2.0
        self._variances += (residuals / n_points) ** 2

    def corrected(self, forecast: Array, is_live: Array) -> Array:
        """The totals; how far to go is decided by the models that matter."""
        if not self._n_draws:
            return forecast
        away = self._sums / self._weight - forecast
        away -= away[is_live].mean()
        noise = (_TRUSTED_NOISE + _EARLY_DOUBT / self._n_draws) * self._variances[is_live].sum() / self._weight**2
        size = float(away[is_live] @ away[is_live])
        return np.asarray(forecast + max(0.0, 1 - noise / size) * away) if size > 0 else forecast
