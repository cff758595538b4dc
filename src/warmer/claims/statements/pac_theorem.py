"""Section 3 and Appendix A: the PAC theorem as it is printed, with the dimension at epsilon, and its steps."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality, both_ways
from warmer.claims.instances.bad_queries import Traced, draw_trace, equal_similarities, ladders, needle, printed_count
from warmer.claims.instances.kinds import Generator, Instance
from warmer.dimensions import dissimilarity_dimension
from warmer.learners import LeastSquares
from warmer.model import Problem

_NEARLY_ZERO = Fraction(-1, 10**6)  # what the bad query b earns: just less than alpha - eps = 0


def _decoys(n_decoys: int, root: int) -> Problem:
    """The bad query b, decoys w_1, w_2, ... worth v = 1/root, and the truth: z_i earns 1 unless a later one is true."""
    place = np.arange(n_decoys + 2)
    denominator = root * _NEARLY_ZERO.denominator
    early = np.where(place == 0, root * _NEARLY_ZERO.numerator, _NEARLY_ZERO.denominator)
    table = np.where(place[:, None] >= place[None, :], denominator, early[:, None])
    return Problem.from_similarity(table, denominator=denominator)


@dataclass(frozen=True, eq=False)
class Decoys(Instance):
    """A bad query, decoys worth 1/root, and the truth: how many rounds, and the delta of the theorem."""

    root: int
    horizon: int
    delta: Fraction


def _b_and_decoys() -> Iterator[Decoys]:
    horizon, delta = 4 * 10**12, Fraction(1, 10**40)
    name = f"a bad query, T decoys worth 1/20 and the truth, alpha=eps=1, T={horizon}, delta=1e-40"
    yield Decoys(name, 20, horizon, delta)


@Claim("thm:main_pac", Expected.REFUTED, "E7", given=_b_and_decoys)
def _printed(instance: Decoys) -> Iterator[Inequality]:
    """Algorithm 2 outputs a query within eps of alpha with probability 1-delta.

    If: T >= 64 d^2.5 C/eps^2 with d the monotone dimension at eps.
    """
    # How often the output is b, where each hypothesis of the theorem has been checked.
    steps = [*_is_dimension(instance.root), *_is_run(instance.root), *_is_long_enough(instance)]
    if all(step.holds for step in steps):
        yield Inequality(_chance_of_b(instance), instance.delta, "probability of an output below alpha - eps")


def _is_dimension(root: int) -> Iterator[Inequality]:
    """The dimension is root^2: by search with that many decoys, and by the definition with any number of them."""
    d = root**2
    found = dissimilarity_dimension(_decoys(d, root), alpha=1, epsilon=1, monotone=True).value
    yield from both_ways(found, d, "dimension, computed")
    # three or more in a row have a forward value v, and v <= 1 - eps'(1 - 1/sqrt n) <= 1/sqrt n for every eps' >= 1
    yield Inequality(1, Fraction(d + 1, root**2), "v > 1/sqrt(d + 1)", is_strict=True)


def _is_run(root: int, *, n_decoys: int = 30, n_runs: int = 60) -> Iterator[Inequality]:
    """Algorithm 1 asks b first, then b or a decoy that it has not asked, as long as there are any; never the truth."""
    problem = _decoys(n_decoys, root)
    learner, truth = LeastSquares(problem, alpha=1.0), n_decoys + 1
    for seed in range(n_runs):
        rng = np.random.default_rng(seed)
        state, asked = learner.init(rng), list[int]()
        for _ in range(n_decoys + 1):
            asked.append(learner.ask(state, rng))
            mean = float(problem.rho[asked[-1], truth])
            is_coin = asked[-1] == 0  # only the answers about b are noisy
            reward = (1.0 if rng.random() < (1 + mean) / 2 else -1.0) if is_coin else mean
            state = learner.tell(state, asked[-1], reward)
        decoys = [query for query in asked if query != 0]
        yield Inequality(asked[0], 0, "the first query is b")
        yield Inequality(len(decoys), len(set(decoys) - {truth}), "no decoy is asked twice, and not the truth")


def _is_long_enough(instance: Decoys) -> Iterator[Inequality]:
    """The printed inequality for T, with the paper's own error budget for T + 2 alternatives."""
    horizon, delta = instance.horizon, float(instance.delta)
    budget = bounds.paper_error_budget(n_targets=horizon + 2, horizon=horizon, delta=delta / 2)
    yield Inequality(math.log(2 * horizon), budget, "C >= ln 2T")
    yield Inequality(64 * instance.root**5 * budget, float(horizon), "T >= 64 d^2.5 C/eps^2")


def _chance_of_b(instance: Decoys) -> Fraction:
    """At least: the first index drawn is 1, and n_2 coins of mean u have a mean just above v, which all decoys have."""
    v, u, delta = Fraction(1, instance.root), _NEARLY_ZERO, float(instance.delta)
    n = bounds.pac_repeats(epsilon=1.0, delta=delta, n_candidates=bounds.pac_candidates(delta=delta))
    heads = math.floor(n * (1 + v) / 2) + 1  # the mean 2 heads/n - 1 exceeds v
    up, down = u.denominator + u.numerator, u.denominator - u.numerator
    return Fraction(math.comb(n, heads) * up**heads * down ** (n - heads), (2 * u.denominator) ** n * instance.horizon)


@Claim(
    "thm:main_pac/exact", Expected.REPAIRED, "E10", draw=partial(draw_trace, is_exact=True), given=equal_similarities
)
def _exact_pac(instance: Traced) -> Iterator[Inequality]:
    """With exact rewards the best of T > 2 d^1.5 ln(4/eps) queries, T >= 1, is not bad; by colours T is smaller.

    If: both properties, C = 0, d the monotone dimension at eps.
    """
    asked: dict[str, Any] = {"dimension": instance.monotone_dimension(), "epsilon": instance.epsilon}
    for form in ("printed", "coloured"):
        horizon = bounds.exact_pac_horizon(form=form, **asked)
        first = instance.values[:horizon]
        if len(first) == horizon:
            yield Inequality(instance.alpha - instance.epsilon, max(first), f"best of {horizon} queries")


@Claim(
    "thm:main_pac/coloured", Expected.BEYOND, "E8", draw=draw_trace, given=lambda: (*ladders(), *equal_similarities())
)
def _half_are_good(instance: Traced) -> Iterator[Inequality]:
    """At most half of the first T queries are 3/4 eps-bad, for the T of the coloured count.

    If: both properties, d the monotone dimension at 3/4 eps, eps <= 2.
    """
    d, epsilon, budget = instance.monotone_dimension(), instance.epsilon * Fraction(4, 3), float(instance.error_budget)
    if epsilon <= 2:
        reach = float(1 + instance.alpha)
        asked: dict[str, Any] = {"dimension": d, "epsilon": float(epsilon), "reach": reach}
        horizon = bounds.pac_horizon(error_budget=lambda _: budget, **asked)
        n_bad = sum(value < instance.alpha - instance.epsilon for value in instance.values[:horizon])
        yield Inequality(2 * n_bad, horizon, f"twice the 3/4 eps-bad queries of {horizon}")


def _many_needles() -> Iterator[Traced]:
    """Needles of similarity 1 - 0.76 eps: at eps at most 17 are dissimilar, at 3/4 eps all are."""
    yield needle(110, 1 - Fraction(76, 100) * Fraction(5, 2), alpha=Fraction(1), epsilon=Fraction(5, 2))


@Claim("thm:main_pac/scale", Expected.STEP_REFUTED, "E7", given=_many_needles)
def _pac_scale(instance: Traced) -> Iterator[Inequality]:
    """Proof step: the lemma bounds the 3/4 eps-bad queries with the dimension at eps.

    If: both properties, d the monotone dimension at eps.
    """
    d, epsilon = instance.monotone_dimension(), instance.epsilon * Fraction(3, 4)
    bound = printed_count(d, instance.error_budget, epsilon)
    yield Inequality(instance.n_bad(epsilon), bound, f"3/4 eps-bad queries, dimension {d} at eps")


@Claim("thm:main_pac/scale-repaired", Expected.REPAIRED, "E7", draw=draw_trace, given=_many_needles)
def _repaired_pac_scale(instance: Traced) -> Iterator[Inequality]:
    """The lemma bounds the 3/4 eps-bad queries with the dimension at 3/4 eps.

    If: both properties, d the monotone dimension at 3/4 eps.
    """
    epsilon = instance.epsilon * Fraction(3, 4)
    d = instance.monotone_dimension(epsilon)
    bound = printed_count(d, instance.error_budget, epsilon)
    yield Inequality(instance.n_bad(epsilon), bound, f"3/4 eps-bad queries, dimension {d} at 3/4 eps")


@dataclass(frozen=True, eq=False)
class Plan(Instance):
    """The numbers that go into the length of Algorithm 2."""

    d: int
    epsilon: Fraction
    budget: float
    delta: float

    @cached_property
    def horizon(self) -> int:
        """The least T >= 64 d^2.5 C/eps^2."""
        epsilon = float(self.epsilon)
        return bounds.pac_horizon(form="printed", dimension=self.d, epsilon=epsilon, error_budget=lambda _: self.budget)

    @property
    def large_budget(self) -> float:
        """The error budget, or the ln 2T that the theorem asks for."""
        return max(self.budget, math.log(2 * self.horizon))


def _draw_plan(rng: Generator) -> Plan:
    d, epsilon = int(rng.integers(1, 65)), Fraction(max(1, int(rng.integers(0, 129))), 64)
    budget, delta = float(rng.uniform(0, 200)), float(rng.uniform(1e-6, 0.9))
    name = f"d={d}, eps={epsilon}, C={budget:.4g}, delta={delta:.3g}"
    return Plan(name, d, epsilon, budget, delta)


_AT_SCALE_ONE = Plan("d=2, eps=1, C=10", 2, Fraction(1), 10.0, 0.1)


@Claim("thm:main_pac/half", Expected.STEP_REFUTED, "E7", draw=_draw_plan, given=lambda: [_AT_SCALE_ONE])
def _pac_half(instance: Plan) -> Iterator[Inequality]:
    """Proof step: (16/9) 36 d^2.5 C/eps^2 is at most half of T >= 64 d^2.5 C/eps^2. If: C >= ln 2T."""
    budget = instance.large_budget
    count = Fraction(16, 9) * 36 * instance.d**2 * Fraction(math.sqrt(instance.d) * budget) / instance.epsilon**2
    yield Inequality(count, Fraction(instance.horizon, 2), "(16/9) 36 d^2.5 C/eps^2 against T/2")


@Claim("thm:main_pac/half-repaired", Expected.REPAIRED, "E7", draw=_draw_plan)
def _repaired_pac_half(instance: Plan) -> Iterator[Inequality]:
    """By the first form of the lemma at most half of T >= 64 d^2.5 C/eps^2 queries are 3/4 eps-bad.

    If: C >= ln 2T, d the monotone dimension at 3/4 eps.
    """
    count = printed_count(instance.d, instance.large_budget, 0.75 * float(instance.epsilon))
    yield Inequality(count, instance.horizon / 2, "3/4 eps-bad queries against T/2")


@Claim("thm:main_pac/verification", draw=_draw_plan)
def _pac_verification(instance: Plan) -> Iterator[Inequality]:
    """n_1 draws are all bad with chance delta/4 at most; n_2 answers err by eps/8 with delta/(4 n_1).

    If: rewards in [-1, 1].
    """
    n_candidates = bounds.pac_candidates(delta=instance.delta)
    repeats = bounds.pac_repeats(epsilon=float(instance.epsilon), delta=instance.delta, n_candidates=n_candidates)
    yield Inequality(0.5**n_candidates, instance.delta / 4, "all candidates bad")
    tail = 2 * math.exp(-repeats * float(instance.epsilon) ** 2 / 128)
    yield Inequality(tail, instance.delta / (4 * n_candidates), "a mean off by eps/8")


@Claim("thm:main_pac/five-quarters", Expected.REPAIRED, "E7", draw=_draw_plan)
def _five_quarters(instance: Plan) -> Iterator[Inequality]:
    """With the dimension at eps half of T queries are not eps-bad, and the output is within 5/4 eps.

    If: T >= 64 d^2.5 C/eps^2, C >= ln 2T, d the monotone dimension at eps.
    """
    count = printed_count(instance.d, instance.large_budget, instance.epsilon)
    yield Inequality(count, instance.horizon / 2, "eps-bad queries against T/2")
