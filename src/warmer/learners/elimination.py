"""Successive elimination of candidate targets."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from warmer.estimation import LossBall, Losses, TableFit
from warmer.model import Array, Problem
from warmer.model.checks import check_probability


class Survivors(NamedTuple):
    """Losses, which targets were never ruled out, and how often each query was answered."""

    losses: Losses
    alive: Array
    counts: Array


@dataclass(frozen=True, eq=False)
class Elimination:
    """Ask in turn the best queries of the targets that the anytime confidence set has never excluded.

    The least-asked of those queries comes next. The truth survives with probability 1-delta; should the answers
    ever exclude every target (then no candidate is the truth, or the noise was mis-declared), elimination starts again
    from the present confidence set.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> learner = Elimination(Problem.from_table([[0.0, 1.0], [0.5, 0.0]]), delta=0.05, sigma=0.1)
    >>> learner.ask(learner.tell(learner.init(rng), 0, 1.0), rng)
    0
    """

    problem: Problem
    _: KW_ONLY
    delta: float = 0.05
    sigma: float | None = None

    def __post_init__(self) -> None:
        check_probability("delta", self.delta)
        _ = self._ball  # raises for a bad sigma

    def init(self, rng: np.random.Generator) -> Survivors:
        """Every target is alive."""
        n_queries, n_targets = self.problem.rho.shape
        return Survivors(self._ball.start(), np.ones(n_targets, dtype=bool), np.zeros(n_queries, dtype=np.int64))

    def ask(self, state: Survivors, rng: np.random.Generator) -> int:
        """The least-asked best query of a surviving target."""
        best = np.flatnonzero(np.bincount(self.problem.best_queries[state.alive]))
        return int(best[state.counts[best].argmin()])

    def tell(self, state: Survivors, query: int, reward: float, count: int = 1) -> Survivors:
        """Rule out what left the confidence set."""
        losses = self._ball.update(state.losses, query, reward, count)
        inside = self._ball.mask(losses)
        alive = state.alive & inside
        state.counts[query] += count
        return Survivors(losses, alive if alive.any() else inside, state.counts)

    @cached_property
    def _ball(self) -> LossBall:
        return TableFit(self.problem).anytime_ball(delta=self.delta, sigma=self.problem.sigma(self.sigma))
