"""Points on a sphere, compared by their inner products (Section 2, Example 1)."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from warmer.model import Array, Label, Problem
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError
from warmer.model.tables import read_only
from warmer.problems.bandits import from_features
from warmer.problems.limits import check_size
from warmer.problems.vectors import as_vectors, circle_points, point_label, random_directions


def sphere(n_points: int = 50, *, dimension: int = 3, seed: int = 0) -> Problem:
    r"""Random points on the unit sphere with $\rho(u|v)=\langle u,v\rangle$.

    Examples
    --------
    >>> problem = sphere(5, dimension=2)
    >>> problem, problem.targets[0], problem.self_evaluations.tolist()
    (Problem(5 alternatives, float64), 'point 1', [1.0, 1.0, 1.0, 1.0, 1.0])
    """
    n_points = check_count("n_points", n_points)
    check_size(n_points, n_points, advice="lower n_points")
    rng = np.random.default_rng(check_count("seed", seed, least=0))
    labels = [f"point {number}" for number in range(1, n_points + 1)]
    return from_vectors(random_directions(n_points, dimension, rng), labels=labels)


def from_vectors(vectors: Any, *, labels: Iterable[Label] | None = None) -> Problem:
    r"""Any vectors as points of the unit sphere: each is divided by its length, then $\rho(u|v)=\langle u,v\rangle$.

    There is a row for each vector, and none of them is zero. The table is exact where the vectors are rational and
    already of length 1.

    Examples
    --------
    >>> from_vectors([[3, 4], [2, 0]]).rho.tolist()
    [[1.0, 0.6], [0.6, 1.0]]
    """
    matrix = as_vectors("vectors", vectors)
    check_size(len(matrix), len(matrix), advice="give fewer vectors")
    if matrix.dtype == object and all(square == 1 for square in (matrix * matrix).sum(axis=1)):
        return Problem.from_similarity(matrix @ matrix.T, labels=labels)
    unit = _normalised(matrix.astype(float))
    gram = np.clip(unit @ unit.T, -1, 1)
    np.fill_diagonal(gram, 1)
    return Problem.from_similarity(read_only(gram), labels=labels)


def circle(n_points: int = 12) -> Problem:
    r"""The linear bandit whose actions and parameters are the same rational points of the circle, exactly.

    Examples
    --------
    >>> problem = circle()
    >>> problem.queries[4], problem.rational.denominator
    ('(3/5, 4/5)', 25)
    """
    points = circle_points(n_points)
    labels = [point_label(point) for point in points]
    return from_features(points, points, queries=labels, targets=labels)


def _normalised(vectors: Array) -> Array:
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    if not largest.all():
        raise InvalidValueError(f"a zero vector has no direction; vector {int(np.argmin(largest))} is zero.")
    scaled = vectors / largest  # so that squares neither overflow nor vanish
    return np.asarray(scaled / np.linalg.norm(scaled, axis=1, keepdims=True))
