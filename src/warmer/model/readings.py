"""Every answer that counts, and what the answers to each query amount to."""

import math
from array import array
from typing import Self

import numpy as np

from warmer.model.contracts import Array


class Readings:
    """The answers to queries of a table, in order, with running sums for each query.

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
        self._times = [0] * n_queries
        self._weights, self._means, self._squares = ([0.0] * n_queries for _ in range(3))
        self._lows, self._highs = [math.inf] * n_queries, [-math.inf] * n_queries

    def add(self, query: int, reward: float, count: int = 1) -> None:
        """One more answer, or the mean of `count` of them; sums are updated as Welford does."""
        self._queries.append(query)
        self._rewards.append(reward)
        self._counts.append(count)
        weight = self._weights[query] + count
        away = reward - self._means[query]
        self._means[query] += away * count / weight
        self._squares[query] += count * away * (reward - self._means[query])
        self._weights[query] = weight
        self._times[query] += 1
        self._lows[query], self._highs[query] = min(self._lows[query], reward), max(self._highs[query], reward)

    def copy(self) -> Self:
        """The same answers, to be added to."""
        copied = type(self)(len(self._times))
        for name, values in vars(self).items():
            setattr(copied, name, values[:])
        return copied

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
    def times(self) -> Array:
        """How many answers each query has."""
        return np.array(self._times)

    @property
    def weights(self) -> Array:
        """How many repetitions they stand for."""
        return np.array(self._weights)

    @property
    def means(self) -> Array:
        """Their mean; 0 where there is none."""
        return np.array(self._means)

    @property
    def squares(self) -> Array:
        """The sum of squared distances from it, each as often as it was repeated."""
        return np.array(self._squares)

    @property
    def lows(self) -> Array:
        """The least of them, and in `highs` the largest; inf and -inf where there is none."""
        return np.array(self._lows)

    @property
    def highs(self) -> Array:
        """The largest of them."""
        return np.array(self._highs)

    @property
    def n_replicates(self) -> int:
        """How many answers were not the first to their query."""
        return len(self._queries) - sum(times > 0 for times in self._times)

    def losses(self, rho: Array, places: Array, tolerance: float, rates: Array) -> Array:
        """For some targets the sum of squared residuals, at least: from the nearest means that a tolerance allows.

        The residuals of each query are multiplied by a rate of its own.
        """
        asked = np.flatnonzero(self._times)
        total = np.full(places.size, float(rates @ self.squares))
        for query in asked.tolist():
            away = np.abs(np.asarray(rho[query], dtype=float)[places] - self._means[query])
            total += rates[query] * self._weights[query] * np.maximum(away - tolerance, 0.0) ** 2
        return total
