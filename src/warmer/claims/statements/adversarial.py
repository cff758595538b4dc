"""Appendix B: how many queries an oracle that may err takes, samples in its place, and queries by correlations."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality, both_ways
from warmer.claims.instances.kinds import AtScale, Generator, Instance, exact
from warmer.claims.instances.tables import all_parities, draw_class, flips, n_queries_needed
from warmer.model import Array, Problem

_TOLERANCES = (*(Fraction(1, n) for n in (12, 8, 6, 5, 4, 3)), Fraction(49, 100))
"""At 1/2 and more an answer in the middle fits correlations 0 and 1 alike: parities tell nothing of each other."""


@Claim("thm:szorenyi_lb", Expected.REFUTED, "E12", given=flips)
def _printed(instance: AtScale) -> Iterator[Inequality]:
    """With an oracle that may err by tau, s tau^2/3 queries are not enough for rho >= 1 - eps.

    If: s, the strong SQ dimension at 2 eps, is at least 3, tau at least 2/sqrt(s).
    """
    # With no query at all one hypothesis may serve every target; the theorem wants m > s tau^2/3 > 0.
    s = len(instance.strong_sq())
    tau = Fraction(2, math.isqrt(s))  # at least 2/sqrt(s)
    needed = n_queries_needed(instance.problem, instance.epsilon, is_strict=False)
    least = bounds.statistical_queries.adversarial_sq_lower_bound(strong_sq=s, tau=tau)
    yield Inequality(least, needed, f"queries, tau={tau}")


@Claim("thm:szorenyi_lb/strict", Expected.REPAIRED, "E12", draw=draw_class, given=lambda: (*flips(), *all_parities()))
def _adversary(instance: AtScale) -> Iterator[Inequality]:
    """With an oracle that may err by tau, s tau^2/3 queries are not enough for rho > 1 - eps.

    If: s at least 3; queries of the class; any tau, here 1/12 to 49/100 and about 2/sqrt(s).
    """
    # An oracle that answers every query so as to exclude as few candidates as possible leaves at least two.
    targets = instance.strong_sq()
    s = len(targets)
    if s < 3:
        return
    for tau in (*_TOLERANCES, Fraction(2, math.isqrt(s))):
        n_queries = bounds.statistical_queries.adversarial_sq_lower_bound(strong_sq=s, tau=tau) - 1
        excluded = most_excluded(instance.problem, targets, tau=tau)
        yield Inequality(n_queries * excluded + 2, s, f"excluded by {n_queries} queries at tau={tau}, and two more")


def most_excluded(problem: Problem, targets: Sequence[int], *, tau: Fraction) -> int:
    """How many of the targets the best query of the class rules out, whatever answer within tau it is given."""
    numerators, denominator = exact(problem)
    rows = np.unique(numerators[:, np.array(targets)], axis=0).astype(np.int64) * tau.denominator
    # an answer keeps those within tau of it: a window of width 2 tau, which may as well start at one of them
    inside = (rows[:, None, :] >= rows[:, :, None]) & (
        rows[:, None, :] <= rows[:, :, None] + 2 * tau.numerator * denominator
    )
    return len(targets) - int(inside.sum(axis=2).max(axis=1).min())


@Claim("thm:szorenyi_lb/average", Expected.BEYOND, "E12", draw=draw_class, given=flips)
def _far_from_the_mean(instance: AtScale) -> Iterator[Inequality]:
    """Proof step: fewer than (3/2 + 1/(s-1))/tau^2 hypotheses are further than tau from the mean answer.

    If: s at least 3, any tau; queries of the class.
    """
    # The answer of the proof, the mean over the sequence, excludes few; two remain after s tau^2/3 queries.
    targets = instance.strong_sq()
    s = len(targets)
    if s < 3:
        return
    numerators, denominator = exact(instance.problem)
    rows = numerators[:, np.array(targets)].astype(object)
    distances = abs(rows * s - rows.sum(axis=1, keepdims=True))  # in units of 1/(s denominator)
    eigenvalue = Fraction(3, 2) + Fraction(1, s - 1)
    for tau in (Fraction(1, 8), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(1)):
        most = int((distances > tau * s * denominator).sum(axis=1).max())
        yield Inequality(most, eigenvalue / tau**2, f"excluded at tau={tau}", is_strict=True)
    yield Inequality(Fraction(s, 3) * eigenvalue, s - 1, "excluded by s tau^2/3 queries")


@dataclass(frozen=True, eq=False)
class Coins(Instance):
    """Means, the means of the simulated coins, and the tolerance."""

    means: list[Fraction]
    answers: list[Fraction]
    tau: Fraction


def _draw_coins(rng: Generator) -> Coins:
    """Random coins, and those with the largest error."""
    m, tau = int(rng.integers(1, 7)), Fraction(int(rng.integers(1, 17)), 16)
    means = [Fraction(int(rng.integers(-8, 9)), 8) for _ in range(m)]
    errors = [tau * int(rng.choice([-1, 1])) for _ in range(m)]
    answers = [max(Fraction(-1), min(Fraction(1), mean + error)) for mean, error in zip(means, errors, strict=True)]
    return Coins(f"{m} answers, tau={tau}", means, answers, tau)


def _small_tolerances() -> Iterator[Coins]:
    """Fair coins, and sure ones: these are as far apart as it gets."""
    for m, delta in ((1, Fraction(1, 4)), (3, Fraction(1, 4)), (5, Fraction(1, 8))):
        tau = delta**2 / m
        yield Coins(f"{m} fair coins, tau = {delta}^2/{m}", [Fraction(0)] * m, [tau] * m, tau)
    for m, delta in ((1, Fraction(1, 2)), (4, Fraction(1, 4)), (6, Fraction(1, 8))):
        tau = 2 * delta / m
        yield Coins(f"{m} coins that fall on 1, tau = 2 {delta}/{m}", [Fraction(1)] * m, [1 - tau] * m, tau)


@Claim("th:unbiased-from-vstat", draw=_draw_coins, given=_small_tolerances)
def _simulation(instance: Coins) -> Iterator[Inequality]:
    """Coins with biases off by tau simulate m samples at total variation m tau/2; so delta'^2/m will do.

    If: tolerance tau; delta' at most 1/4 as printed.
    """
    # The total variation by enumeration, against the distance at tau and the delta whose tolerance tau is.
    m, tau = len(instance.means), float(instance.tau)
    distance = total_variation(instance.means, instance.answers)
    most = bounds.statistical_queries.simulation_distance(n_queries=m, tau=tau)
    yield Inequality(float(distance), most, "total variation")
    for delta in (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)):
        if instance.tau <= delta**2 / m and delta <= Fraction(1, 4):
            yield Inequality(distance, delta, "as printed")
        if tau <= bounds.statistical_queries.simulation_tolerance(n_queries=m, delta=float(delta)):
            yield Inequality(distance, delta, "at the larger tolerance")


def total_variation(means: list[Fraction], answers: list[Fraction]) -> Fraction:
    """Between coins of these means, +1 and -1, and coins of those: half the sum over all outcomes."""
    outcomes = product((1, -1), repeat=len(means))
    return sum((abs(_chance(means, signs) - _chance(answers, signs)) for signs in outcomes), Fraction(0)) / 2


def _chance(means: list[Fraction], signs: tuple[int, ...]) -> Fraction:
    return math.prod(((1 + sign * mean) / 2 for sign, mean in zip(signs, means, strict=True)), start=Fraction(1))


@dataclass(frozen=True, eq=False)
class Query(Instance):
    """A statistical query by its values for labels 1 and -1, the masses of the points, and the target."""

    mass: list[Fraction]
    table: Array
    target: Array


def _draw_query(rng: Generator) -> Query:
    n = int(rng.integers(1, 9))
    weights = rng.integers(1, 6, n)
    mass = [Fraction(int(w), int(weights.sum())) for w in weights]
    table, target = (rng.choice([-1, 1], shape).astype(object) for shape in ((2, n), n))
    return Query(f"a query on {n} points", mass, table, target)


@Claim("appendix:sq/correlational", draw=_draw_query)
def _correlational(instance: Query) -> Iterator[Inequality]:
    """A statistical query is two queries free of the target and two correlations (Bshouty-Feldman).

    If: queries with values +-1; the correlated functions need not belong to the class.
    """
    # E[g(x, h*(x))] from two queries free of the target and two correlations of functions with values +-1.
    mass, (plus, minus), target = np.array(instance.mass), instance.table, instance.target
    asked = mass @ np.where(target == 1, plus, minus)
    halves = (plus - minus) // 2
    functions = [np.where(halves == 0, sign, halves) for sign in (1, -1)]
    correlated = sum(mass @ (function * target) for function in functions)
    yield from both_ways(asked, (mass @ plus + mass @ minus + correlated) / 2)
