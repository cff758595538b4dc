"""Least squares over the targets of a finite table, one row of work an answer."""

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import NamedTuple

import numpy as np

from warmer.model import Array, InvalidValueError, Problem, at_least

__all__ = ["FiniteFit", "Losses"]


class Losses(NamedTuple):
    r"""The sum of squared residuals of every target, up to one constant that they share.

    Only differences of losses ever matter, so each update first takes the least loss off all of them. The losses
    of the targets in contention then stay small, and single precision stays sharp however long the run. `lows` holds
    the least loss of each block of targets, `least` the least of all, `best` the lowest-numbered target that has it.
    """

    excess: Array
    lows: Array
    least: float
    best: int


@dataclass(frozen=True, eq=False)
class FiniteFit:
    r"""Fits the columns of a table to rewards: $L_t(z)=\sum_{i<t}(\rho(z_i|z)-r_i)^2$ for every target $z$.

    Examples
    --------
    >>> fit = FiniteFit(Problem.from_table([[0.0, 1.0], [0.5, 0.0]]))
    >>> losses = fit.update(fit.start(), query=0, reward=0.75)
    >>> fit.estimate(losses), (losses.excess - losses.least).tolist()
    (1, [0.5, 0.0])
    """

    problem: Problem

    @cached_property
    def kernels(self) -> ModuleType:
        """The compiled loops, loaded at first use: their compiler takes longer to import than all of ours."""
        from warmer.estimation.kernels import losses

        return losses

    def start(self, alpha: float | None = None) -> Losses:
        """Nothing observed: loss 0 on the viable targets and infinity elsewhere."""
        excess = np.zeros(self.problem.n_targets, dtype=self.problem.rho.dtype)
        if alpha is not None:
            excess[~self.viable(alpha)] = np.inf
        return Losses(excess, self._block_lows(excess), 0.0, int(excess.argmin()))

    def update(self, state: Losses, query: int, reward: float, count: int = 1) -> Losses:
        """Add the squared residuals of the answered row, in the memory of the given losses."""
        row = self.problem.rho[query]
        least, best = self.kernels.add_squares(state.excess, state.lows, row, reward, count, state.least)
        return Losses(state.excess, state.lows, least, best)

    def estimate(self, state: Losses) -> int:
        """The lowest-numbered target with the least loss."""
        return state.best

    def best_query(self, target: int) -> int:
        """The query that a target evaluates highest."""
        return int(self.problem.best_queries[target])

    def viable(self, alpha: float) -> Array:
        r"""The mask of $Z_\alpha$, the targets whose self-evaluation reaches alpha; raises where there are none."""
        values = self.problem.self_evaluations
        mask: Array = at_least(values, alpha, self.problem.slack)
        if not mask.any():
            raise InvalidValueError(
                f"alpha must be reached by some target's own best query; the best is {values.max():g}, "
                f"got {alpha:g}. Lower alpha or use Optimistic."
            )
        return mask

    def most_promising(self, state: Losses, limit: float) -> int:
        """The lowest-numbered target with the largest self-evaluation among those whose excess is within a limit."""
        values = self.problem.self_evaluations
        return int(self.kernels.top_within(state.excess, state.lows, values, self._block_tops, limit))

    def posterior(self, state: Losses, sigma: float) -> Array:
        """The posterior over targets for a uniform prior and Gaussian noise of deviation sigma."""
        weights = self._weights(state, sigma)
        return np.asarray(weights / weights.sum())

    def draw(self, state: Losses, sigma: float, rng: np.random.Generator) -> int:
        """A target drawn from the posterior, by one uniform number."""
        running = self._weights(state, sigma).cumsum()
        return int(running.searchsorted(rng.random() * running[-1], side="right"))

    def _weights(self, state: Losses, sigma: float) -> Array:
        return np.exp((state.least - state.excess) / (2 * sigma**2), dtype=np.float64)

    def _block_lows(self, excess: Array) -> Array:
        return -self.kernels.block_tops(-excess)  # type: ignore[no-any-return]

    @cached_property
    def _block_tops(self) -> Array:
        return self.kernels.block_tops(self.problem.self_evaluations)  # type: ignore[no-any-return]
