"""Intervals for each model's total loss over the pool, from the random draws and from what cannot be otherwise."""

import math

import numpy as np

from warmer.model import Array

_RATES = np.array([0.1, 0.3, 1.0])[:, None]


class PoolIntervals:
    r"""Bounds on total losses that hold for all models and at all times together, with probability 1 - delta.

    Over a frame of F points the mean loss is $\mu$; the total is the known loss, $F\mu$, and the loss at open points
    outside the frame, which is at least 0 and at most their number. A draw of loss $\ell$ has the weight $w$ = 1 / (F
    times its chance); sums of $w(\ell-1/2)-(\mu-1/2)$ stay below $\sum\psi(\lambda)/\lambda+\ln(1/\alpha)/\lambda$
    (Bennett, at all times at once), here for three values of $\lambda$. The proof is in `docs/choosing-a-model.md`.

    Parameters
    ----------
    n_models, n_points
        The size of the pool.
    delta
        The probability with which any interval may ever be wrong.
    """

    def __init__(self, n_models: int, n_points: int, *, delta: float) -> None:
        self._needed = math.log(2 * len(_RATES) * n_models / delta)
        self._inverse_sizes, self._outside = 0.0, 0.0
        self._growth = np.zeros_like(_RATES)
        self._losses, self._known = np.zeros(n_models), np.zeros(n_models)
        self.low, self.high = np.zeros(n_models), np.full(n_models, float(n_points))

    def observe(self, losses: Array, point: int, *, known: Array, scores: Array, n_open: int) -> None:
        """One random draw: its losses; and, before it, total losses known, scores of all points and open points."""
        inside = scores[scores > 0].astype(float)
        size, weights = (
            len(inside),
            inside.mean() / inside,
        )  # the mean over the draws of w^2 is that of w over the frame
        reach = (weights.max() + 1) / 2
        self._growth += weights.mean() / 4 * (np.exp(_RATES * reach) - _RATES * reach - 1) / reach**2
        self._inverse_sizes += 1 / size
        self._outside += (n_open - size) / size
        self._losses += inside.mean() / scores[point] * (losses - 0.5) + 0.5
        self._known += known / size
        width = ((self._growth + self._needed) / _RATES).min()
        self.low = np.maximum(self.low, (self._losses - width + self._known) / self._inverse_sizes)
        high = (self._losses + width + self._known + self._outside) / self._inverse_sizes
        self.high = np.minimum(self.high, high)

    def limit(self, *, known: Array, n_open: int) -> None:
        """What is known cannot be undone, and an open point costs at most 1."""
        self.low, self.high = np.maximum(self.low, known), np.minimum(self.high, known + n_open)
