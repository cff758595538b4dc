"""Appendix D and the example of Section 3: bandits with K independent arms."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality, both_ways
from warmer.claims.instances.kinds import Generator, Instance, Sized
from warmer.claims.instances.tables import scale
from warmer.model import Problem


@dataclass(frozen=True, eq=False)
class Averages(Instance):
    """How often each arm was pulled, its average reward, and alpha."""

    counts: list[int]
    averages: list[Fraction]
    alpha: Fraction


def _draw_grid(rng: Generator) -> Sized:
    """All functions from K arms to a few levels in [0, 1], 0 and alpha among them."""
    n_arms, alpha = int(rng.integers(1, 5)), Fraction(int(rng.integers(1, 5)), 4)
    more = {Fraction(int(rng.integers(0, 5)), 4)} if n_arms <= 3 else set()
    levels = sorted({Fraction(0), alpha} | more)
    problem = Problem.from_table(list(zip(*product(levels, repeat=n_arms), strict=True)))
    epsilon = scale(rng)
    name = f"{n_arms} arms with levels {', '.join(map(str, levels))}, alpha={alpha}, eps={epsilon}"
    return Sized(name, problem, alpha, epsilon, n_arms)


def _averages(counts: list[int], averages: list[Fraction]) -> Averages:
    name = f"n=({', '.join(map(str, counts))}), averages=({', '.join(map(str, averages))}), alpha=3/4"
    return Averages(name, counts, averages, Fraction(3, 4))


_NEGATIVE = _averages([1, 5], [Fraction(-1), Fraction(1, 20)])


def _draw_averages(rng: Generator) -> Averages:
    counts = rng.integers(1, 9, int(rng.integers(2, 5))).tolist()
    # rewards in [-1, 1] can have negative averages although the means lie in [0, 1]; all averages below alpha
    averages = [Fraction(int(rng.integers(-20, 15)), 20) for _ in counts]
    return _averages(counts, averages)


def _draw_positive_averages(rng: Generator) -> Averages:
    instance = _draw_averages(rng)
    averages = [min(abs(mean), Fraction(14, 20)) for mean in instance.averages]
    return _averages(instance.counts, averages)


def _loss(instance: Averages, arm: int) -> Fraction:
    """The least squared error of f in [0, 1]^K with f(arm) >= alpha, up to a constant: each arm on its own."""
    lows = [instance.alpha if place == arm else Fraction(0) for place in range(len(instance.counts))]
    data = zip(instance.counts, instance.averages, lows, strict=True)
    return sum((n * (min(max(m, low), Fraction(1)) - m) ** 2 for n, m, low in data), Fraction(0))


def _rule(instance: Averages, increments: list[Fraction]) -> Iterator[Inequality]:
    """The arm of a rule must attain the least loss of all f with some f(a) >= alpha."""
    losses = [_loss(instance, arm) for arm in range(len(instance.counts))]
    chosen = min(range(len(losses)), key=lambda arm: (increments[arm], arm))
    yield Inequality(losses[chosen], min(losses), f"loss with arm {chosen + 1} raised")


def _draw_bandit_with_few_arms(rng: Generator) -> Sized:
    n_arms, n_functions = int(rng.integers(1, 5)), int(rng.integers(2, 13))
    table = rng.integers(0, 9, (n_arms, n_functions))
    alpha = Fraction(int(table.max()), 8)
    epsilon = scale(rng)
    name = f"{n_functions} functions of {n_arms} arms, alpha={alpha}, eps={epsilon}"
    return Sized(name, Problem.from_table(table, denominator=8), alpha, epsilon, n_arms)


@Claim("prop::multi_armed_bandit", draw=_draw_bandit_with_few_arms)
def _arms(instance: Sized) -> Iterator[Inequality]:
    """K arms with means in [0, 1] have dimension at most K. If: alpha in [0, 1]; eps < 1/2 is not needed."""
    yield Inequality(instance.dissimilarity().value, instance.n, "at most K")


@Claim("prop::multi_armed_bandit/exact", Expected.BEYOND, draw=_draw_grid)
def _arms_exactly(instance: Sized) -> Iterator[Inequality]:
    """The dimension of K arms is the largest d <= K with eps (1 - 1/sqrt d) <= alpha (fact N12).

    If: functions with the values 0 and alpha among them.
    """
    formula = bounds.arms_dimension(n_arms=instance.n, alpha=instance.alpha, epsilon=instance.epsilon)
    yield from both_ways(instance.dissimilarity().value, formula, "the formula")


@Claim("sec:upper/k-arms", Expected.REFUTED, "S", draw=_draw_averages, given=lambda: [_NEGATIVE])
def _k_arms(instance: Averages) -> Iterator[Inequality]:
    """If all averages are below alpha, least squares raises the arm with the least n(alpha - mean)^2.

    If: means in [0, 1], rewards in [-1, 1].
    """
    pairs = zip(instance.counts, instance.averages, strict=True)
    return _rule(instance, [n * (instance.alpha - m) ** 2 for n, m in pairs])


@Claim("sec:upper/k-arms-positive", Expected.REPAIRED, "S", draw=_draw_positive_averages)
def _k_arms_positive(instance: Averages) -> Iterator[Inequality]:
    """The printed rule, where no average is negative. If: averages in [0, alpha)."""
    return _k_arms.check(instance)


@Claim("sec:upper/k-arms-repaired", Expected.REPAIRED, "S", draw=_draw_averages, given=lambda: [_NEGATIVE])
def _repaired_rule(instance: Averages) -> Iterator[Inequality]:
    """It raises the arm with the least n[(alpha - mean)^2 - (clip(mean, 0, 1) - mean)^2]. If: averages below alpha."""
    clipped = [min(max(mean, Fraction(0)), Fraction(1)) for mean in instance.averages]
    data = zip(instance.counts, instance.averages, clipped, strict=True)
    return _rule(instance, [n * ((instance.alpha - m) ** 2 - (c - m) ** 2) for n, m, c in data])
