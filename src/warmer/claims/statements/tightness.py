"""Sections 3 and 6: classes on which as many queries are bad as the theorems allow, in order."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer import bounds
from warmer.analysis import bad_queries
from warmer.claims.claim import Claim, Expected, Inequality, both_ways
from warmer.claims.instances.kinds import AtScale
from warmer.claims.lemma_check import analyse_trace
from warmer.environments import Exact
from warmer.learners import LeastSquares
from warmer.model import Problem, Runs
from warmer.problems.extremal import Tight, coloured, ladder
from warmer.simulation import simulate


@dataclass(frozen=True, eq=False)
class InOrder(AtScale):
    """A class whose alternatives, asked in order, are bad; the last is the truth."""

    tight: Tight


def in_order(tight: Tight, what: str) -> InOrder:
    """The class as an instance."""
    return InOrder(f"{what}, eps={tight.epsilon}", tight.problem, tight.alpha, tight.epsilon, tight)


@dataclass(frozen=True, eq=False)
class Scripted:
    """A learner that asks the alternatives of a square problem in order, each the estimate of its round.

    Examples
    --------
    >>> script = Scripted(ladder(2, 1).problem)
    >>> state = script.tell(script.init(np.random.default_rng(0)), 0, 0.0)
    >>> script.estimate(state)
    1
    """

    problem: Problem

    def init(self, rng: np.random.Generator) -> int:
        """The round."""
        return 0

    def ask(self, state: int, rng: np.random.Generator) -> int:
        """The alternative whose turn it is."""
        return self.estimate(state)

    def tell(self, state: int, query: Any, reward: float, count: int = 1) -> int:
        """The rounds that follow; answers do not matter."""
        return state + count

    def estimate(self, state: int) -> int:
        """The alternative whose turn it is; the last one for ever."""
        return min(state, self.problem.n_targets - 1)


def scripted_run(tight: Tight) -> Runs:
    """All alternatives in order, with exact answers."""
    problem, truth = tight.problem, tight.problem.n_targets - 1
    return simulate(Scripted(problem), Exact(problem, truth), horizon=truth + 1, seed=0)


def _ladders() -> Iterator[InOrder]:
    for d in range(2, 13):
        yield in_order(ladder(d, "1/50"), f"the ladder of d={d}")


@Claim("lem:few_bad_queries/ladder", Expected.BEYOND, given=_ladders)
def _attained(instance: InOrder) -> Iterator[Inequality]:
    """With exact answers Algorithm 1 makes (d-1) ceil(log_q(2/eps)) bad queries, q = (1+x)/(1-x), x = 1/sqrt(d+1).

    If: ladders, ties to the lowest index; so the exponent 1.5 of d ln(1/eps) cannot be improved.
    """
    tight, d = instance.tight, instance.tight.dimension
    yield from both_ways(instance.monotone_dimension(), d, "the dimension, by the exact search")
    problem, truth = tight.problem, tight.problem.n_targets - 1
    runs = simulate(LeastSquares(problem, alpha=1.0), Exact(problem, truth), horizon=truth + 3, seed=0)
    most = bounds.bad_queries_bound(dimension=d, error_budget=0.0, epsilon=tight.epsilon, reach=2)
    found = int(bad_queries(runs, alpha=1.0, epsilon=float(tight.epsilon))[0])
    yield from both_ways(found, most, "bad queries")


def _coloured() -> Iterator[InOrder]:
    for parts, levels, epsilon in (
        (2, (2, 1), "1/20"),
        (2, (3, 2, 1), "1/40"),
        (3, (2, 1), "1/40"),
        (3, (3, 2, 1), "1/40"),
        (4, (2, 2, 1), "1/40"),
        (5, (2, 1, 1), "1/40"),
        (6, (2, 2, 1, 1), "1/40"),
    ):
        yield in_order(coloured(parts, parts, levels, epsilon), f"{parts} parts of {parts} branches, levels {levels}")


@Claim("lem:few_bad_queries/order", Expected.BEYOND, given=_coloured)
def _order_attained(instance: InOrder) -> Iterator[Inequality]:
    """A learner with both properties can make d^2.5 C/(64 eps^2) bad queries: the exponent of d cannot be improved.

    If: coloured classes, d = 5, ..., 13 and C/eps^2 up to about d^2/2, scripted queries; not shown for Algorithm 1.
    """
    tight, d = instance.tight, instance.tight.dimension
    yield from both_ways(instance.monotone_dimension(), d, "the dimension, by the exact search")
    proof = analyse_trace(scripted_run(tight), alpha=1.0, epsilon=float(tight.epsilon), dimension=d)
    proof.check()
    budget = float(tight.error_budget)
    yield Inequality(proof.constants.error_budget, budget, "the error budget of the run")
    yield Inequality(d**2.5 * budget / (64 * float(tight.epsilon) ** 2), proof.n_bad, "bad queries")
    yield Inequality(float(proof.n_bad), proof.bound, "what the proof allows")


@Claim("thm:regret_optimism/order", Expected.BEYOND, given=_coloured)
def _regret_attained(instance: InOrder) -> Iterator[Inequality]:
    """A learner with both properties can have a regret of d^1.25 sqrt(CT)/5: the exponent of d cannot be improved.

    If: as for the bad queries; T their number. This answers the question of the conclusion for such learners only.
    """
    tight, d = instance.tight, instance.tight.dimension
    runs = scripted_run(tight)
    horizon, budget = tight.n_bad, float(tight.error_budget)
    regret = float(np.sum(1 - runs.means[0][:horizon]))
    yield Inequality(d**1.25 * math.sqrt(budget * horizon) / 5, regret, "regret")
