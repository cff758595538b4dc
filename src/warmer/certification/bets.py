r"""E-processes that are bets: a candidate's capital is multiplied by $1+\lambda_i(r_i-z_i)$ with each answer.

While the mean of the answer is $z_i$ the capital is a martingale, whatever the stake $\lambda_i$ is, as long as it was
chosen before the answer came and the factor cannot be negative. The stake goes by a forecast $f$ of the answer and the
variance $v$ of the forecast errors so far: $\lambda=d/(v+d^2)$ with $d=f-z_i$, cut so that at most a share `BOLDNESS`
of the capital can be lost. Where a candidate is right only up to a tolerance, $z_i$ is the end of its interval nearest
to $f$: the factor's mean is then at most 1 for every mean inside.

Two forecasts are mixed: the weighted mean of the candidates' predictions, and one that learns each query's mean freely,
which wins where all candidates are wrong. Each weighs as much as its past squared errors allow.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from warmer.certification import kernels
from warmer.certification.likelihoods import coin_variances
from warmer.certification.memory import Batch, Memory
from warmer.certification.processes import TableProcess
from warmer.model import Array

BOLDNESS = 0.95
SETTLED = 800.0
"""Log evidence beyond which nothing more is bet against a candidate: no delta above 1e-340 asks for so much."""


class Rule(NamedTuple):
    """How a bet is made."""

    is_coin: bool
    width: float
    tolerance: float
    boldness: float
    settled: float
    slack: float


class Betting(NamedTuple):
    """The logarithm of each candidate's capital; squared residuals of all candidates; the squared errors of the
    candidates' forecast, of the free one, and of both mixed.
    """

    memory: Memory
    capital: Array
    least: float
    best: int
    top: float
    total: float
    by_candidates: float
    by_free: float
    by_mixed: float
    n_errors: float


@dataclass(frozen=True, eq=False)
class Bets(TableProcess):
    """Answers in the reward range, and within a width of their mean where one is declared."""

    width: float = np.inf
    tolerance: float = 0.0
    sigmas: Array = field(default_factory=lambda: np.empty(0))

    def start(self) -> Betting:
        """Nothing observed yet."""
        state = Betting(self._start(), np.zeros(self.problem.n_targets), 0.0, 0, *[0.0] * 6)
        started: Betting = self._weighed(state)
        return started

    def advance(self, state: Betting, told: Batch, possible: Array, threshold: float) -> tuple[Betting, int, int]:
        """Answer after answer until one of them rules possible candidates out."""
        numbers: Any = state[2:]
        settings = possible, threshold, self.rule, self.sigmas
        n_told, struck, *numbers = kernels.steps.place_bets(
            told, self._table_for(told), state.memory, state.capital, *settings, *numbers
        )
        return Betting(state.memory, state.capital, *numbers), n_told, struck

    def log_evidence(self, state: Betting) -> Array:
        """The logarithm of each candidate's process."""
        return state.capital

    def part(self, state: Betting, places: Array) -> tuple[Self, Betting]:
        """The process and its state for some of the candidates alone."""
        return super().part(state._replace(capital=state.capital[places]), places)

    def variance(self, state: Betting) -> float:
        """The mean squared error of the forecasts; a quarter of the squared scale stands for one more of them."""
        return float((state.by_mixed + self.problem.scale**2 / 4) / (state.n_errors + 1))

    def variances(self, state: Betting, queries: Array, means: Array) -> Array:
        """That of the forecast errors, the same for all queries."""
        return np.full(queries.size, self.variance(state))

    @cached_property
    def rule(self) -> Rule:
        """How a bet is made."""
        return Rule(self.is_coin, self.width, self.tolerance, BOLDNESS, SETTLED, self.problem.slack)

    def rate(self, state: Betting) -> float:
        """By the variance of the forecast errors."""
        return 1 / (2 * self.variance(state))


@dataclass(frozen=True, eq=False)
class RoughSquares(Bets):
    r"""Sub-Gaussian noise around means that the table gives up to a tolerance."""

    def variances(self, state: Betting, queries: Array, means: Array) -> Array:
        """The declared ones."""
        return np.asarray(self.sigmas[queries] ** 2)


@dataclass(frozen=True, eq=False)
class RoughCoins(Bets):
    """Answers at one of the two ends of the range, around means that the table gives up to a tolerance."""

    is_coin: ClassVar[bool] = True

    def variances(self, state: Betting, queries: Array, means: Array) -> Array:
        """Those of coins with these means."""
        return coin_variances(self.problem, means)
