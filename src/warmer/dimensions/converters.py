r"""The paper's comparisons of dimensions as constructions: a witness of one goes in, a witness of another comes out.

What comes out is checked against the problem before it is returned.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from warmer.bounds.class_dimensions import eluder_length
from warmer.dimensions.bracket import check_epsilon
from warmer.dimensions.dissimilarity.witness import DissimilarityWitness
from warmer.dimensions.eluder.witness import EluderWitness
from warmer.dimensions.stars import StarWitness
from warmer.dimensions.strong_sq import StrongSQWitness, check_symmetric
from warmer.model import Problem
from warmer.model.errors import HypothesisError
from warmer.model.numbers import as_fraction, floor_root

_BLOCK = 5  # alternatives of which the closest two are taken


def eluder_from_dissimilarity(witness: DissimilarityWitness, problem: Problem) -> EluderWitness:
    r"""Turn $d\ge10$ dissimilar alternatives at $\tau$ into independent actions at $2\tau/3$.

    At least $\min\{\lfloor d/5\rfloor,1+\lfloor5d/27\rfloor\}$ of them, one from each block of five alternatives, and
    as many more as come out. The pair that shows the independence of an action is that of the block with the least
    distance on the actions before, and the action is that of the earlier one, which only this one is good at. The
    paper's construction (proof of Theorem 11), of neighbours, gives $\lceil d/9\rceil$. Proved under E6 of the errata.

    Examples
    --------
    >>> n = 19
    >>> needles = Problem.from_similarity([[int(i == j) for j in range(n)] for i in range(n)])
    >>> everyone = DissimilarityWitness(tuple(range(n)), tuple(range(n)), center=0, alpha=1, epsilon=1)
    >>> eluder_from_dissimilarity(everyone, needles).queries
    (0, 5, 10)
    """
    if len(witness) < 10:
        raise HypothesisError(f"the construction needs at least 10 alternatives, got {len(witness)}.")
    length, scale = len(witness), 2 * check_epsilon(witness, problem) / 3
    queries, pairs = list[int](), list[tuple[int, int]]()
    for start in range(0, length - _BLOCK + 1, _BLOCK):
        block = range(start, start + _BLOCK)
        apart = (
            (_distance(problem, queries, witness.targets[p], witness.targets[q]), p, q)
            for p, q in combinations(block, 2)
        )
        distance, first, second = min(apart)
        if distance > scale**2 and len(queries) >= eluder_length(dissimilarity=length):
            break
        queries.append(witness.queries[first])
        pairs.append((witness.targets[first], witness.targets[second]))
    result = EluderWitness(tuple(queries), tuple(pairs), scale)
    result.check(problem)
    return result


def eluder_from_star(witness: StarWitness, problem: Problem) -> EluderWitness:
    r"""Turn a star into as many independent actions, at the same $\epsilon$: what is close on all is so on some.

    A star of signs, without an epsilon, is one at 1. So the eluder dimension is at least the star number.

    Examples
    --------
    >>> singletons = Problem.from_table([[-1, 1, -1], [-1, -1, 1]])
    >>> eluder_from_star(StarWitness((0, 1), (1, 2), 0), singletons)
    EluderWitness(queries=(0, 1), pairs=((0, 1), (0, 2)), epsilon=1)
    """
    witness.check(problem)
    pairs = tuple((witness.reference, target) for target in witness.targets)
    result = EluderWitness(tuple(witness.queries), pairs, 1 if witness.epsilon is None else witness.epsilon)
    result.check(problem)
    return result


def dissimilarity_from_strong_sq(witness: StrongSQWitness, problem: Problem) -> DissimilarityWitness:
    r"""Turn a strong SQ witness of length $d$ into $\min\{d,\lfloor4\epsilon^2d^2\rfloor\}$ dissimilar alternatives.

    They are a prefix, at $\alpha=1$ and the same $\epsilon$, around the middle of the correlations (first half of
    Proposition 8). Where the formula gives 0, a single alternative is returned: it always is a witness.

    Examples
    --------
    >>> parities = Problem.from_similarity([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> dissimilarity_from_strong_sq(StrongSQWitness((0, 1, 2), epsilon=0.5), parities).targets
    (0, 1, 2)
    """
    _check_correlations(problem)
    witness.check(problem)
    epsilon, full = as_fraction(witness.epsilon), len(witness)
    length = max(1, min(full, math.floor(4 * epsilon**2 * full**2)))
    values = [problem.entry(i, j) for n, i in enumerate(witness.targets) for j in witness.targets[n + 1 :]]
    scale = _number(epsilon, problem)
    center = min(1 - scale, (min(values) + max(values)) / 2) if values else 1 - scale
    prefix = tuple(witness.targets[:length])
    result = DissimilarityWitness(prefix, prefix, center, _number(1, problem), scale)
    result.check(problem)
    return result


def strong_sq_from_dissimilarity(
    witness: DissimilarityWitness, problem: Problem, *, absolute: bool = True
) -> StrongSQWitness:
    r"""Turn $d$ dissimilar alternatives at $4\epsilon$ into a strong SQ witness at $\epsilon$.

    Its length is $\min\{d,\lfloor\sqrt d/(8\epsilon)\rfloor\}$.
    It is a prefix, at $\alpha=1$ (second half of Proposition 8). Where the formula gives 0, a single hypothesis is
    returned.

    The absolute value of Definition 4 also forbids correlations below $-(1-\epsilon)$, so with it the construction
    needs $d\ge3$ and a table that is positive semidefinite, as that of hypotheses always is (E2 of the errata). With
    `absolute=False` any symmetric table with everyone's own value 1 will do.

    Examples
    --------
    >>> parities = Problem.from_similarity([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    >>> everyone = DissimilarityWitness((0, 1, 2, 3), (0, 1, 2, 3), center=0, alpha=1, epsilon=Fraction(1, 4))
    >>> strong_sq_from_dissimilarity(everyone, parities)
    StrongSQWitness(targets=(0, 1, 2, 3), epsilon=Fraction(1, 16), absolute=True)
    """
    _check_correlations(problem)
    witness.check(problem)
    if as_fraction(witness.alpha) != 1:
        raise HypothesisError(f"the construction needs alpha = 1, got {witness.alpha}.")
    if absolute and len(witness) == 2:
        raise HypothesisError(
            "the construction needs at least 3 alternatives, got 2, which may be antipodes; "
            "absolute=False drops the absolute value that they break."
        )
    scale = as_fraction(witness.epsilon)
    # sqrt(d)/(8 eps) with eps = scale/4: the largest k with 4 scale^2 k^2 <= d
    length = max(1, min(len(witness), floor_root(Fraction(len(witness)) / (4 * scale**2))))
    if absolute and length > 1:
        _check_gram(witness, problem)
    result = StrongSQWitness(tuple(witness.targets[:length]), _number(scale / 4, problem), absolute)
    result.check(problem)
    return result


def _distance(problem: Problem, queries: Sequence[int], first: int, second: int) -> Any:
    """The squared distance of two functions on some queries."""
    return sum((problem.entry(query, first) - problem.entry(query, second)) ** 2 for query in queries)


def _number(value: Any, problem: Problem) -> Any:
    """A number in the arithmetic of the problem."""
    return as_fraction(value) if problem.rational is not None else float(value)


def _check_correlations(problem: Problem) -> None:
    check_symmetric(problem, "the comparison with the strong SQ dimension")
    others = np.flatnonzero(np.abs(problem.rho.diagonal() - 1.0) > problem.slack)
    if others.size:
        raise HypothesisError(
            "the comparison with the strong SQ dimension is about correlations, where each target's own value is 1; "
            f"that of {problem.targets[int(others[0])]!r} is {problem.rho[others[0], others[0]]}."
        )


def _check_gram(witness: DissimilarityWitness, problem: Problem) -> None:
    """Raise unless the alternatives' table is positive semidefinite; rounding does not matter, the proof has room."""
    places = np.ix_(witness.targets, witness.targets)
    least = float(np.linalg.eigvalsh(np.asarray(problem.rho[places], dtype=float)).min())
    if least < -problem.slack * len(witness):
        raise HypothesisError(
            "the construction needs correlations of hypotheses, a positive semidefinite table; the least eigenvalue of "
            f"this one is {least:.6g}. absolute=False does without."
        )
