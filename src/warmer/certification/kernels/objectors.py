"""Who objects to each answer: candidates only ever leave, so the search goes on from the last objector."""

from numba import njit

from warmer.model import Array


@njit(cache=True)
def advance(
    watched: Array, values: Array, answers: Array, limits: Array, possible: Array, places: Array
) -> int:  # pragma: no cover
    """For each answer the lowest-numbered possible candidate that values it below its limit, written over the last one
    that is known; the number of candidates where there is none. How many answers have none.

    Where there are `places`, candidates are numbered by where they stand among these.
    """
    n_free = 0
    for k in range(watched.size):
        row, place = values[answers[k]], watched[k]
        while place < possible.size:
            target = places[place] if places.size else place
            if possible[place] and row[target] < limits[target]:
                break
            place += 1
        watched[k] = place
        n_free += place == possible.size
    return n_free
