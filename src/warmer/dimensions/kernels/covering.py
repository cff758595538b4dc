"""How far columns of a table are from each other: which are close everywhere, and what a cover or a packing leaves."""

from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable

_TOGETHER = 64  # entries that are compared before it is asked whether the rest matters


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
def pack(columns: Any, key: int, threshold: Any, start: int, work: int, taken: Any, seen: Any) -> int:
    """Take the rows from `start` on that are near no row which a taken one is near; see which rows the taken are near.

    The rows are sorted by their entry at `key`. It ends after the last row, or once `work` pairs were compared, and
    says where to go on.
    """
    n = len(columns)
    near = np.empty(n, np.int64)
    for row in range(start, n):
        if work < 0:
            return row
        n_near, is_free = 0, True
        for step in (1, -1):
            other = row if step == 1 else row - 1
            while is_free and 0 <= other < n and abs(columns[other, key] - columns[row, key]) <= threshold:
                if _is_near(columns, row, other, threshold):
                    near[n_near] = other
                    n_near += 1
                    is_free = not seen[other]
                work -= 1
                other += step
        if is_free:
            taken[row] = True
            for k in range(n_near):
                seen[near[k]] = True
    return n


@njit(cache=True)
def cover(columns: Any, key: int, threshold: Any, start: int, work: int, taken: Any, seen: Any) -> int:
    """For each row from `start` on that no taken one is near, take the last that is near it; else as `pack`."""
    n = len(columns)
    for row in range(start, n):
        if work < 0:
            return row
        if seen[row]:
            continue
        center = other = row
        while other < n and abs(columns[other, key] - columns[row, key]) <= threshold:
            if _is_near(columns, row, other, threshold):
                center = other
            work -= 1
            other += 1
        taken[center] = True
        for step in (1, -1):
            other = center if step == 1 else center - 1
            while 0 <= other < n and abs(columns[other, key] - columns[center, key]) <= threshold:
                if not seen[other] and _is_near(columns, center, other, threshold):
                    seen[other] = True
                work -= 1
                other += step
    return n


@njit(cache=True)
def farthest(columns: Any, members: Any, infinity: Any) -> Any:
    """The row of `columns` that is farthest from the nearest of the members, and how far."""
    place, largest = 0, columns[0, 0] - columns[0, 0]
    is_member = np.zeros(columns.shape[0], dtype=np.bool_)
    is_member[members] = True
    for target in range(columns.shape[0]):
        least = largest if is_member[target] else infinity
        for member in members:
            if least <= largest:
                break
            least = min(least, _distance(columns, target, member, least))
        if least > largest:
            place, largest = target, least
    return place, largest


@njit(cache=True)
def least_second(columns: Any, members: Any, infinity: Any) -> Any:
    """The row of `columns` whose second nearest of two members or more is nearest, these two, and how far it is."""
    found, least = (0, 0, 0), infinity
    is_member = np.zeros(columns.shape[0], dtype=np.bool_)
    is_member[members] = True
    for target in range(columns.shape[0]):
        near, near_by, far, far_by = infinity, -1, infinity, -1
        for member in members:
            if is_member[target] and member < target:
                continue  # the pair was seen
            distance = _distance(columns, target, member, min(far, least))
            if distance < near:
                near, near_by, far, far_by = distance, member, near, near_by
            elif distance < far:
                far, far_by = distance, member
        if far < least:
            found, least = (target, near_by, far_by), far
    return found, least


@register_jitable(fastmath={"nnan", "nsz"})
def _distance(columns: Any, one: int, other: int, limit: Any) -> Any:
    """The largest difference of two rows; where it is `limit` or more, some number from there up to it."""
    length = columns.shape[1]
    distance = columns[0, 0] - columns[0, 0]
    for start in range(0, length, _TOGETHER):
        for k in range(start, min(start + _TOGETHER, length)):
            distance = max(distance, abs(columns[one, k] - columns[other, k]))
        if distance >= limit:
            break
    return distance


@register_jitable
def _is_near(columns: Any, one: int, other: int, threshold: Any) -> bool:
    """Whether two rows nowhere differ by more."""
    for k in range(columns.shape[1]):  # noqa: SIM110 - compiled
        if abs(columns[one, k] - columns[other, k]) > threshold:
            return False
    return True
