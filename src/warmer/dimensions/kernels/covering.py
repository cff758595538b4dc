"""How far columns of a table are from each other: which are close everywhere, and what a cover or a packing leaves."""

from typing import Any

import numpy as np
from numba import njit

_TOGETHER = 64
"""Entries that are compared before it is asked whether the rest matters."""


@njit(cache=True)
def within(columns: Any, threshold: Any, start: int, stop: int, close: Any) -> None:
    """Mark the rows of `columns` from `start` to `stop` and the later ones that nowhere differ by more; both ways."""
    n, length = columns.shape
    for i in range(start, stop):
        close[i, i] = True
        last = 0  # where the previous pair differed is a good first place to look
        for j in range(i + 1, n):
            if abs(columns[i, last] - columns[j, last]) > threshold:
                continue
            is_close = True
            for k in range(length):
                if abs(columns[i, k] - columns[j, k]) > threshold:
                    is_close = False
                    last = k
                    break
            close[i, j] = is_close
            close[j, i] = is_close


@njit(cache=True)
def farthest(columns: Any, members: Any) -> Any:
    """The row of `columns` that is farthest from the nearest member, and how far."""
    place, largest = 0, columns[0, 0] - columns[0, 0]
    is_member = _marked(columns.shape[0], members)
    for target in range(columns.shape[0]):
        if is_member[target]:
            continue
        is_first = True
        least = largest
        for member in members:
            distance = _distance(columns, target, member, least, is_first)
            if is_first or distance < least:
                least, is_first = distance, False
            if least <= largest:
                break
        if least > largest:
            place, largest = target, least
    return place, largest


@njit(cache=True)
def least_second(columns: Any, members: Any) -> Any:
    """The row of `columns` whose second nearest of two members or more is nearest, these two, and how far it is."""
    zero = columns[0, 0] - columns[0, 0]
    found, least, is_free = (0, 0, 0), zero, True
    is_member = _marked(columns.shape[0], members)
    for target in range(columns.shape[0]):
        near, near_by, far, far_by = zero, target if is_member[target] else -1, zero, -1
        for member in members:
            if is_member[target] and member <= target:
                continue  # the nearest is itself, and the other pairs were seen
            limit = far if far_by >= 0 and (is_free or far < least) else least
            distance = _distance(columns, target, member, limit, is_free and far_by < 0)
            if near_by < 0 or distance < near:
                far, far_by, near, near_by = near, near_by, distance, member
            elif far_by < 0 or distance < far:
                far, far_by = distance, member
        if far_by >= 0 and (is_free or far < least):
            found, least, is_free = (target, near_by, far_by), far, False
    return found, least


@njit(cache=True)
def _marked(size: int, members: Any) -> Any:
    is_member = np.zeros(size, dtype=np.bool_)
    for member in members:
        is_member[member] = True
    return is_member


@njit(cache=True, fastmath={"nnan", "nsz"})
def _distance(columns: Any, one: int, other: int, limit: Any, is_free: bool) -> Any:
    """The largest difference of two rows; any number from `limit` on may stand for a larger one, unless it is free."""
    length = columns.shape[1]
    distance = columns[0, 0] - columns[0, 0]
    for start in range(0, length, _TOGETHER):
        for k in range(start, min(start + _TOGETHER, length)):
            distance = max(distance, abs(columns[one, k] - columns[other, k]))
        if not is_free and distance >= limit:
            break
    return distance
