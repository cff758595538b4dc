"""One hunt for the treasure of `problems.treasure`, as it lies on the map."""

from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

import numpy as np

from warmer.environments import TargetEnvironment
from warmer.model import Array
from warmer.model.errors import InvalidValueError
from warmer.problems import places

__all__ = ["Hunt", "Stop", "hunt"]


class Stop(NamedTuple):
    """A place of the map, the round in which it was first asked, and how often it was in all."""

    first_round: int
    column: int
    row: int
    n_asks: int


@dataclass(frozen=True, eq=False)
class Hunt:
    """The true warmth of every place, rows by columns, where the hunt went, and where the treasure lay."""

    warmth: Array
    stops: tuple[Stop, ...]
    column: int
    row: int
    n_asks: int


def hunt(environment: TargetEnvironment, queries: Array) -> Hunt:
    """The hunt that asked these queries, by index, on the square map of `problems.treasure`.

    Examples
    --------
    >>> from warmer import environments, problems
    >>> trip = hunt(environments.Exact(problems.treasure(side=3), "C2"), np.array([0, 4, 4, 5]))
    >>> trip.stops[1], (trip.column, trip.row), trip.warmth.shape
    (Stop(first_round=2, column=1, row=1, n_asks=2), (2, 1), (3, 3))
    """
    problem = environment.problem
    side = isqrt(problem.n_queries)
    if not problem.is_square or side**2 != problem.n_queries:
        raise InvalidValueError(f"a hunt needs the square map of problems.treasure, got {problem!r}.")
    grid = places(side).tolist()
    asked, first, counts = np.unique(queries, return_index=True, return_counts=True)
    stops = sorted(
        Stop(int(start) + 1, grid[place][0], grid[place][1], int(count))
        for place, start, count in zip(asked, first, counts, strict=True)
    )
    column, row = grid[problem.targets.position(environment.target)]
    return Hunt(environment.means.reshape(side, side), tuple(stops), column, row, len(queries))
