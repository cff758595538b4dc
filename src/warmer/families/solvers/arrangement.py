r"""The regions into which hyperplanes $\langle a_i,x\rangle=b$ cut a space: who is on which side, region by region."""

import math
from itertools import combinations, product

import numpy as np

from warmer.model import Array

_NUDGE = 1e-7


def n_regions_at_most(n_planes: int, n: int) -> int:
    r"""$\sum_{k\le n}\binom mk$ (Buck 1943), reached where the planes are in general position."""
    return sum(math.comb(n_planes, k) for k in range(n + 1))


def regions(points: Array, bias: float) -> Array:
    r"""Whether $\langle a_i,x\rangle>b$, a row for each region and a column for each $a_i\ne0$.

    Where the planes are in general position every region has a vertex, a point where as many planes meet as there are
    dimensions, and around a vertex every choice of their sides is a region. Nudged by a ten-millionth
    part of their distances, planes are in general position as far as they are not parallel, and no region thicker than
    that is lost.

    Examples
    --------
    >>> regions(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), 0.5).astype(int).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 1]]
    """
    n_planes = len(points)
    if n_planes == 0:
        return np.zeros((1, 0), dtype=bool)
    _, sizes, axes = np.linalg.svd(points, full_matrices=False)
    rows = points @ axes[sizes > 1e-9 * sizes[0]].T
    rank = rows.shape[1]
    nudged = bias + _NUDGE * np.linalg.norm(rows, axis=1) * np.random.default_rng(0).uniform(-1, 1, n_planes)
    met = np.array(list(combinations(range(n_planes), rank)))
    met = met[np.abs(np.linalg.det(rows[met])) > 1e-9 * np.prod(np.linalg.norm(rows, axis=1)[met], axis=1)]
    vertices = np.linalg.solve(rows[met], nudged[met][:, :, None])[:, :, 0]
    sides = np.repeat((vertices @ rows.T > nudged)[:, None], 2**rank, axis=1)
    choices = np.array(list(product([False, True], repeat=rank)))
    np.put_along_axis(sides, np.broadcast_to(met[:, None], (len(met), *choices.shape)), choices[None], axis=2)
    packed = np.unique(np.packbits(sides.reshape(-1, n_planes), axis=1), axis=0)
    return np.unpackbits(packed, axis=1, count=n_planes).astype(bool)
