"""A class in which one hypothesis approximates all the others, exactly at the edge of what that may mean."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from warmer.claims.instances import AtScale
from warmer.model import Problem
from warmer.problems import from_hypotheses

__all__ = ["flips", "n_queries_needed"]


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
    assert problem.rational is not None
    numerators, denominator = problem.rational
    goal = (1 - epsilon) * denominator
    serves = numerators > goal if is_strict else numerators >= goal
    return 0 if serves.all(axis=1).any() else 1
