"""Large graphs with few edges: lists of neighbours, and the small graphs around each vertex."""

import numpy as np
import numpy.typing as npt
from numba import njit

from warmer.dimensions.kernels.bits import Bits, one
from warmer.dimensions.kernels.windows import places

Ints = npt.NDArray[np.int32]
Counters = npt.NDArray[np.int64]


@njit(cache=True)
def neighbour_lists(rows: Ints, columns: Ints, n_vertices: int, members: Ints) -> tuple[Counters, Ints]:
    """Among the members, by their places: the neighbours of k are the second result from `first[k]` to `first[k+1]`."""
    place = places(members, n_vertices)
    first = np.zeros(members.shape[0] + 1, dtype=np.int64)
    for edge in range(rows.shape[0]):
        if place[rows[edge]] >= 0 and place[columns[edge]] >= 0:
            first[place[rows[edge]] + 1] += 1
            first[place[columns[edge]] + 1] += 1
    for vertex in range(members.shape[0]):
        first[vertex + 1] += first[vertex]
    filled = first.copy()
    neighbours = np.zeros(first[members.shape[0]], dtype=np.int32)
    for edge in range(rows.shape[0]):
        row = place[rows[edge]]
        column = place[columns[edge]]
        if row >= 0 and column >= 0:
            neighbours[filled[row]] = column
            neighbours[filled[column]] = row
            filled[row] += 1
            filled[column] += 1
    return first, neighbours


@njit(cache=True)
def removal_order(first: Counters, neighbours: Ints) -> tuple[Ints, Ints]:
    """Vertices as they go when one of least degree is removed again and again, and the place of each in that order."""
    n_vertices = first.shape[0] - 1
    degree = np.zeros(n_vertices, dtype=np.int64)
    most = 0
    for vertex in range(n_vertices):
        degree[vertex] = first[vertex + 1] - first[vertex]
        most = max(most, degree[vertex])
    # vertices sorted by degree; `start[d]` is where those of degree d begin (Batagelj and Zaversnik)
    start = np.zeros(most + 2, dtype=np.int64)
    for vertex in range(n_vertices):
        start[degree[vertex] + 1] += 1
    for value in range(most + 1):
        start[value + 1] += start[value]
    filled = start.copy()
    order = np.zeros(n_vertices, dtype=np.int32)
    place = np.zeros(n_vertices, dtype=np.int32)
    for vertex in range(n_vertices):
        place[vertex] = filled[degree[vertex]]
        order[place[vertex]] = vertex
        filled[degree[vertex]] += 1
    for turn in range(n_vertices):
        vertex = order[turn]
        for edge in range(first[vertex], first[vertex + 1]):
            other = neighbours[edge]
            if degree[other] > degree[vertex]:
                begin = max(start[degree[other]], turn + 1)
                swapped = order[begin]
                order[place[other]] = swapped
                place[swapped] = place[other]
                order[begin] = other
                place[other] = begin
                start[degree[other]] = begin + 1
                degree[other] -= 1
    return order, place


@njit(cache=True)
def next_graph(
    first: Counters, neighbours: Ints, order: Ints, place: Ints, turn: int, least_degree: int, labels: Ints
) -> tuple[int, Bits]:
    """From this turn on, the first vertex whose graph of later neighbours is not empty: the turn after it, the graph.

    The graph leaves out vertices with fewer than `least_degree` neighbours in it. The first word of a row is the
    vertex, the others are its neighbours in the graph. `labels` must be -1 everywhere and is so again afterwards.
    """
    graph = np.zeros((0, 1), dtype=np.uint64)
    while turn < order.shape[0] and graph.shape[0] == 0:
        graph = _later_graph(first, neighbours, place, order[turn], least_degree, labels)
        turn += 1
    return turn, graph


@njit(cache=True)
def _later_graph(first: Counters, neighbours: Ints, place: Ints, vertex: int, least_degree: int, labels: Ints) -> Bits:
    """The graph among the neighbours that are removed after a vertex."""
    n_later = 0
    for edge in range(first[vertex], first[vertex + 1]):
        if place[neighbours[edge]] > place[vertex]:
            labels[neighbours[edge]] = n_later
            n_later += 1
    members = np.zeros(n_later, dtype=np.int32)
    for edge in range(first[vertex], first[vertex + 1]):
        if labels[neighbours[edge]] >= 0:
            members[labels[neighbours[edge]]] = neighbours[edge]
    n_left = n_later
    is_shrinking = n_left > least_degree
    while is_shrinking:
        is_shrinking = False
        for member in range(n_later):
            if labels[members[member]] < 0:
                continue
            degree = 0
            for edge in range(first[members[member]], first[members[member] + 1]):
                if labels[neighbours[edge]] >= 0:
                    degree += 1
            if degree < least_degree:
                labels[members[member]] = -1
                n_left -= 1
                is_shrinking = n_left > least_degree
    if n_left <= least_degree:
        n_left = 0
    graph = np.zeros((n_left, 1 + (n_left + 63) // 64), dtype=np.uint64)
    n_kept = 0
    for member in range(n_later):
        if n_left and labels[members[member]] >= 0:
            labels[members[member]] = n_kept
            n_kept += 1
    for member in range(n_later):
        row = labels[members[member]]
        if n_left and row >= 0:
            graph[row, 0] = members[member]
            for edge in range(first[members[member]], first[members[member] + 1]):
                other = labels[neighbours[edge]]
                if other >= 0:
                    graph[row, 1 + (other >> 6)] |= one(other)
    for member in range(n_later):
        labels[members[member]] = -1
    return graph
