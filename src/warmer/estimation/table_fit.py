"""Least squares over the targets of a finite table, one row of work per answer."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from warmer.estimation import kernels
from warmer.estimation.blocks import block_tops
from warmer.estimation.confidence import FiniteFit, Losses
from warmer.model import Array, Problem
from warmer.model.checks import at_least, check_alpha
from warmer.model.errors import InvalidValueError

NEGLIGIBLE = 40.0
"""How far behind the likeliest, on the log scale, a target is never drawn: ten million of them together weigh less than
a billionth of it."""


def losses_from(excess: Array) -> Losses:
    """Go on from these losses, of which some are finite."""
    best = int(excess.argmin())
    return Losses(excess, -block_tops(-excess), float(excess[best]), best)


@dataclass(frozen=True, eq=False)
class TableFit(FiniteFit[Losses]):
    r"""Fits the columns of a table to rewards: $L_t(z)=\sum_{i<t}(\rho(z_i|z)-r_i)^2$ for every target $z$.

    Examples
    --------
    >>> fit = TableFit(Problem.from_table([[0.0, 1.0], [0.5, 0.0]]))
    >>> losses = fit.update(fit.start(), query=0, reward=0.75)
    >>> fit.estimate(losses), (losses.excess - losses.least).tolist()
    (1, [0.5, 0.0])
    """

    problem: Problem

    def __post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise InvalidValueError(
                f"this needs a finite table of candidates in memory, got {type(self.problem).__name__}; "
                "LeastSquares and Optimistic support continuous families and tables in shards."
            )

    def start(self, alpha: float | None = None) -> Losses:
        """Nothing observed: loss 0 on the viable targets and infinity elsewhere."""
        check_alpha(alpha, self.problem.self_evaluations.max(), self.problem.slack)
        return self.blank(alpha)

    def blank(self, alpha: float | None) -> Losses:
        """The same, even where no target reaches alpha."""
        excess = np.zeros(self.problem.n_targets, dtype=self.problem.rho.dtype)
        if alpha is not None:
            excess[~self.reaching(alpha)] = np.inf
        return losses_from(excess)

    def update(self, state: Losses, query: int, reward: float, count: int = 1) -> Losses:
        """Add the squared residuals of the answered row, in the memory of the given losses."""
        row = self.problem.rho[query]
        least, best = kernels.losses.add_squares(state.excess, state.lows, row, reward, count, state.least)
        return Losses(state.excess, state.lows, least, best, state.offset + state.least)

    def loss(self, state: Losses, target: int) -> float:
        """The sum of squared residuals of a target."""
        return float(state.excess[target]) + state.offset

    def n_viable(self, alpha: float) -> int:
        """How many targets reach alpha."""
        return int(self.viable(alpha).sum())

    def viable(self, alpha: float) -> Array:
        r"""The mask of $Z_\alpha$, the targets whose self-evaluation reaches alpha; raises where there are none."""
        check_alpha(alpha, self.problem.self_evaluations.max(), self.problem.slack)
        return self.reaching(alpha)

    def reaching(self, alpha: float) -> Array:
        """The same mask, even where there are none."""
        return np.asarray(at_least(self.problem.self_evaluations, alpha, self.problem.slack))

    def most_promising(self, state: Losses, limit: float) -> int:
        """The lowest-numbered target with the largest self-evaluation among those whose excess is within a limit."""
        values = self.problem.self_evaluations
        return int(kernels.losses.top_within(state.excess, state.lows, values, self._block_tops, limit))

    def posterior(self, state: Losses, sigma: float) -> Array:
        """The posterior over targets for a uniform prior and Gaussian noise of deviation sigma."""
        weights = np.exp((state.least - state.excess) / (2 * sigma**2), dtype=np.float64)
        return np.asarray(weights / weights.sum())

    def draw(self, state: Losses, sigma: float, rng: np.random.Generator) -> int:
        """A target drawn from the posterior, by one uniform number; those with no weight to speak of never are."""
        scale, level = 2 * float(sigma) ** 2, rng.random()
        return int(kernels.losses.draw_by_weight(state.excess, state.lows, state.least, scale, NEGLIGIBLE, level))

    @cached_property
    def _block_tops(self) -> Array:
        return block_tops(self.problem.self_evaluations)
