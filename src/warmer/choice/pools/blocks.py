"""Passes over many points in blocks, so that memory stays small."""

from collections.abc import Callable

import numpy as np

from warmer.choice.pools.contract import Contrast
from warmer.model import Array

_CELLS = 1_000_000
"""Predictions looked at together."""


def blocks_of(points: Array, cells_per_point: int) -> list[Array]:
    """The points in runs of about a million predictions; one empty run where there are no points.

    Examples
    --------
    >>> [block.tolist() for block in blocks_of(np.arange(3), 500_000)]
    [[0, 1], [2]]
    """
    size = max(1, _CELLS // cells_per_point)
    return [points[start : start + size] for start in range(0, max(1, len(points)), size)]


def contrast_in_blocks(blocks: list[Array], n_models: int, ends: Callable[[Array], tuple[Array, Array]]) -> Contrast:
    """The contrast from the least and greatest difference of losses, points x models, in each block."""
    counts, lows, reaches, squares = (np.zeros(n_models) for _ in range(4))
    for points in blocks:
        low, high = ends(points)
        reach = np.maximum(-low, high)
        counts += (reach > 0).sum(axis=0)
        lows += low.sum(axis=0)
        squares += (reach**2).sum(axis=0)
        reaches = np.maximum(reaches, reach.max(axis=0, initial=0.0))
    return Contrast(counts, lows, reaches, squares)


def scores_in_blocks(blocks: list[Array], weights: Array, differs: Callable[[Array], Array]) -> Array:
    """The greatest weight of a model that differs at each point of the blocks, 0 where none does."""
    return np.concatenate([(differs(rows) * weights).max(axis=1) for rows in blocks])


def masses_in_blocks(blocks: list[Array], scores: Array, differs: Callable[[Array], Array]) -> Array:
    """For each model, the sum of the scores of the points where it differs."""
    return np.asarray(sum(scores[rows] @ differs(rows) for rows in blocks))
