"""Intervals for each model's total loss over the pool, from the random draws and from what cannot be otherwise."""

import numpy as np

from warmer.model import Array

_FRACTIONS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)
"""Bets are mixed: so much of what a bet may risk."""

_MOST_RATIO = 1e9
"""Of a draw to what the null allows; to count less than came makes no bound false."""

_HALVINGS = 16
"""How often what is between what is ruled out and what is not is halved."""


class PoolIntervals:
    r"""Bounds on total losses that hold for all models and at all times together, with probability 1 - delta.

    A draw from a frame of F points with the weight $w$ = 1 / (F times its chance) has $E[w\ell]=\mu$, the mean loss
    over the frame. If the total is at most $\theta$, then $\mu\le(\theta-\text{known})/F$, since losses outside the
    frame are at least 0: the wealth of bets against that is a supermartingale, and once it is large $\theta$ is ruled
    out (Ville). The same for $1-\ell$ gives the other end. The proof is in `docs/choosing-a-model.md`.

    Parameters
    ----------
    n_models, n_points
        The size of the pool.
    delta
        The probability with which any interval may ever be wrong.

    Examples
    --------
    >>> intervals = PoolIntervals(1, 100, delta=0.05)
    >>> for n_labels in range(40):  # the model errs at every second of 40 points, drawn from all that are open
    ...     scores = (np.arange(100) >= n_labels).astype(int)
    ...     known = np.array([n_labels // 2])
    ...     intervals.observe(np.array([n_labels % 2]), n_labels, known=known, scores=scores, n_open=100 - n_labels)
    >>> low, high = intervals.bounds(known=np.array([20.0]), n_open=60)
    >>> low.round().tolist(), high.round().tolist()
    ([31.0], [68.0])
    """

    def __init__(self, n_models: int, n_points: int, *, delta: float) -> None:
        self._n_points, self._needed = n_points, 2 * n_models / delta
        self._draws: list[tuple[float, int, int, Array, Array]] = []
        self._found: tuple[tuple[int, int], tuple[Array, Array]] | None = None

    def observe(self, losses: Array, point: int, *, known: Array, scores: Array, n_open: int) -> None:
        """One random draw: its losses; and, before it, total losses known, scores of all points and open points."""
        size = int(np.count_nonzero(scores))
        weight = float(scores.sum()) / size / float(scores[point])
        self._draws.append((weight, size, self._n_points - n_open, losses, known.copy()))

    def bounds(self, *, known: Array, n_open: int) -> tuple[Array, Array]:
        """The least and the greatest total losses, where so much is known now and so many points are open."""
        if not self._draws:
            return known.astype(float), known + float(n_open)
        if self._found is None or self._found[0] != (len(self._draws), n_open):  # worked out once after each label
            self._found = (len(self._draws), n_open), self._bounds(known, n_open)
        return self._found[1]

    def _bounds(self, known: Array, n_open: int) -> tuple[Array, Array]:
        weights, sizes, n_known = (np.array(column)[:, None] for column in list(zip(*self._draws, strict=True))[:3])
        losses, before = (np.array(column) for column in list(zip(*self._draws, strict=True))[3:])
        low = self._least(weights * losses, before, sizes, known, n_open)
        n_labels = self._n_points - n_open
        right = self._least(weights * (1 - losses), n_known - before, sizes, n_labels - known, n_open)
        return low, self._n_points - right

    def _least(self, drawn: Array, before: Array, sizes: Array, known: Array, n_open: int) -> Array:
        """For each model the greatest total that is ruled out, or what is known: totals are larger."""
        low, high = known.astype(float), known + float(n_open)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            with np.errstate(over="ignore", under="ignore"):
                wealth = np.mean([np.cumprod(each, axis=0) for each in _factors(drawn, middle - before, sizes)], axis=0)
            is_out = wealth.max(axis=0) >= self._needed
            low, high = np.where(is_out, middle, low), np.where(is_out, high, middle)
        return low


def _factors(drawn: Array, most: Array, sizes: Array) -> list[Array]:
    """What each kind of bet returns for each unit staked, if the losses of the frame sum to `most` at the most."""
    ratio = np.minimum(drawn * sizes / np.maximum(most, 1e-300), _MOST_RATIO)
    return [1 + part * (ratio - 1) for part in _FRACTIONS]
