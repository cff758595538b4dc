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
    of the targets in contention then stay small, and single precision stays sharp however long the run.
    """

    excess: Array
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
        return Losses(excess, 0.0, int(excess.argmin()))

    def update(self, state: Losses, query: int, reward: float, count: int = 1) -> Losses:
        """Add the squared residuals of the answered row, in the memory of the given losses."""
        least, best = self.kernels.add_residuals(state.excess, self.problem.rho[query], reward, count, state.least)
        return Losses(state.excess, least, best)

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

    def posterior(self, state: Losses, sigma: float) -> Array:
        """The posterior over targets for a uniform prior and Gaussian noise of deviation sigma."""
        weights = self.kernels.posterior_weights(state.excess, state.least, sigma**2)
        return np.asarray(weights / weights.sum())

    def draw(self, state: Losses, sigma: float, rng: np.random.Generator) -> int:
        """A target drawn from the posterior, by one uniform number."""
        return int(self.kernels.posterior_draw(state.excess, state.least, sigma**2, rng.random()))
