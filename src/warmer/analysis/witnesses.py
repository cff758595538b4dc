"""What a witness looks like: the values that the definition constrains."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from warmer.dimensions import DissimilarityWitness
from warmer.model import Array, Label, Problem


@dataclass(frozen=True, eq=False)
class WitnessValues:
    r"""The numbers of Figure 1: self-evaluations of at least $\alpha$, forward values near $c\le\alpha-\epsilon$."""

    queries: tuple[Label, ...]
    targets: tuple[Label, ...]
    self_evaluations: Array
    forward: Array
    center: float
    tolerance: float
    alpha: float
    epsilon: float


def witness_values(problem: Problem, witness: DissimilarityWitness) -> WitnessValues:
    r"""The $d$ self-evaluations and the $d(d-1)/2$ forward values $\rho(z_i|z_j)$, $i<j$, of a witness.

    Examples
    --------
    >>> square = Problem.from_similarity([[1, 0], [0.5, 1]])
    >>> values = witness_values(square, DissimilarityWitness((0, 1), (0, 1), center=0.0, alpha=1.0, epsilon=1.0))
    >>> values.self_evaluations.tolist(), values.forward.tolist(), round(values.tolerance, 3)
    ([1.0, 1.0], [0.0], 0.707)
    """
    queries, targets = witness.queries, witness.targets
    pairs = combinations(range(len(witness)), 2)
    return WitnessValues(
        queries=tuple(problem.queries[query] for query in queries),
        targets=tuple(problem.targets[target] for target in targets),
        self_evaluations=np.array([problem.rho[q, z] for q, z in zip(queries, targets, strict=True)], dtype=float),
        forward=np.array([problem.rho[queries[i], targets[j]] for i, j in pairs], dtype=float),
        center=float(witness.center),
        tolerance=float(witness.epsilon) / float(np.sqrt(max(1, len(witness)))),
        alpha=float(witness.alpha),
        epsilon=float(witness.epsilon),
    )
