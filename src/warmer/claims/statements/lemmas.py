"""Appendix A: the lemmas and the small steps that the main results are put together from."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Inequality
from warmer.claims.instances.kinds import Generator, Instance, Matrix
from warmer.dimensions.search.clique import maximum_clique
from warmer.model import Array

_DELTA = 0.1


@dataclass(frozen=True, eq=False)
class Steps(Instance):
    """A falling step function on [1, T], by its values on the halves [k/2, (k+1)/2)."""

    values: list[Fraction]


@dataclass(frozen=True, eq=False)
class Gaps(Instance):
    """Numbers, the largest first, and the tau of the lemmas."""

    gaps: Array
    tau: float


@dataclass(frozen=True, eq=False)
class Constants(Instance):
    """What the numerical steps are taken at."""

    dimension: int
    alpha: float
    epsilon: float
    horizon: int


def _draw_graph(rng: Generator) -> Matrix:
    n, density = int(rng.integers(1, 13)), float(rng.uniform(0.1, 0.95))
    upper = np.triu(rng.random((n, n)) < density, 1)
    return Matrix(f"{n} vertices, {int(upper.sum())} edges", upper | upper.T)


def _turan_graphs() -> Iterator[Matrix]:
    """Balanced complete graphs of parts, which attain the bound."""
    for parts, size in ((2, 3), (3, 2), (4, 3)):
        colors = np.repeat(np.arange(parts), size)
        yield Matrix(f"{parts} parts of {size}", colors[:, None] != colors[None, :])


@Claim("theorem::turan", draw=_draw_graph, given=_turan_graphs)
def _turan(instance: Matrix) -> Iterator[Inequality]:
    """A graph on n vertices whose cliques have at most d has at most (1-1/d) n^2/2 edges. If: no loops."""
    graph = instance.entries
    clique = max(1, len(maximum_clique(graph).members))
    bound = bounds.lemmas.turan_edges(n_vertices=len(graph), clique_number=clique)
    yield Inequality(int(np.triu(graph, 1).sum()), bound)


def _draw_steps(rng: Generator) -> Steps:
    horizon = int(rng.integers(1, 12))
    values = np.sort(rng.integers(-20, 21, 2 * horizon))[::-1].tolist()
    return Steps(f"steps {values}", [Fraction(value) for value in values])


@Claim("prop:int", draw=_draw_steps)
def _integral(instance: Steps) -> Iterator[Inequality]:
    """The sum of f over 1..T is at most f(1) plus the integral of f from 1 to T. If: f non-increasing."""
    at_whole = instance.values[::2]  # value k/2 for k = 2, 4, ...: f(1), f(2), ..., f(T)
    first, last, area = at_whole[0], at_whole[-1], sum(instance.values[:-2], Fraction(0)) / 2
    bound = bounds.lemmas.falling_sum_bound(first=first, last=last, integral=area, horizon=len(at_whole))
    yield Inequality(sum(at_whole, Fraction(0)), bound)


def _draw_gaps(rng: Generator) -> Gaps:
    """Random gaps, and the extreme ones."""
    horizon, tau = int(rng.integers(1, 60)), float(rng.choice([0.0, 0.01, 0.1, 0.5]))
    kind = rng.choice(["uniform", "extremal", "geometric"])
    k = np.arange(1, horizon + 1)
    kappa = float(rng.uniform(0.5, 20))
    gaps = {
        "uniform": rng.uniform(0, 0.999, horizon) ** int(rng.integers(1, 4)),
        "extremal": np.sqrt(kappa / k),
        "geometric": np.exp(-k / kappa),
    }[str(kind)]
    return Gaps(f"{horizon} {kind} gaps, tau={tau:g}", np.sort(gaps)[::-1], tau)


@Claim("lemma::helper_regret_result", draw=_draw_gaps)
def _root_sum(instance: Gaps) -> Iterator[Inequality]:
    """If at most kappa/eps^2 gaps reach eps, their sum is at most T tau + 2 sqrt(kappa T). If: kappa non-increasing."""
    gaps, tau = instance.gaps, instance.tau
    above = gaps[gaps >= tau]
    # the least non-increasing kappa of the hypothesis: at the k-th largest gap q there are k of at least q
    kappa = float((above**2 * np.arange(1, above.size + 1)).max(initial=0.0))
    yield Inequality(float(gaps.sum()), bounds.lemmas.root_sum_bound(kappa=kappa, tau=tau, horizon=gaps.size))


@Claim("lemma::helper_regret_result_log", draw=_draw_gaps)
def _geometric_sum(instance: Gaps) -> Iterator[Inequality]:
    """If at most kappa ln(a/eps) reach eps, they add up to at most T tau + a(1+kappa) exp(-1/kappa).

    If: kappa non-increasing, gaps in [0, a].
    """
    gaps, tau, ceiling = instance.gaps, instance.tau, 1.0
    if gaps[0] >= ceiling:
        return
    above = gaps[(gaps >= tau) & (gaps > 0)]
    kappa = float((np.arange(1, above.size + 1) / np.log(ceiling / above)).max(initial=0.0))
    bound = bounds.lemmas.geometric_sum_bound(kappa=kappa, tau=tau, horizon=gaps.size, ceiling=ceiling)
    yield Inequality(float(gaps.sum()), bound, "as printed")
    yield Inequality(bound, gaps.size * tau + ceiling * kappa, "(1+k) exp(-1/k) <= k")


def _draw_constants(rng: Generator) -> Constants:
    """Random numbers that the proofs may meet."""
    d, alpha = int(rng.integers(1, 400)), float(rng.uniform(-0.99, 1))
    epsilon = float(rng.uniform(1e-6, 1) ** 3 * (1 + alpha) * 0.999)
    horizon = int(rng.integers(1, 400))
    return Constants(f"d={d}, alpha={alpha:.4g}, eps={epsilon:.4g}, T={horizon}", d, alpha, epsilon, horizon)


@Claim("lem:few_bad_queries/constants", draw=_draw_constants)
def _constants(instance: Constants) -> Iterator[Inequality]:
    """The numerical steps of the proofs hold (intervals, 1-1/q^2, logarithms). If: d >= 1, 0 < eps < 1+alpha <= 2."""
    for step in bounds.lemmas.proof_steps(**instance.parts):
        yield Inequality(step.left, step.right, step.what)


@dataclass(frozen=True, eq=False)
class Walk(Instance):
    """So many steps, the eta of the bound, the chance of a step up, and a seed."""

    n: int
    eta: float
    up: float
    seed: int


def _draw_martingale(rng: Generator) -> Walk:
    """Mostly rare steps up, about one of them expected, at an eta near 1: there the bound is closest to the truth."""
    if rng.random() < 0.1:
        n, eta, up = int(rng.integers(1, 60)), float(rng.uniform(0.02, 0.98)), 0.5
    else:
        n, eta = int(rng.integers(30, 60)), float(rng.uniform(0.95, 0.999))
        up = float(rng.uniform(1.0, 1.15)) / n
    seed = int(rng.integers(2**31))
    return Walk(f"{n} steps, up with chance {up:.3g}, eta={eta:.3g}, seed {seed}", n, eta, up, seed)


@Claim(
    "lemma:super_simplified_freedman",
    draw=_draw_martingale,
    chance=_DELTA,
    notices="a quarter of the bound would be noticed",
)
def _freedman(instance: Walk) -> Iterator[Inequality]:
    """A martingale stays below eta times its variance plus ln(1/delta)/eta with probability 1-delta.

    If: steps of at most R, 0 < eta < 1/R.
    """
    # Steps of at most 1 with mean 0; where even they become skew, and bold, while the walk is behind.
    rng = np.random.default_rng(instance.seed)
    total = variance = 0.0
    for _ in range(instance.n):
        up = 0.05 if instance.up == 0.5 and total < 0 else instance.up  # the chance of a step of 1; else -up/(1-up)
        total += 1.0 if rng.random() < up else -up / (1 - up)
        variance += up / (1 - up)
    yield Inequality(total, bounds.lemmas.freedman_bound(variance=variance, eta=instance.eta, reach=1.0, delta=_DELTA))
