"""What every process remembers and is told, as plain arrays: the nouns that the compiled loops share with us."""

import math
from typing import Any, NamedTuple

import numpy as np

from warmer.model import Array, Problem


class Batch(NamedTuple):
    """Answers in the order in which they came: what was asked, the mean of the answers, and how many they were."""

    queries: Array
    rewards: Array
    counts: Array

    @classmethod
    def one(cls, query: int, reward: float, count: int = 1) -> "Batch":
        """A single answer, or the mean of several."""
        return cls(np.array([query], dtype=np.intp), np.array([reward], dtype=float), np.array([count], dtype=float))

    def after(self, n: int) -> "Batch":
        """All but the first n."""
        return self if n == 0 else Batch(self.queries[n:], self.rewards[n:], self.counts[n:])


class Table(NamedTuple):
    """Candidates to weigh: their predictions and log prior (empty: equal weights), and the range of rewards."""

    rho: Array
    log_prior: Array
    low: float
    high: float
    cut: float
    """How far behind the heaviest, on the log scale, candidates are still weighed."""
    log_n: float
    """The logarithm of the number among which equal weights are shared; 0 where there is a prior."""


class Memory(NamedTuple):
    """Losses of all candidates, the least of each block of them, their weights; each query's answers."""

    losses: Array
    lows: Array
    weights: Array
    counts: Array
    sums: Array


def cut_for(n_candidates: int) -> float:
    """How far behind the heaviest of so many candidates others are weighed: those beyond together have less than 5% of
    its weight.
    """
    return math.log(n_candidates) + 3


def table_of(problem: Problem, rho: Array, log_prior: Array) -> Table:
    """The candidates of a problem, or those left of them: equal prior weights are shared among all."""
    log_n = 0.0 if log_prior.size else math.log(problem.n_targets)
    return Table(fixed(rho), fixed(log_prior), *problem.reward_range, cut_for(rho.shape[1]), log_n)


def fixed(values: Any) -> Array:
    """A view that nobody can write on: one type of array, so that one compiled form serves all."""
    view = np.asarray(values).view()
    view.flags.writeable = False
    return view
