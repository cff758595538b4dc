"""Finite games between a distribution over queries and a distribution over targets, and certificates of their value.

Either side's distribution proves one end, by a sum that anyone can repeat, so the solver need not be trusted.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from warmer.bounds.games import max_min_proportions
from warmer.dimensions.bracket import brief
from warmer.model import Array, Problem
from warmer.model.checks import SLACK, at_most, check_finite
from warmer.model.errors import CertificateError, InvalidValueError
from warmer.model.time_limit import Clock, OutOfTime

TOLERANCE = 1e-7
"""How far apart the two ends of a solved game may be: the solver's own tolerance."""

_LEAST_SECONDS = 1e-3  # seconds that a linear program may run at least
_READING = 1e-7  # seconds that it takes to read an entry, whatever its time limit is


@dataclass(frozen=True, eq=False, repr=False)
class Value:
    """The value of a game between two proven ends."""

    lower: float
    upper: float

    @property
    def value(self) -> float:
        """The value, up to the solver's tolerance: the middle of its proven ends."""
        return (self.lower + self.upper) / 2

    @property
    def is_exact(self) -> bool:
        """Whether every program was solved."""
        return self.upper - self.lower <= TOLERANCE * max(1.0, self.upper)

    def __repr__(self) -> str:
        return brief(self)


class Game(NamedTuple):
    """Optimal mixtures of the columns (who pays) and of the rows (who is paid)."""

    columns: Array
    rows: Array


def even(losses: Array) -> Game:
    """What is known without a program: mix the columns that are the best answer to some row, and all rows."""
    n_rows, n_columns = losses.shape
    answers = np.bincount(losses.argmin(axis=1), minlength=n_columns) > 0
    return Game(answers / answers.sum(), np.full(n_rows, 1 / n_rows))


def solve(losses: Array, clock: Clock) -> Game:
    """A finite game: the columns' player minimises the largest expected loss over the rows; or raise `OutOfTime`."""
    clock.check()
    if clock.left is not None and clock.left < losses.size * _READING:
        raise OutOfTime
    seconds = None if clock.left is None else max(clock.left, _LEAST_SECONDS)
    try:
        return Game(*max_min_proportions(-losses.T, seconds=seconds))
    except TimeoutError as error:
        raise OutOfTime from error


def check_ends(lower: Any, upper: Any) -> tuple[float, float]:
    """Two numbers in order."""
    ends = check_float("lower", lower), check_float("upper", upper)
    if not at_most(*ends):
        raise CertificateError(f"the lower end must not be above the upper one, got {ends[0]:.6g} and {ends[1]:.6g}.")
    return ends


def check_float(name: str, value: Any) -> float:
    """A number of a certificate."""
    try:
        return check_finite(name, value)
    except InvalidValueError as error:
        raise CertificateError(f"in a certificate {error}") from error


def check_rows(distributions: Any, problem: Problem) -> list[Array]:
    """A distribution over the queries that may be asked for each reference."""
    rows = _as_floats(distributions)
    if rows.ndim != 2 or len(rows) != problem.n_targets:
        raise CertificateError(f"the certificate needs a distribution for each of {problem.n_targets} references.")
    names = (f"the distribution for reference {name!r}" for name in problem.targets)
    return [check_queries(name, row, problem) for name, row in zip(names, rows, strict=True)]


def check_queries(name: str, weights: Any, problem: Problem) -> Array:
    """A distribution over the queries that may be asked."""
    checked = check_distribution(name, weights, problem.n_queries)
    for query in np.setdiff1d(np.flatnonzero(checked), problem.legal_queries):
        raise CertificateError(f"{name} gives weight to query {problem.queries[int(query)]!r}, which is forbidden.")
    return checked


def check_distribution(name: str, weights: Any, length: int) -> Array:
    """Weights of at least 0 that add up to 1."""
    checked = _as_floats(weights)
    # written so that NaN fails
    if not (checked.shape == (length,) and (checked >= 0).all() and abs(checked.sum() - 1) <= SLACK):
        raise CertificateError(f"{name} must be {length} weights of at least 0 that add up to 1.")
    return checked


def _as_floats(numbers: Any) -> Array:
    """An array of floats; an empty one where these are none."""
    try:
        return np.asarray(numbers, dtype=float)
    except (OverflowError, TypeError, ValueError):
        return np.empty(0)
