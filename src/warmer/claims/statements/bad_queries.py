"""Section 3 and Appendix A: few bad queries, and what follows from it for regret and PAC learning."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from warmer import bounds
from warmer.claims.claim import Expected, Inequality, claim
from warmer.claims.instances import bad_queries as instances
from warmer.claims.instances.bad_queries import Traced, draw_trace
from warmer.claims.instances.kinds import AtScale
from warmer.claims.instances.tables import similarity

_exactly = partial(draw_trace, is_exact=True)


@claim(
    "lem:few_bad_queries",
    Expected.REPAIRED,
    "E11",
    draw=draw_trace,
    given=lambda: (*instances.equal_similarities(), *instances.two_queries()),
    notices="1/16 of the first form would be noticed, and 1/250 of the second",
)
def _few_bad_queries(instance: Traced) -> Iterator[Inequality]:
    """A learner with both properties makes at most 2 d^1.5 ln(4/eps) + 12 d^2.5 C/eps^2 bad ones, or 0.

    Hypotheses: alpha-large self-evaluations, estimation error at most C, d the monotone dimension at eps.
    """
    d, epsilon, n_bad = instance.monotone_dimension(), float(instance.epsilon), instance.n_bad(instance.epsilon)
    yield Inequality(n_bad, _printed_count(instance, d, epsilon), "first form")
    second = bounds.bad_queries_bound(
        form="short", dimension=d, error_budget=_large_budget(instance), epsilon=epsilon, horizon=instance.horizon
    )
    yield Inequality(n_bad, second, "second form, C >= ln 2T")


def _printed_count(instance: Traced, dimension: int, epsilon: float) -> float:
    budget = float(instance.error_budget)
    return bounds.bad_queries_bound(form="printed", dimension=dimension, error_budget=budget, epsilon=epsilon)


def _large_budget(instance: Traced) -> float:
    return max(float(instance.error_budget), math.log(2 * instance.horizon))


@claim("lem:few_bad_queries/exact", Expected.REPAIRED, "E11", draw=_exactly, given=instances.equal_similarities)
def _few_bad_queries_exactly(instance: Traced) -> Iterator[Inequality]:
    """With exact rewards at most 2 d^1.5 ln(4/eps) queries are bad, or 0, whatever the ties.

    Hypotheses: as above, C = 0.
    """
    return _few_bad_queries.check(instance)


@claim(
    "lem:few_bad_queries/sharper",
    Expected.BEYOND,
    "E8",
    draw=lambda rng: draw_trace(rng, is_exact=bool(rng.random() < 0.5)),
    given=instances.equal_similarities,
)
def _fewer_bad(instance: Traced) -> Iterator[Inequality]:
    """At most n(d-1) + 8(d^2-1) C sum eps_i^-2 queries are bad (fact N9).

    Hypotheses: as above.
    """
    d, budget, reach = instance.monotone_dimension(), float(instance.error_budget), float(1 + instance.alpha)
    bound = bounds.bad_queries_bound(dimension=d, error_budget=budget, epsilon=float(instance.epsilon), reach=reach)
    yield Inequality(instance.n_bad(instance.epsilon), bound)


@claim("lem:few_bad_queries/clique", Expected.STEP_REFUTED, "E8", draw=similarity, given=instances.gap)
def _clique_step(instance: AtScale) -> Iterator[Inequality]:
    """Proof step: no more than d queries are pairwise within eps/sqrt(d) of one center.

    Hypotheses: d the dimension at eps.
    """
    d = instance.dissimilarity().value
    longest = instances.longest_loose_sequence(instance.problem, instance.alpha, instance.epsilon, length=d)
    yield Inequality(longest, d, "longest sequence within eps/sqrt(d)")


@claim("lem:few_bad_queries/clique-repaired", Expected.REPAIRED, "E8", draw=similarity, given=instances.gap)
def _repaired_clique_step(instance: AtScale) -> Iterator[Inequality]:
    """Proof step with d+1 in the thresholds and the truth appended: no clique of more than d-1.

    Hypotheses: d the monotone dimension at eps.
    """
    d = instance.monotone_dimension()
    for factor in (1, Fraction(5, 4), 2):
        longest = instances.longest_close_clique(
            instance.problem, instance.alpha, instance.epsilon * factor, length=d + 1
        )
        yield Inequality(longest, d - 1, f"largest clique at {factor} eps")


@claim(
    "thm:regret_optimism",
    draw=draw_trace,
    given=instances.two_queries,
    notices="two queries come to 1/(12 d^1.25) = 1/28.6 of it, and 1/30 would be noticed",
)
def _regret(instance: Traced) -> Iterator[Inequality]:
    """Regret is at most 1 + 12 d^1.25 sqrt(C T).

    Hypotheses: both properties, C >= ln 2T, d the monotone dimension at 1/T.
    """
    horizon, budget = instance.horizon, _large_budget(instance)
    d = instance.monotone_dimension(Fraction(1, horizon))
    yield Inequality(instance.regret, bounds.regret_bound(dimension=d, error_budget=budget, horizon=horizon))


@claim(
    "thm:regret_optimism/exact",
    Expected.REPAIRED,
    "E10",
    draw=_exactly,
    given=instances.equal_similarities,
    notices="1/16 of the second would be noticed",
)
def _exact_regret(instance: Traced) -> Iterator[Inequality]:
    """With exact rewards regret is at most 1 + 12 d^1.5, and even 1 + 8 d^1.5 (fact N11).

    Hypotheses: both properties, C = 0, d the monotone dimension at 1/T.
    """
    d = instance.monotone_dimension(Fraction(1, instance.horizon))
    yield Inequality(instance.regret, 1 + 12 * d**1.5, "as printed")
    yield Inequality(instance.regret, bounds.exact_regret_bound(dimension=d), "with 8 for 12")


@claim("thm:main_pac/exact", Expected.REPAIRED, "E10", draw=_exactly, given=instances.equal_similarities)
def _exact_pac(instance: Traced) -> Iterator[Inequality]:
    """With exact rewards the best of T > 2 d^1.5 ln(4/eps) queries, T >= 1, is not bad.

    Hypotheses: both properties, C = 0, d the monotone dimension at eps.
    """
    d = instance.monotone_dimension()
    horizon = bounds.exact_pac_horizon(dimension=d, epsilon=float(instance.epsilon))
    first = instance.values[:horizon]
    if len(first) == horizon:
        yield Inequality(instance.alpha - instance.epsilon, max(first), f"best of {horizon} queries")


@claim("thm:main_pac/scale", Expected.STEP_REFUTED, "E7", given=instances.many_needles)
def _pac_scale(instance: Traced) -> Iterator[Inequality]:
    """Proof step: the lemma bounds the 3/4 eps-bad queries with the dimension at eps.

    Hypotheses: both properties, d the monotone dimension at eps.
    """
    d, epsilon = instance.monotone_dimension(), instance.epsilon * Fraction(3, 4)
    bound = _printed_count(instance, d, float(epsilon))
    yield Inequality(instance.n_bad(epsilon), bound, f"3/4 eps-bad queries, dimension {d} at eps")


@claim("thm:main_pac/scale-repaired", Expected.REPAIRED, "E7", draw=draw_trace, given=instances.many_needles)
def _repaired_pac_scale(instance: Traced) -> Iterator[Inequality]:
    """The lemma bounds the 3/4 eps-bad queries with the dimension at 3/4 eps.

    Hypotheses: both properties, d the monotone dimension at 3/4 eps.
    """
    epsilon = instance.epsilon * Fraction(3, 4)
    d = instance.monotone_dimension(epsilon)
    bound = _printed_count(instance, d, float(epsilon))
    yield Inequality(instance.n_bad(epsilon), bound, f"3/4 eps-bad queries, dimension {d} at 3/4 eps")


@claim("thm:main_pac/half", Expected.STEP_REFUTED, "E7", draw=instances.draw_plan, given=instances.plan_at_scale_one)
def _pac_half(instance: instances.Plan) -> Iterator[Inequality]:
    """Proof step: (16/9) 36 d^2.5 C/eps^2 is at most half of T >= 64 d^2.5 C/eps^2.

    Hypotheses: C >= ln 2T.
    """
    budget = instance.large_budget
    count = Fraction(16, 9) * 36 * instance.d**2 * Fraction(math.sqrt(instance.d) * budget) / instance.epsilon**2
    yield Inequality(count, Fraction(instance.horizon, 2), "(16/9) 36 d^2.5 C/eps^2 against T/2")


@claim("thm:main_pac/half-repaired", Expected.REPAIRED, "E7", draw=instances.draw_plan)
def _repaired_pac_half(instance: instances.Plan) -> Iterator[Inequality]:
    """By the first form of the lemma at most half of T >= 64 d^2.5 C/eps^2 queries are 3/4 eps-bad.

    Hypotheses: C >= ln 2T, d the monotone dimension at 3/4 eps.
    """
    count = instance.printed_count(0.75 * float(instance.epsilon))
    yield Inequality(count, instance.horizon / 2, "3/4 eps-bad queries against T/2")


@claim("thm:main_pac/verification", draw=instances.draw_plan)
def _pac_verification(instance: instances.Plan) -> Iterator[Inequality]:
    """n_1 draws are all bad with chance delta/4 at most; n_2 answers err by eps/8 with delta/(4 n_1).

    Hypotheses: rewards in [-1, 1].
    """
    n_candidates = bounds.pac_candidates(delta=instance.delta)
    repeats = bounds.pac_repeats(epsilon=float(instance.epsilon), delta=instance.delta, n_candidates=n_candidates)
    yield Inequality(0.5**n_candidates, instance.delta / 4, "all candidates bad")
    tail = 2 * math.exp(-repeats * float(instance.epsilon) ** 2 / 128)
    yield Inequality(tail, instance.delta / (4 * n_candidates), "a mean off by eps/8")
