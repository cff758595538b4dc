"""Finite games, by a linear program."""

import numpy as np
import scipy

from warmer.model import Array


def max_min_proportions(gains: Array, *, seconds: float | None = None) -> tuple[Array, Array]:
    """The proportions of rows with the largest least gain over columns, and the mixture of columns against them.

    A finite game, solved by a linear program; it raises `TimeoutError` where that takes longer than so many seconds.

    Examples
    --------
    >>> max_min_proportions(np.eye(2))[0].tolist()
    [0.5, 0.5]
    """
    n_rows, n_columns = gains.shape
    scale = np.abs(gains).max() or 1.0
    result = scipy.optimize.linprog(
        np.append(np.zeros(n_rows), -1.0),
        A_ub=np.hstack([-gains.T / scale, np.ones((n_columns, 1))]),
        b_ub=np.zeros(n_columns),
        A_eq=np.append(np.ones(n_rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * n_rows + [(None, None)],
        method="highs",
        options={} if seconds is None else {"time_limit": seconds},
    )
    if result.x is None:  # a game always has a value
        raise TimeoutError(result.message)
    return _normalised(np.asarray(result.x)[:-1]), _normalised(-result.ineqlin.marginals)


def _normalised(weights: Array) -> Array:
    positive = np.maximum(weights, 0.0)
    return np.asarray(positive / positive.sum())
