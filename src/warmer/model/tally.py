"""Counts and sums of answers, query by query."""

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
