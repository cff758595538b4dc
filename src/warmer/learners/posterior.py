"""Rivals that keep a posterior over the candidate targets."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.estimation import Losses, TableFit
from warmer.families import KArms
from warmer.learners import kernels
from warmer.model import Array, Problem


@dataclass(frozen=True, eq=False)
class _Posterior:
    """What both remember: the losses of all targets, which are their log-posterior up to scale."""

    problem: Problem
    _: KW_ONLY
    sigma: float | None = None

    def __post_init__(self) -> None:
        _ = self._fit, self._sigma  # raise where there is no table, and for a bad sigma

    def init(self, rng: np.random.Generator) -> Losses:
        """The prior."""
        return self._fit.start()

    def tell(self, state: Losses, query: int, reward: float, count: int = 1) -> Losses:
        """The posterior after one more answer."""
        return self._fit.update(state, query, reward, count)

    @cached_property
    def _fit(self) -> TableFit:
        return TableFit(self.problem)

    @cached_property
    def _sigma(self) -> float:
        return self.problem.sigma(self.sigma)


@dataclass(frozen=True, eq=False)
class Thompson(_Posterior):
    """Draw a target from the posterior and ask its best query (Thompson 1933).

    The prior is uniform over the targets and the likelihood Gaussian with deviation sigma (half the length of the
    reward range where none is declared). It also plays `KArms`: there rewards count as coins, with the Beta posterior
    of every arm, where they keep within the interval of means.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> learner = Thompson(Problem.from_table([[0.0, 1.0], [0.5, 0.0]]), sigma=0.1)
    >>> learner.ask(learner.tell(learner.init(rng), 0, 1.0), rng)
    0
    """

    @cached_property
    def _fit(self) -> Any:
        return self.problem.fit() if isinstance(self.problem, KArms) else TableFit(self.problem)

    def ask(self, state: Any, rng: np.random.Generator) -> int:
        """The best query of a target drawn from the posterior."""
        return int(self.problem.best_query(self._fit.draw(state, self._sigma, rng)))


@dataclass(frozen=True, eq=False)
class InformationDirected(_Posterior):
    r"""Ask so that little expected regret buys much information (Russo and Van Roy 2014, variance-based).

    With $\Delta(a)$ the posterior expected regret of a query and $v(a)$ the posterior variance of
    $\mathbb E[\rho(a)\mid a^*]$, it draws from the distribution on two queries that minimises $\Delta^2/v$.
    Prior and likelihood are those of `Thompson`. A step reads the whole table.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> learner = InformationDirected(Problem.from_table([[0.0, 1.0], [0.5, 0.0]]), sigma=0.1)
    >>> learner.ask(learner.init(rng), rng)
    0
    """

    def ask(self, state: Losses, rng: np.random.Generator) -> int:
        """One of the two queries with the least information ratio."""
        gaps, variances = self._gaps_and_variances(state)
        coin = rng.random()
        if gaps.min() == 0.0 or not variances.any():  # no regret to pay, or nothing to learn
            return int(self.problem.legal_queries[gaps.argmin()])
        first, second, share = kernels.information.least_ratio_pair(gaps, variances)
        return int(self.problem.legal_queries[first if coin < share else second])

    def _gaps_and_variances(self, state: Losses) -> tuple[Array, Array]:
        posterior = self._fit.posterior(state, self._sigma)
        support = np.flatnonzero(posterior)
        weights = posterior[support]
        best, groups = np.unique(self.problem.best_queries[support], return_inverse=True)
        means, variances = kernels.information.explained_variances(
            self.problem.rho, self.problem.legal_queries, support, weights, groups, best.size
        )
        gaps = float(weights @ self.problem.self_evaluations[support]) - means
        return np.maximum(gaps, 0.0), variances if best.size > 1 else np.zeros_like(variances)
