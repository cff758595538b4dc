"""Every environment that keeps a target, by name, built from the same few settings."""

from collections.abc import Callable

from warmer.environments.noise_models import Coin, Exact, SampleMean, TargetEnvironment, TruncatedGaussian, UniformNoise
from warmer.model import Label, Problem
from warmer.model.errors import InvalidValueError

__all__ = ["CATALOG", "build"]

CATALOG: dict[str, Callable[[Problem, Label, float, int], TargetEnvironment]] = {
    "exact": lambda problem, target, width, n: Exact(problem, target),
    "coin": lambda problem, target, width, n: Coin(problem, target),
    "uniform": lambda problem, target, width, n: UniformNoise(problem, target, width=width),
    "gaussian": lambda problem, target, width, n: TruncatedGaussian(problem, target, sigma=width),
    "mean": lambda problem, target, width, n: SampleMean(problem, target, n=n),
}


def build(name: str, problem: Problem, target: Label, *, width: float = 0.5, n: int = 10) -> TargetEnvironment:
    """The environment of that name; width is the noise's half-width or deviation, n the sample size of "mean".

    Examples
    --------
    >>> build("coin", Problem.from_table([[0.5]]), 0).sigma
    1.0
    """
    if name not in CATALOG:
        raise InvalidValueError(f"there is no environment {name!r}; choose one of {', '.join(CATALOG)}.")
    return CATALOG[name](problem, target, width, n)
