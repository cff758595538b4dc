"""Section 3 and Appendix A: few bad queries, and what follows from it for regret and PAC learning."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.cliques import longest_close_clique, longest_loose_sequence
from warmer.claims.instances.bad_queries import (
    Plan,
    draw_plan,
    equal_similarities,
    gap,
    many_needles,
    plan_at_scale_one,
    two_queries,
)
from warmer.claims.instances.kinds import AtScale
from warmer.claims.instances.tables import similarity
from warmer.claims.instances.traces import Traced, draw_trace
from warmer.dimensions import dissimilarity_dimension

_exactly = partial(draw_trace, is_exact=True)


def _dimension(instance: AtScale, epsilon: Fraction) -> int:
    return dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=epsilon, monotone=True).value


def _few_bad(instance: Traced) -> Iterator[Inequality]:
    d, epsilon, budget = _dimension(instance, instance.epsilon), instance.epsilon, instance.trace.error_budget
    n_bad = instance.trace.n_bad(instance.alpha - epsilon)
    horizon = len(instance.trace.values)
    bound = bounds.bad_queries_bound(form="printed", dimension=d, error_budget=float(budget), epsilon=float(epsilon))
    yield Inequality(n_bad, bound, "first form")
    larger = max(float(budget), math.log(2 * horizon))
    second = bounds.bad_queries_bound(
        form="short", dimension=d, error_budget=larger, epsilon=float(epsilon), horizon=horizon
    )
    yield Inequality(n_bad, second, "second form, C >= ln 2T")


def _fewer_bad(instance: Traced) -> Iterator[Inequality]:
    d, budget = _dimension(instance, instance.epsilon), float(instance.trace.error_budget)
    n_bad = instance.trace.n_bad(instance.alpha - instance.epsilon)
    bound = bounds.bad_queries_bound(
        dimension=d, error_budget=budget, epsilon=float(instance.epsilon), reach=float(1 + instance.alpha)
    )
    yield Inequality(n_bad, bound)


def _clique_step(instance: AtScale) -> Iterator[Inequality]:
    d = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    longest = longest_loose_sequence(instance.problem, instance.alpha, instance.epsilon, length=d)
    yield Inequality(longest, d, "longest sequence within eps/sqrt(d)")


def _repaired_clique_step(instance: AtScale) -> Iterator[Inequality]:
    d = _dimension(instance, instance.epsilon)
    for factor in (1, Fraction(5, 4), 2):
        longest = longest_close_clique(instance.problem, instance.alpha, instance.epsilon * factor, length=d + 1)
        yield Inequality(longest, d - 1, f"largest clique at {factor} eps")


def _regret(instance: Traced) -> Iterator[Inequality]:
    horizon = len(instance.trace.values)
    d = _dimension(instance, Fraction(1, horizon))
    regret = float(sum(instance.alpha - value for value in instance.trace.values))
    budget = max(float(instance.trace.error_budget), math.log(2 * horizon))
    yield Inequality(regret, bounds.regret_bound(dimension=d, error_budget=budget, horizon=horizon))


def _exact_regret(instance: Traced) -> Iterator[Inequality]:
    d = _dimension(instance, Fraction(1, len(instance.trace.values)))
    regret = float(sum(instance.alpha - value for value in instance.trace.values))
    yield Inequality(regret, 1 + 12 * d**1.5, "as printed")
    yield Inequality(regret, bounds.exact_regret_bound(dimension=d), "with 8 for 12")


def _exact_pac(instance: Traced) -> Iterator[Inequality]:
    d = _dimension(instance, instance.epsilon)
    horizon = bounds.exact_pac_horizon(dimension=d, epsilon=float(instance.epsilon))
    first = instance.trace.values[:horizon]
    if len(first) == horizon:
        yield Inequality(instance.alpha - instance.epsilon, max(first), f"best of {horizon} queries")


def _pac_scale(instance: Traced) -> Iterator[Inequality]:
    """The proof's count of 3/4 eps-bad queries, with the dimension at eps."""
    d, epsilon = _dimension(instance, instance.epsilon), instance.epsilon * Fraction(3, 4)
    n_bad = instance.trace.n_bad(instance.alpha - epsilon)
    bound = bounds.bad_queries_bound(
        form="printed", dimension=d, error_budget=float(instance.trace.error_budget), epsilon=float(epsilon)
    )
    yield Inequality(n_bad, bound, f"3/4 eps-bad queries, dimension {d} at eps")


def _repaired_pac_scale(instance: Traced) -> Iterator[Inequality]:
    d, epsilon = _dimension(instance, instance.epsilon * Fraction(3, 4)), instance.epsilon * Fraction(3, 4)
    n_bad = instance.trace.n_bad(instance.alpha - epsilon)
    bound = bounds.bad_queries_bound(
        form="printed", dimension=d, error_budget=float(instance.trace.error_budget), epsilon=float(epsilon)
    )
    yield Inequality(n_bad, bound, f"3/4 eps-bad queries, dimension {d} at 3/4 eps")


def _plan(instance: Plan) -> tuple[int, float]:
    horizon = bounds.pac_horizon(
        dimension=instance.d, epsilon=float(instance.epsilon), error_budget=lambda horizon: instance.budget
    )
    return horizon, max(instance.budget, math.log(2 * horizon))


def _pac_half(instance: Plan) -> Iterator[Inequality]:
    horizon, budget = _plan(instance)
    count = Fraction(16, 9) * 36 * instance.d**2 * Fraction(math.sqrt(instance.d) * budget) / instance.epsilon**2
    yield Inequality(count, Fraction(horizon, 2), "(16/9) 36 d^2.5 C/eps^2 against T/2")


def _repaired_pac_half(instance: Plan) -> Iterator[Inequality]:
    horizon, budget = _plan(instance)
    count = bounds.bad_queries_bound(
        form="printed", dimension=instance.d, error_budget=budget, epsilon=0.75 * float(instance.epsilon)
    )
    yield Inequality(count, horizon / 2, "3/4 eps-bad queries against T/2")


def _pac_verification(instance: Plan) -> Iterator[Inequality]:
    n_candidates = bounds.pac_candidates(delta=instance.delta)
    repeats = bounds.pac_repeats(epsilon=float(instance.epsilon), delta=instance.delta, n_candidates=n_candidates)
    yield Inequality(0.5**n_candidates, instance.delta / 4, "all candidates bad")
    tail = 2 * math.exp(-repeats * float(instance.epsilon) ** 2 / 128)
    yield Inequality(tail, instance.delta / (4 * n_candidates), "a mean off by eps/8")


CLAIMS = (
    Claim(
        label="lem:few_bad_queries",
        statement="A learner with both properties makes at most 2 d^1.5 ln(4/eps) + 12 d^2.5 C/eps^2 bad ones, or 0.",
        hypotheses="alpha-large self-evaluations, estimation error at most C, d the monotone dimension at eps",
        check=_few_bad,
        draw=draw_trace,
        given=lambda: (*equal_similarities(), *two_queries()),
        notices="1/16 of the first form would be noticed, and 1/250 of the second",
        expected=Expected.REPAIRED,
        erratum="E11",
    ),
    Claim(
        label="lem:few_bad_queries/exact",
        statement="With exact rewards at most 2 d^1.5 ln(4/eps) queries are bad, or 0, whatever the ties.",
        hypotheses="as above, C = 0",
        check=_few_bad,
        draw=_exactly,
        given=equal_similarities,
        expected=Expected.REPAIRED,
        erratum="E11",
    ),
    Claim(
        label="lem:few_bad_queries/sharper",
        statement="At most n(d-1) + 8(d^2-1) C sum eps_i^-2 queries are bad (fact N9).",
        hypotheses="as above",
        check=_fewer_bad,
        draw=lambda rng: draw_trace(rng, is_exact=bool(rng.random() < 0.5)),
        given=equal_similarities,
        expected=Expected.BEYOND,
        erratum="E8",
    ),
    Claim(
        label="lem:few_bad_queries/clique",
        statement="Proof step: no more than d queries are pairwise within eps/sqrt(d) of one center.",
        hypotheses="d the dimension at eps",
        check=_clique_step,
        draw=similarity,
        given=gap,
        expected=Expected.STEP_REFUTED,
        erratum="E8",
    ),
    Claim(
        label="lem:few_bad_queries/clique-repaired",
        statement="Proof step with d+1 in the thresholds and the truth appended: no clique of more than d-1.",
        hypotheses="d the monotone dimension at eps",
        check=_repaired_clique_step,
        draw=similarity,
        given=gap,
        expected=Expected.REPAIRED,
        erratum="E8",
    ),
    Claim(
        label="thm:regret_optimism",
        statement="Regret is at most 1 + 12 d^1.25 sqrt(C T).",
        hypotheses="both properties, C >= ln 2T, d the monotone dimension at 1/T",
        check=_regret,
        draw=draw_trace,
        given=two_queries,
        notices="two queries come to 1/(12 d^1.25) = 1/28.6 of it, and 1/30 would be noticed",
    ),
    Claim(
        label="thm:regret_optimism/exact",
        statement="With exact rewards regret is at most 1 + 12 d^1.5, and even 1 + 8 d^1.5 (fact N11).",
        hypotheses="both properties, C = 0, d the monotone dimension at 1/T",
        notices="1/16 of the second would be noticed",
        check=_exact_regret,
        draw=_exactly,
        given=equal_similarities,
        expected=Expected.REPAIRED,
        erratum="E10",
    ),
    Claim(
        label="thm:main_pac/exact",
        statement="With exact rewards the best of T > 2 d^1.5 ln(4/eps) queries, T >= 1, is not bad.",
        hypotheses="both properties, C = 0, d the monotone dimension at eps",
        check=_exact_pac,
        draw=_exactly,
        given=equal_similarities,
        expected=Expected.REPAIRED,
        erratum="E10",
    ),
    Claim(
        label="thm:main_pac/scale",
        statement="Proof step: the lemma bounds the 3/4 eps-bad queries with the dimension at eps.",
        hypotheses="both properties, d the monotone dimension at eps",
        check=_pac_scale,
        given=many_needles,
        expected=Expected.STEP_REFUTED,
        erratum="E7",
    ),
    Claim(
        label="thm:main_pac/scale-repaired",
        statement="The lemma bounds the 3/4 eps-bad queries with the dimension at 3/4 eps.",
        hypotheses="both properties, d the monotone dimension at 3/4 eps",
        check=_repaired_pac_scale,
        draw=draw_trace,
        given=many_needles,
        expected=Expected.REPAIRED,
        erratum="E7",
    ),
    Claim(
        label="thm:main_pac/half",
        statement="Proof step: (16/9) 36 d^2.5 C/eps^2 is at most half of T >= 64 d^2.5 C/eps^2.",
        hypotheses="C >= ln 2T",
        check=_pac_half,
        draw=draw_plan,
        given=plan_at_scale_one,
        expected=Expected.STEP_REFUTED,
        erratum="E7",
    ),
    Claim(
        label="thm:main_pac/half-repaired",
        statement="By the first form of the lemma at most half of T >= 64 d^2.5 C/eps^2 queries are 3/4 eps-bad.",
        hypotheses="C >= ln 2T, d the monotone dimension at 3/4 eps",
        check=_repaired_pac_half,
        draw=draw_plan,
        expected=Expected.REPAIRED,
        erratum="E7",
    ),
    Claim(
        label="thm:main_pac/verification",
        statement="n_1 draws are all bad with chance delta/4 at most; n_2 answers err by eps/8 with delta/(4 n_1).",
        hypotheses="rewards in [-1, 1]",
        check=_pac_verification,
        draw=draw_plan,
    ),
)
