r"""Which values a sequence of a given length may have: the definition's arithmetic, exact or in floats.

For $d\ge2$ a sequence whose forward values lie in $[m,M]$ is feasible at $\epsilon$ iff
$\sqrt d\,(M-m)\le2\epsilon$ and $\sqrt d\,(M-\alpha+\epsilon)\le\epsilon$; it is feasible at some
$\epsilon'\ge\epsilon$ iff the second holds and $(\sqrt d-1)(M-m)\le2(\alpha-M)$ (facts N1 and N2).
Either way, for each top value $M$ there is one lowest value $m$: a window.
"""

import math
from abc import ABC, abstractmethod
from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.dimensions.dissimilarity.witness import DissimilarityWitness, Number
from warmer.model import Problem

Values = npt.NDArray[Any]


class Tolerance(ABC):
    """The windows of a sequence of length d >= 2 at one alpha and epsilon.

    Values are sorted arrays of table entries: numerators in an exact table, else floats.
    """

    @abstractmethod
    def n_tops(self, values: Values, length: int) -> int:
        """How many of the sorted values may be the largest of a sequence of this length."""

    @abstractmethod
    def widths(self, tops: Values, length: int) -> Values:
        """For each top value, how far below it the window of a sequence of this length reaches."""

    def bottom(self, values: Values, top: int, length: int) -> int:
        """The place of the lowest value in the window whose top is the value at place `top`."""
        ceiling = values[top : top + 1]
        return int(np.searchsorted(values, (ceiling - self.widths(ceiling, length))[0], side="left"))

    def is_feasible(self, bottom: Any, top: Any, length: int) -> bool:
        """Whether a sequence of this length may have its values in [bottom, top]."""
        ends = np.array([bottom, top], dtype=object if isinstance(bottom, int) else None)  # Python's never overflow
        return self.n_tops(ends[1:], length) == 1 and bool(bottom >= top - self.widths(ends[1:], length)[0])


@dataclass(frozen=True)
class ExactTolerance(Tolerance):
    r"""Whole numerators over a denominator; $\sqrt d$ is compared by squaring."""

    alpha: Fraction
    epsilon: Fraction
    denominator: int
    is_monotone: bool

    def n_tops(self, values: Values, length: int) -> int:
        """How many of the sorted values may be the largest of a sequence of this length."""
        low, spread = self._units(self.alpha - self.epsilon), self._units(self.epsilon)

        def is_too_high(value: Any) -> bool:
            excess = int(value) - low
            return excess > 0 and length * excess**2 > spread**2

        return bisect_right(values, False, key=is_too_high)

    def widths(self, tops: Values, length: int) -> Values:
        """For each top value, how far below it the window of a sequence of this length reaches."""
        if not self.is_monotone:
            width = math.isqrt(math.floor(4 * self._units(self.epsilon) ** 2 / length))
            return as_steps([width] * len(tops), tops)
        # the largest whole D with (sqrt d - 1) D <= x, that is D <= (x + sqrt(d x^2)) / (d - 1), x = 2(alpha - M)
        double = 2 * self._units(self.alpha)
        numerator, over = double.numerator, double.denominator
        gaps = [numerator - 2 * over * int(top) for top in tops]
        widths = [(gap + math.isqrt(length * gap * gap)) // (over * (length - 1)) for gap in gaps]
        return as_steps(widths, tops)

    def number(self, value: Any) -> Fraction:
        """The number that a value of the table stands for."""
        return Fraction(int(value), self.denominator)

    def certificate(self, bottom: Any, top: Any, length: int) -> tuple[Number, Number]:
        """A center and the epsilon at which values in [bottom, top] are feasible; they must be."""
        low, high = self.number(bottom), self.number(top)
        epsilon = self._epsilon_for(low, high, length)
        return min(self.alpha - epsilon, (low + high) / 2), epsilon

    def _epsilon_for(self, low: Fraction, high: Fraction, length: int) -> Fraction:
        """The given epsilon, or the simplest decimal above it that the values allow."""
        least = length * ((high - low) / 2) ** 2  # epsilon >= sqrt(least)
        if self.epsilon**2 >= least:
            return self.epsilon
        root = Fraction(math.isqrt(least.numerator * least.denominator), least.denominator)
        if root**2 == least:
            return root
        for digits in count():  # the epsilons allowed form an interval with two irrational ends
            epsilon = Fraction(math.isqrt(math.floor(least * 100**digits)) + 1, 10**digits)
            excess = high - self.alpha + epsilon
            if excess <= 0 or length * excess**2 <= epsilon**2:
                return epsilon
        raise AssertionError

    def _units(self, number: Fraction) -> Fraction:
        return number * self.denominator


@dataclass(frozen=True)
class FloatTolerance(Tolerance):
    """Floats, compared with the one relative slack of `model.checks`."""

    alpha: float
    epsilon: float
    slack: float
    is_monotone: bool

    def n_tops(self, values: Values, length: int) -> int:
        """How many of the sorted values may be the largest of a sequence of this length."""
        highest = self.alpha - self.epsilon + self._tolerance(length)
        return int(np.searchsorted(values, highest, side="right"))

    def widths(self, tops: Values, length: int) -> Values:
        """For each top value, how far below it the window of a sequence of this length reaches."""
        if not self.is_monotone:
            return np.full(len(tops), 2 * self._tolerance(length))
        highest = np.maximum(self.epsilon, self._highest(tops, length))
        return np.asarray(2 * (highest / math.sqrt(length) + self._slack(length)))

    def number(self, value: Any) -> float:
        """The number that a value of the table stands for."""
        return float(value)

    def certificate(self, bottom: Any, top: Any, length: int) -> tuple[Number, Number]:
        """A center and the epsilon at which values in [bottom, top] are feasible; they must be."""
        low, high, root = float(bottom), float(top), math.sqrt(length)
        epsilon = self.epsilon
        if self.is_monotone:
            epsilon = max(epsilon, min(root * (high - low) / 2, self._highest(high, length)))
        return min(self.alpha - epsilon, (low + high) / 2), epsilon

    def _highest(self, top: Any, length: int) -> Any:
        """The largest epsilon that allows this top value."""
        root = math.sqrt(length)
        return (self.alpha - top + self._slack(length)) * root / (root - 1)

    def _tolerance(self, length: int) -> float:
        return self.epsilon / math.sqrt(length) + self._slack(length)

    def _slack(self, length: int) -> float:
        return self.slack * max(1.0, self.epsilon / math.sqrt(length))


def make_tolerance(
    problem: Problem, alpha: Fraction, epsilon: Fraction, *, is_monotone: bool
) -> ExactTolerance | FloatTolerance:
    """The arithmetic of the definition on this table: exact where the table is."""
    if problem.rational is None:
        return FloatTolerance(float(alpha), float(epsilon), problem.slack, is_monotone)
    return ExactTolerance(alpha, epsilon, problem.rational.denominator, is_monotone)


def make_witness(
    tolerance: ExactTolerance | FloatTolerance,
    targets: tuple[int, ...],
    queries: tuple[int, ...],
    bottom: Any,
    top: Any,
    *,
    is_two_sided: bool = False,
) -> DissimilarityWitness:
    """A sequence whose values lie in [bottom, top], with a center; one alternative has no values."""
    center: Number = tolerance.alpha - tolerance.epsilon
    epsilon: Number = tolerance.epsilon
    if len(targets) > 1:
        center, epsilon = tolerance.certificate(bottom, top, len(targets))
    return DissimilarityWitness(targets, queries, center, tolerance.alpha, epsilon, is_two_sided)


def as_steps(widths: list[int], tops: Values) -> Values:
    """Widths in the dtype of the values; what exceeds every whole table is cut, so that no difference overflows."""
    if tops.dtype == object:
        return np.array(widths, dtype=object)
    return np.array([min(width, 1 << 62) for width in widths], dtype=np.int64)
