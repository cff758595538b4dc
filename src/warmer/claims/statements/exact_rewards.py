"""Section 3: what the paper says of the deterministic setting, and of epsilon beyond 4, as it is printed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.analysis import estimation_errors, has_large_self_evaluations
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import AtScale
from warmer.environments import Exact
from warmer.learners import Optimistic
from warmer.model import Problem, Runs
from warmer.simulation import simulate

_DELTA = 0.05


@dataclass(frozen=True, eq=False)
class Played(AtScale):
    """A table and what was played on it."""

    runs: Runs


def _two_arms(horizon: int, *, epsilon: Fraction = Fraction(1)) -> Played:
    problem = Problem.from_similarity([[1, 0], [0, 1]])
    learner = Optimistic(problem, radius="paper", delta=_DELTA, horizon=horizon)
    runs = simulate(learner, Exact(problem, problem.targets[1]), horizon=horizon, seed=0)
    name = f"Algorithm 3 on two arms worth 1 and 0, exact rewards, alpha=alpha*=1, T={horizon}"
    return Played(name, problem, Fraction(1), epsilon, runs)


def _has_both_properties(runs: Runs) -> bool:
    """Large self-evaluations, and the error budget 4R of Algorithm 3."""
    radius = bounds.paper_radius(n_targets=2, horizon=runs.queries.shape[1], delta=_DELTA)
    return bool(has_large_self_evaluations(runs, alpha=1.0).all() and estimation_errors(runs).max() <= 4 * radius)


def _one_alternative() -> Iterator[AtScale]:
    for epsilon in (Fraction(5), Fraction(9, 2)):
        problem = Problem.from_similarity([[1]])
        yield AtScale(f"one alternative, alpha=1, C=0, eps={epsilon}", problem, Fraction(1), epsilon)


def _logarithm(instance: AtScale) -> float:
    return 2 * math.pow(instance.monotone_dimension(), 1.5) * math.log(4 / float(instance.epsilon))


@Claim("lem:few_bad_queries/beyond-4", Expected.REFUTED, "E11", given=_one_alternative)
def _count_beyond_four(instance: AtScale) -> Iterator[Inequality]:
    """At most 2 d^1.5 ln(4/eps) + 12 d^2.5 C/eps^2 queries are bad, with C = 0 at most the first term.

    Hypotheses: any eps > 0.

    The only query is the truth: none is bad.
    """
    yield Inequality(0, _logarithm(instance), "bad queries")


@Claim("thm:regret_optimism/deterministic", Expected.REFUTED, "E10", given=lambda: [_two_arms(2000)])
def _regret(instance: Played) -> Iterator[Inequality]:
    """With exact rewards the regret is at most 1 + 12 d^1.5.

    Hypotheses: both properties with some C, d the monotone dimension at 1/T.
    """
    if _has_both_properties(instance.runs):
        d = instance.monotone_dimension(Fraction(1, instance.runs.horizon))
        regret = int(np.sum(1 - instance.runs.means))  # all means are 0 or 1
        yield Inequality(regret, 1 + 12 * d**1.5, "regret")


@Claim("thm:main_pac/deterministic", Expected.REFUTED, "E10", given=lambda: [_two_arms(12, epsilon=Fraction(1, 2))])
def _best(instance: Played) -> Iterator[Inequality]:
    """With exact rewards the best of T > 2 d^1.5 ln(4/eps) queries is not bad.

    Hypotheses: both properties with some C, d the monotone dimension at eps.
    """
    epsilon, horizon = instance.epsilon, instance.runs.horizon
    if _has_both_properties(instance.runs) and horizon > _logarithm(instance):
        best = Fraction(float(instance.runs.means.max()))
        yield Inequality(1 - epsilon, best, f"alpha - eps against the best of {horizon} queries")


@Claim("thm:main_pac/beyond-4", Expected.REFUTED, "E11", given=_one_alternative)
def _horizon_beyond_four(instance: AtScale) -> Iterator[Inequality]:
    """With exact rewards any T > 2 d^1.5 ln(4/eps) is enough.

    Hypotheses: both properties, C = 0, any eps > 0.
    """
    least = max(0, math.floor(_logarithm(instance)) + 1)
    yield Inequality(1, least, "queries that an output takes, against the least T > 2 d^1.5 ln(4/eps)")
