"""Hypotheses with nearly equal correlations, and their checker, which shares no code with the search."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from warmer.dimensions.bracket import brief, check_epsilon, check_flag, check_places, is_at_most
from warmer.model import Problem
from warmer.model.errors import CertificateError


@dataclass(frozen=True)
class StrongSQWitness:
    r"""Targets $h_1,\dots,h_d$ with $|\langle h_i,h_j\rangle|\le1-\epsilon$, all within $1/d$ of each other.

    With `absolute=False` the first condition has no absolute value, as the repaired proposition needs.

    Examples
    --------
    >>> parities = Problem.from_similarity([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> StrongSQWitness((0, 1, 2), epsilon=0.5).check(parities)
    0.3333333333333333
    """

    targets: Sequence[int]
    epsilon: Any
    absolute: bool = True

    __repr__ = brief

    def __len__(self) -> int:
        return len(self.targets)

    def check(self, problem: Problem) -> float:
        r"""Re-read Definition 4; return the margin of both conditions, or raise `CertificateError`."""
        if not problem.is_square:
            raise CertificateError("the strong SQ dimension needs a square problem; here queries and targets differ.")
        check_flag("absolute", self.absolute)
        targets = check_places("target", self.targets, problem.n_targets)
        length = len(targets)
        pairs = list(combinations(targets, 2))
        values = [problem.entry(i, j) for i, j in pairs]
        exact = problem.rational is not None
        highest: Any = 1 - check_epsilon(self, problem)
        for (i, j), value in zip(pairs, values, strict=True):
            names = f"{problem.targets[i]!r} and {problem.targets[j]!r}"
            if i == j:
                raise CertificateError(f"target {problem.targets[i]!r} appears twice in the sequence.")
            if not is_at_most(abs(value) if self.absolute else value, highest, problem):
                raise CertificateError(
                    f"targets {names} have correlation {float(value):.6g}, beyond 1 - epsilon = {float(highest):.6g}."
                )
            if not abs(value - problem.entry(j, i)) <= (0 if exact else problem.slack):
                raise CertificateError(f"the table is not symmetric for targets {names}.")
        worst = max((abs(value) if self.absolute else value for value in values), default=-math.inf)
        if len(values) < 2:
            return float(highest - worst)
        low, high = min(values), max(values)
        if not is_at_most(high - low, Fraction(1, length) if exact else 1 / length, problem):
            (i, j), (k, m) = pairs[values.index(low)], pairs[values.index(high)]
            raise CertificateError(
                f"targets {problem.targets[i]!r} and {problem.targets[j]!r} have correlation {float(low):.6g}, "
                f"targets {problem.targets[k]!r} and {problem.targets[m]!r} {float(high):.6g}: "
                f"more than 1/{length} apart."
            )
        return min(float(highest - worst), 1 / length - float(high - low))
