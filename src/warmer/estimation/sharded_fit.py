"""Least squares over a table in shards: losses stay with the targets, the least of them comes here."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.estimation.confidence import FiniteFit, Losses
from warmer.estimation.table_fit import TableFit
from warmer.model import Array
from warmer.model.checks import check_alpha
from warmer.model.sharded import Pieces, ShardedProblem


class ShardedLosses(NamedTuple):
    """The losses of each shard, the least of all and the lowest-numbered target that has it, and what was taken off."""

    shards: Pieces
    least: float
    best: int
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class ShardedFit(FiniteFit[ShardedLosses]):
    """Fits the columns of a table in shards: the same losses, to the last bit, as `TableFit` has of the whole table.

    Examples
    --------
    >>> import dask.array as da
    >>> problem = ShardedProblem.from_dask(da.from_array(np.array([[0.0, 1.0], [0.5, 0.0]]), chunks=(2, 1)))
    >>> fit = ShardedFit(problem)
    >>> fit.estimate(fit.update(fit.start(), query=0, reward=0.75))
    1
    """

    problem: ShardedProblem

    def start(self, alpha: float | None = None) -> ShardedLosses:
        """Nothing observed: loss 0 on the viable targets and infinity elsewhere."""
        check_alpha(alpha, self.problem.top, self.problem.slack)
        shards, notes = self._fits.step(TableFit.blank, alpha, note=_least)
        return ShardedLosses(shards, *first_least(notes, self.problem.firsts))

    def update(self, state: ShardedLosses, query: int, reward: float, count: int = 1) -> ShardedLosses:
        """Add the squared residuals of the answered row."""
        shards, notes = self._fits.step(_updated, state.shards, query, reward, count, state.least, note=_least)
        return ShardedLosses(shards, *first_least(notes, self.problem.firsts), state.offset + state.least)

    def n_viable(self, alpha: float) -> int:
        """How many targets reach alpha."""
        return sum(self._fits.each(lambda fit: int(fit.reaching(alpha).sum())))

    def most_promising(self, state: ShardedLosses, limit: float) -> int:
        """The lowest-numbered target with the largest self-evaluation among those whose excess is within a limit."""
        found = self._fits.each(_most_promising, state.shards, limit)
        return first_least(found, self.problem.firsts)[1]

    @cached_property
    def _fits(self) -> Pieces:
        return self.problem.shards.map(TableFit)


def first_least(notes: list[tuple[float, int]], firsts: Array) -> tuple[float, int]:
    """The least value of all shards, and the number of the first target that has it.

    Examples
    --------
    >>> first_least([(0.5, 3), (0.25, 1), (0.25, 0)], np.array([0, 10, 20]))
    (0.25, 11)
    """
    values = [value for value, _ in notes]
    shard = int(np.argmin(values))
    return values[shard], int(firsts[shard]) + notes[shard][1]


def _updated(fit: TableFit, losses: Losses, query: int, reward: float, count: int, shift: float) -> Losses:
    copied = losses._replace(excess=losses.excess.copy(), lows=losses.lows.copy(), least=shift)
    return fit.update(copied, query, reward, count)


def _least(losses: Losses) -> tuple[float, int]:
    return float(losses.least), int(losses.best)


def _most_promising(fit: Any, losses: Losses, limit: float) -> tuple[float, int]:
    """Minus the largest self-evaluation within the limit, and who has it; infinity where nobody is."""
    best = fit.most_promising(losses, limit)
    return (np.inf, 0) if best < 0 else (-fit.problem.self_evaluation(best), best)
