"""Sequences that the proof of the few-bad-queries lemma speaks of, found by trying them all, in exact arithmetic."""

from collections.abc import Callable
from fractions import Fraction

from warmer.model import Problem


def longest_loose_sequence(problem: Problem, alpha: Fraction, epsilon: Fraction, *, length: int) -> int:
    r"""The longest sequence whose forward values are within $\epsilon/\sqrt d$ of one center, for a given d.

    The definition has its own length in place of d, which is a smaller tolerance where the sequence is longer.
    """
    rho = _table(problem)
    viable = [z for z in range(len(rho)) if rho[z][z] >= alpha]

    def is_loose(values: list[Fraction]) -> bool:
        low, high = min(values), max(values)
        excess = max(Fraction(0), high - alpha + epsilon)
        return length * (high - low) ** 2 <= 4 * epsilon**2 and length * excess**2 <= epsilon**2

    def longest(sequence: list[int], values: list[Fraction]) -> int:
        best = len(sequence)
        for z in viable:
            more = [rho[earlier][z] for earlier in sequence]
            if z not in sequence and (not values + more or is_loose(values + more)):
                best = max(best, longest([*sequence, z], values + more))
        return best

    return longest([], [])


def longest_close_clique(problem: Problem, alpha: Fraction, epsilon: Fraction, *, length: int) -> int:
    r"""The largest clique of the repaired proof: queries that the truth and each later query evaluate alike.

    All $\rho(z_s|z^*)$ are within $\epsilon/(2\sqrt{d})$ of a center of at most $\alpha-\epsilon$, and
    $|\rho(z_s|z_t)-\rho(z_s|z^*)|<\epsilon/(2\sqrt d)$ for $s<t$, for a given d; over all truths.
    """
    rho = _table(problem)
    viable = [z for z in range(len(rho)) if rho[z][z] >= alpha]

    def is_near(distance: Fraction) -> bool:
        return 4 * length * distance**2 < epsilon**2

    def longest(truth: int, sequence: list[int], fits: Callable[[int], bool]) -> int:
        best = len(sequence)
        for z in viable:
            agrees = all(is_near(rho[s][z] - rho[s][truth]) for s in sequence)
            if z not in sequence and fits(z) and agrees:
                best = max(best, longest(truth, [*sequence, z], fits))
        return best

    best = 0
    for truth in viable:
        for top in {rho[z][truth] for z in viable}:
            center = min(top, alpha - epsilon)

            def fits(z: int, truth: int = truth, center: Fraction = center) -> bool:
                return is_near(rho[z][truth] - center)

            best = max(best, longest(truth, [], fits))
    return best


def _table(problem: Problem) -> list[list[Fraction]]:
    return [[problem.entry(i, j) for j in range(problem.n_targets)] for i in range(problem.n_queries)]
