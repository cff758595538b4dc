"""Least squares over the targets of a finite table, whole or in shards, one row of work per answer; and `fit_of`.

Of a table in shards the losses stay with the targets, and the least of them comes here.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.estimation import kernels
from warmer.estimation.blocks import block_tops
from warmer.estimation.confidence import FiniteFit, Losses
from warmer.model import Array, Family, Fit, Problem
from warmer.model.checks import at_least, check_alpha, check_has
from warmer.model.contracts import ProblemLike
from warmer.model.errors import InvalidValueError, calling, giver_of, is_own
from warmer.model.sharded import Pieces, ShardedProblem

_FAMILY = ("fit", *(name for name in vars(ProblemLike) if not name.startswith("_")))
NEGLIGIBLE = 40.0
"""How far behind the likeliest, on the log scale, a target is never drawn: ten million of them together weigh less than
a billionth of it."""


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
        best = int(excess.argmin())
        return Losses(excess, -block_tops(-excess), float(excess[best]), best)

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


def fit_of(problem: Problem | ShardedProblem | Family) -> Fit[Any]:
    """Least squares over the targets of a table, whole or in shards, or over a family that knows how to fit itself.

    Examples
    --------
    >>> type(fit_of(Problem.from_table([[0.5]]))).__name__
    'TableFit'
    """
    if isinstance(problem, Problem):
        return TableFit(problem)
    if isinstance(problem, ShardedProblem):
        return ShardedFit(problem)
    if not isinstance(problem, Family):
        missing = next((name for name in _FAMILY if not hasattr(problem, name)), "")
        lacks = f", which has no {missing}" if hasattr(problem, "evaluate") or hasattr(problem, "fit") else ""
        raise InvalidValueError(
            f"a learner needs a Problem or a family, got {type(problem).__name__}{lacks}; "
            "build one with Problem.from_table or Problem.from_similarity."
        )
    if not is_own(problem):
        return problem.fit()
    with calling(problem, "fit"):
        fit = problem.fit()
    check_has(f"{giver_of(problem, 'fit')} must give a fit", fit, "start", "update", "estimate")
    return fit


def inexact_fit(problem: Problem | Family) -> str:
    """Why no theorem covers a fit that is not exact."""
    return f"the fit of {problem!r} is not proved to have the least loss, as the theorem needs"
