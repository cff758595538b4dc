"""Sweep over the edges of a graph in the order of their values, keeping those in a window that ends at each."""

from typing import Any

import numpy as np
from numba import njit

from warmer.dimensions.kernels.bits import count, one, popcount, trailing_zeros

__all__ = ["next_promising"]


@njit(cache=True)
def _flip(adjacency: Any, i: Any, j: Any) -> None:
    adjacency[i, j >> 6] ^= one(j)
    adjacency[j, i >> 6] ^= one(i)


@njit(cache=True)
def _core(adjacency: Any, members: Any, degree: Any) -> Any:
    """Drop from `members` whoever has fewer than `degree` neighbours among them, until nobody has; count the rest."""
    has_changed = True
    while has_changed:
        has_changed = False
        for w in range(members.size):
            word = members[w]
            while word != np.uint64(0):
                vertex = 64 * w + trailing_zeros(word)
                word ^= one(vertex)
                common = 0
                for k in range(members.size):
                    common += popcount(adjacency[vertex, k] & members[k])
                if common < degree:
                    members[w] &= ~one(vertex)
                    has_changed = True
    return count(members)


@njit(cache=True)
def next_promising(
    firsts: Any,
    seconds: Any,
    lows: Any,
    adjacency: Any,
    place: Any,
    low: Any,
    skip: Any,
    need: Any,
    stop: Any,
    members: Any,
) -> Any:
    """Go on from edge `place` to the next whose ends have a core of `need` common neighbours in its window.

    The window of edge e holds the edges `lows[e]`..e; `adjacency` holds `low`..`place`-1 on entry. Edges before `skip`
    are passed over. Returns the edge (or `stop`), the lower end then, and fills `members` with the core.
    """
    while place < stop:
        i, j = firsts[place], seconds[place]
        while low < lows[place]:
            _flip(adjacency, firsts[low], seconds[low])
            low += 1
        _flip(adjacency, i, j)
        place += 1
        if place <= skip:
            continue
        for w in range(members.size):
            members[w] = adjacency[i, w] & adjacency[j, w]
        if count(members) >= need and _core(adjacency, members, need - 1) >= need:
            return place - 1, low
    return stop, low
