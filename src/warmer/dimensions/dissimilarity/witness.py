"""Sequences that prove a dissimilarity dimension, and their checkers, which share no code with the search."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from warmer.dimensions import latex
from warmer.dimensions.bracket import brief, check_epsilon, check_flag, check_number, check_places, is_at_most, shown
from warmer.model import Array, Problem
from warmer.model.checks import SLACK, at_most
from warmer.model.errors import CertificateError

Number = Fraction | float


@dataclass(frozen=True)
class DissimilarityWitness:
    r"""Alternatives $z_1,\dots,z_d$ with a center, as the definition of the dissimilarity dimension asks for.

    `targets` and `queries` are indices; the same ones in a square problem, functions and actions of a bandit table. For
    the monotone dimension `epsilon` is the $\epsilon'\ge\epsilon$ at which the sequence is feasible. If `is_two_sided`,
    every pair $i\ne j$ is constrained, not only $i<j$.

    Examples
    --------
    >>> square = Problem.from_similarity([[1, 0], [0, 1]])
    >>> witness = DissimilarityWitness((0, 1), (0, 1), center=Fraction(0), alpha=Fraction(1), epsilon=Fraction(1))
    >>> round(witness.check(square), 6)
    0.707107
    """

    targets: tuple[int, ...]
    queries: tuple[int, ...]
    center: Number
    alpha: Number
    epsilon: Number
    is_two_sided: bool = False

    __repr__ = brief

    def __len__(self) -> int:
        return len(self.targets)

    def subsequence(self, places: Sequence[int]) -> "DissimilarityWitness":
        """The elements at these places, in the witness's order: again a witness, since the tolerance only grows."""
        kept = sorted(set(places))
        targets, queries = (tuple(sequence[place] for place in kept) for sequence in (self.targets, self.queries))
        return replace(self, targets=targets, queries=queries)

    def to_latex(self, problem: Problem | None = None) -> str:
        r"""The sequence and what is true of it, as a formula without its dollar signs; with the labels of a problem.

        Examples
        --------
        >>> print(DissimilarityWitness((0,), (0,), center=Fraction(0), alpha=1, epsilon=1).to_latex())
        (0),\quad \rho(z_i\mid z_i)\ge 1,\quad |\rho(z_i\mid z_j)-0|\le1/\sqrt{1}\ (i<j),\quad 0\le 1-1
        """
        alpha, epsilon, center = (latex.number(each) for each in (self.alpha, self.epsilon, self.center))
        queries, held = latex.labels(self.queries, latex.of_queries(problem)), r"i\ne j" if self.is_two_sided else "i<j"
        return latex.described(
            latex.pairs(queries, latex.labels(self.targets, latex.of_targets(problem))),
            rf"\rho(z_i\mid z_i)\ge {alpha}",
            rf"|\rho(z_i\mid z_j)-{center}|\le{epsilon}/\sqrt{{{len(self)}}}\ ({held})",
            rf"{center}\le {alpha}-{epsilon}",
        )

    def check(self, problem: Problem) -> float:
        r"""Re-read the definition; return the margin $\epsilon/\sqrt d-\max|\rho(z_i|z_j)-c|$ of the worst pair.

        In a rational table every comparison is exact, and the margin alone is rounded. Raises `CertificateError`
        naming what fails.
        """
        read = self._read(problem)
        if len(read.targets) != len(read.queries):
            raise CertificateError(
                f"a witness needs a query for each target, got {len(read.queries)} for {len(read.targets)}."
            )
        for query in read.queries:
            if problem.is_allowed is not None and not problem.is_allowed[query]:
                raise CertificateError(f"query {problem.queries[query]!r} is forbidden.")
        return _check_definition(read, problem)

    def _read(self, problem: Problem) -> "DissimilarityWitness":
        """The same with plain places, and with its numbers in the problem's arithmetic."""
        check_flag("is_two_sided", self.is_two_sided)
        return replace(
            self,
            queries=check_places("query", self.queries, problem.n_queries),
            targets=check_places("target", self.targets, problem.n_targets),
            center=check_number("center", self.center, problem),
            alpha=check_number("alpha", self.alpha, problem),
            epsilon=check_epsilon(self, problem),
        )


def _check_definition(witness: DissimilarityWitness, problem: Problem) -> float:
    alpha, epsilon, center = witness.alpha, witness.epsilon, witness.center
    for query, target in _elements(witness, problem):
        if not is_at_most(alpha, problem.entry(query, target), problem):
            raise CertificateError(
                f"query {problem.queries[query]!r} must earn at least alpha = {shown(alpha)} if "
                f"target {problem.targets[target]!r} is the truth, but earns {problem.rho[query, target]}."
            )
    if not is_at_most(center, alpha - epsilon, problem):
        raise CertificateError(
            f"the center must be at most alpha - epsilon = {shown(alpha - epsilon)}, got {shown(center)}."
        )
    tolerance, worst = float(epsilon) / math.sqrt(max(1, len(witness))), 0.0
    for query, target in _pairs(witness):
        distance = abs(problem.entry(query, target) - center)
        is_near = at_most(distance, tolerance, problem.slack)
        if not (is_near if problem.rational is None else distance**2 * len(witness) <= epsilon**2):
            raise CertificateError(
                f"the entry of query {problem.queries[query]!r} and target {problem.targets[target]!r} is "
                f"{problem.rho[query, target]}, farther than {shown(epsilon)}/sqrt({len(witness)}) "
                f"from the center {shown(center)}."
            )
        worst = max(worst, float(distance))
    return tolerance - worst


def _elements(witness: DissimilarityWitness, problem: Problem) -> list[tuple[int, int]]:
    elements = list(zip(witness.queries, witness.targets, strict=True))
    for place, (query, target) in enumerate(elements):
        if (query, target) in elements[:place]:
            raise CertificateError(
                f"query {problem.queries[query]!r} with target {problem.targets[target]!r} is twice in the sequence."
            )
        if problem.is_square and query != target:
            raise CertificateError(
                f"in a square problem an alternative is its own query, "
                f"got query {problem.queries[query]!r} with target {problem.targets[target]!r}."
            )
    return elements


def _pairs(witness: DissimilarityWitness) -> list[tuple[int, int]]:
    """The query and the target of each pair that the definition constrains."""
    ordered = list(combinations(range(len(witness)), 2))
    if witness.is_two_sided:
        ordered += [(j, i) for i, j in ordered]
    return [(witness.queries[i], witness.targets[j]) for i, j in ordered]


@dataclass(frozen=True, eq=False)
class VectorWitness:
    r"""Parameters $\theta_i$ and actions $a_i$ in the unit ball whose products are a dissimilar sequence.

    On the sphere both are the same unit vectors. `problem` is the finite table of the sequence, entry (i, j) being
    $\langle a_i,\theta_j\rangle$, and `sequence` its witness.
    """

    parameters: Array
    actions: Array
    sequence: DissimilarityWitness

    __repr__ = brief

    def __len__(self) -> int:
        return len(self.parameters)

    @property
    def problem(self) -> Problem:
        """The square problem of these alternatives alone."""
        return Problem.from_similarity(np.clip(self.actions @ self.parameters.T, -1.0, 1.0))

    def to_latex(self, problem: Problem | None = None) -> str:
        """The sequence of the vectors, by their numbers, and what is true of it, as for `DissimilarityWitness`."""
        return self.sequence.to_latex(problem)

    def check(self, problem: Problem | None = None) -> float:
        """Check the norms and the sequence, in this witness's own problem or another; return the margin."""
        if _check_vectors("parameter", self.parameters) != _check_vectors("action", self.actions):
            raise CertificateError("a witness needs as many actions as parameters, with the same coordinates.")
        if not isinstance(self.sequence, DissimilarityWitness):
            raise CertificateError(f"vectors need a DissimilarityWitness as their sequence, got {self.sequence!r}.")
        margin = self.sequence.check(self.problem if problem is None else problem)
        if len(self.sequence) != len(self):
            raise CertificateError(f"the sequence must use all {len(self)} vectors, it uses {len(self.sequence)}.")
        return margin


def _check_vectors(name: str, vectors: Any) -> tuple[int, ...]:
    """The shape of a list of vectors in the unit ball, or `CertificateError` naming one that is not."""
    if not isinstance(vectors, np.ndarray) or vectors.ndim != 2 or not vectors.size or vectors.dtype.kind not in "fiu":
        raise CertificateError(f"{name}s must be a table of real numbers, a row for each vector.")
    for place, vector in enumerate(vectors.tolist()):
        length = math.hypot(*vector)
        if not length <= 1 + SLACK:
            raise CertificateError(f"{name} number {place} has length {length:.9g}, above 1.")
    return tuple(vectors.shape)
