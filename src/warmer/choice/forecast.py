"""What the models together foretell: a weighted vote, its sharpness and its weights learnt from the labels.

Nothing here has to be true. A good forecast makes bets win sooner and the leader better; a bad one does not make a
certificate false, because it is known for all points before the next one is drawn.
"""

from typing import Any, NamedTuple

import numpy as np

from warmer.choice.pools import Pool
from warmer.model import Array

_RATES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8)
_SHARPNESSES = (1.0, 2.0)
_HEAD_START = 3.0
"""In units of log likelihood, what the rate 0.1 and the plain shares of the vote are ahead before any label."""

_BLOCK = 2_000_000
"""Predictions that are forecast anew after a label; a larger pool takes turns."""

_GROWTH = 1.04
"""All points get the latest weights again once the number of labels has grown by this factor."""


class _Voters(NamedTuple):
    weights: Array
    sharpness: float


class Forecast:
    """Expected losses of all models at points without a label.

    The vote weighs a model by exp(-rate * its total loss); rate and sharpness are those that foretold the labels best,
    each label from those before it. After each label one block of points gets the latest weights, until all have them;
    it begins again when there are 4% more labels.

    Parameters
    ----------
    pool
        The predictions.

    Attributes
    ----------
    totals
        Each model's expected loss, summed over the open points.
    spreads
        How far the weighted models disagree at each point.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        size = max(1, _BLOCK // pool.n_models)
        self._blocks = [np.arange(start, min(start + size, pool.n_points)) for start in range(0, pool.n_points, size)]
        self._block_size = size
        self._losses = np.zeros(pool.n_models)
        self._kinds = [(rate, sharpness) for rate in _RATES for sharpness in _SHARPNESSES]
        self._scores = np.zeros(len(self._kinds))
        self._scores[self._kinds.index((0.1, 1.0))] = _HEAD_START
        self._turn, self._n_labels, self._n_before = 0, 0, 0
        self._is_open = np.ones(pool.n_points, bool)
        self.spreads = np.zeros(pool.n_points)
        self._voters = [self._latest()] * len(self._blocks)
        self._block_totals = np.zeros((len(self._blocks), pool.n_models))
        for block in range(len(self._blocks)):
            self._renew(block)

    @property
    def totals(self) -> Array:
        """Each model's expected loss, summed over the open points."""
        return np.asarray(self._block_totals.sum(axis=0))

    @property
    def weights(self) -> Array:
        """The latest weights of the models; the greatest is 1."""
        return self._latest().weights

    def at(self, point: int) -> Array:
        """Each model's expected loss at an open point, as it is in the totals."""
        weights, sharpness = self._voters[point // self._block_size]
        return self._pool.expected(np.array([point]), weights, sharpness)[0]

    def learn(self, point: int, label: Any, losses: Array) -> None:
        """Close a point, whose label is known now, and renew one block."""
        block = point // self._block_size
        self._block_totals[block] -= self.at(point)
        self._is_open[point] = False
        weights = {rate: self._weights(rate) for rate in _RATES}
        for place, (rate, sharpness) in enumerate(self._kinds):
            self._scores[place] += self._pool.fit(point, label, weights[rate], sharpness)
        self._losses += losses
        self._n_labels += 1
        if self._turn or self._n_labels >= _GROWTH * self._n_before:
            self._n_before = self._n_before if self._turn else self._n_labels
            self._renew(self._turn)
            self._turn = (self._turn + 1) % len(self._blocks)

    def _latest(self) -> _Voters:
        rate, sharpness = self._kinds[int(self._scores.argmax())]
        return _Voters(self._weights(rate), sharpness)

    def _weights(self, rate: float) -> Array:
        return np.asarray(np.exp(-rate * (self._losses - self._losses.min())))

    def _renew(self, block: int) -> None:
        points = self._blocks[block]
        points = points[self._is_open[points]]
        self._voters[block] = self._latest()
        self._block_totals[block], self.spreads[points] = self._pool.expected(points, *self._voters[block])
