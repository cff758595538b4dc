"""Maximum clique by branch and bound on bitsets, and the longest ordered sequence of a digraph in the same way.

The search keeps its stack in arrays, so that it can stop at any node and go on later. What to branch on, and what
may be left out, is decided by the colouring of the candidates. Sets, not orders, are branched on: where some pairs of
vertices must stand in one order, a set counts iff those orders have no cycle.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from warmer.dimensions.kernels import Bits, Counters, Ints
from warmer.dimensions.kernels.bits import count, one, popcount, trailing_zeros
from warmer.dimensions.kernels.colouring import Classes, branch

DEPTH, SIZE, NODES = 0, 1, 2
"""Places in the counters of a search: depth of the stack (-1: done), best size so far, nodes visited."""


@njit(cache=True)
def narrow_order(adjacency: Bits, n_vertices: int) -> tuple[Ints, int]:
    """Vertices so that each has few neighbours before it (the last removed comes first), and that width + 1.

    In a regular graph degrees say nothing, and the vertices are ordered by independent sets instead.
    """
    words = adjacency.shape[1]
    degree = np.zeros(n_vertices, dtype=np.int64)
    for vertex in range(n_vertices):
        degree[vertex] = count(adjacency[vertex])
    support = np.zeros(n_vertices, dtype=np.int64)
    for vertex in range(n_vertices):
        for word in range(words):
            rest = adjacency[vertex, word]
            while rest:
                support[vertex] += degree[word * 64 + trailing_zeros(rest)]
                rest &= rest - np.uint64(1)
    order = np.zeros(n_vertices, dtype=np.int32)
    if (degree == degree[0]).all():
        _order_by_independent_sets(adjacency, order)
        return order, degree[0] + 1
    is_left = np.ones(n_vertices, dtype=np.bool_)
    width = 0
    for place in range(n_vertices - 1, -1, -1):
        chosen = -1
        for vertex in range(n_vertices):
            if is_left[vertex] and (
                chosen < 0
                or degree[vertex] < degree[chosen]
                or (degree[vertex] == degree[chosen] and support[vertex] < support[chosen])
            ):
                chosen = vertex
        width = max(width, degree[chosen])
        order[place] = chosen
        is_left[chosen] = False
        for word in range(words):
            rest = adjacency[chosen, word]
            while rest:
                degree[word * 64 + trailing_zeros(rest)] -= 1
                rest &= rest - np.uint64(1)
    return order, width + 1


@njit(cache=True)
def _order_by_independent_sets(adjacency: Bits, order: Ints) -> None:
    """Order the vertices by independent sets, each grown by the vertex that rules out the fewest others."""
    words = adjacency.shape[1]
    left = np.zeros(words, dtype=np.uint64)
    for vertex in range(order.shape[0]):
        left[vertex >> 6] |= one(vertex)
    place = 0
    while count(left):
        candidates = left.copy()
        while count(candidates):
            chosen = _extreme(adjacency, candidates, -1)
            order[place] = chosen
            place += 1
            left[chosen >> 6] &= ~one(chosen)
            candidates[chosen >> 6] &= ~one(chosen)
            for word in range(words):
                candidates[word] &= ~adjacency[chosen, word]


@njit(cache=True)
def greedy(adjacency: Bits, n_vertices: int, n_starts: int) -> Ints:
    """The largest of the cliques grown from the first vertices by always adding the one that keeps most candidates."""
    words = adjacency.shape[1]
    best = np.zeros(0, dtype=np.int32)
    grown = np.zeros(n_vertices, dtype=np.int32)
    candidates = np.zeros(words, dtype=np.uint64)
    for start in range(min(n_starts, n_vertices)):
        grown[0] = start
        size = 1
        candidates[:] = adjacency[start]
        while True:
            chosen = _extreme(adjacency, candidates, 1)
            if chosen < 0:
                break
            grown[size] = chosen
            size += 1
            for word in range(words):
                candidates[word] &= adjacency[chosen, word]
        if size > best.shape[0]:
            best = grown[:size].copy()
    return best


@njit(cache=True)
def _extreme(adjacency: Bits, candidates: Bits, sign: int) -> int:
    """The first candidate with the most neighbours among the candidates (sign 1), or the fewest (-1); -1 if none."""
    words = adjacency.shape[1]
    chosen = -1
    best = 0
    for word in range(words):
        rest = candidates[word]
        while rest:
            vertex = word * 64 + trailing_zeros(rest)
            rest &= rest - np.uint64(1)
            n_common = 0
            for other in range(words):
                n_common += popcount(candidates[other] & adjacency[vertex, other])
            if chosen < 0 or sign * n_common > best:
                chosen = vertex
                best = sign * n_common
    return chosen


class Graph(NamedTuple):
    """The neighbours of each vertex, those that it must precede, and those that must precede it.

    The last two have no rows where order does not matter.
    """

    adjacency: Bits
    later: Bits
    earlier: Bits


class Stack(NamedTuple):
    """The search, a row a depth: candidates, branches with their bounds, how many are left, and the vertices taken.

    `best` holds the largest clique found, `counters` the depth, its size and the nodes so far; depth -2 begins.
    """

    candidates: Bits
    branches: Ints
    bounds: Ints
    n_left: Ints
    current: Ints
    best: Ints
    counters: Counters

    @classmethod
    def room(cls, n_vertices: int, words: int, n_rows: int) -> "Stack":
        """Room for so many depths."""
        shapes = (n_rows, n_vertices), (n_rows, n_vertices), n_rows, n_rows, n_vertices
        branches, bounds, n_left, current, best = (np.zeros(shape, dtype=np.int32) for shape in shapes)
        candidates, counters = np.zeros((n_rows, words), dtype=np.uint64), np.zeros(3, dtype=np.int64)
        return cls(candidates, branches, bounds, n_left, current, best, counters)


@njit(cache=True, nogil=True)
def search(graph: Graph, stack: Stack, colouring: Classes, enough: int, budget: int) -> bool:
    """Go on with a search for at most `budget` nodes; whether it is finished.

    It ends when nothing larger than `best` is left, or when `best` has `enough` vertices.
    """
    adjacency, later, earlier = graph
    candidates, branches, bounds, n_left, current, best, counters = stack
    words = adjacency.shape[1]
    reached = np.zeros(words, dtype=np.uint64)
    members = np.zeros(words, dtype=np.uint64)
    is_ordered = later.shape[0] > 0
    depth = max(0, counters[DEPTH])
    is_opening = counters[DEPTH] == -2
    for place in range(depth):
        members[current[place] >> 6] |= one(current[place])
    stop = counters[NODES] + budget
    while depth >= 0 and counters[SIZE] < enough:
        if is_opening:
            is_opening = False
            n_free = counters[SIZE] - depth
            n_left[depth] = branch(adjacency, candidates[depth], branches[depth], bounds[depth], n_free, colouring)
        elif counters[NODES] >= stop:
            counters[DEPTH] = depth
            return False
        if n_left[depth] == 0 or bounds[depth, n_left[depth] - 1] + depth <= counters[SIZE]:
            depth -= 1
            if depth >= 0:
                members[current[depth] >> 6] &= ~one(current[depth])
            continue
        n_left[depth] -= 1
        vertex = branches[depth, n_left[depth]]
        current[depth] = vertex
        candidates[depth, vertex >> 6] &= ~one(vertex)
        members[vertex >> 6] |= one(vertex)
        counters[NODES] += 1
        if depth + 1 > counters[SIZE]:
            counters[SIZE] = depth + 1
            best[: depth + 1] = current[: depth + 1]
        for word in range(words):
            rest = candidates[depth, word] & adjacency[vertex, word]
            if is_ordered:
                rest = _orderable(later, earlier, members, word, rest, reached)
            candidates[depth + 1, word] = rest
            if rest:
                is_opening = True
        if is_opening:
            depth += 1
        else:
            members[vertex >> 6] &= ~one(vertex)
    counters[DEPTH] = -1
    return True


@njit(cache=True)
def _orderable(later: Bits, earlier: Bits, members: Bits, word: int, candidates: np.uint64, reached: Bits) -> np.uint64:
    """The candidates, given as one word of a set, that close no cycle with the members; `reached` is scratch."""
    kept = candidates
    while candidates:
        place = trailing_zeros(candidates)
        candidates &= candidates - np.uint64(1)
        if _has_cycle(later, earlier, members, word * 64 + place, reached):
            kept &= ~one(place)
    return kept


@njit(cache=True)
def _has_cycle(later: Bits, earlier: Bits, members: Bits, vertex: int, reached: Bits) -> bool:
    """Whether some member must follow the vertex, by a chain of members, and also precede it."""
    words = members.shape[0]
    is_first = True
    is_last = True
    for word in range(words):
        reached[word] = later[vertex, word] & members[word]
        if reached[word]:
            is_first = False
        if earlier[vertex, word] & members[word]:
            is_last = False
    if is_first or is_last:
        return False
    is_growing = True  # until a sweep over the words reaches nothing new before them
    while is_growing:
        is_growing = False
        for word in range(words):
            done = np.uint64(0)
            while reached[word] & ~done:
                place = trailing_zeros(reached[word] & ~done)
                done |= one(place)
                member = word * 64 + place
                for other in range(words):
                    new = later[member, other] & members[other] & ~reached[other]
                    if new:
                        reached[other] |= new
                        if other < word:
                            is_growing = True
    is_closed = False
    for word in range(words):
        is_closed = is_closed or (reached[word] & earlier[vertex, word]) != 0
    return is_closed
