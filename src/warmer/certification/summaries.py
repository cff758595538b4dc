"""What is known of the parameters behind the candidates, by name."""

from typing import Any, NamedTuple

import numpy as np

from warmer.certification.certifier import Certifier
from warmer.certification.state import Evidence
from warmer.model import Array
from warmer.model.errors import InvalidValueError
from warmer.model.words import exact


class ParameterSummary(NamedTuple):
    """One parameter: its posterior, which is a belief, and the values that the evidence leaves possible."""

    name: str
    likeliest: Any
    """The value with the largest share of the posterior."""
    share: float
    mean: float
    """NaN where values are not numbers; so is the deviation."""
    deviation: float
    possible: list[Any]
    """The values of the remaining candidates, in order."""

    def __str__(self) -> str:
        numbers = "" if np.isnan(self.mean) else f", mean {self.mean:.4g} +- {self.deviation:.2g}"
        ends = f"{_told(self.possible[0])} to {_told(self.possible[-1])}" if self.possible else "none"
        return f"{self.name}: most likely {_told(self.likeliest)} ({self.share:.0%}){numbers}; still possible: {ends}"


def parameter_summaries(certifier: Certifier, state: Evidence) -> dict[str, ParameterSummary]:
    """The posterior and the remaining values of each parameter of a problem made by `problems.from_model`.

    Examples
    --------
    >>> from warmer import goals, noise, problems
    >>> problem = problems.from_model(
    ...     lambda dose, rate: 1 - np.exp(-rate * dose),
    ...     designs={"dose": [1, 2]},
    ...     parameters={"rate": [0.1, 0.5, 1.0]},
    ...     reward_range=(0, 1),
    ... )
    >>> certifier = Certifier(problem, goals.ValueOf("rate", 0.1), noise=noise.SubGaussian(0.2))
    >>> state = certifier.update(certifier.start(), query=1, reward=0.75, count=3)
    >>> print(parameter_summaries(certifier, state)["rate"])
    rate: most likely 1 (51%), mean 0.7535 +- 0.25; still possible: 0.5 to 1
    """
    parameters = certifier.problem.parameters
    if not parameters:
        raise InvalidValueError("the candidates have no parameters; problems.from_model makes a problem with names.")
    places, weights = certifier.likely(state) if state.n_possible else (np.array([certifier.leader(state)]), np.ones(1))
    return {name: _summary(name, values, places, weights, state.possible) for name, values in parameters.items()}


def _summary(name: str, values: Array, places: Array, weights: Array, possible: Array) -> ParameterSummary:
    found, own = np.unique(values[places], return_inverse=True)
    shares = np.bincount(own, weights=weights)
    mean = deviation = np.nan
    if np.issubdtype(values.dtype, np.number):
        mean = float(shares @ found)
        deviation = float(np.sqrt(shares @ (found - mean) ** 2))
    likeliest = found[shares.argmax()].item()
    return ParameterSummary(name, likeliest, float(shares.max()), mean, deviation, np.unique(values[possible]).tolist())


def _told(value: Any) -> str:
    return exact(value) if isinstance(value, float) else str(value)
