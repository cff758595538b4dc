"""Random small problems for the dimension tests; entries on a coarse grid, so that boundary cases are common."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from warmer.model import Problem


class Instance(NamedTuple):
    """A problem beside the plain nested lists and numbers it was made of."""

    problem: Problem
    rho: list[list[Any]]
    alpha: Any
    epsilon: Any

    @property
    def slack(self) -> float:
        return 0 if self.problem.rational else self.problem.slack


def random_instance(rng: np.random.Generator, kind: str, *, is_exact: bool, largest: int = 6) -> Instance:
    """A symmetric, asymmetric or bandit problem with an alpha and an epsilon on its grid."""
    over = int(rng.choice([2, 3, 4, 8]))
    numerators = _numerators(rng, kind, over, largest)
    alpha, epsilon = Fraction(int(rng.integers(0, over + 1)), over), Fraction(int(rng.integers(1, 5 * over)), 2 * over)
    rows = [[Fraction(int(entry), over) for entry in row] for row in numerators]
    if is_exact:
        table = np.array(rows, dtype=object)
        return Instance(_problem(table, kind), rows, alpha, epsilon)
    floats = [[float(entry) for entry in row] for row in rows]
    return Instance(_problem(np.array(floats), kind), floats, float(alpha), float(epsilon))


def _numerators(rng: np.random.Generator, kind: str, over: int, largest: int) -> Any:
    if kind == "bandit":
        return rng.integers(-over, over + 1, tuple(rng.integers(1, largest - 1, 2)))
    size = int(rng.integers(1, largest + 1))
    numerators = rng.integers(-over, over + 1, (size, size))
    if kind == "symmetric":
        numerators = np.triu(numerators) + np.triu(numerators, 1).T
    np.fill_diagonal(numerators, np.maximum(numerators.diagonal(), rng.integers(-1, over + 1, size)))
    return numerators


def _problem(table: Any, kind: str) -> Problem:
    return Problem.from_table(table) if kind == "bandit" else Problem.from_similarity(table)
