"""Predicted numbers with the squared or the absolute error, divided by the largest that the range of labels allows."""

from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.choice.pools.blocks import blocks_of, contrast_in_blocks, masses_in_blocks, scores_in_blocks
from warmer.choice.pools.contract import Contrast
from warmer.model import Array


class NumberPool:
    """Predictions and labels in [0, 1], a row for each point and a column for each model; losses |error|^power.

    For both powers the difference of two losses, as a function of the label, is largest and smallest at the ends.
    """

    least_weight = 1.0

    def __init__(self, values: Array, read_label: Callable[[Any], float], *, power: int) -> None:
        self._values, self.read_label, self._power = values, read_label, power
        self.n_points, self.n_models = values.shape

    def weight(self, label: float) -> float:
        """Every point has the same weight."""
        return 1.0

    def losses(self, point: int, label: float) -> Array:
        """The loss of each model at a point."""
        return self._loss(self._values[point], label)

    def n_harmless(self, is_open: Array) -> Array:
        """None: some label is far from any prediction."""
        return np.zeros(self.n_models)

    def lowest(self, point: int, leader: int) -> tuple[Array, Array]:
        """Whether each model's loss may differ from the leader's at a point, and the least difference."""
        low, high = self._ends(self._values[point : point + 1], leader)
        return (np.maximum(-low, high) > 0)[0], low[0]

    def contrast(self, leader: int, is_open: Array) -> Contrast:
        """All models against the leader, over the points that are open."""
        blocks = self._blocks(np.flatnonzero(is_open))
        return contrast_in_blocks(blocks, self.n_models, lambda points: self._ends(self._values[points], leader))

    def scores(self, leader: int, weights: Array) -> Array:
        """For each point, the greatest weight of a model that may have another loss there than the leader; else 0."""
        return scores_in_blocks(
            self._blocks(np.arange(self.n_points)), weights, lambda rows: self._differs(rows, leader)
        )

    def masses(self, leader: int, scores: Array) -> Array:
        """For each model, the sum of the scores of the points where it may have another loss than the leader."""
        return masses_in_blocks(self._blocks(np.flatnonzero(scores)), scores, lambda rows: self._differs(rows, leader))

    def expected(self, points: Array, weights: Array, sharpness: float) -> tuple[Array, Array]:
        """Each model's loss, summed over points, if the weighted mean is right; and the weighted variance."""
        totals, spreads = np.zeros(self.n_models), []
        for rows in self._blocks(points):
            values = self._values[rows]
            center = self._center(values, weights)[:, None]
            totals += self._loss(values, center).sum(axis=0)
            spreads.append(self._center((values - center) ** 2, weights))
        return totals, np.concatenate(spreads)

    def fit(self, point: int, label: float, weights: Array, sharpness: float) -> float:
        """Less the squared error of the weighted mean."""
        return -float((self._center(self._values[point : point + 1], weights)[0] - label) ** 2)

    def _loss(self, values: Array, label: Any) -> Array:
        errors = np.abs(values - label)
        return np.asarray(errors**self._power, dtype=float)

    def _ends(self, values: Array, leader: int) -> tuple[Array, Array]:
        """The least and the greatest difference of losses over all labels."""
        mine = values[:, leader, None]
        at_0, at_1 = (self._loss(values, end) - self._loss(mine, end) for end in (0.0, 1.0))
        if self._power == 1:  # |a-y| - |b-y| also reaches -|a-b| or |a-b| at the ends, where a and b lie between them
            return -np.abs(values - mine), np.abs(values - mine)
        return np.minimum(at_0, at_1), np.maximum(at_0, at_1)

    def _center(self, values: Array, weights: Array) -> Array:
        return np.asarray(values @ weights / weights.sum())

    def _differs(self, rows: Array, leader: int) -> Array:
        return np.asarray(self._values[rows] != self._values[rows, leader, None])

    def _blocks(self, points: Array) -> list[Array]:
        return blocks_of(points, self.n_models)
