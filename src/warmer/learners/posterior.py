"""Rivals that keep a posterior over the candidate targets."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.certification.memory import Batch
from warmer.certification.noise import Process, evidence_process
from warmer.estimation import TableFit
from warmer.families import KArms
from warmer.learners import kernels
from warmer.model import Array, Problem
from warmer.model.errors import InvalidValueError


@dataclass(frozen=True, eq=False)
class LikelihoodFit:
    """The posterior by a noise model's likelihood, behind the methods of `TableFit` that draws need.

    Where the model gives none (`noise.Bounded()` says nothing but the range), it is Gaussian with the variance that
    forecasts were seen to have. A candidate that the model calls impossible is never drawn while another is left.
    """

    problem: Problem
    noise: Any

    def __post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise InvalidValueError(f"noise= needs a finite table of candidates, got {type(self.problem).__name__}.")
        _ = self._process  # raises for noise that does not fit the table

    def start(self) -> Any:
        """The prior."""
        return self._process.start()

    def update(self, state: Any, query: int, reward: float, count: int = 1) -> Any:
        """One more answer."""
        nobody = np.empty(0, dtype=bool)
        return self._process.advance(state, Batch.one(query, reward, count), nobody, np.inf)[0]

    def posterior(self, state: Any, sigma: float) -> Array:
        """The posterior over targets for a uniform prior; what is believed of sigma plays no part."""
        behind = self._process.weights(state).behind(np.arange(self.problem.n_targets))
        impossible = np.isposinf(self._process.log_evidence(state))
        if not impossible.all():
            behind = np.where(impossible, np.inf, behind)
        weights = np.exp(behind.min() - behind)
        return np.asarray(weights / weights.sum())

    def draw(self, state: Any, sigma: float, rng: np.random.Generator) -> int:
        """A target drawn from the posterior, by one uniform number."""
        running = self.posterior(state, sigma).cumsum()
        return int(running.searchsorted(rng.random() * running[-1], side="right"))

    @cached_property
    def _process(self) -> Process[Any]:
        return evidence_process(self.noise, self.problem, np.empty(0), 0.0)


@dataclass(frozen=True, eq=False)
class _Posterior:
    """What both remember: the losses of all targets, which are their log-posterior up to scale."""

    problem: Problem
    _: KW_ONLY
    sigma: float | None = None
    noise: Any = None

    def __post_init__(self) -> None:
        if self.sigma is not None and self.noise is not None:
            raise InvalidValueError("draws follow one likelihood; give sigma= or noise=, not both.")
        _ = self._fit, self._sigma  # raise where there is no table, and for a bad sigma

    def init(self, rng: np.random.Generator) -> Any:
        """The prior."""
        return self._fit.start()

    def tell(self, state: Any, query: int, reward: float, count: int = 1) -> Any:
        """The posterior after one more answer."""
        return self._fit.update(state, query, reward, count)

    @cached_property
    def _fit(self) -> Any:
        if self.noise is not None:
            return LikelihoodFit(self.problem, self.noise)
        return TableFit(self.problem)

    @cached_property
    def _sigma(self) -> float:
        return self.problem.sigma(self.sigma)


@dataclass(frozen=True, eq=False)
class Thompson(_Posterior):
    """Draw a target from the posterior and ask its best query (Thompson 1933).

    The prior is uniform over the targets and the likelihood Gaussian with deviation sigma (half the length of the
    reward range where none is given), or that of a noise model, `noise=`. Either is a belief to draw by: what
    certificates rest on is declared to `Session` or `UntilCertified`. It also plays `KArms`: there rewards count as
    coins, with the Beta posterior of every arm, where they keep within the interval of means.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> learner = Thompson(Problem.from_table([[0.0, 1.0], [0.5, 0.0]]), sigma=0.1)
    >>> learner.ask(learner.tell(learner.init(rng), 0, 1.0), rng)
    0
    """

    @cached_property
    def _fit(self) -> Any:
        return self.problem.fit() if isinstance(self.problem, KArms) and self.noise is None else super()._fit

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

    def ask(self, state: Any, rng: np.random.Generator) -> int:
        """One of the two queries with the least information ratio."""
        gaps, variances = self._gaps_and_variances(state)
        coin = rng.random()
        if gaps.min() == 0.0 or not variances.any():  # no regret to pay, or nothing to learn
            return int(self.problem.legal_queries[gaps.argmin()])
        first, second, share = kernels.information.least_ratio_pair(gaps, variances)
        return int(self.problem.legal_queries[first if coin < share else second])

    def _gaps_and_variances(self, state: Any) -> tuple[Array, Array]:
        posterior = self._fit.posterior(state, self._sigma)
        support = np.flatnonzero(posterior)
        weights = posterior[support]
        best, groups = np.unique(self.problem.best_queries[support], return_inverse=True)
        means, variances = kernels.information.explained_variances(
            self.problem.rho, self.problem.legal_queries, support, weights, groups, best.size
        )
        gaps = float(weights @ self.problem.self_evaluations[support]) - means
        return np.maximum(gaps, 0.0), variances if best.size > 1 else np.zeros_like(variances)
