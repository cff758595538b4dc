"""Graphs with known clique numbers, from their formulas."""

from itertools import combinations, product

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.bool_]


def hamming(n_bits: int, distance: int) -> Matrix:
    """Words of n bits, joined when they differ in at least `distance` places."""
    words = np.arange(2**n_bits)
    differences = words[:, None] ^ words[None, :]
    counts = np.vectorize(lambda word: int(word).bit_count())(differences)
    return np.asarray(counts >= distance)


def johnson(n_bits: int, weight: int, distance: int) -> Matrix:
    """Words of n bits with `weight` ones, joined when they differ in at least `distance` places."""
    words = [sum(1 << place for place in places) for places in combinations(range(n_bits), weight)]
    return np.array([[(v ^ w).bit_count() >= distance for w in words] for v in words])


def keller(dimension: int) -> Matrix:
    """The DIMACS Keller graph: words over {0,1,2,3}, joined when they differ in two places, in one of them by 2."""
    words = list(product(range(4), repeat=dimension))

    def is_joined(v: tuple[int, ...], w: tuple[int, ...]) -> bool:
        differences = [(a - b) % 4 for a, b in zip(v, w, strict=True)]
        return sum(map(bool, differences)) >= 2 and 2 in differences

    zero = (0,) * dimension
    neighbours = [word for word in words if is_joined(zero, word)]
    return np.array([[is_joined(v, w) for w in neighbours] for v in neighbours])
