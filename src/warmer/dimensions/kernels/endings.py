"""Endings of eluder sequences: sets of function pairs that the last actions of a sequence may need.

The k-th last action is hit by a pair whose budget holds all actions before it. So the *head* of a sequence of length n,
its first n-m actions, fits into the budgets of m pairs at once, which few sets of actions do. Budgets are 1 here, and
an action that costs a pair more than its budget costs it infinity; what is pruned fails by more than `_ROUNDING`.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from warmer.dimensions.kernels.bits import one, popcount
from warmer.dimensions.kernels.eluder import Pairs, is_possible, level_of

_ROUNDING = 1e-9
_PAIRS_A_STEP = 16  # how many pairs are looked at, to order a head, in the time of one step of the search for it


class Shares(NamedTuple):
    """The share of a pair's budget that each action takes, the actions that fit into it, as a set, and its hits."""

    shares: Any
    fits: Any
    is_hit: Any


class Endings(NamedTuple):
    """A row an ending: its pairs, the actions that fit into each of them, and what its own actions take at least."""

    pairs: Any
    fits: Any
    taken: Any


@njit(cache=True)
def _sum_of_least(values: Any, size: Any, k: Any) -> Any:
    """The sum of the k least of the first `size` values, which are put in another order."""
    low, high = 0, size - 1
    while low < high:
        pivot = values[(low + high) // 2]
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if k - 1 <= j:
            high = j
        elif k - 1 >= i:
            low = i
        else:
            break
    return values[:k].sum()


@njit(cache=True)
def _n_common(row: Any, other: Any) -> Any:
    """How many elements two sets share."""
    total = 0
    for w in range(row.size):
        total += popcount(row[w] & other[w])
    return total


@njit(cache=True, nogil=True)
def extend(plain: Pairs, budget: Any, held: Shares, endings: Endings, need: Any) -> Any:
    """Which endings, with which pair before, leave room for `need` actions; and what their own actions take at least.

    The action that hits the new pair fits into all the others, so the cheapest of those is taken from their budgets.
    """
    n_pairs, n_actions = held.shares.shape
    n_rows, size = endings.pairs.shape
    rows, pairs = np.empty(n_rows * n_pairs, np.int64), np.empty(n_rows * n_pairs, np.int64)
    taken, sums = np.empty(n_rows * n_pairs), np.empty(n_actions)
    n_found = 0
    for row in range(n_rows):
        inside, total = _inside(held, endings, row)
        for p in range(n_pairs):
            if _n_common(endings.fits[row], held.fits[p]) < need:
                continue
            if level_of(plain, p, budget, endings.fits[row], need)[0] < need:
                continue
            n_fitting, least = 0, np.inf
            for i in range(inside.size):
                share = held.shares[p, inside[i]]
                if share <= 1:
                    sums[n_fitting] = total[i] + share
                    n_fitting += 1
                if held.is_hit[p, inside[i]]:
                    least = min(least, total[i])
            room = size + 1 - endings.taken[row] - least + _ROUNDING
            if least < np.inf and _sum_of_least(sums, n_fitting, need) <= room:
                rows[n_found], pairs[n_found], taken[n_found] = row, p, endings.taken[row] + least
                n_found += 1
    return rows[:n_found], pairs[:n_found], taken[:n_found]


@njit(cache=True)
def _inside(held: Shares, endings: Endings, row: Any) -> Any:
    """The actions that fit into an ending, and what they take from its pairs together; those that take least first."""
    total = np.zeros(held.shares.shape[1])
    for p in endings.pairs[row]:
        total += held.shares[p]
    inside = np.array([a for a in range(total.size) if endings.fits[row, a >> 6] & one(a)])
    inside = inside[np.argsort(total[inside], kind="mergesort")]
    return inside, total[inside]


@njit(cache=True)
def order(cost: Any, budget: Any, held: Shares, head: Any, ordered: Any) -> Any:
    """Whether a set of actions is that of a sequence, which is then written to `ordered`.

    An action can stand last when a pair that it hits holds the others. To remove one never hurts the others.
    """
    fits, is_hit = held.fits, held.is_hit
    left = head.copy()
    chosen = np.zeros(fits.shape[1], np.uint64)
    for a in left:
        chosen[a >> 6] |= one(a)
    for size in range(left.size, 0, -1):
        last = -1
        for p in range(cost.shape[0]):
            if _n_common(chosen, fits[p]) < size - 1:
                continue
            place = 0
            for i in range(1, size):
                if cost[p, left[i]] > cost[p, left[place]]:
                    place = i
            if not is_hit[p, left[place]]:
                continue
            rest = budget
            for i in range(size):
                if i != place and rest >= 0:
                    rest -= cost[p, left[i]]
            if rest >= 0:
                last = place
                break
        if last < 0:
            return False
        ordered[size - 1] = left[last]
        chosen[left[last] >> 6] &= ~one(left[last])
        left[last] = left[size - 1]
    return True


@njit(cache=True, nogil=True)
def heads(plain: Pairs, budget: Any, held: Shares, endings: Endings, need: Any, n_steps: Any, most: Any) -> Any:
    """The sequences of `need` actions that fit into each ending, and which endings have too many to go through.

    An ending is left open after `n_steps` steps, or with more than `most` sequences.
    """
    n_pairs = len(held.shares)
    n_rows, size = endings.pairs.shape
    is_open = np.zeros(n_rows, np.bool_)
    found = np.empty((n_rows * most, need), np.int64)
    n_found = 0
    everyone, budgets, levels = np.arange(n_pairs), np.full(n_pairs, budget), np.empty(n_pairs, np.int16)
    place, head, rests = np.empty(need + 1, np.int64), np.empty(need, np.int64), np.ones((need + 1, size))
    for row in range(n_rows):
        inside, total = _inside(held, endings, row)
        sums = np.zeros(inside.size + 1)
        sums[1:] = np.cumsum(total)
        depth, steps, before = 0, 0, n_found
        place[0] = -1
        while depth >= 0 and not is_open[row]:
            place[depth] += 1
            left, at = need - depth, place[depth]
            room = rests[depth].sum() - endings.taken[row] + _ROUNDING
            if at + left > inside.size or sums[at + left] - sums[at] > room:
                depth -= 1
                continue
            steps += 1
            head[depth] = inside[at]
            least = 0.0
            for i in range(size):
                rests[depth + 1, i] = rests[depth, i] - held.shares[endings.pairs[row, i], inside[at]]
                least = min(least, rests[depth + 1, i])
            if least < -_ROUNDING:
                continue
            if left > 1:
                place[depth + 1] = at
                depth += 1
            elif n_found - before < most:
                steps += n_pairs // _PAIRS_A_STEP
                n_found += order(plain.cost, budget, held, head, found[n_found])
            else:
                steps = n_steps
            is_open[row] = steps >= n_steps
        if is_open[row]:
            n_found = before
            is_open[row] = is_possible(plain, everyone, budgets, endings.fits[row], need, levels)
    return found[:n_found], is_open
