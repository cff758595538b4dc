"""Algorithm 1 of the paper, and Algorithm 5, which is the same rule on a bandit."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property

import numpy as np

from warmer.estimation import FiniteFit, Losses
from warmer.model import Problem, check_finite

__all__ = ["LeastSquares"]


@dataclass(frozen=True, eq=False)
class LeastSquares:
    r"""Ask the best query of the target that fits the rewards best, among those worth at least alpha.

    $z_t=\arg\min_{z\in Z_\alpha}\sum_{i<t}(\rho(z_i|z)-r_i)^2$ (Algorithm 1). On a bandit the target is a function
    $f_t$ and the query its best action (Algorithm 5). Ties go to the lowest index.

    Parameters
    ----------
    problem
        The table.
    alpha
        The optimality level: only targets whose own best query earns at least this are considered. It must not
        exceed what the truth can earn; where that is unknown use `Optimistic`.

    Examples
    --------
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> learner = LeastSquares(problem, alpha=0.5)
    >>> rng = np.random.default_rng(0)
    >>> state = learner.init(rng)
    >>> learner.ask(state, rng)
    1
    >>> learner.ask(learner.tell(state, 1, 0.125), rng)
    0
    """

    problem: Problem
    _: KW_ONLY
    alpha: float

    def __post_init__(self) -> None:
        self._fit.viable(check_finite("alpha", self.alpha))

    def init(self, rng: np.random.Generator) -> Losses:
        """Nothing observed yet."""
        return self._fit.start(self.alpha)

    def ask(self, state: Losses, rng: np.random.Generator) -> int:
        """The best query of the estimate."""
        return self._fit.best_query(state.best)

    def tell(self, state: Losses, query: int, reward: float, count: int = 1) -> Losses:
        """Add the squared residuals of the answered row."""
        return self._fit.update(state, query, reward, count)

    def estimate(self, state: Losses) -> int:
        """The viable target with the least loss."""
        return self._fit.estimate(state)

    @cached_property
    def _fit(self) -> FiniteFit:
        return FiniteFit(self.problem)
