"""Rivals that know the list of queries and ignore the candidate targets."""

import math
from dataclasses import dataclass

import numpy as np

from warmer.estimation import TableFit
from warmer.model import Problem
from warmer.model.readings import Tally


@dataclass(frozen=True, eq=False)
class Uniform:
    """Ask any allowed query, each with the same probability.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> learner = Uniform(Problem.from_table([[0.0], [1.0]]))
    >>> learner.ask(learner.init(rng), rng) in (0, 1)
    True
    """

    problem: Problem

    def __post_init__(self) -> None:
        TableFit(self.problem)  # raises where there is no table

    def init(self, rng: np.random.Generator) -> None:
        """There is nothing to remember."""

    def ask(self, state: None, rng: np.random.Generator) -> int:
        """Any allowed query."""
        legal = self.problem.legal_queries
        return int(legal[int(rng.random() * legal.size)])

    def tell(self, state: None, query: int, reward: float, count: int = 1) -> None:
        """There is nothing to remember."""


@dataclass(frozen=True, eq=False)
class UCB1:
    r"""Ask the query with the largest upper confidence index (Auer, Cesa-Bianchi and Fischer 2002).

    The index is $\bar r_a+w\sqrt{2\ln t/n_a}$ for rewards in a range of length $w$; queries never asked come first.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> learner = UCB1(Problem.from_table([[0.0], [1.0]]))
    >>> learner.ask(learner.tell(learner.init(rng), 0, 0.5), rng)
    1
    """

    problem: Problem

    def __post_init__(self) -> None:
        TableFit(self.problem)  # raises where there is no table

    def init(self, rng: np.random.Generator) -> Tally:
        """Nothing asked yet."""
        return Tally.empty(self.problem.n_queries)

    def ask(self, state: Tally, rng: np.random.Generator) -> int:
        """The allowed query with the largest index."""
        legal = self.problem.legal_queries
        counts = state.counts[legal]
        if not counts.all():
            return int(legal[counts.argmin()])
        width = 2 * self.problem.scale * np.sqrt(2 * math.log(state.counts.sum()) / counts)
        return int(legal[(state.sums[legal] / counts + width).argmax()])

    def tell(self, state: Tally, query: int, reward: float, count: int = 1) -> Tally:
        """Count the answer."""
        state.add(query, reward, count)
        return state
