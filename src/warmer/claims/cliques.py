"""Sequences that the proof of the few-bad-queries lemma speaks of, found by trying them all, in exact arithmetic."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations

from warmer.model import Problem


def longest_loose_sequence(problem: Problem, alpha: Fraction, epsilon: Fraction, *, length: int) -> int:
    r"""The longest sequence whose forward values are within $\epsilon/\sqrt d$ of one center, for a given d.

    The definition has its own length in place of d, which is a smaller tolerance where the sequence is longer.
    """

    def is_loose(sequence: tuple[int, ...]) -> bool:
        values: list[Fraction] = [problem.entry(i, j) for i, j in combinations(sequence, 2)] or [alpha - epsilon]
        excess = max(Fraction(0), max(values) - alpha + epsilon)
        return length * max((max(values) - min(values)) / 2, excess) ** 2 <= epsilon**2

    return _longest(_viable(problem, alpha), is_loose)


def longest_close_clique(problem: Problem, alpha: Fraction, epsilon: Fraction, *, length: int) -> int:
    r"""The largest clique of the repaired proof: queries that the truth and each later query evaluate alike.

    All $\rho(z_s|z^*)$ are within $\epsilon/(2\sqrt{d})$ of a center of at most $\alpha-\epsilon$, and
    $|\rho(z_s|z_t)-\rho(z_s|z^*)|<\epsilon/(2\sqrt d)$ for $s<t$, for a given d; over all truths.
    """
    rho, viable = problem.entry, _viable(problem, alpha)

    def is_near(distance: Fraction) -> bool:
        return 4 * length * distance**2 < epsilon**2

    def is_close(clique: tuple[int, ...], truth: int, center: Fraction) -> bool:
        *before, z = clique
        return is_near(rho(z, truth) - center) and all(is_near(rho(s, z) - rho(s, truth)) for s in before)

    centers = {(truth, min(rho(z, truth), alpha - epsilon)) for truth in viable for z in viable}
    return max((_longest(viable, partial(is_close, truth=z, center=c)) for z, c in centers), default=0)


def _viable(problem: Problem, alpha: Fraction) -> list[int]:
    return [z for z in range(problem.n_targets) if problem.entry(z, z) >= alpha]


def _longest(items: list[int], fits: Callable[[tuple[int, ...]], bool], start: tuple[int, ...] = ()) -> int:
    """The length of the longest sequence of different items all beginnings of which fit."""
    longer = [(*start, item) for item in items if item not in start]
    return max((_longest(items, fits, each) for each in longer if fits(each)), default=len(start))
