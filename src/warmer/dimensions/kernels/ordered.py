"""The longest ordered sequence of a digraph: sets, not orders, are branched on.

`after[v]` holds the vertices that v may stand before, `before[v]` those that may stand before v. A set can be ordered
iff each pair of it may stand in one order at least, and the orders that are forced have no cycle.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from warmer.dimensions.kernels.bits import Bits, one, trailing_zeros
from warmer.dimensions.kernels.clique import DEPTH, NODES, SIZE
from warmer.dimensions.kernels.colouring import branch

__all__ = ["search"]

Ints = npt.NDArray[np.int32]
Counters = npt.NDArray[np.int64]


@njit(cache=True)
def search(
    adjacency: Bits,
    later: Bits,
    earlier: Bits,
    candidates: Bits,
    branches: Ints,
    bounds: Ints,
    n_left: Ints,
    current: Ints,
    best: Ints,
    counters: Counters,
    classes: Bits,
    enough: int,
    budget: int,
) -> bool:
    """Go on with a search for at most `budget` nodes; whether it is finished.

    `adjacency[v]` holds the vertices that can share a sequence with v, `later[v]` those of them that v must precede and
    `earlier[v]` those that must precede v. The other arguments are those of `clique.search`.
    """
    words = adjacency.shape[1]
    scratch = np.zeros((8, words), dtype=np.uint64)
    units = np.zeros(classes.shape[0] + 2, dtype=np.int32)
    marks = np.zeros((4, classes.shape[0] + 2), dtype=np.int32)
    members = np.zeros(words, dtype=np.uint64)
    reached = np.zeros(words, dtype=np.uint64)
    depth = max(0, counters[DEPTH])
    is_opening = counters[DEPTH] == -2
    for place in range(depth):
        members[current[place] >> 6] |= one(current[place])
    stop = counters[NODES] + budget
    while depth >= 0 and counters[SIZE] < enough:
        if is_opening:
            is_opening = False
            n_free = counters[SIZE] - depth
            n_left[depth] = branch(
                adjacency, candidates, depth, branches, bounds, n_free, classes, scratch, units, marks
            )
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
            for place in range(depth + 1):
                best[place] = current[place]
        for word in range(words):
            rest = candidates[depth, word] & adjacency[vertex, word]
            kept = rest
            while rest:
                other = word * 64 + trailing_zeros(rest)
                rest &= rest - np.uint64(1)
                if _has_cycle(later, earlier, members, other, reached):
                    kept &= ~one(other)
            candidates[depth + 1, word] = kept
            if kept:
                is_opening = True
        if is_opening:
            depth += 1
        else:
            members[vertex >> 6] &= ~one(vertex)
    counters[DEPTH] = -1
    return True


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
