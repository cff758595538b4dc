r"""Oracles of statistical queries: tolerant adversaries, and samples simulated from them.

`Coin` is the sample oracle, which answers $h(x)h^*(x)$ for a fresh $x$, and `SampleMean` the mean of several of them.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from warmer.environments.noise_models import Responding, TargetEnvironment, toss
from warmer.model import Array
from warmer.model.checks import check_finite, check_positive
from warmer.model.errors import InvalidValueError, ProtocolError

Strategy = Callable[[float, float, float, float], float]
"""From the true mean, the lowest and the highest allowed answer and a uniform number, to an answer."""

STRATEGIES: dict[str, Strategy] = {
    "truthful": lambda mean, lowest, highest, chance: mean,
    "up": lambda mean, lowest, highest, chance: highest,
    "down": lambda mean, lowest, highest, chance: lowest,
    "random": lambda mean, lowest, highest, chance: lowest + chance * (highest - lowest),
}


def towards(constant: float) -> Strategy:
    """The strategy that answers as near to a constant as it may: the adversary of the lower bounds.

    Examples
    --------
    >>> towards(0.0)(0.25, 0.15, 0.35, 0.5)
    0.15
    """
    goal = check_finite("constant", constant)
    return lambda mean, lowest, highest, chance: min(max(goal, lowest), highest)


@dataclass(frozen=True, eq=False)
class Adversarial(TargetEnvironment):
    r"""Any answer in $[\mu-\tau,\mu+\tau]$, as its strategy likes; within the reward range.

    The strategy is `"truthful"`, `"up"`, `"down"`, `"random"`, `towards(constant)`, or a function of your own from the
    mean, the lowest and the highest allowed answer and a uniform number.

    Examples
    --------
    >>> from warmer.model import Problem
    >>> table = Problem.from_table([[0.5], [0.95]])
    >>> oracle = Adversarial(table, 0, tau=0.1, strategy="up")
    >>> oracle.reward(0, 0.0), oracle.reward(1, 0.0)
    (0.6, 1.0)
    """

    _: KW_ONLY
    tau: float
    strategy: str | Strategy = "truthful"

    def __post_init__(self) -> None:
        check_positive("tau", self.tau)
        _ = self._strategy  # raises for an unknown strategy
        super().__post_init__()

    @property
    def sigma(self) -> float:
        """An adversary's error need not be zero on average, so no sigma describes it."""
        raise ProtocolError("an adversary's error is not noise: it has a tolerance tau and no sigma.")

    def reward(self, query: Any, noise: float) -> float:
        """What the strategy answers; an answer beyond the tolerance is cut back to it."""
        low, high = self.problem.reward_range
        mean = self._mean(query)
        lowest, highest = max(mean - self.tau, low), min(mean + self.tau, high)
        answer = check_finite("the answer of a strategy", self._strategy(mean, lowest, highest, noise))
        return float(min(max(answer, lowest), highest))

    @cached_property
    def _strategy(self) -> Strategy:
        if callable(self.strategy):
            return self.strategy
        if not isinstance(self.strategy, str) or self.strategy not in STRATEGIES:
            raise InvalidValueError(
                f"there is no strategy {self.strategy!r}; choose one of {', '.join(STRATEGIES)}, or towards(constant)."
            )
        return STRATEGIES[self.strategy]


@dataclass(frozen=True, eq=False)
class SimulatedSamples(Responding):
    r"""The sample oracle, simulated: each answer of an adversary is the bias of a coin.

    The total variation between $m$ such answers and $m$ true samples is at most $m\tau/2$, whoever asks (Theorem
    `th:unbiased-from-vstat`, by a coupling).

    Examples
    --------
    >>> from warmer.model import Problem
    >>> table = Problem.from_table([[0.5]])
    >>> coins = SimulatedSamples(Adversarial(table, 0, tau=0.1, strategy="up"))
    >>> coins.reward(0, (0.0, 0.79)), coins.reward(0, (0.0, 0.81))
    (1.0, -1.0)
    """

    adversary: Adversarial

    def __post_init__(self) -> None:
        if not isinstance(self.adversary, Adversarial):
            raise InvalidValueError(f"SimulatedSamples tosses the answers of an Adversarial, got {self.adversary!r}.")

    problem = property(attrgetter("adversary.problem"))
    target = property(attrgetter("adversary.target"))
    alpha_star = property(attrgetter("adversary.alpha_star"))
    expected = property(attrgetter("adversary.expected"))

    def noise(self, horizon: int, rng: np.random.Generator) -> Array:
        """Two uniform numbers per round: the adversary's and the coin's."""
        return rng.random((horizon, 2))

    def reward(self, query: Any, noise: Any) -> float:
        """The side on which the coin falls."""
        low, high = self.problem.reward_range
        return toss(low, high, self.adversary.reward(query, noise[0]), noise[1])
