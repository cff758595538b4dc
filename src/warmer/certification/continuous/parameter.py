"""What answers say about the parameter of a linear class, whatever its queries are."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.certification.continuous.deviations import deviations
from warmer.certification.continuous.ellipsoids import Minimiser, Moments, Scales
from warmer.families import kernels
from warmer.model import Array

__all__ = ["ParameterModel"]


@dataclass(frozen=True, eq=False)
class ParameterModel(ABC):
    """The evidence about the parameter of a linear class (docs/evidence.md, Linear classes)."""

    family: Any
    noise: Any
    delta: float

    def __post_init__(self) -> None:
        _ = self.sigmas  # raises for noise that cannot be

    @cached_property
    def sigmas(self) -> Array:
        """The deviation of each query's answers, or of all of them."""
        return deviations(self.noise, self.family)

    @cached_property
    def scales(self) -> Scales:
        """The evidence."""
        return Scales(self.design)

    @property
    @abstractmethod
    def design(self) -> Array:
        """What an answer is worth under a good design."""

    @abstractmethod
    def vector(self, query: Any) -> tuple[Array, float]:
        """The vector that a query multiplies the parameter with, and the deviation of its answers."""

    @property
    def norm(self) -> float:
        """No parameter is longer."""
        return float(self.family.norm)

    def start(self) -> Moments:
        """Nothing observed."""
        return Moments(np.zeros((self.family.n, self.family.n)), np.zeros(self.family.n))

    def update(self, data: Moments, query: Any, reward: float, count: int = 1) -> Moments:
        """One more answer, in the memory of the given data."""
        vector, sigma = self.vector(query)
        weighted = vector * (count / sigma**2)
        data.gram[...] += np.multiply.outer(weighted, vector)
        data.sums[...] += weighted * reward
        return data

    def imagined(self, data: Moments, pending: Sequence[Any]) -> Moments:
        """Pending queries are answered as the likeliest parameter expects."""
        theta, after = self.estimate(data), Moments(data.gram.copy(), data.sums.copy())
        for query in pending:
            self.update(after, query, float(self.vector(query)[0] @ theta))
        return after

    def is_refuted(self, data: Moments) -> bool:
        """Whether every parameter of the class is ruled out.

        While the likeliest one is shorter than the norm, all residuals are balanced there, and there is no evidence
        against it.
        """
        if np.linalg.norm(self.estimate(data)) < (1 - 1e-6) * self.norm:
            return False
        return self.rules_out(data, self.likeliest)

    def rules_out(self, data: Moments, minimiser: Minimiser) -> bool:
        """Whether all parameters of a set are ruled out."""
        return self.scales.quadratics(data).rule_out(minimiser, -math.log(self.delta), minimiser(*data))

    def estimate(self, data: Moments) -> Array:
        """The likeliest parameter of the class."""
        return self.likeliest(*data)

    def likeliest(self, gram: Array, sums: Array) -> Array:
        """The minimiser of a quadratic over the class."""
        return np.asarray(kernels.quadratic.ball_minimum(gram, sums, self.norm)[0])

    def leader(self, data: Moments) -> Any:
        """The best query of the likeliest parameter."""
        return self.family.best_query(self.estimate(data))

    def bounds(self, data: Moments, directions: Array) -> tuple[Array, Array]:
        """Where the inner products of the parameter with some vectors (rows) lie."""
        both = np.concatenate([-directions, directions])
        tops = self.scales.quadratics(data).largest(both, -math.log(self.delta), self.norm)
        return -tops[: len(directions)], tops[len(directions) :]

    def precision(self, data: Moments) -> Array:
        """W with as much as the norm says of the parameter before the first answer; for choosing alone."""
        return np.asarray(data.gram + self.family.n / self.norm**2 * np.eye(self.family.n))
