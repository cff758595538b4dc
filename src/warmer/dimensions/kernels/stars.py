"""Search for the largest star: a set of actions on each of which some function differs alone.

Function f *serves* action a of a set S if `squares[f, a] > apart` while its other squares on S add up to at most
`within`; S is a star if each of its actions is served. What is left of a star when actions are taken out is a star, so
sets grow one action at a time, in one order, and only by actions that keep them stars. Squares are int64 (exact) or
float64; `search.py_func` takes Python's own numbers as well.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

NONE, SEVERAL = -1, -2
"""In `alone`: no action of the set, or more than one, is beyond what fits `within`."""
DEPTH, BEST, WORK = 0, 1, 2
"""Places in the counters of a search: depth (-1: done), size of the largest star so far, squares looked at."""


class Stack(NamedTuple):
    """A row a size of the set: sums of each function's small squares, its large one; the actions to try, and the next.

    `path` is the set, `found` the largest star so far.
    """

    sums: Any
    alone: Any
    open: Any
    n_open: Any
    nexts: Any
    path: Any
    found: Any


@njit(cache=True, nogil=True)
def search(squares: Any, apart: Any, within: Any, stack: Stack, counters: Any, most: Any, budget: Any) -> bool:
    """Go on until a star has `most` actions, nothing larger is left, or the budget is spent; whether it has ended."""
    sums, alone, todo, n_open, nexts, path, found = stack
    served = np.zeros(path.size + 1, np.bool_)
    stop = counters[WORK] + budget
    depth = counters[DEPTH]
    while depth >= 0 and counters[BEST] < most:
        if counters[WORK] >= stop:
            counters[DEPTH] = depth
            return False
        if depth + n_open[depth] - nexts[depth] <= counters[BEST]:
            depth -= 1
            continue
        action = todo[depth, nexts[depth]]
        nexts[depth] += 1
        path[depth] = action
        size = depth + 1
        for f in range(squares.shape[0]):
            sums[size, f] = sums[depth, f]
            alone[size, f] = alone[depth, f]
            if squares[f, action] <= within:
                sums[size, f] += squares[f, action]
            else:
                alone[size, f] = depth if alone[depth, f] == NONE else SEVERAL
        if size > counters[BEST]:
            counters[BEST] = size
            found[:size] = path[:size]
        kept = 0
        for place in range(nexts[depth], n_open[depth]):
            path[size] = todo[depth, place]
            counters[WORK] += squares.shape[0]
            last = path[size]
            served[: size + 1] = False
            missing = size + 1
            for f in range(squares.shape[0]):
                total = sums[size, f]
                large = alone[size, f]
                if squares[f, last] <= within:
                    total += squares[f, last]
                else:
                    large = size if large == NONE else SEVERAL
                if large >= 0 and not served[large] and total <= within:
                    served[large] = True
                    missing -= 1
                elif large == NONE and apart < within:  # of scales relaxed into one: several may be apart
                    for member in range(size + 1):
                        square = squares[f, path[member]]
                        if not served[member] and square > apart and total - square <= within:
                            served[member] = True
                            missing -= 1
                if missing == 0:
                    todo[size, kept] = last
                    kept += 1
                    break
        n_open[size] = kept
        nexts[size] = 0
        depth = size
    counters[DEPTH] = -1
    return True
