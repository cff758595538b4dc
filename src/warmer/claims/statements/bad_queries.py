"""Section 3 and Appendix A: few bad queries, and what follows from it for regret and PAC learning."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.cliques import longest_close_clique, longest_loose_sequence
from warmer.claims.instances import AtScale, Generator, Instance
from warmer.claims.instances.tables import fraction, similarity
from warmer.claims.instances.traces import Trace, Traced, draw_trace
from warmer.dimensions import dissimilarity_dimension
from warmer.model import Problem

__all__ = ["CLAIMS", "Plan", "draw_plan"]


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


def _equal_similarities() -> Iterator[Traced]:
    """Alternatives that only exclude themselves: with exact rewards, n-1 bad queries; and an eps beyond 4."""
    for n in (2, 5, 12):
        yield _needle(n, Fraction(0), alpha=Fraction(1), epsilon=Fraction(3, 4))
    one, trace = Problem.from_similarity([[1]]), Trace((Fraction(1),), Fraction(0))
    yield Traced("one alternative, alpha=1, eps=5", one, Fraction(1), Fraction(5), trace)


def _needle(n: int, value: Fraction, *, alpha: Fraction, epsilon: Fraction) -> Traced:
    table = [[Fraction(1) if i == j else value for j in range(n)] for i in range(n)]
    trace = Trace((value,) * (n - 1), Fraction(0))
    name = f"{n} alternatives of similarity {value}, all but the truth asked, alpha={alpha}, eps={epsilon}"
    return Traced(name, Problem.from_similarity(table), alpha, epsilon, trace)


def _clique_step(instance: AtScale) -> Iterator[Inequality]:
    d = dissimilarity_dimension(instance.problem, alpha=instance.alpha, epsilon=instance.epsilon).value
    longest = longest_loose_sequence(instance.problem, instance.alpha, instance.epsilon, length=d)
    yield Inequality(longest, d, "longest sequence within eps/sqrt(d)")


def _gap() -> Iterator[AtScale]:
    problem = Problem.from_similarity([[20, 13, -13], [20, 20, 13], [20, 20, 20]], denominator=20)
    yield AtScale("[[1,.65,-.65],[1,1,.65],[1,1,1]], alpha=eps=1", problem, Fraction(1), Fraction(1))


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


def _two_queries() -> Iterator[Traced]:
    """One bad query, asked as often as the error budget allows: the regret is sqrt(C T), and d = 2."""
    for gap, budget in ((Fraction(1, 2), 12), (Fraction(1), 40), (Fraction(1, 8), 12)):
        horizon = int(budget / gap**2) + 1
        problem = Problem.from_similarity([[Fraction(1), 1 - gap], [1 - gap, Fraction(1)]])
        trace = Trace((1 - gap,) * horizon, (horizon - 1) * gap**2)
        name = f"a query {gap} worse than the truth asked {horizon} times, C={trace.error_budget}"
        yield Traced(name, problem, Fraction(1), gap * Fraction(99, 100), trace)


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


def _many_needles() -> Iterator[Traced]:
    # similarity 1 - 0.76 eps: at eps at most 17 are dissimilar, at 3/4 eps all are
    yield _needle(110, 1 - Fraction(76, 100) * Fraction(5, 2), alpha=Fraction(1), epsilon=Fraction(5, 2))


@dataclass(frozen=True, eq=False)
class Plan(Instance):
    """The numbers that go into the length of Algorithm 2."""

    d: int
    epsilon: Fraction
    budget: float
    delta: float


def draw_plan(rng: Generator) -> Plan:
    """Random numbers for a plan."""
    d, epsilon = int(rng.integers(1, 65)), fraction(rng, 0, 2, 64) or Fraction(1, 64)
    budget, delta = float(rng.uniform(0, 200)), float(rng.uniform(1e-6, 0.9))
    name = f"d={d}, eps={epsilon}, C={budget:.4g}, delta={delta:.3g}"
    return Plan(name, d, epsilon, budget, delta)


def _plan_at_scale_one() -> Iterator[Plan]:
    yield Plan("d=2, eps=1, C=10", 2, Fraction(1), 10.0, 0.1)


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
        given=lambda: (*_equal_similarities(), *_two_queries()),
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
        given=_equal_similarities,
        expected=Expected.REPAIRED,
        erratum="E11",
    ),
    Claim(
        label="lem:few_bad_queries/sharper",
        statement="At most n(d-1) + 8(d^2-1) C sum eps_i^-2 queries are bad (fact N9).",
        hypotheses="as above",
        check=_fewer_bad,
        draw=lambda rng: draw_trace(rng, is_exact=bool(rng.random() < 0.5)),
        given=_equal_similarities,
        expected=Expected.BEYOND,
        erratum="E8",
    ),
    Claim(
        label="lem:few_bad_queries/clique",
        statement="Proof step: no more than d queries are pairwise within eps/sqrt(d) of one center.",
        hypotheses="d the dimension at eps",
        check=_clique_step,
        draw=similarity,
        given=_gap,
        expected=Expected.STEP_REFUTED,
        erratum="E8",
    ),
    Claim(
        label="lem:few_bad_queries/clique-repaired",
        statement="Proof step with d+1 in the thresholds and the truth appended: no clique of more than d-1.",
        hypotheses="d the monotone dimension at eps",
        check=_repaired_clique_step,
        draw=similarity,
        given=_gap,
        expected=Expected.REPAIRED,
        erratum="E8",
    ),
    Claim(
        label="thm:regret_optimism",
        statement="Regret is at most 1 + 12 d^1.25 sqrt(C T).",
        hypotheses="both properties, C >= ln 2T, d the monotone dimension at 1/T",
        check=_regret,
        draw=draw_trace,
        given=_two_queries,
        notices="two queries come to 1/(12 d^1.25) = 1/28.6 of it, and 1/30 would be noticed",
    ),
    Claim(
        label="thm:regret_optimism/exact",
        statement="With exact rewards regret is at most 1 + 12 d^1.5, and even 1 + 8 d^1.5 (fact N11).",
        hypotheses="both properties, C = 0, d the monotone dimension at 1/T",
        notices="1/16 of the second would be noticed",
        check=_exact_regret,
        draw=_exactly,
        given=_equal_similarities,
        expected=Expected.REPAIRED,
        erratum="E10",
    ),
    Claim(
        label="thm:main_pac/exact",
        statement="With exact rewards the best of T > 2 d^1.5 ln(4/eps) queries, T >= 1, is not bad.",
        hypotheses="both properties, C = 0, d the monotone dimension at eps",
        check=_exact_pac,
        draw=_exactly,
        given=_equal_similarities,
        expected=Expected.REPAIRED,
        erratum="E10",
    ),
    Claim(
        label="thm:main_pac/scale",
        statement="Proof step: the lemma bounds the 3/4 eps-bad queries with the dimension at eps.",
        hypotheses="both properties, d the monotone dimension at eps",
        check=_pac_scale,
        given=_many_needles,
        expected=Expected.STEP_REFUTED,
        erratum="E7",
    ),
    Claim(
        label="thm:main_pac/scale-repaired",
        statement="The lemma bounds the 3/4 eps-bad queries with the dimension at 3/4 eps.",
        hypotheses="both properties, d the monotone dimension at 3/4 eps",
        check=_repaired_pac_scale,
        draw=draw_trace,
        given=_many_needles,
        expected=Expected.REPAIRED,
        erratum="E7",
    ),
    Claim(
        label="thm:main_pac/half",
        statement="Proof step: (16/9) 36 d^2.5 C/eps^2 is at most half of T >= 64 d^2.5 C/eps^2.",
        hypotheses="C >= ln 2T",
        check=_pac_half,
        draw=draw_plan,
        given=_plan_at_scale_one,
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
