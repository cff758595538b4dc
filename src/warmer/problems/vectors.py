"""Rows of numbers: as the user gave them, drawn from a sphere, or rational on a circle."""

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from warmer.model import Array
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_matrix

Point = tuple[Fraction, Fraction]

_TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25))

CIRCLE_SIZES = tuple(4 + 8 * number for number in range(len(_TRIPLES) + 1))
"""How many rational points of the circle can be had: the four poles, and eight for each Pythagorean triple."""


def as_vectors(name: str, vectors: Any) -> Array:
    """A matrix with a row for each vector: of `Fraction` objects if all entries are rational, else of floats."""
    floats = as_matrix(name, vectors)
    rows = [list(row) for row in vectors]
    if not all(isinstance(entry, int | np.integer | Fraction) for row in rows for entry in row):
        return floats
    return np.array([[Fraction(entry) for entry in row] for row in rows], dtype=object)


def random_directions(n_vectors: int, dimension: int, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Independent points of the unit sphere, uniformly distributed, a row each."""
    size = check_count("n_vectors", n_vectors), check_count("dimension", dimension)
    gaussian = rng.standard_normal(size)
    return np.asarray(gaussian / np.linalg.norm(gaussian, axis=1, keepdims=True))


def circle_points(n_points: int = 12) -> list[Point]:
    """Rational points of the unit circle: the four poles, then those of the first Pythagorean triples."""
    if n_points not in CIRCLE_SIZES:
        raise InvalidValueError(f"n_points must be one of {', '.join(map(str, CIRCLE_SIZES))}, got {n_points!r}.")
    points = [(Fraction(x), Fraction(y)) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    for a, b, c in _TRIPLES:
        for x, y in ((Fraction(a, c), Fraction(b, c)), (Fraction(b, c), Fraction(a, c))):
            points += [(x, y), (x, -y), (-x, y), (-x, -y)]
    return points[:n_points]


def point_label(point: Point) -> str:
    """A point of the circle as text: '(3/5, -4/5)'."""
    return f"({point[0]}, {point[1]})"
