r"""E-processes that are likelihood ratios: a mixture over all candidates against each of them.

The numerator is the same for every candidate $z$, so that a candidate is ruled out exactly when its likelihood has
fallen below a common limit: $\log e_t(z)=\log N_t-\log\ell_t(z)\ge\ln(1/\delta)$. The numerator $N_t$ mixes the
likelihoods of all candidates by their prior weights, and, at weight `FREE`, that of forecasts which learn each query's
mean freely.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from warmer.certification import kernels
from warmer.certification.memory import Batch, Memory
from warmer.certification.processes import TableProcess
from warmer.model import Array, Problem

FREE = 0.1
"""The share of the numerator that bets on all candidates being wrong."""


def coin_variances(problem: Problem, means: Array) -> Array:
    """The variance of an answer at one of the two ends of the range; never quite 0."""
    low, high = problem.reward_range
    return np.maximum((means - low) * (high - means), 1e-6 * (high - low) ** 2)


class Likelihoods(NamedTuple):
    """Minus the log likelihoods of all candidates, and that of the free forecasts, up to one constant that they
    share.
    """

    memory: Memory
    least: float
    best: int
    top: float
    total: float
    free: float


@dataclass(frozen=True, eq=False)
class _Ratio(TableProcess):
    """What both likelihood processes share."""

    sigmas: Array = field(default_factory=lambda: np.empty(0))

    def start(self) -> Likelihoods:
        """Nothing observed yet."""
        started: Likelihoods = self._weighed(Likelihoods(self._start(), 0.0, 0, 0.0, 0.0, 0.0))
        return started

    def advance(
        self, state: Likelihoods, told: Batch, possible: Array, threshold: float
    ) -> tuple[Likelihoods, int, int]:
        """Answer after answer until one of them rules possible candidates out."""
        numbers: Any = state[1:]
        settings = self._table_for(told), state.memory, possible, threshold, self.sigmas, FREE
        n_told, struck, *numbers = kernels.steps.compare(told, *settings, *numbers)
        return Likelihoods(state.memory, *numbers), n_told, struck

    def log_evidence(self, state: Likelihoods) -> Array:
        """The logarithm of each candidate's process."""
        numerator = kernels.steps.log_mixture(state.top, state.total, self.table.log_n, state.least, state.free, FREE)
        return np.asarray(state.memory.losses + numerator, dtype=float)

    def rate(self, state: Likelihoods) -> float:
        """Losses are minus the log likelihoods."""
        return 1.0


@dataclass(frozen=True, eq=False)
class Squares(_Ratio):
    r"""Sub-Gaussian noise of known deviation: $-\log\ell(z)=\sum_i(r_i-z_i)^2/(2\sigma_i^2)$."""

    def variances(self, state: Likelihoods, queries: Array, means: Array) -> Array:
        """The declared ones."""
        return np.asarray(self._squared.take(queries))

    @cached_property
    def _squared(self) -> Array:
        return np.asarray(self.sigmas**2)


@dataclass(frozen=True, eq=False)
class Coins(_Ratio):
    r"""Answers that are one of the two ends of the range: $-\log\ell(z)=-\sum_i\log p_{z_i}(r_i)$.

    Less the entropy of the coins behind each mean, which no candidate can fall below: so losses stay small, and exact
    in single precision, however many coins were thrown.
    """

    is_coin: ClassVar[bool] = True

    def variances(self, state: Likelihoods, queries: Array, means: Array) -> Array:
        """Those of coins with these means."""
        return coin_variances(self.problem, means)
