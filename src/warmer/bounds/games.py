"""Finite games: by a linear program, and sooner where few rows are played."""

import numpy as np
import scipy

from warmer.model import Array
from warmer.model.time_limit import Clock

_PIVOTS = 20  # per row and column; games of a thousand columns take one or two per row
_EXACT = 1e-10  # relative slack of a column against prices


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


def max_min_of_few(gains: Array) -> tuple[Array, Array]:
    r"""The proportions and the mixture of `max_min_proportions`, sooner where there are few rows: some hundred at most.

    No gain is negative, and each column has one above 0.
    The mixture is a largest packing, $\max\sum_y u_y$ with $\sum_y u_y g_{ay}\le1$ for each row $a$, and the
    proportions are its prices. The revised simplex method begins with the empty packing; what it ends with are two
    mixtures, of which the caller can see how far apart the gains are that they prove.

    Examples
    --------
    >>> max_min_of_few(np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]]))[0].tolist()
    [0.5, 0.5]
    """
    n_rows, n_columns = gains.shape
    largest = gains.max(axis=0)
    norms = largest * np.sqrt(np.square(gains / largest).sum(axis=0))  # whose squares may be too small for a float
    columns = np.vstack([(gains / norms).T, np.eye(n_rows)])  # each of length 1; the last are what is left of a row
    values = np.append(norms.min() / norms, np.zeros(n_rows))
    slack = _EXACT * np.append(values[:n_columns], np.ones(n_rows))
    basis, inverse, amounts = np.arange(n_columns, n_columns + n_rows), np.eye(n_rows), np.ones(n_rows)
    prices, n_still = np.zeros(n_rows), 0
    for _ in range(_PIVOTS * (n_rows + n_columns)):
        Clock(None).check()
        prices = values[basis] @ inverse
        excess = values - columns @ prices - slack
        is_still = n_still > n_rows  # then the first of all, which never comes back to where it was (Bland's rule)
        entering = int((excess > 0).argmax() if is_still else excess.argmax())
        if excess[entering] <= 0:
            break
        column = inverse @ columns[entering]
        if column.max() <= _EXACT:  # no packing grows for ever, but rounding may say so
            break
        steps = np.divide(amounts, column, out=np.full(n_rows, np.inf), where=column > _EXACT)
        ties = np.flatnonzero(steps <= steps.min() * (1 + _EXACT))
        leaving = int(ties[basis[ties].argmin() if is_still else column[ties].argmax()])
        step, row = steps[leaving], inverse[leaving] / column[leaving]
        n_still = 0 if step > _EXACT else n_still + 1
        inverse -= np.outer(column, row)
        inverse[leaving] = row
        amounts = np.maximum(amounts - step * column, 0.0)
        amounts[leaving] = step
        basis[leaving] = entering
    packed = np.bincount(basis, amounts, minlength=n_columns + n_rows)[:n_columns]
    return _normalised(prices), _normalised(packed * values[:n_columns])


def _normalised(weights: Array) -> Array:
    positive = np.maximum(weights, 0.0)
    return np.asarray(positive / positive.sum())
