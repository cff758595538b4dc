"""Section 3: what the paper says of the deterministic setting, and of epsilon beyond 4, as it is printed."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.analysis import estimation_errors, has_large_self_evaluations
from warmer.claims.claim import Claim, Comparison, Expected, Instance
from warmer.dimensions import dissimilarity_dimension
from warmer.environments import Exact
from warmer.learners import Optimistic
from warmer.model import Problem, Runs
from warmer.simulation import simulate

__all__ = ["CLAIMS"]

_SECTION = "3 Algorithms, Appendix A"
_DELTA = 0.05


def _two_arms(horizon: int, **more: Fraction) -> Instance:
    problem = Problem.from_similarity([[1, 0], [0, 1]])
    runs = simulate(
        Optimistic(problem, radius="paper", delta=_DELTA, horizon=horizon),
        Exact(problem, problem.targets[1]),
        horizon=horizon,
        seed=0,
    )
    name = f"Algorithm 3 on two arms worth 1 and 0, exact rewards, alpha=alpha*=1, T={horizon}"
    return Instance(name, {"problem": problem, "runs": runs, "horizon": horizon, **more})


def _dimension(instance: Instance, epsilon: Fraction) -> int:
    return dissimilarity_dimension(instance.problem, alpha=1, epsilon=epsilon, monotone=True).value


def _has_both_properties(runs: Runs) -> bool:
    """Large self-evaluations, and the error budget 4R of Algorithm 3."""
    radius = bounds.paper_radius(n_targets=2, horizon=runs.queries.shape[1], delta=_DELTA)
    return bool(has_large_self_evaluations(runs, alpha=1.0).all() and estimation_errors(runs).max() <= 4 * radius)


def _regret(instance: Instance) -> Iterator[Comparison]:
    if _has_both_properties(instance.runs):
        d = _dimension(instance, Fraction(1, instance.horizon))
        regret = int(np.sum(1 - instance.runs.means))  # all means are 0 or 1
        yield Comparison(regret, 1 + 12 * d**1.5, "regret")


def _best(instance: Instance) -> Iterator[Comparison]:
    epsilon, horizon = instance.epsilon, instance.horizon
    if _has_both_properties(instance.runs) and horizon > _logarithm(instance):
        best = Fraction(float(instance.runs.means.max()))
        yield Comparison(1 - epsilon, best, f"alpha - eps against the best of {horizon} queries")


def _one_alternative() -> Iterator[Instance]:
    for epsilon in (Fraction(5), Fraction(9, 2)):
        problem = Problem.from_similarity([[1]])
        yield Instance(f"one alternative, alpha=1, C=0, eps={epsilon}", {"problem": problem, "epsilon": epsilon})


def _count_beyond_four(instance: Instance) -> Iterator[Comparison]:
    """The only query is the truth: none is bad."""
    yield Comparison(0, _logarithm(instance), "bad queries")


def _horizon_beyond_four(instance: Instance) -> Iterator[Comparison]:
    least = max(0, math.floor(_logarithm(instance)) + 1)
    yield Comparison(1, least, "queries that an output takes, against the least T > 2 d^1.5 ln(4/eps)")


def _logarithm(instance: Instance) -> float:
    return 2 * math.pow(_dimension(instance, instance.epsilon), 1.5) * math.log(4 / float(instance.epsilon))


CLAIMS = (
    Claim(
        label="lem:few_bad_queries/beyond-4",
        section=_SECTION,
        statement="At most 2 d^1.5 ln(4/eps) + 12 d^2.5 C/eps^2 queries are bad, with C = 0 at most the first term.",
        hypotheses="any eps > 0",
        check=_count_beyond_four,
        given=_one_alternative,
        expected=Expected.REFUTED,
        erratum="E11",
    ),
    Claim(
        label="thm:regret_optimism/deterministic",
        section=_SECTION,
        statement="With exact rewards the regret is at most 1 + 12 d^1.5.",
        hypotheses="both properties with some C, d the monotone dimension at 1/T",
        check=_regret,
        given=lambda: iter([_two_arms(2000)]),
        expected=Expected.REFUTED,
        erratum="E10",
    ),
    Claim(
        label="thm:main_pac/deterministic",
        section=_SECTION,
        statement="With exact rewards the best of T > 2 d^1.5 ln(4/eps) queries is not bad.",
        hypotheses="both properties with some C, d the monotone dimension at eps",
        check=_best,
        given=lambda: iter([_two_arms(12, epsilon=Fraction(1, 2))]),
        expected=Expected.REFUTED,
        erratum="E10",
    ),
    Claim(
        label="thm:main_pac/beyond-4",
        section=_SECTION,
        statement="With exact rewards any T > 2 d^1.5 ln(4/eps) is enough.",
        hypotheses="both properties, C = 0, any eps > 0",
        check=_horizon_beyond_four,
        given=_one_alternative,
        expected=Expected.REFUTED,
        erratum="E11",
    ),
)
