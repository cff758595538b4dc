"""Classes of hypotheses for the statements on statistical queries."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from scipy.linalg import hadamard

from warmer.claims.instances.kinds import AtScale, Generator, exact
from warmer.claims.instances.tables import hypotheses, parity_class
from warmer.model import Problem
from warmer.problems import from_hypotheses


def flips() -> Iterator[AtScale]:
    """A function and copies of it that are flipped on disjoint sets of mass eps/2."""
    for n in (11, 12, 20):
        # f = 1 everywhere; h_i is flipped on a point of its own, of mass eps/2
        signs = np.ones((n + 1, 2 * n), dtype=int)
        signs[np.arange(1, n + 1), np.arange(n)] = -1
        name = f"f and {n} flips of it on disjoint sets of mass eps/2, eps=1/{n}"
        yield AtScale(name, from_hypotheses(signs), Fraction(1), Fraction(1, n))


def n_queries_needed(problem: Problem, epsilon: Fraction, *, is_strict: bool) -> int:
    """0 where one hypothesis approximates all; else 1, the least that more can mean."""
    numerators, denominator = exact(problem)
    goal = (1 - epsilon) * denominator
    serves = numerators > goal if is_strict else numerators >= goal
    return 0 if serves.all(axis=1).any() else 1


def draw_class(rng: Generator, *, share: float = 0.5) -> AtScale:
    """Parities, so often, or other hypotheses."""
    return parity_class(rng) if rng.random() < share else hypotheses(rng)


def all_parities() -> Iterator[AtScale]:
    """All parities of 4 and 6 bits, and with them a bent function: it correlates with each of them a little."""
    for n_bits in (4, 6):
        bits = (np.arange(2**n_bits)[:, None] >> np.arange(n_bits)) & 1
        parity = hadamard(2**n_bits)
        bent = (-1) ** (bits[:, ::2] * bits[:, 1::2]).sum(axis=1)
        for signs, name in ((parity, ""), (np.vstack([parity, bent]), " and a bent function")):
            whole = f"the {2**n_bits} parities of {n_bits} bits{name}, eps=1/8"
            yield AtScale(whole, from_hypotheses(signs), Fraction(1), Fraction(1, 8))


def antipodes() -> Iterator[AtScale]:
    """A hypothesis and its negation."""
    for epsilon in (Fraction(1, 4), Fraction(1, 12)):
        problem = from_hypotheses([[1, 1], [-1, -1]])
        yield AtScale(f"{{h, -h}}, eps={epsilon}", problem, Fraction(1), epsilon)
