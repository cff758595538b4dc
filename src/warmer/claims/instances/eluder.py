"""Bandits for the comparison with the eluder dimension, and for unions."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from warmer.claims.instances.kinds import AtScale, Generator, Instance, exact
from warmer.claims.instances.tables import any_table
from warmer.model import Problem
from warmer.problems import needle, separation


@dataclass(frozen=True, eq=False)
class Bumps(Instance):
    """The separation class with so many bumps."""

    problem: Problem
    bumps: int


@dataclass(frozen=True, eq=False)
class Halves(AtScale):
    """A table in two parts, by the places of their targets."""

    halves: list[list[int]]


def close_functions() -> Iterator[AtScale]:
    """Classes whose eluder dimension is 0."""
    one = Problem.from_table([[1], [Fraction(1, 2)]])
    yield AtScale("one function", one, Fraction(1), Fraction(1, 2))
    half = Fraction(1, 2)
    two = Problem.from_table([[Fraction(1), half], [half, Fraction(1)]])
    yield AtScale("functions (1, 1/2) and (1/2, 1)", two, Fraction(1), half)


def needles() -> Iterator[AtScale]:
    """One function for each arm."""
    for n in (10, 14, 19, 28):
        yield AtScale(f"a needle in {n} arms", needle(n), Fraction(1), Fraction(1, 2))


def draw_long(rng: Generator) -> AtScale:
    """Functions that are large at their own action and nearly constant elsewhere: long dissimilar sequences."""
    n = int(rng.integers(10, 21))
    table = rng.integers(0, 2, (n, n))
    np.fill_diagonal(table, 8)
    epsilon = Fraction(int(rng.integers(4, 9)), 8)
    problem = Problem.from_table(table, denominator=8)
    return AtScale(f"{n} functions with a peak each, eps={epsilon}", problem, Fraction(1), epsilon)


def separations(*n_bumps: int) -> Iterator[Bumps]:
    """The separation class on 12 points."""
    for bumps in n_bumps:
        yield Bumps(f"12 points of the circle, N={bumps}, eps=1/4", separation(bumps), bumps)


def draw_union(rng: Generator) -> Halves:
    """A table cut in two, the parts at times overlapping."""
    while True:
        instance = any_table(rng)
        n = instance.problem.n_targets
        if n >= 2:
            break
    cut, overlap = int(rng.integers(1, n)), int(rng.integers(0, 2))
    halves = [list(range(min(n, cut + overlap))), list(range(cut, n))]
    return Halves(f"{instance.name}, cut at {cut}", instance.problem, instance.alpha, instance.epsilon, halves)


def part(problem: Problem, places: list[int]) -> Problem:
    """The targets at these places."""
    numerators, denominator = exact(problem)
    if problem.is_square:
        return Problem.from_similarity(numerators[np.ix_(places, places)], denominator=denominator)
    return Problem.from_table(numerators[:, places], denominator=denominator)
