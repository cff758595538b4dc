"""Every answer that counts, and what the answers to each query amount to."""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from copy import deepcopy
from typing import NamedTuple, Self

import numpy as np

from warmer.model.contracts import Array


class Tally(NamedTuple):
    """How often each query was answered, and the sum of its rewards.

    Examples
    --------
    >>> tally = Tally.empty(3)
    >>> tally.add(1, 0.25, count=4)
    >>> tally.counts.tolist(), tally.sums.tolist(), tally.means.tolist()
    ([0.0, 4.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.25, 0.0])
    """

    counts: Array
    sums: Array

    @classmethod
    def empty(cls, n_queries: int) -> Self:
        """Nothing answered yet."""
        return cls(np.zeros(n_queries), np.zeros(n_queries))

    def add(self, query: int, reward: float, count: int = 1) -> None:
        """Count an answer, or the mean of `count` of them, in place."""
        self.counts[query] += count
        self.sums[query] += count * reward

    @property
    def means(self) -> Array:
        """The mean reward of each query; 0 where there is none."""
        return np.asarray(self.sums / np.maximum(self.counts, 1))


class Readings:
    """The answers to queries of a table, in order, with running sums for each query.

    `times` is how many answers each query has and `weights` how many repetitions they stand for; `means` is their mean
    (0 where there is none), `squares` the sum of squared distances from it, each as often as it was repeated.

    Examples
    --------
    >>> readings = Readings(2)
    >>> readings.add(1, 1.0)
    >>> readings.extend([1, 1], [2.0, 6.0], [1, 1])
    >>> readings.means.tolist(), readings.squares.tolist(), readings.n_replicates
    ([0.0, 3.0], [0.0, 14.0], 2)
    """

    def __init__(self, n_queries: int) -> None:
        self._queries, self._rewards, self._counts = array("q"), array("d"), array("d")
        self.times = np.zeros(n_queries, dtype=np.int64)
        self.weights, self.means, self.squares = np.zeros(n_queries), np.zeros(n_queries), np.zeros(n_queries)

    def add(self, query: int, reward: float, count: int = 1) -> None:
        """One more answer, or the mean of `count` of them."""
        self.extend([query], [reward], [count])

    def extend(self, queries: Sequence[int], rewards: Sequence[float], counts: Sequence[int]) -> None:
        """More answers, parallel, in order; sums are updated as Welford does, to the same bits as one by one."""
        self._queries.extend(queries)
        self._rewards.extend(rewards)
        self._counts.extend(counts)
        answers = defaultdict[int, tuple[list[float], list[int]]](lambda: ([], []))
        for query, reward, count in zip(queries, rewards, counts, strict=True):
            told = answers[query]
            told[0].append(reward)
            told[1].append(count)
        for query, told in answers.items():
            self._add_all(query, *told)

    def _add_all(self, query: int, rewards: list[float], counts: list[int]) -> None:
        """In Python's numbers, which are quicker than an array's one by one."""
        mean, weight, squares = float(self.means[query]), float(self.weights[query]), float(self.squares[query])
        for reward, count in zip(rewards, counts, strict=True):
            weight += count
            before, mean = mean, mean + (reward - mean) * count / weight
            squares += count * (reward - before) * (reward - mean)
        self.means[query], self.weights[query], self.squares[query] = mean, weight, squares
        self.times[query] += len(rewards)

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

    def losses(self, rho: Array, places: Array) -> Array:
        """For some targets the sum of squared residuals."""
        total = np.full(places.size, float(self.squares.sum()))
        for query in np.flatnonzero(self.times).tolist():
            away = np.asarray(rho[query], dtype=float)[places] - self.means[query]
            total += self.weights[query] * away**2
        return total
