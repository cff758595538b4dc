"""Appendix B: how many queries an oracle that may err takes."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Comparison, Expected, Instance
from warmer.claims.flips import flips, n_queries_needed
from warmer.claims.generators import Generator, hypotheses, parity_class
from warmer.dimensions import StrongSQWitness, strong_sq_dimension

__all__ = ["CLAIMS"]

_SECTION = "4 Statistical queries, Appendix B"


def _printed(instance: Instance) -> Iterator[Comparison]:
    """With no query at all one hypothesis may serve every target; the theorem wants m > s tau^2/3 > 0."""
    s = strong_sq_dimension(instance.problem, epsilon=2 * instance.epsilon).value
    tau = Fraction(2, math.isqrt(s))  # at least 2/sqrt(s)
    needed = n_queries_needed(instance.problem, instance.epsilon, is_strict=False)
    yield Comparison(bounds.adversarial_sq_lower_bound(strong_sq=s, tau=tau), needed, f"queries, tau={tau}")


def _adversary(instance: Instance) -> Iterator[Comparison]:
    """An oracle that answers every query so as to exclude as few candidates as possible leaves at least two."""
    problem, epsilon = instance.problem, instance.epsilon
    found = strong_sq_dimension(problem, epsilon=2 * epsilon)
    s = found.value
    root = math.isqrt(s)
    tau = Fraction(2, root)  # at least 2/sqrt(s)
    if s < 3 or tau > 1:
        return
    n_queries = bounds.adversarial_sq_lower_bound(strong_sq=s, tau=tau) - 1
    assert isinstance(found.witness, StrongSQWitness)
    correlations = problem.rho.astype(float)[:, np.array(found.witness.targets)]
    starts = correlations[:, :, None]
    inside = (correlations[:, None, :] >= starts - 1e-12) & (correlations[:, None, :] <= starts + 2 * float(tau))
    excluded = s - int(inside.sum(axis=2).max(axis=1).min())
    yield Comparison(n_queries * excluded + 2, s, f"excluded by {n_queries} queries, and two more")


def _far_from_the_mean(instance: Instance) -> Iterator[Comparison]:
    """The answer of the proof, the mean over the sequence, excludes few; two remain after s tau^2/3 queries."""
    found = strong_sq_dimension(instance.problem, epsilon=2 * instance.epsilon)
    s = found.value
    if s < 3:
        return
    assert isinstance(found.witness, StrongSQWitness)
    assert instance.problem.exact is not None
    numerators, denominator = instance.problem.exact
    rows = numerators[:, np.array(found.witness.targets)].astype(object)
    distances = abs(rows * s - rows.sum(axis=1, keepdims=True))  # in units of 1/(s denominator)
    eigenvalue = Fraction(3, 2) + Fraction(1, s - 1)
    for tau in (Fraction(1, 8), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(1)):
        most = int((distances > tau * s * denominator).sum(axis=1).max())
        yield Comparison(most, eigenvalue / tau**2, f"excluded at tau={tau}", is_strict=True)
    yield Comparison(Fraction(s, 3) * eigenvalue, s - 1, "excluded by s tau^2/3 queries")


def _draw_class(rng: Generator) -> Instance:
    return parity_class(rng) if rng.random() < 0.5 else hypotheses(rng)


CLAIMS = (
    Claim(
        label="thm:szorenyi_lb",
        section=_SECTION,
        statement="With an oracle that may err by tau, s tau^2/3 queries are not enough for rho >= 1 - eps.",
        hypotheses="s, the strong SQ dimension at 2 eps, is at least 3, tau at least 2/sqrt(s)",
        check=_printed,
        given=flips,
        expected=Expected.REFUTED,
        erratum="E12",
    ),
    Claim(
        label="thm:szorenyi_lb/strict",
        section=_SECTION,
        statement="With an oracle that may err by tau, s tau^2/3 queries are not enough for rho > 1 - eps.",
        hypotheses="s at least 3; queries of the class; here tau is about 2/sqrt(s)",
        check=_adversary,
        draw=_draw_class,
        given=flips,
        expected=Expected.REPAIRED,
        erratum="E12",
    ),
    Claim(
        label="thm:szorenyi_lb/average",
        section=_SECTION,
        statement="Proof step: fewer than (3/2 + 1/(s-1))/tau^2 hypotheses are further than tau from the mean answer.",
        hypotheses="s at least 3, any tau; queries of the class",
        check=_far_from_the_mean,
        draw=_draw_class,
        given=flips,
        expected=Expected.REPAIRED,
        erratum="E12",
    ),
)
