r"""Covers and packings, which prove the two ends of a covering number, and the distance that they speak of."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from warmer.dimensions import kernels
from warmer.dimensions.bracket import brief, check_epsilon, check_places, is_at_most, shown
from warmer.dimensions.dissimilarity.window_table import comparable
from warmer.model import Array, Label, Problem
from warmer.model.errors import CertificateError


def prediction_distance(problem: Problem, first: Label, second: Label) -> Fraction | float:
    r"""The largest difference between what two targets predict: $\psi(z_1,z_2)=\sup_z|\rho(z|z_1)-\rho(z|z_2)|$.

    The supremum is over the queries that may be asked; a fraction where the table is rational.

    Examples
    --------
    >>> weather = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], targets=["rain", "sun"])
    >>> prediction_distance(weather, "rain", "sun")
    0.8
    """
    left, right = problem.targets.position(first), problem.targets.position(second)
    columns = columns_of(problem)
    return _number(problem, abs(columns[left] - columns[right]).max())


@dataclass(frozen=True)
class _Chosen:
    targets: Sequence[int]
    epsilon: Any

    def __len__(self) -> int:
        return len(self.targets)

    def __repr__(self) -> str:
        return brief(self)

    def _members(self, problem: Problem) -> Array:
        return np.array(check_places("target", self.targets, problem.n_targets), dtype=np.intp)


@dataclass(frozen=True, repr=False)
class Cover(_Chosen):
    r"""Targets such that every target is within $\epsilon$ of one: the covering number is at most their count."""

    def check(self, problem: Problem) -> float:
        r"""Return $\epsilon$ minus the largest distance to the cover, or name a target that is left out."""
        epsilon, members = check_epsilon(self, problem), self._members(problem)
        target, found = 0, math.inf
        if members.size:
            target, found = _nearest(kernels.covering.farthest, problem, members)
        away = _number(problem, found) if members.size else math.inf
        if not is_at_most(away, epsilon, problem):
            raise CertificateError(
                f"target {problem.targets[target]!r} is {float(away):.6g} away from the cover, "
                f"more than epsilon = {float(epsilon):.6g}."
            )
        return float(epsilon) - float(away)


@dataclass(frozen=True, repr=False)
class Packing(_Chosen):
    r"""Targets no two of which are within $\epsilon$ of a common one: the covering number is at least their count."""

    def check(self, problem: Problem) -> float:
        r"""Return how far the second nearest member is beyond $\epsilon$, or name a target that is near two."""
        epsilon, members = check_epsilon(self, problem), self._members(problem)
        if members.size < 2:
            return math.inf
        places, found = _nearest(kernels.covering.least_second, problem, members)
        distance = _number(problem, found)
        if is_at_most(distance, epsilon, problem):
            target, first, second = (problem.targets[place] for place in (places[0], *sorted(places[1:])))
            raise CertificateError(f"target {target!r} is within epsilon of both {first!r} and {second!r}.")
        return float(distance) - float(epsilon)


@dataclass(frozen=True)
class CoverAndPacking:
    """Evidence for both ends of a covering number: the cover for the upper, the packing for the lower.

    Where the integer program proved more than the packing shows, the lower end of the bracket says so in its reason.
    """

    cover: Cover
    packing: Packing

    __repr__ = brief

    def check(self, problem: Problem) -> float:
        """Check both, and that they speak of one epsilon; the margin is the smaller one."""
        if not (isinstance(self.cover, Cover) and isinstance(self.packing, Packing)):
            raise CertificateError("both ends of a covering number need a Cover and a Packing.")
        margin = min(self.cover.check(problem), self.packing.check(problem))
        if check_epsilon(self.cover, problem) != check_epsilon(self.packing, problem):
            raise CertificateError(
                f"the cover is about epsilon = {shown(self.cover.epsilon)}, "
                f"the packing about {shown(self.packing.epsilon)}."
            )
        return margin


def columns_of(problem: Problem) -> Array:
    """What each target predicts for each query that may be asked: whole numbers where the table is rational."""
    kind = float if problem.rational is None else None
    return np.ascontiguousarray(comparable(problem)[problem.legal_queries].T, dtype=kind)


def run(kernel: Any, columns: Array, *arguments: Any) -> Any:
    """What a kernel says; numbers that are too large for the machine are compared by Python."""
    return (kernel.py_func if columns.dtype == object else kernel)(columns, *arguments)


def _nearest(kernel: Any, problem: Problem, members: Array) -> Any:
    columns = columns_of(problem)
    return run(kernel, columns, members, np.iinfo(np.int64).max if columns.dtype == np.int64 else math.inf)


def _number(problem: Problem, distance: Any) -> Fraction | float:
    return float(distance) if problem.rational is None else Fraction(int(distance), problem.rational.denominator)
