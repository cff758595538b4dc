"""Predicted probabilities with half the Brier score: sum over classes of (probability - [label is the class])^2 / 2."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.choice.pools.blocks import blocks_of, contrast_in_blocks, masses_in_blocks, scores_in_blocks
from warmer.choice.pools.contract import Contrast
from warmer.model import Array

_UNFORESEEN = 1e-3


class ProbabilityPool:
    """Probabilities, points x models x classes. The loss at label y is (1 + |p|^2) / 2 - p_y, in [0, 1]."""

    least_weight = 1.0

    def __init__(self, probabilities: Array, read_label: Callable[[Any], int]) -> None:
        self._chances, self.read_label = probabilities, read_label
        self.n_points, self.n_models, self._n_classes = probabilities.shape

    def weight(self, label: int) -> float:
        """Every point has the same weight."""
        return 1.0

    def losses(self, point: int, label: int) -> Array:
        """The loss of each model at a point."""
        return self._losses(self._chances[point : point + 1])[0, :, label]

    def n_harmless(self, is_open: Array) -> Array:
        """None: some label is far from any prediction."""
        return np.zeros(self.n_models)

    def lowest(self, point: int, leader: int) -> tuple[Array, Array]:
        """Whether each model's loss may differ from the leader's at a point, and the least difference."""
        low, high = self._ends(self._chances[point : point + 1], leader)
        return (np.maximum(-low, high) > 0)[0], low[0]

    def contrast(self, leader: int, is_open: Array) -> Contrast:
        """All models against the leader, over the points that are open."""
        blocks = self._blocks(np.flatnonzero(is_open))
        return contrast_in_blocks(blocks, self.n_models, lambda points: self._ends(self._chances[points], leader))

    def scores(self, leader: int, weights: Array) -> Array:
        """For each point, the greatest weight of a model that may have another loss there than the leader; else 0."""
        return scores_in_blocks(
            self._blocks(np.arange(self.n_points)), weights, lambda rows: self._differs(rows, leader)
        )

    def masses(self, leader: int, scores: Array) -> Array:
        """For each model, the sum of the scores of the points where it may have another loss than the leader."""
        return masses_in_blocks(self._blocks(np.flatnonzero(scores)), scores, lambda rows: self._differs(rows, leader))

    def expected(self, points: Array, weights: Array, sharpness: float) -> tuple[Array, Array]:
        """Each model's expected loss, summed over points, under the weighted mean of probabilities; and its spread."""
        totals, spreads = np.zeros(self.n_models), []
        for rows in self._blocks(points):
            chances = self._chances[rows]
            mean = np.einsum("imc,m->ic", chances, weights / weights.sum())
            totals += np.einsum("imc,ic->m", self._losses(chances), mean)
            spreads.append(np.einsum("imc,m->i", (chances - mean[:, None]) ** 2, weights / weights.sum()))
        return totals, np.concatenate(spreads)

    def fit(self, point: int, label: int, weights: Array, sharpness: float) -> float:
        """The logarithm of the weighted mean probability of a label."""
        chance = float(self._chances[point, :, label] @ weights / weights.sum())
        return math.log((1 - _UNFORESEEN) * chance + _UNFORESEEN)

    def _losses(self, chances: Array) -> Array:
        return np.asarray((1 + (chances**2).sum(axis=2, keepdims=True)) / 2 - chances, dtype=float)

    def _ends(self, chances: Array, leader: int) -> tuple[Array, Array]:
        losses = self._losses(chances)
        gaps = losses - losses[:, leader, None]
        return gaps.min(axis=2), gaps.max(axis=2)

    def _differs(self, rows: Array, leader: int) -> Array:
        chances = self._chances[rows]
        return np.asarray((chances != chances[:, leader, None]).any(axis=2))

    def _blocks(self, points: Array) -> list[Array]:
        return blocks_of(points, self.n_models * self._n_classes)
