"""Hot and cold: a treasure hidden on a map, and a warmth that falls with the distance to it."""

import numpy as np

from warmer.model import Array, Problem
from warmer.model.checks import check_count, check_positive
from warmer.model.errors import InvalidValueError
from warmer.model.tables import read_only
from warmer.problems.limits import check_size


def treasure(side: int = 15, *, reach: float = 3.0) -> Problem:
    r"""Hot and cold: a square map of hiding places, warmer the nearer the treasure.

    At distance $d$ from the treasure the warmth is $\rho=(r^2-d^2)/(r^2+d^2)$: 1 on the spot, 0 at the `reach` $r$,
    where warm turns to cold, and towards -1 far away. There are `side` places along each side of the map, named by
    column letter and row number.

    Examples
    --------
    >>> problem = treasure(side=3, reach=1)
    >>> list(problem.queries)
    ['A1', 'B1', 'C1', 'A2', 'B2', 'C2', 'A3', 'B3', 'C3']
    >>> problem.rho[0, :3].tolist()
    [1.0, 0.0, -0.6]
    """
    check_size(check_count("side", side) ** 2, side**2, advice="lower side")
    coordinates = places(side).astype(float)
    if not 1e-6 <= check_positive("reach", reach) <= 1e6:
        raise InvalidValueError(f"reach must lie between 1e-6 and 1e6 steps, got {reach:g}.")
    squares = ((coordinates[:, None] - coordinates[None]) ** 2).sum(axis=2) / reach**2
    labels = [f"{_letters(int(column))}{row + 1}" for column, row in places(side)]
    return Problem.from_similarity(read_only(2 / (1 + squares) - 1), labels=labels)


def places(side: int) -> Array:
    """The column and row of each place of the map, in table order: row by row.

    Examples
    --------
    >>> places(2).tolist()
    [[0, 0], [1, 0], [0, 1], [1, 1]]
    """
    rows, columns = np.divmod(np.arange(side**2), side)
    return np.stack([columns, rows], axis=1)


def _letters(column: int) -> str:
    """A, B, ..., Z, AA, AB, ..., as spreadsheets have it."""
    before, last = divmod(column, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)
