"""Graphs of the entries in a window: entries are sorted by value, so a window is a slice of them."""

import numpy as np
from numba import njit

from warmer.dimensions.kernels import Bits, Ints
from warmer.dimensions.kernels.bits import one


@njit(cache=True)
def core(rows: Ints, columns: Ints, n_vertices: int, least_degree: int, least_size: int) -> Ints:
    """The vertices left when those with fewer than `least_degree` edges go, again and again; none if too few are."""
    is_left = np.ones(n_vertices, dtype=np.bool_)
    degree = np.zeros(n_vertices, dtype=np.int64)
    n_left = n_vertices
    while True:
        degree[:] = 0
        for edge in range(rows.shape[0]):
            if is_left[rows[edge]] and is_left[columns[edge]]:
                degree[rows[edge]] += 1
                degree[columns[edge]] += 1
        n_removed = 0
        for vertex in range(n_vertices):
            if is_left[vertex] and degree[vertex] < least_degree:
                is_left[vertex] = False
                n_removed += 1
        n_left -= n_removed
        if n_removed == 0 or n_left < least_size:
            break
    if n_left < least_size:
        is_left[:] = False
    return np.flatnonzero(is_left).astype(np.int32)


@njit(cache=True)
def pair_graph(rows: Ints, columns: Ints, n_vertices: int, members: Ints) -> tuple[Bits, Bits]:
    """Among the members, by their places: the columns that each row has an entry with, and the rows of each column."""
    place = np.full(n_vertices, -1, dtype=np.int32)
    for new in range(members.shape[0]):
        place[members[new]] = new
    words = max(1, (members.shape[0] + 63) // 64)
    after = np.zeros((members.shape[0], words), dtype=np.uint64)
    before = np.zeros((members.shape[0], words), dtype=np.uint64)
    for entry in range(rows.shape[0]):
        row = place[rows[entry]]
        column = place[columns[entry]]
        if row >= 0 and column >= 0:
            after[row, column >> 6] |= one(column)
            before[column, row >> 6] |= one(row)
    return after, before
