"""Least squares over the targets of a finite table, one row of work per answer."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from warmer.bounds import anytime_error_budget, anytime_radius, paper_radius
from warmer.estimation import kernels
from warmer.estimation.blocks import block_tops
from warmer.estimation.confidence import DistanceBall, LossBall, Losses
from warmer.model import Array, Fit, Problem
from warmer.model.checks import at_least, check_alpha
from warmer.model.errors import InvalidValueError

NEGLIGIBLE = 40.0
"""How far behind the likeliest, on the log scale, a target is never drawn: ten million of them together weigh less than
a billionth of it."""


@dataclass(frozen=True, eq=False)
class TableFit(Fit[Losses]):
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
                f"this needs a finite table of candidates, got {type(self.problem).__name__}; "
                "LeastSquares and Optimistic support continuous families."
            )

    def start(self, alpha: float | None = None) -> Losses:
        """Nothing observed: loss 0 on the viable targets and infinity elsewhere."""
        excess = np.zeros(self.problem.n_targets, dtype=self.problem.rho.dtype)
        if alpha is not None:
            excess[~self.viable(alpha)] = np.inf
        return self.resumed(excess)

    def resumed(self, excess: Array) -> Losses:
        """Go on from these losses, of which some are finite."""
        best = int(excess.argmin())
        return Losses(excess, -block_tops(-excess), float(excess[best]), best)

    def update(self, state: Losses, query: int, reward: float, count: int = 1) -> Losses:
        """Add the squared residuals of the answered row, in the memory of the given losses."""
        row = self.problem.rho[query]
        least, best = kernels.losses.add_squares(state.excess, state.lows, row, reward, count, state.least)
        return Losses(state.excess, state.lows, least, best, state.offset + state.least)

    def estimate(self, state: Losses) -> int:
        """The lowest-numbered target with the least loss."""
        return state.best

    def loss(self, state: Losses, target: int) -> float:
        """The sum of squared residuals of a target."""
        return float(state.excess[target]) + state.offset

    def anytime_ball(self, *, delta: float, sigma: float) -> LossBall:
        r"""The loss ball of radius $2\sigma^2\ln(|Z|/\delta)$."""
        return LossBall(self, anytime_radius(n_targets=self.problem.n_targets, delta=delta, sigma=sigma))

    def paper_ball(self, *, delta: float, horizon: int) -> DistanceBall:
        r"""The distance ball of radius $128\ln(2T|Z|/\delta)$."""
        problem = self.problem
        radius = paper_radius(n_targets=problem.n_targets, horizon=horizon, delta=delta, scale=problem.scale)
        return DistanceBall(self, radius)

    def ball(self, radius: float) -> DistanceBall:
        """The distance ball of any radius."""
        return DistanceBall(self, radius)

    def error_budget(self, *, alpha: float | None = None, horizon: int, delta: float, sigma: float) -> float:
        r"""$C_\delta$ of the least-squares target, at all times: $8\sigma^2\ln(|Z_\alpha|/\delta)$."""
        n_targets = self.problem.n_targets if alpha is None else int(self.viable(alpha).sum())
        return anytime_error_budget(n_targets=n_targets, delta=delta, sigma=sigma)

    def viable(self, alpha: float) -> Array:
        r"""The mask of $Z_\alpha$, the targets whose self-evaluation reaches alpha; raises where there are none."""
        values = self.problem.self_evaluations
        check_alpha(alpha, values.max(), self.problem.slack)
        return np.asarray(at_least(values, alpha, self.problem.slack))

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
