"""From the pool to the population that it was drawn from."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from warmer.choice.pools import Pool
from warmer.model import Array

_RATES = (0.02, 0.05, 0.1, 0.2, 0.4)


def no_allowance(pool: Pool) -> Callable[[int], Array]:
    """Nothing is added where the pool itself is what matters."""
    return partial(_nothing, pool)


def population_allowance(pool: Pool, delta: float) -> Callable[[int], Array]:
    r"""For a leader: by how much the sum of differences over the pool may exceed its expectation, for each model.

    Points are drawn independently from the population. For one model, all leaders at once and with probability at
    least $1-\delta$, $\sum_i d_i\le N\,E[d]+\min_\lambda\frac{\psi(\lambda)Q+\ln(5(m-1)/\delta)}{\lambda}$ with
    $\psi(\lambda)=-\ln(1-\lambda)-\lambda$, m models, five values of $\lambda$, and $Q\ge\sum_id_i^2$ from what the
    losses can be at each point. The proof is in `docs/choosing-a-model.md`.
    """
    return partial(_excess, pool, math.log(len(_RATES) * max(1, pool.n_models - 1) / delta))


def _nothing(pool: Pool, leader: int) -> Array:
    return np.zeros(pool.n_models)


def _excess(pool: Pool, needed: float, leader: int) -> Array:
    squares = pool.contrast(leader, np.ones(pool.n_points, bool)).squares
    bounds = [((-math.log1p(-rate) - rate) * squares + needed) / rate for rate in _RATES]
    return np.asarray(np.min(bounds, axis=0) * (squares > 0))
