"""Kinds of instances: each says what its checks need."""

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np

from warmer.dimensions import Bracket, StrongSQWitness, dissimilarity_dimension, strong_sq_dimension
from warmer.model import Array, Numerators, Problem

Generator = np.random.Generator


def exact(problem: Problem) -> Numerators:
    """The whole numbers of a rational table."""
    assert problem.rational is not None
    return problem.rational


@dataclass(frozen=True, eq=False)
class Instance:
    """Where a statement is tried: a line that names it. Kinds of instances add what their checks need."""

    name: str

    @property
    def parts(self) -> dict[str, Any]:
        """Everything but the name, by name."""
        return {part.name: getattr(self, part.name) for part in fields(self) if part.name != "name"}

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Matrix(Instance):
    """A matrix: whole numbers, or the adjacency of a graph."""

    entries: Array


@dataclass(frozen=True, eq=False)
class AtScale(Instance):
    """A table with a level and a scale."""

    problem: Problem
    alpha: Fraction
    epsilon: Fraction

    def dissimilarity(
        self, epsilon: Fraction | None = None, *, monotone: bool = False, time_limit: float | None = None
    ) -> Bracket:
        """Its dissimilarity dimension, at its own epsilon or another."""
        scale = self.epsilon if epsilon is None else epsilon
        return dissimilarity_dimension(
            self.problem, alpha=self.alpha, epsilon=scale, monotone=monotone, time_limit=time_limit
        )

    def strong_sq(self) -> tuple[int, ...]:
        """The targets that prove its strong SQ dimension at twice the scale."""
        found = strong_sq_dimension(self.problem, epsilon=2 * self.epsilon)
        assert isinstance(found.witness, StrongSQWitness)
        assert found.is_exact
        return tuple(found.witness.targets)

    def monotone_dimension(self, epsilon: Fraction | None = None) -> int:
        """Its monotone dissimilarity dimension, exactly."""
        return self.dissimilarity(epsilon, monotone=True).value


@dataclass(frozen=True, eq=False)
class Sized(AtScale):
    """A table of a class that has a size n: coordinates of its vectors, arms, bumps."""

    n: int
