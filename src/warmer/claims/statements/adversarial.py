"""Appendix B: how many queries an oracle that may err takes."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from warmer import bounds
from warmer.claims.claim import Claim, Expected, Inequality
from warmer.claims.instances.kinds import AtScale, exact
from warmer.claims.instances.statistical_queries import all_parities, draw_class, flips, n_queries_needed
from warmer.model import Problem

_TOLERANCES = (*(Fraction(1, n) for n in (12, 8, 6, 5, 4, 3)), Fraction(49, 100))
"""At 1/2 and more an answer in the middle fits correlations 0 and 1 alike: parities tell nothing of each other."""


@Claim("thm:szorenyi_lb", Expected.REFUTED, "E12", given=flips)
def _printed(instance: AtScale) -> Iterator[Inequality]:
    """With an oracle that may err by tau, s tau^2/3 queries are not enough for rho >= 1 - eps.

    Hypotheses: s, the strong SQ dimension at 2 eps, is at least 3, tau at least 2/sqrt(s).

    With no query at all one hypothesis may serve every target; the theorem wants m > s tau^2/3 > 0.
    """
    s = len(instance.strong_sq())
    tau = Fraction(2, math.isqrt(s))  # at least 2/sqrt(s)
    needed = n_queries_needed(instance.problem, instance.epsilon, is_strict=False)
    least = bounds.statistical_queries.adversarial_sq_lower_bound(strong_sq=s, tau=tau)
    yield Inequality(least, needed, f"queries, tau={tau}")


@Claim("thm:szorenyi_lb/strict", Expected.REPAIRED, "E12", draw=draw_class, given=lambda: (*flips(), *all_parities()))
def _adversary(instance: AtScale) -> Iterator[Inequality]:
    """With an oracle that may err by tau, s tau^2/3 queries are not enough for rho > 1 - eps.

    Hypotheses: s at least 3; queries of the class; any tau, here 1/12 to 49/100 and about 2/sqrt(s).

    An oracle that answers every query so as to exclude as few candidates as possible leaves at least two.
    """
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

    Hypotheses: s at least 3, any tau; queries of the class.

    The answer of the proof, the mean over the sequence, excludes few; two remain after s tau^2/3 queries.
    """
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
