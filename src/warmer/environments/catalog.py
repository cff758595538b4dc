"""Every noise model, by name, built from the same few settings."""

from collections.abc import Callable
from typing import Any

from warmer.environments.noise_models import Coin, Exact, SampleMean, TruncatedGaussian, UniformNoise
from warmer.environments.statistical import Adversarial, SimulatedSamples
from warmer.model import Family, Problem
from warmer.model.errors import InvalidValueError

CATALOG: dict[str, Callable[[Any, Any, float, int, str], Any]] = {
    "exact": lambda problem, target, width, n, strategy: Exact(problem, target),
    "coin": lambda problem, target, width, n, strategy: Coin(problem, target),
    "uniform": lambda problem, target, width, n, strategy: UniformNoise(problem, target, width=width),
    "gaussian": lambda problem, target, width, n, strategy: TruncatedGaussian(problem, target, sigma=width),
    "mean": lambda problem, target, width, n, strategy: SampleMean(problem, target, n=n),
    "adversarial": lambda problem, target, width, n, strategy: Adversarial(
        problem, target, tau=width, strategy=strategy
    ),
    "simulated-samples": lambda problem, target, width, n, strategy: SimulatedSamples(
        Adversarial(problem, target, tau=width, strategy=strategy)
    ),
}


def build(
    name: str, problem: Problem | Family, target: Any, *, width: float = 0.5, n: int = 10, strategy: str = "random"
) -> Any:
    """The environment of that name.

    Parameters
    ----------
    name
        A name of `CATALOG`.
    problem, target
        The table and the truth.
    width
        The half-width of uniform noise, the deviation of Gaussian noise, or the tolerance of an adversary.
    n
        The sample size of "mean".
    strategy
        How an adversary errs.

    Examples
    --------
    >>> build("coin", Problem.from_table([[0.5]]), 0).sigma
    1.0
    """
    if name not in CATALOG:
        raise InvalidValueError(f"there is no environment {name!r}; choose one of {', '.join(CATALOG)}.")
    return CATALOG[name](problem, target, width, n, strategy)
