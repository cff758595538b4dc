"""Section 3 and Appendix A: few bad queries, what follows for regret, and what is false as it is printed."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from warmer import bounds
from warmer.analysis import estimation_errors, has_large_self_evaluations
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.bad_queries import (
    Traced,
    draw_trace,
    equal_similarities,
    ladders,
    printed_count,
    strangers,
    two_queries,
)
from warmer.claims.instances.kinds import AtScale
from warmer.claims.instances.tables import similarity
from warmer.environments import Exact
from warmer.learners import Optimistic
from warmer.model import Problem, Runs
from warmer.simulation import simulate

_exactly = partial(draw_trace, is_exact=True)


@Claim(
    "lem:few_bad_queries",
    Expected.REPAIRED,
    "E11",
    draw=draw_trace,
    given=lambda: (*equal_similarities(), *two_queries()),
    notices="1/16 of the first form would be noticed, and 1/250 of the second",
)
def _few_bad_queries(instance: Traced) -> Iterator[Inequality]:
    """A learner with both properties makes at most 2 d^1.5 ln(4/eps) + 12 d^2.5 C/eps^2 bad ones, or 0.

    If: alpha-large self-evaluations, estimation error at most C, d the monotone dimension at eps.
    """
    d, epsilon, n_bad = instance.monotone_dimension(), instance.epsilon, instance.n_bad(instance.epsilon)
    yield Inequality(n_bad, printed_count(d, instance.error_budget, epsilon), "first form")
    budget, horizon = instance.large_budget, instance.horizon
    second = bounds.bad_queries_bound(
        form="short", dimension=d, error_budget=budget, epsilon=float(epsilon), horizon=horizon
    )
    yield Inequality(n_bad, second, "second form, C >= ln 2T")


@Claim("lem:few_bad_queries/exact", Expected.REPAIRED, "E11", draw=_exactly, given=equal_similarities)
def _few_bad_queries_exactly(instance: Traced) -> Iterator[Inequality]:
    """With exact rewards at most 2 d^1.5 ln(4/eps) queries are bad, or 0, whatever the ties. If: as above, C = 0."""
    return _few_bad_queries.check(instance)


@Claim(
    "lem:few_bad_queries/sharper",
    Expected.BEYOND,
    "E8",
    draw=lambda rng: draw_trace(rng, is_exact=bool(rng.random() < 0.5)),
    given=equal_similarities,
)
def _fewer_bad(instance: Traced) -> Iterator[Inequality]:
    """At most n(d-1) + 8(d^2-1) C sum eps_i^-2 queries are bad (fact N9). If: as above."""
    d, budget, reach = instance.monotone_dimension(), float(instance.error_budget), float(1 + instance.alpha)
    asked: dict[str, Any] = {"dimension": d, "error_budget": budget, "epsilon": float(instance.epsilon), "reach": reach}
    yield Inequality(instance.n_bad(instance.epsilon), bounds.bad_queries_bound(form="repaired", **asked))


@Claim(
    "lem:few_bad_queries/coloured",
    Expected.BEYOND,
    "E8",
    draw=lambda rng: draw_trace(rng, is_exact=bool(rng.random() < 0.5)),
    given=lambda: (*ladders(), *strangers()),
)
def _fewest_bad(instance: Traced) -> Iterator[Inequality]:
    """At most (d-1) sum (B_i+1) queries are bad, rung by rung; with C = 0 it is (d-1) ceil(log_r((1+alpha)/eps)).

    If: as above.
    """
    d, reach = instance.monotone_dimension(), 1 + instance.alpha
    bound = bounds.bad_queries_bound(
        dimension=d, error_budget=float(instance.error_budget), epsilon=instance.epsilon, reach=reach
    )
    yield Inequality(instance.n_bad(instance.epsilon), bound)


def _gap() -> Iterator[AtScale]:
    """Three alternatives that the printed proof counts wrongly."""
    problem = Problem.from_similarity([[20, 13, -13], [20, 20, 13], [20, 20, 20]], denominator=20)
    yield AtScale("[[1,.65,-.65],[1,1,.65],[1,1,1]], alpha=eps=1", problem, Fraction(1), Fraction(1))


@Claim("lem:few_bad_queries/clique", Expected.STEP_REFUTED, "E8", draw=similarity, given=_gap)
def _clique_step(instance: AtScale) -> Iterator[Inequality]:
    """Proof step: no more than d queries are pairwise within eps/sqrt(d) of one center. If: d the dimension at eps."""
    d = instance.dissimilarity().value
    longest = _longest_loose_sequence(instance, length=d)
    yield Inequality(longest, d, "longest sequence within eps/sqrt(d)")


@Claim("lem:few_bad_queries/clique-repaired", Expected.REPAIRED, "E8", draw=similarity, given=_gap)
def _repaired_clique_step(instance: AtScale) -> Iterator[Inequality]:
    """Proof step with d+1 in the thresholds and the truth appended: no clique of more than d-1.

    If: d the monotone dimension at eps.
    """
    d = instance.monotone_dimension()
    for factor in (1, Fraction(5, 4), 2):
        longest = _longest_close_clique(instance, instance.epsilon * factor, length=d + 1)
        yield Inequality(longest, d - 1, f"largest clique at {factor} eps")


def _longest_loose_sequence(instance: AtScale, *, length: int) -> int:
    r"""The longest sequence whose forward values are within $\epsilon/\sqrt d$ of one center, for a given d.

    The definition has its own length in place of d, which is a smaller tolerance where the sequence is longer.
    """
    problem, alpha, epsilon = instance.problem, instance.alpha, instance.epsilon

    def is_loose(sequence: tuple[int, ...]) -> bool:
        values: list[Fraction] = [problem.entry(i, j) for i, j in combinations(sequence, 2)] or [alpha - epsilon]
        excess = max(Fraction(0), max(values) - alpha + epsilon)
        return length * max((max(values) - min(values)) / 2, excess) ** 2 <= epsilon**2

    return _longest(_viable(instance), is_loose)


def _longest_close_clique(instance: AtScale, epsilon: Fraction, *, length: int) -> int:
    r"""The largest clique of the repaired proof: queries that the truth and each later query evaluate alike.

    All $\rho(z_s|z^*)$ are within $\epsilon/(2\sqrt{d})$ of a center of at most $\alpha-\epsilon$, and
    $|\rho(z_s|z_t)-\rho(z_s|z^*)|<\epsilon/(2\sqrt d)$ for $s<t$, for a given d; over all truths.
    """
    rho, viable, highest = instance.problem.entry, _viable(instance), instance.alpha - epsilon

    def is_near(distance: Fraction) -> bool:
        return 4 * length * distance**2 < epsilon**2

    def is_close(clique: tuple[int, ...], truth: int, center: Fraction) -> bool:
        *before, z = clique
        return is_near(rho(z, truth) - center) and all(is_near(rho(s, z) - rho(s, truth)) for s in before)

    centers = {(truth, min(rho(z, truth), highest)) for truth in viable for z in viable}
    return max((_longest(viable, partial(is_close, truth=z, center=c)) for z, c in centers), default=0)


def _viable(instance: AtScale) -> list[int]:
    return [z for z in range(instance.problem.n_targets) if instance.problem.entry(z, z) >= instance.alpha]


def _longest(items: list[int], fits: Callable[[tuple[int, ...]], bool], start: tuple[int, ...] = ()) -> int:
    """The length of the longest sequence of different items all beginnings of which fit."""
    longer = [(*start, item) for item in items if item not in start]
    return max((_longest(items, fits, each) for each in longer if fits(each)), default=len(start))


@Claim(
    "thm:regret_optimism",
    draw=draw_trace,
    given=two_queries,
    notices="two queries come to 1/(12 d^1.25) = 1/28.6 of it, and 1/30 would be noticed",
)
def _regret(instance: Traced) -> Iterator[Inequality]:
    """Regret is at most 1 + 12 d^1.25 sqrt(C T). If: both properties, C >= ln 2T, d the monotone dimension at 1/T."""
    horizon, budget = instance.horizon, instance.large_budget
    d = instance.monotone_dimension(Fraction(1, horizon))
    asked: dict[str, Any] = {"dimension": d, "horizon": horizon}
    yield Inequality(instance.regret, bounds.regret_bound(form="printed", error_budget=budget, **asked))


@Claim(
    "thm:regret_optimism/coloured",
    Expected.BEYOND,
    "E8",
    draw=draw_trace,
    given=lambda: (*two_queries(), *ladders(), *strangers()),
)
def _least_regret(instance: Traced) -> Iterator[Inequality]:
    """Regret is at most what the rungs of the coloured count allow, from the worst down. If: as above, any C >= 0."""
    horizon, budget, reach = instance.horizon, float(instance.error_budget), 1 + instance.alpha
    asked: dict[str, Any] = {"dimension": instance.monotone_dimension(Fraction(1, horizon)), "reach": reach}
    yield Inequality(instance.regret, bounds.regret_bound(error_budget=budget, horizon=horizon, **asked))
    if budget == 0:
        yield Inequality(instance.regret, bounds.exact_regret_bound(**asked), "exact rewards")


@Claim(
    "thm:regret_optimism/exact",
    Expected.REPAIRED,
    "E10",
    draw=_exactly,
    given=equal_similarities,
    notices="1/16 of the second would be noticed",
)
def _exact_regret(instance: Traced) -> Iterator[Inequality]:
    """With exact rewards regret is at most 1 + 12 d^1.5, and even 1 + 8 d^1.5 (fact N11).

    If: both properties, C = 0, d the monotone dimension at 1/T.
    """
    d = instance.monotone_dimension(Fraction(1, instance.horizon))
    yield Inequality(instance.regret, 1 + 12 * d**1.5, "as printed")
    yield Inequality(instance.regret, bounds.exact_regret_bound(form="repaired", dimension=d), "with 8 for 12")


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
    """At most 2 d^1.5 ln(4/eps) + 12 d^2.5 C/eps^2 queries are bad, with C = 0 at most the first term. If: eps > 0."""
    # The only query is the truth: none is bad.
    yield Inequality(0, _logarithm(instance), "bad queries")


@Claim("thm:regret_optimism/deterministic", Expected.REFUTED, "E10", given=lambda: [_two_arms(2000)])
def _deterministic_regret(instance: Played) -> Iterator[Inequality]:
    """With exact rewards the regret is at most 1 + 12 d^1.5.

    If: both properties with some C, d the monotone dimension at 1/T.
    """
    if _has_both_properties(instance.runs):
        d = instance.monotone_dimension(Fraction(1, instance.runs.horizon))
        regret = int(np.sum(1 - instance.runs.means))  # all means are 0 or 1
        yield Inequality(regret, 1 + 12 * d**1.5, "regret")


@Claim("thm:main_pac/deterministic", Expected.REFUTED, "E10", given=lambda: [_two_arms(12, epsilon=Fraction(1, 2))])
def _best(instance: Played) -> Iterator[Inequality]:
    """With exact rewards the best of T > 2 d^1.5 ln(4/eps) queries is not bad.

    If: both properties with some C, d the monotone dimension at eps.
    """
    epsilon, horizon = instance.epsilon, instance.runs.horizon
    if _has_both_properties(instance.runs) and horizon > _logarithm(instance):
        best = Fraction(float(instance.runs.means.max()))
        yield Inequality(1 - epsilon, best, f"alpha - eps against the best of {horizon} queries")


@Claim("thm:main_pac/beyond-4", Expected.REFUTED, "E11", given=_one_alternative)
def _horizon_beyond_four(instance: AtScale) -> Iterator[Inequality]:
    """With exact rewards any T > 2 d^1.5 ln(4/eps) is enough. If: both properties, C = 0, any eps > 0."""
    least = max(0, math.floor(_logarithm(instance)) + 1)
    yield Inequality(1, least, "queries that an output takes, against the least T > 2 d^1.5 ln(4/eps)")
