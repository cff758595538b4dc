"""Which environments compiled runs know, read into numbers and arrays."""

from collections.abc import Callable
from typing import Any

import numpy as np

from warmer.certification.memory import fixed
from warmer.environments import (
    STRATEGIES,
    Adversarial,
    Coin,
    Exact,
    SampleMean,
    SimulatedSamples,
    TruncatedGaussian,
    UniformNoise,
)
from warmer.simulation.engine.forms import ADVERSARY, COIN, EXACT, GAUSSIAN, MEAN, SIMULATED, UNIFORM, Answering


def answering_of(environment: Any) -> Answering | None:
    """The environment as compiled runs read it; None where they do not know it, or where queries are vectors."""
    reader = _READERS.get(type(environment))
    if reader is None or environment.problem.query_shape:
        return None
    adversary = environment.adversary if isinstance(environment, SimulatedSamples) else environment
    found = reader(adversary)
    if found is None:
        return None
    model, width, n_draws, strategy = found
    low, high = map(float, environment.problem.reward_range)
    means = np.ascontiguousarray(adversary.means, dtype=float)
    return Answering(model, fixed(means), low, high, float(width), n_draws, strategy)


Read = tuple[int, float, int, int] | None


def _adversary(model: int, n_draws: int) -> Callable[[Any], Read]:
    """A strategy that is a function of the user's own is not known."""

    def read(environment: Adversarial) -> Read:
        if not isinstance(environment.strategy, str):
            return None
        return model, environment.tau, n_draws, list(STRATEGIES).index(environment.strategy)

    return read


_READERS: dict[type, Callable[[Any], Read]] = {
    Exact: lambda each: (EXACT, 0.0, 0, 0),
    Coin: lambda each: (COIN, 0.0, 1, 0),
    UniformNoise: lambda each: (UNIFORM, each.width, 1, 0),
    TruncatedGaussian: lambda each: (GAUSSIAN, each.sigma, 1, 0),
    SampleMean: lambda each: (MEAN, 0.0, each.n, 0),
    Adversarial: _adversary(ADVERSARY, 1),
    SimulatedSamples: _adversary(SIMULATED, 2),
}
"""The number of the noise model, its width, how many uniform numbers a round takes, and the strategy."""
