"""Hard predictions: classes, written as whole numbers, with losses 0 and 1 or a table of costs."""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from warmer.choice import kernels
from warmer.choice.pools.contract import Contrast
from warmer.model import Array

_UNFORESEEN = 1e-3
"""The chance that a forecast leaves for labels that no model predicts."""


class ClassPool:
    """Predicted classes as whole numbers, a row for each point and a column for each model.

    Parameters
    ----------
    codes
        The predictions, points x models.
    n_codes
        How many different predictions there are.
    read_label
        From a user's label to its code, or -1 for one that nobody predicts; with costs, to its column.
    costs
        The loss of each prediction for each kind of label, in [0, 1]; None for 0 where they are equal and 1 elsewhere.
    columns
        With costs: the column of each prediction as a label, or -1 for one that is no label.
    label_weights
        With costs: the weight of each kind of label in the mean.
    """

    def __init__(
        self,
        codes: Array,
        n_codes: int,
        read_label: Callable[[Any], int],
        *,
        costs: Array | None = None,
        columns: Array | None = None,
        label_weights: Array | None = None,
    ) -> None:
        self.codes, self.read_label = codes, read_label
        self.n_points, self.n_models = codes.shape
        self._costs = np.zeros((0, 0)) if costs is None else np.ascontiguousarray(costs, dtype=float)
        self._columns = np.arange(n_codes) if columns is None else np.asarray(columns)
        self._weights = label_weights
        self.least_weight = 1.0 if label_weights is None else float(label_weights.min())
        self._is_harmless = (self._costs == 0).all(axis=1) & (self._costs.size > 0)
        gaps = self._costs[:, None, :] - self._costs[None, :, :]
        self._lowest = gaps.min(axis=2) if costs is not None else self._costs
        self._reach = np.abs(gaps).max(axis=2) if costs is not None else self._costs

    def weight(self, label: int) -> float:
        """The weight of a point with this label in the mean."""
        return 1.0 if self._weights is None else float(self._weights[label])

    def losses(self, point: int, label: int) -> Array:
        """The loss of each model at a point."""
        row = self.codes[point]
        return np.asarray(self._costs[row, label] if self._costs.size else row != label, dtype=float)

    def n_harmless(self, is_open: Array) -> Array:
        """For each model, at how many open points its loss is 0 whatever the label is."""
        if not self._is_harmless.any():
            return np.zeros(self.n_models)
        closed = self.codes[~is_open]
        return np.asarray(self._n_harmless - np.count_nonzero(self._is_harmless[closed], axis=0))

    @cached_property
    def _n_harmless(self) -> Array:
        return np.array([np.count_nonzero(self._is_harmless[codes]) for codes in self.codes.T])

    def lowest(self, point: int, leader: int) -> tuple[Array, Array]:
        """Whether each model's loss may differ from the leader's at a point, and the least difference."""
        row = self.codes[point]
        if not self._costs.size:
            differs = row != row[leader]
            return differs, -differs.astype(float)
        return self._reach[row, row[leader]] > 0, self._lowest[row, row[leader]]

    def contrast(self, leader: int, is_open: Array) -> Contrast:
        """All models against the leader, over the points that are open."""
        return Contrast(*kernels.codes.contrast(self.codes, is_open, leader, self._lowest, self._reach))

    def scores(self, leader: int, weights: Array) -> Array:
        """For each point, the greatest weight of a model that may have another loss there than the leader; else 0."""
        order = np.argsort(-weights, kind="stable")
        return kernels.codes.scores(self.codes, leader, weights, order[weights[order] > 0], self._reach)

    def masses(self, leader: int, scores: Array) -> Array:
        """For each model, the sum of the scores of the points where it may have another loss than the leader."""
        return kernels.codes.masses(self.codes, leader, scores, self._reach)

    def expected(self, points: Array, weights: Array, sharpness: float) -> tuple[Array, Array]:
        """Each model's expected loss, summed over points, if labels come from the weighted vote; and its spread."""
        return kernels.codes.expected_losses(self.codes, points, weights, sharpness, self._costs, self._columns)

    def fit(self, point: int, label: int, weights: Array, sharpness: float) -> float:
        """The logarithm of the chance that the weighted vote gave to a label."""
        row = self.codes[point]
        votes = np.bincount(self._columns[row] + 1, weights, minlength=label + 2)[1:] ** sharpness
        chance = votes[label] / max(votes.sum(), 1e-300) if label >= 0 else 0.0
        return math.log((1 - _UNFORESEEN) * chance + _UNFORESEEN)
