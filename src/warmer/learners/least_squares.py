"""Algorithm 1 of the paper, and Algorithm 5, which is the same rule on a bandit."""

import math
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.estimation import fit_of
from warmer.estimation.table_fit import inexact_fit
from warmer.model import Family, Fit, Problem
from warmer.model.checks import check_finite
from warmer.model.errors import calling


@dataclass(frozen=True, eq=False)
class LeastSquares:
    r"""Ask the best query of the target that fits the rewards best, among those worth at least alpha.

    $z_t=\arg\min_{z\in Z_\alpha}\sum_{i<t}(\rho(z_i|z)-r_i)^2$ (Algorithm 1). On a bandit the target is a function
    $f_t$ and the query its best action (Algorithm 5). Ties go to the lowest index.

    Parameters
    ----------
    problem
        The table, or a family of targets that knows how to fit itself.
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

    problem: Problem | Family
    _: KW_ONLY
    alpha: float

    def __post_init__(self) -> None:
        check_finite("alpha", self.alpha)
        with calling(self._fit, "start"):
            self._fit.start(float(self.alpha))  # raises where no target reaches alpha

    def init(self, rng: np.random.Generator) -> Any:
        """Nothing observed yet."""
        return self._fit.start(float(self.alpha))

    def ask(self, state: Any, rng: np.random.Generator) -> Any:
        """The best query of the estimate."""
        return self.problem.best_query(self._fit.estimate(state))

    def tell(self, state: Any, query: Any, reward: float, count: int = 1) -> Any:
        """One more answer."""
        return self._fit.update(state, query, reward, count)

    def estimate(self, state: Any) -> Any:
        """The viable target with the least loss."""
        return self._fit.estimate(state)

    def error_budget(self, *, horizon: int, delta: float) -> float:
        r"""$C_{T,\delta}$ for any noise in the reward range, if the truth reaches alpha (Definition 3)."""
        return self._fit.error_budget(alpha=self.alpha, horizon=horizon, delta=delta, sigma=self.problem.scale)

    @property
    def doubt(self) -> str:
        """That the fit is not proved to have the least loss, where it is not."""
        return "" if self._fit.is_exact(self.alpha) else inexact_fit(self.problem)

    @property
    def exact_error_budget(self) -> float:
        """Where rewards are exact the truth fits them perfectly, and so does the estimate of a fit that is exact."""
        return 0.0 if self._fit.is_exact(self.alpha) else math.inf

    @cached_property
    def _fit(self) -> Fit[Any]:
        return fit_of(self.problem)
