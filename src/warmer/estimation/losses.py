"""The sums of squares that a finite fit remembers."""

from typing import NamedTuple

from warmer.model import Array


class Losses(NamedTuple):
    r"""The sum of squared residuals of every target, up to one constant that they share.

    Only differences of losses ever matter, so each update first takes the least loss off all of them. The losses
    of the targets in contention then stay small, and single precision stays sharp however long the run. `lows` holds
    the least loss of each block of targets, `least` the least of all, `best` the lowest-numbered target that has it;
    `offset` is what was taken off so far.
    """

    excess: Array
    lows: Array
    least: float
    best: int
    offset: float = 0.0
