"""Chains of items, each with a partner that all items before it keep alive.

An item x keeps the partners in `reach[x]` alive and may join a chain with any live partner in `own[x]`; the two sets
are disjoint. Actions in order with functions as partners, or functions from the last back with actions as partners:
both read the same definition.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from warmer.dimensions.kernels import Bits, Counters, Ints
from warmer.dimensions.kernels.bits import count, is_equal, place_of, popcount, trailing_zeros
from warmer.dimensions.kernels.colouring import colours

DEPTH, NODES, OPEN = 0, 1, 2
"""Places in the counters: depth of the stack (-1: no chain, `length`: found), nodes, whether the top must be opened."""


class Links(NamedTuple):
    """What each item keeps alive, what it may join with, and the partners that can share a chain with each partner."""

    reach: Bits
    own: Bits
    compatible: Bits


class Stack(NamedTuple):
    """The search: live sets and choices, a row a depth; how many choices are left, the items taken, the counters."""

    alive: Bits
    choices: Ints
    n_left: Ints
    current: Ints
    counters: Counters


class Memory(NamedTuple):
    """Live sets from which no chain of a number of items exists, and that number."""

    sets: Bits
    needs: Ints


@njit(cache=True, nogil=True)
def followers(reach: Bits, own: Bits, n_partners: int) -> Bits:
    """For each partner, those that some item which may join with it keeps alive."""
    words = reach.shape[1]
    found = np.zeros((n_partners, words), dtype=np.uint64)
    for item in range(own.shape[0]):
        for word in range(words):
            rest = own[item, word]
            while rest:
                partner = word * 64 + trailing_zeros(rest)
                rest &= rest - np.uint64(1)
                for place in range(words):
                    found[partner, place] |= reach[item, place]
    return found


@njit(cache=True, nogil=True)
def search(links: Links, stack: Stack, memory: Memory, budget: int) -> bool:
    """Go on for at most `budget` nodes with a search for a chain of `len(current)` items; whether it is finished."""
    alive, choices, n_left, current, counters = stack
    length = current.shape[0]
    words = links.reach.shape[1]
    counts = np.zeros(links.reach.shape[0], dtype=np.int32)
    buckets = np.zeros(length + 1, dtype=np.int64)
    depth = counters[DEPTH]
    stop = counters[NODES] + budget
    while 0 <= depth < length:
        if counters[NODES] >= stop:
            counters[DEPTH] = depth
            return False
        if counters[OPEN]:
            counters[OPEN] = 0
            counters[NODES] += 1
            n_left[depth] = _choices(links, alive[depth], length - depth, choices[depth], counts, buckets, memory)
        if n_left[depth] == 0:
            place = place_of(alive[depth], memory.needs.shape[0])  # what was kept there is forgotten
            memory.needs[place] = length - depth
            memory.sets[place] = alive[depth]
            depth -= 1
            continue
        n_left[depth] -= 1
        item = choices[depth, n_left[depth]]
        current[depth] = item
        depth += 1
        for word in range(words):
            alive[depth, word] = alive[depth - 1, word] & links.reach[item, word]
        counters[OPEN] = 1
    counters[DEPTH] = depth
    return True


@njit(cache=True)
def _choices(
    links: Links, alive: Bits, need: int, choices: Ints, counts: Ints, buckets: Counters, memory: Memory
) -> int:
    """List the items that may come next in a chain of `need` more items, the most promising last; how many."""
    reach, own, compatible = links
    words = alive.shape[0]
    if count(alive) < need:
        return 0
    place = place_of(alive, memory.needs.shape[0])
    if 0 < memory.needs[place] <= need and is_equal(memory.sets[place], alive):
        return 0
    if need > 2 and colours(compatible, alive) < need:
        return 0
    buckets[:need] = 0
    for item in range(reach.shape[0]):
        is_joining = False
        kept = 0
        for word in range(words):
            if own[item, word] & alive[word]:
                is_joining = True
            kept += popcount(reach[item, word] & alive[word])
        counts[item] = min(kept, need - 1) if is_joining else -1
        if is_joining:
            buckets[counts[item]] += 1
    # the k-th item from the end keeps k - 1 partners alive at least
    n_items = 0
    for kept in range(need - 1, -1, -1):
        n_items += buckets[kept]
        if n_items < need - kept:
            return 0
    n_choices = 0
    for item in range(reach.shape[0] - 1, -1, -1):
        if counts[item] == need - 1:
            choices[n_choices] = item
            n_choices += 1
    return n_choices
