"""Search for the longest eluder sequence, over sets of actions and the function pairs they leave alive.

A set is kept as `n_words` 64-bit words, action `b` at bit `b % 64` of word `b // 64`. Pair p is *alive* on a set S
while `sum(cost[p, b] for b in S) <= budget`; an action outside S *extends* S when it is a hit of an alive pair. The
depth of the search is the size of S. Costs are int64 (exact) or float64.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from warmer.dimensions.kernels.bits import count, first, is_equal, one, place_of

EXHAUSTED, PAUSED, FULL = 0, 1, 2


class Pairs(NamedTuple):
    """What each action costs each pair, the actions of a pair by cost, and the actions that hit it, as a set."""

    cost: Any
    order: Any
    hits: Any


class Stack(NamedTuple):
    """A row a size of the set: the set, the actions to try, those in reach; where the alive pairs end, and they.

    `rests` is what is left of the budgets of `pairs`; `path` is the sequence of the set, `found` the longest so far.
    """

    sets: Any
    open: Any
    reaches: Any
    ends: Any
    pairs: Any
    rests: Any
    path: Any
    found: Any


class Memory(NamedTuple):
    """The sets seen, and their sizes; -1 marks a free place."""

    keys: Any
    sizes: Any


@njit(cache=True)
def _slot(keys: Any, sizes: Any, key: Any) -> Any:
    """Where a set is, or should go, in an open-addressed table (size -1 marks a free slot)."""
    place = place_of(key, sizes.size)
    while sizes[place] >= 0 and not is_equal(keys[place], key):
        place = (place + 1) & (sizes.size - 1)
    return place


@njit(cache=True)
def grow(keys: Any, sizes: Any) -> Any:
    """The same table of seen sets in twice the room."""
    new_keys = np.zeros((2 * sizes.size, keys.shape[1]), np.uint64)
    new_sizes = np.full(2 * sizes.size, -1, np.int16)
    for place in range(sizes.size):
        if sizes[place] >= 0:
            free = _slot(new_keys, new_sizes, keys[place])
            new_keys[free] = keys[place]
            new_sizes[free] = sizes[place]
    return new_keys, new_sizes


@njit(cache=True)
def level_of(held: Pairs, p: Any, rest: Any, allowed: Any, most: Any) -> Any:
    """How many further allowed actions fit in the rest of a pair, up to `most`, and the sum of all but the last."""
    cost, order, _ = held
    level = 0
    spent = rest - rest
    before = spent
    for place in range(order.shape[1]):
        if level == most:
            break
        b = order[p, place]
        if not allowed[b >> 6] & one(b):
            continue
        if spent + cost[p, b] > rest:
            break
        before = spent
        spent += cost[p, b]
        level += 1
    return level, before


@njit(cache=True)
def _fitting(held: Pairs, p: Any, room: Any, allowed: Any, chosen: Any) -> None:
    """Fill `chosen` with the allowed actions that cost a pair at most `room`."""
    cost, order, _ = held
    chosen[:] = np.uint64(0)
    for place in range(order.shape[1]):
        b = order[p, place]
        if cost[p, b] > room:
            break
        chosen[b >> 6] |= one(b)
    for w in range(allowed.size):
        chosen[w] &= allowed[w]


@njit(cache=True)
def is_possible(held: Pairs, pairs: Any, rests: Any, allowed: Any, need: Any, levels: Any) -> Any:
    """Whether levels allow `need` more actions out of `allowed`; fills `levels`.

    The *level* of a pair is how many further allowed actions fit in its rest. The t-th further action is hit by a pair
    of level at least t-1, so actions t..need take need-t+1 different hits of such pairs.
    """
    n_words = allowed.size
    reach = np.zeros((need, n_words), np.uint64)
    for i in range(pairs.size):
        level = level_of(held, pairs[i], rests[i], allowed, need - 1)[0]
        levels[i] = level
        for w in range(n_words):
            reach[level, w] |= held.hits[pairs[i], w] & allowed[w]
    union = np.zeros(n_words, np.uint64)
    for t in range(need, 0, -1):
        for w in range(n_words):
            union[w] |= reach[t - 1, w]
        if count(union) < need - t + 1:
            return False
    return True


@njit(cache=True)
def _promising(held: Pairs, pairs: Any, rests: Any, allowed: Any, need: Any, branch: Any, n_looks: Any) -> Any:
    """Whether `need` more actions out of `allowed` are possible; fills `branch` with those that may come first.

    The last action is hit by a *deep* pair, of level at least need-1, and all actions before it fit in that one pair.
    So need-1 actions must be possible among those that fit; a deep pair that fails this is none. `n_looks` limits how
    many pairs are looked at again for this.
    """
    n_words = allowed.size
    levels, unused = np.empty(pairs.size, np.int16), np.empty(pairs.size, np.int16)
    branch[:] = np.uint64(0)
    if not is_possible(held, pairs, rests, allowed, need, levels):
        return False
    ground = np.zeros(n_words, np.uint64)
    n_tests = n_looks // pairs.size
    for i in range(pairs.size):
        if levels[i] < need - 1:
            continue
        before = level_of(held, pairs[i], rests[i], allowed, need - 1)[1]
        _fitting(held, pairs[i], rests[i] - before, allowed, ground)
        is_new = False
        for w in range(n_words):
            is_new = is_new or (ground[w] & ~branch[w]) != 0
        if not is_new:
            continue
        if need > 2 and n_tests > 0:
            n_tests -= 1
            if not is_possible(held, pairs, rests, ground, need - 1, unused):
                continue
        is_open = False
        for w in range(n_words):
            branch[w] |= ground[w]
            is_open = is_open or branch[w] != allowed[w]
        if not is_open:
            break
    return count(branch) > 0


@njit(cache=True)
def _extend(held: Pairs, stack: Stack, start: Any, stop: Any, action: Any, reach: Any) -> Any:
    """Append after `stop` the pairs of [start, stop) that outlive an action; union their hits into `reach`."""
    cost, hits, pairs, rests = held.cost, held.hits, stack.pairs, stack.rests
    end = stop
    reach[:] = np.uint64(0)
    for i in range(start, stop):
        p = pairs[i]
        if cost[p, action] <= rests[i]:
            pairs[end] = p
            rests[end] = rests[i] - cost[p, action]
            for w in range(reach.size):
                reach[w] |= hits[p, w]
            end += 1
    return end


@njit(cache=True)
def search(
    held: Pairs, stack: Stack, memory: Memory, state: Any, by_closure: Any, work_limit: Any, n_looks: Any
) -> Any:
    """Continue a depth-first search; `state` holds depth, incumbent, target, seen sets and work done.

    The search looks for a sequence longer than the incumbent `state[1]`, writes it to `found`, and stops early at
    length `state[2]`. With `by_closure` (every cost is 0 or over the budget) the actions still in reach decide the
    future, so they are what is remembered; otherwise the set itself is.
    """
    sets, open_, reaches, ends, pairs, rests, path, found = stack
    keys, sizes = memory
    hits = held.hits
    n_words = hits.shape[1]
    reach = np.zeros(n_words, np.uint64)
    key = np.zeros(n_words, np.uint64)
    branch = np.zeros(n_words, np.uint64)
    depth, best, target, n_seen, work = state[0], state[1], state[2], state[3], 0
    status = EXHAUSTED
    while depth >= 0 and best < target:
        if work > work_limit:
            status = PAUSED
            break
        if 2 * n_seen > sizes.size:
            status = FULL
            break
        action = first(open_[depth])
        if action < 0 or depth + count(reaches[depth]) <= best:
            depth -= 1
            continue
        open_[depth, action >> 6] &= ~one(action)
        size = depth + 1
        key[:] = sets[depth]
        key[action >> 6] |= one(action)
        sets[size] = key
        if not by_closure:
            place = _slot(keys, sizes, key)
            if sizes[place] >= 0:
                continue
            keys[place], sizes[place] = key, size
            n_seen += 1
        start = ends[depth - 1] if depth > 0 else 0
        ends[size] = _extend(held, stack, start, ends[depth], action, reach)
        work += ends[depth] - start
        for w in range(n_words):
            reach[w] &= ~sets[size, w]
        if by_closure:
            place = _slot(keys, sizes, reach)
            if sizes[place] >= size:
                continue
            n_seen += sizes[place] < 0
            keys[place], sizes[place] = reach, size
        path[depth] = action
        if size > best:
            best = size
            found[:size] = path[:size]
        need = best + 1 - size
        if count(reach) < need:
            continue
        if need >= 2:
            alive, left = pairs[ends[depth] : ends[size]], rests[ends[depth] : ends[size]]
            work += 2 * alive.size
            if not _promising(held, alive, left, reach, need, branch, n_looks):
                continue
        else:
            branch[:] = reach
        reaches[size] = reach
        open_[size] = branch
        depth = size
    state[0], state[1], state[3] = depth, best, n_seen
    state[4] += work
    return status
