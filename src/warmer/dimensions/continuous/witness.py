"""Vectors whose inner products are a dissimilar sequence, and their checker."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.dimensions.bracket import brief
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness
from warmer.model import Array, Problem
from warmer.model.checks import SLACK
from warmer.model.errors import CertificateError


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
