"""Gaussian noise, and noise whose tails are no heavier."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warmer.certification.bets import RoughSquares
from warmer.certification.likelihoods import Squares
from warmer.certification.noise.declared import Told
from warmer.certification.one_sided import gaussian_bets
from warmer.certification.rounded import Rounded, check_reading, check_resolution
from warmer.certification.surprise.tails import gaussian_tail
from warmer.certification.universal import Universal
from warmer.model import Array, Problem
from warmer.model.checks import check_positive
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array
from warmer.model.words import exact, span

SIGMA = (
    "a bound for all tails: the standard deviation if the noise is normal, uniform or evenly two-valued; for 0/1 "
    "answers say Coin"
)
"""What the number is that every sub-Gaussian declaration asks for."""
_FAR = 40
"""Deviations beyond which an answer outside the range is a mistake: sub-Gaussian noise goes so far with probability
below 1e-340.
"""


@dataclass(frozen=True)
class SubGaussian:
    r"""Noise with $\mathbb E\,e^{\lambda\xi}\le e^{\lambda^2\sigma^2/2}$ given the past.

    Gaussian noise of deviation sigma is, and so is any noise in an interval of length 2 sigma. Rare coins are not: of
    chance p = .02 they need 2.5 times their standard deviation.

    Parameters
    ----------
    sigma
        A bound for all tails: the standard deviation if the noise is normal, uniform or evenly two-valued; for 0/1
        answers say `Coin`. One number; or one for each query, in table order or as a mapping from labels.

    Examples
    --------
    >>> SubGaussian(0.3)
    SubGaussian(sigma=0.3)
    """

    sigma: float | Sequence[float] | Mapping[Any, float]

    def __post_init__(self) -> None:
        sigma = list(self.sigma.values()) if isinstance(self.sigma, Mapping) else self.sigma
        for value in as_array("sigma", sigma).ravel().tolist():
            check_positive("sigma", value)
            if not 1e-100 < value < 1e100:
                raise InvalidValueError(f"sigma must be a deviation of rewards, got {exact(value)}.")

    def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Squares | RoughSquares:
        """The likelihood ratio of Gaussian noise, which is valid for all sub-Gaussian noise."""
        sigmas = self.sigmas(problem)
        check_precision(problem, "sigma", float(sigmas.min()), tolerance)
        if tolerance:
            return RoughSquares(problem, log_prior, sigmas=sigmas, tolerance=tolerance)
        return Squares(problem, log_prior, sigmas)

    def information(self, problem: Problem, queries: Array, first: Array, second: Array) -> Array:
        """The divergence between Gaussian answers with these means."""
        return np.asarray((first - second) ** 2 / (2 * self.sigmas(problem)[queries] ** 2))

    def bets(self, family: Any, scale: float) -> Array:
        """By the deviation of each query's answers."""
        return gaussian_bets(scale, self.sigmas(family) / (2 * family.scale))

    def tail(self, problem: Problem, query: int, told: Told, means: Array, tolerance: float) -> Array:
        """By the declared deviation."""
        sigma = self.sigma if isinstance(self.sigma, int | float) else self.sigmas(problem)[query]
        return gaussian_tail(distance(told, means, tolerance), sigma / np.sqrt(told.counts))

    def check(self, problem: Any, query: int, reward: float, count: int) -> None:
        """Raise `InvalidValueError` for an answer that such noise practically never brings."""
        low, high = problem.reward_range
        if low <= reward <= high:
            return
        sigma = float(self.sigmas(problem)[query])
        if not low - _FAR * sigma <= reward <= high + _FAR * sigma:
            raise InvalidValueError(
                f"the answer to {problem.queries[query]!r} must be a number no further than {_FAR} deviations of "
                f"{exact(sigma)} from {span(low, high)}, got {exact(reward)}; nothing was recorded."
            )

    def sigmas(self, problem: Any) -> Array:
        """The deviation of each query's answers; of all of them where queries are vectors."""
        if problem.query_shape:
            if not isinstance(self.sigma, Mapping) and as_array("sigma", self.sigma).ndim == 0:
                return as_array("sigma", self.sigma)
            raise InvalidValueError("the queries are vectors without a list; sigma must be one number.")
        n_queries = len(problem.queries)
        if isinstance(self.sigma, Mapping):
            places = {problem.queries.position(label): float(value) for label, value in self.sigma.items()}
            missing = next((q for q in range(n_queries) if q not in places), None)
            if missing is not None:
                raise InvalidValueError(f"sigma is missing for query {problem.queries[missing]!r}.")
            return np.array([places[q] for q in range(n_queries)])
        values = as_array("sigma", self.sigma)
        if values.ndim and values.shape != (n_queries,):
            raise InvalidValueError(
                f"sigma must be one number, or one for each of the {n_queries} queries, got an array of shape "
                f"{values.shape}."
            )
        return np.broadcast_to(values, (n_queries,)).astype(float)


@dataclass(frozen=True, repr=False)
class Gaussian:
    """Gaussian noise of one deviation, the same for all queries, and unknown. Answers may leave the range.

    Parameters
    ----------
    resolution
        The unit of an instrument whose readings are rounded to multiples of it; None where answers are not rounded, or
        to far less than the deviation. A reading counts with the probability of all numbers that round to it.

    Examples
    --------
    >>> Gaussian(), Gaussian(resolution=0.5)
    (Gaussian(), Gaussian(resolution=0.5))
    """

    resolution: float | None = field(default=None, metadata={"is_silent": True})

    def __post_init__(self) -> None:
        if self.resolution is not None:
            check_positive("resolution", self.resolution)

    def __repr__(self) -> str:
        return "Gaussian()" if self.resolution is None else f"Gaussian(resolution={exact(self.resolution)})"

    def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Universal | Rounded:
        """Universal inference over the deviation; on the cells of the instrument where there is a resolution."""
        if self.resolution is None:
            return Universal(problem, log_prior, tolerance)
        check_resolution(problem, float(self.resolution))
        return Rounded(problem, log_prior, tolerance=tolerance, resolution=float(self.resolution))

    def check(self, problem: Problem, query: int, reward: float, count: int) -> None:
        """Raise `InvalidValueError` unless the answer is a finite number, not absurdly far from the range, and a
        reading of the instrument where there is one.
        """
        low, high = problem.reward_range
        if not abs(reward - low) <= 1e9 * (high - low):
            raise InvalidValueError(
                f"the answer to {problem.queries[query]!r} must be a number, and no further than 1e9 times the length "
                f"of {span(low, high)} from it, got {exact(reward)}; nothing was recorded."
            )
        if self.resolution is not None:
            check_reading(problem, query, reward, count, float(self.resolution))


def distance(told: Told, means: Array, tolerance: float) -> Array:
    """How far answers are from their means, beyond the tolerance."""
    return np.asarray(np.maximum(np.abs(told.rewards - means) - tolerance, 0.0))


def check_precision(problem: Problem, name: str, value: float, tolerance: float) -> None:
    """Raise where the noise is so small that the rounding of a float32 table would count as evidence."""
    most = max(abs(end) for end in problem.reward_range)
    if problem.dtype == np.float32 and value < 1e-4 * most and tolerance < 1e-7 * most:
        raise InvalidValueError(
            f"{name} must be at least {1e-4 * most:g} with a float32 table, whose entries are rounded, got "
            f"{exact(value)}; use a float64 table, or declare tolerance={1e-7 * most:g}."
        )
