"""Orders that are forced on pairs of vertices: a set can be ordered iff they have no cycle."""

import numpy as np
from numba import njit

from warmer.dimensions.kernels.bits import Bits, one, trailing_zeros


@njit(cache=True)
def orderable(later: Bits, earlier: Bits, members: Bits, word: int, candidates: np.uint64, reached: Bits) -> np.uint64:
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
