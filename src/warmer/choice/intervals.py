"""Intervals for each model's total loss over the pool, from the random draws and from what cannot be otherwise."""

import math

import numpy as np

from warmer.model import Array

_RATES = np.array([0.1, 0.3, 1.0])[:, None]


class PoolIntervals:
    r"""Bounds on total losses that hold for all models and at all times together, with probability 1 - delta.

    A draw from a frame of F points has expected loss $\mu$, and the total is the known loss, $F\mu$, and the loss at
    open points outside the frame, which is at least 0 and at most their number. Sums of (loss - $\mu$) stay below
    $\lambda n/8+\ln(1/\alpha)/\lambda$ (Hoeffding, at all n at once), here for three values of $\lambda$.

    Parameters
    ----------
    n_models, n_points
        The size of the pool.
    delta
        The probability with which any interval may ever be wrong.
    """

    def __init__(self, n_models: int, n_points: int, *, delta: float) -> None:
        self._needed = math.log(2 * len(_RATES) * n_models / delta)
        self._n_draws, self._inverse_sizes, self._outside = 0, 0.0, 0.0
        self._losses, self._known = np.zeros(n_models), np.zeros(n_models)
        self.low, self.high = np.zeros(n_models), np.full(n_models, float(n_points))

    def observe(self, losses: Array, *, known: Array, frame_size: int, n_open: int) -> None:
        """One random draw: its losses, and the total losses known and the sizes of frame and open points before it."""
        self._n_draws += 1
        self._inverse_sizes += 1 / frame_size
        self._outside += (n_open - frame_size) / frame_size
        self._losses += losses
        self._known += known / frame_size
        width = (_RATES * self._n_draws / 8 + self._needed / _RATES).min()
        self.low = np.maximum(self.low, (self._losses - width + self._known) / self._inverse_sizes)
        high = (self._losses + width + self._known + self._outside) / self._inverse_sizes
        self.high = np.minimum(self.high, high)

    def limit(self, *, known: Array, n_open: int) -> None:
        """What is known cannot be undone, and an open point costs at most 1."""
        self.low, self.high = np.maximum(self.low, known), np.minimum(self.high, known + n_open)
