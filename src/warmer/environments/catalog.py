"""Every noise model, by name, built from the same few settings."""

from collections.abc import Callable
from typing import Any

from warmer.environments.noise_models import Coin, Exact, SampleMean, TruncatedGaussian, UniformNoise
from warmer.environments.statistical import Adversarial, SimulatedSamples
from warmer.model import Family, Problem
from warmer.model.errors import InvalidValueError

CATALOG: dict[str, Callable[..., Any]] = {
    "exact": lambda *truth, **_: Exact(*truth),
    "coin": lambda *truth, **_: Coin(*truth),
    "uniform": lambda *truth, width, **_: UniformNoise(*truth, width=width),
    "gaussian": lambda *truth, width, **_: TruncatedGaussian(*truth, sigma=width),
    "mean": lambda *truth, n, **_: SampleMean(*truth, n=n),
    "adversarial": lambda *truth, width, strategy, **_: Adversarial(*truth, tau=width, strategy=strategy),
    "simulated-samples": lambda *truth, **given: SimulatedSamples(CATALOG["adversarial"](*truth, **given)),
}
"""From the problem, the target and the settings of `build` to an environment."""


def build(
    name: str, problem: Problem | Family, target: Any, *, width: float = 0.5, n: int = 10, strategy: str = "random"
) -> Any:
    """The environment of that name of `CATALOG`.

    The width is the half-width of uniform noise, the deviation of Gaussian noise, or the tolerance of an adversary; n
    the sample size of "mean", and the strategy how an adversary errs.

    Examples
    --------
    >>> build("coin", Problem.from_table([[0.5]]), 0).sigma
    1.0
    """
    if name not in CATALOG:
        raise InvalidValueError(f"there is no environment {name!r}; choose one of {', '.join(CATALOG)}.")
    return CATALOG[name](problem, target, width=width, n=n, strategy=strategy)
