"""One run on the map of `problems.treasure`: which places it visited, and where the treasure lay."""

from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

import numpy as np

from warmer.environments import TargetEnvironment
from warmer.model import Array
from warmer.model.errors import InvalidValueError
from warmer.problems.treasure import places


class Visit(NamedTuple):
    """A place of the map, the round in which it was first queried, and the number of queries there."""

    first_round: int
    column: int
    row: int
    n_queries: int


@dataclass(frozen=True, eq=False)
class TreasureRun:
    """The true warmth of every place, rows by columns, the places visited, and where the treasure lay."""

    warmth: Array
    visits: tuple[Visit, ...]
    column: int
    row: int
    n_queries: int


def treasure_run(environment: TargetEnvironment, queries: Array) -> TreasureRun:
    """The run that made these queries, by index, on the square map of `problems.treasure`.

    Examples
    --------
    >>> from warmer import environments, problems
    >>> run = treasure_run(environments.Exact(problems.treasure(side=3), "C2"), np.array([0, 4, 4, 5]))
    >>> run.visits[1], (run.column, run.row), run.warmth.shape
    (Visit(first_round=2, column=1, row=1, n_queries=2), (2, 1), (3, 3))
    """
    problem = environment.problem
    side = isqrt(problem.n_queries)
    if not problem.is_square or side**2 != problem.n_queries:
        raise InvalidValueError(f"a treasure run needs the square map of problems.treasure, got {problem!r}.")
    grid = places(side).tolist()
    asked, first, counts = np.unique(queries, return_index=True, return_counts=True)
    visits = sorted(
        Visit(int(start) + 1, grid[place][0], grid[place][1], int(count))
        for place, start, count in zip(asked, first, counts, strict=True)
    )
    column, row = grid[problem.targets.position(environment.target)]
    return TreasureRun(environment.means.reshape(side, side), tuple(visits), column, row, len(queries))
