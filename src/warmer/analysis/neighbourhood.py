"""Which targets are hard to tell apart: those that predict nearly the same."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from warmer.model import Array, Label, Problem

_MOST_TARGETS = 2_000
"""How many targets are paired; of more, evenly spaced ones."""
_MOST_DIFFERENCES = 400_000_000
"""How many differences of two predictions are looked at, in about a second; of more, fewer targets."""


class Pair(NamedTuple):
    """Two targets, the most that their predictions differ by, and the query where they do."""

    first: Label
    second: Label
    distance: float
    query: Label


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The closest pairs of targets, and all distances between them."""

    labels: tuple[Label, ...]
    """The targets that were paired."""
    distances: Array
    n_targets: int
    """How many there are."""
    pairs: tuple[Pair, ...]
    """The closest, the closest first."""


def neighbours(problem: Problem, *, n_pairs: int = 10) -> Neighbours:
    r"""The pairs of targets with the least $\psi(z_1,z_2)=\sup_z|\rho(z|z_1)-\rho(z|z_2)|$.

    Examples
    --------
    >>> weather = Problem.from_table([[0.0, 0.125, 1.0]], queries=["dial"], targets=["rain", "hail", "sun"])
    >>> neighbours(weather, n_pairs=1).pairs
    (Pair(first='rain', second='hail', distance=0.125, query='dial'),)
    """
    most = min(_MOST_TARGETS, max(2, math.isqrt(_MOST_DIFFERENCES // problem.n_queries)))
    step = -(-problem.n_targets // most)
    chosen = np.arange(0, problem.n_targets, step)
    legal = problem.legal_queries
    rho = np.asarray(problem.rho[np.ix_(legal, chosen)], dtype=float)
    distances = scipy.spatial.distance.cdist(rho.T, rho.T, "chebyshev")
    first, second = np.triu_indices(chosen.size, 1)
    nearest = np.argsort(distances[first, second], kind="stable")[:n_pairs]
    pairs = []
    for i, j in zip(first[nearest].tolist(), second[nearest].tolist(), strict=True):
        query = int(legal[np.abs(rho[:, i] - rho[:, j]).argmax()])
        left, right = (problem.targets[int(chosen[k])] for k in (i, j))
        pairs.append(Pair(left, right, float(distances[i, j]), problem.queries[query]))
    return Neighbours(tuple(problem.targets[int(k)] for k in chosen), distances, problem.n_targets, tuple(pairs))
