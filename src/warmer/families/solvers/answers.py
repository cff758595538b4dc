"""Answers to queries that are vectors."""

from typing import NamedTuple

import numpy as np

from warmer.model import Array


class Observed(NamedTuple):
    """What was asked, a row each, how often, and the mean answers."""

    points: Array
    counts: Array
    means: Array


class Answers(dict[tuple[float, ...], tuple[int, float]]):
    """For each query its number of answers and their sum, in the order in which queries were first asked.

    Examples
    --------
    >>> answers = Answers()
    >>> answers.add(np.array([0.6, 0.8]), 0.5)
    >>> answers.add(np.array([0.6, 0.8]), 0.25, count=3)
    >>> answers.observed(2).means.tolist()
    [0.3125]
    """

    def add(self, query: Array, reward: float, count: int = 1) -> None:
        """Count an answer, or the mean of `count` of them, in place."""
        key = tuple(query.tolist())
        n, total = self.get(key, (0, 0.0))
        self[key] = n + count, total + count * reward

    def observed(self, n: int) -> Observed:
        """The queries as rows of n numbers, their counts and mean answers."""
        points = np.array(list(self), dtype=float).reshape(-1, n)
        counts = np.array([count for count, _ in self.values()], dtype=float)
        sums = np.array([total for _, total in self.values()])
        return Observed(points, counts, sums / counts)
