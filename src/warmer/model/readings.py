"""Every answer that counts, and what the answers to each query amount to."""

from array import array
from copy import deepcopy
from typing import Self

import numpy as np

from warmer.model.contracts import Array


class Readings:
    """The answers to queries of a table, in order, with running sums for each query.

    `times` is how many answers each query has and `weights` how many repetitions they stand for; `means` is their mean
    (0 where there is none), `squares` the sum of squared distances from it, each as often as it was repeated, `lows`
    and `highs` the least and the largest of them (inf and -inf where there is none).

    Examples
    --------
    >>> readings = Readings(2)
    >>> for reward in (1.0, 2.0, 6.0):
    ...     readings.add(1, reward)
    >>> readings.means.tolist(), readings.squares.tolist(), readings.n_replicates
    ([0.0, 3.0], [0.0, 14.0], 2)
    """

    def __init__(self, n_queries: int) -> None:
        self._queries, self._rewards, self._counts = array("q"), array("d"), array("d")
        self.times = np.zeros(n_queries, dtype=np.int64)
        self.weights, self.means, self.squares = np.zeros(n_queries), np.zeros(n_queries), np.zeros(n_queries)
        self.lows, self.highs = np.full(n_queries, np.inf), np.full(n_queries, -np.inf)

    def add(self, query: int, reward: float, count: int = 1) -> None:
        """One more answer, or the mean of `count` of them; sums are updated as Welford does."""
        self._queries.append(query)
        self._rewards.append(reward)
        self._counts.append(count)
        before, weight = float(self.means[query]), float(self.weights[query]) + count
        mean = before + (reward - before) * count / weight
        self.squares[query] += count * (reward - before) * (reward - mean)
        self.means[query], self.weights[query] = mean, weight
        self.times[query] += 1
        self.lows[query], self.highs[query] = min(self.lows[query], reward), max(self.highs[query], reward)

    def copy(self) -> Self:
        """The same answers, to be added to."""
        return deepcopy(self)

    def __len__(self) -> int:
        return len(self._queries)

    def told(self, places: Array) -> tuple[Array, Array, Array]:
        """Query, reward and number of repetitions of some of the answers, numbered from 0."""
        if not self._queries:
            return np.empty(0, dtype=np.int64), np.empty(0), np.empty(0)
        queries, rewards, counts = (
            np.frombuffer(values, dtype=kind)[places]  # a copy: arrays that are looked at cannot grow
            for values, kind in ((self._queries, np.int64), (self._rewards, float), (self._counts, float))
        )
        return queries, rewards, counts

    @property
    def n_replicates(self) -> int:
        """How many answers were not the first to their query."""
        return len(self._queries) - int(np.count_nonzero(self.times))

    def losses(self, rho: Array, places: Array, tolerance: float, rates: Array) -> Array:
        """For some targets the sum of squared residuals, at least: from the nearest means that a tolerance allows.

        The residuals of each query are multiplied by a rate of its own.
        """
        total = np.full(places.size, float(rates @ self.squares))
        for query in np.flatnonzero(self.times).tolist():
            away = np.abs(np.asarray(rho[query], dtype=float)[places] - self.means[query])
            total += rates[query] * self.weights[query] * np.maximum(away - tolerance, 0.0) ** 2
        return total
