"""Statistical queries beyond the class: any function of a point, or of a point and its label."""

import reprlib
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.environments.kept import Exact, Kept
from warmer.model import Array, InvalidValueError, Problem

__all__ = ["CorrelationalOracle", "SplitQuery", "StatisticalOracle", "split_query"]


@dataclass(frozen=True, eq=False)
class CorrelationalOracle:
    r"""Answers $\mathbb E_{x\sim D}[\varphi(x)h^*(x)]$ for any $\varphi$ with values $\pm1$, in the class or not.

    Parameters
    ----------
    target
        $h^*$, a value -1 or 1 for each point.
    distribution
        The weight of each point; uniform where None.
    keeper
        How a correlation is answered: `Exact`, `Coin` (one sample), `partial(SampleMean, n=k)`,
        `partial(Adversarial, tau=...)`.

    Examples
    --------
    >>> oracle = CorrelationalOracle([1, 1, -1, -1])
    >>> oracle.respond([1, 1, 1, -1], np.random.default_rng(0))
    0.5
    """

    target: Any
    distribution: Iterable[Any] | None = None
    _: KW_ONLY
    keeper: Callable[[Problem, Any], Kept] = Exact

    def __post_init__(self) -> None:
        assert self.weights.size == self._target.size

    @cached_property
    def weights(self) -> Array:
        """The distribution, which the learner knows."""
        n = self._target.size
        return np.full(n, 1 / n) if self.distribution is None else _weights(self.distribution, "distribution", n)

    def respond(self, query: Any, rng: np.random.Generator) -> float:
        """The answer to a query given by its values at the points."""
        correlation = float(self.weights @ (_signs(query, "a correlational query", self._target.size) * self._target))
        table = Problem.from_table([[min(max(correlation, -1.0), 1.0)]])  # rounding may step outside
        return self.keeper(table, 0).respond(0, rng)

    @cached_property
    def _target(self) -> Array:
        return _signs(self.target, "the target")


class SplitQuery(NamedTuple):
    r"""A statistical query without the target: a constant, and two functions whose mean correlation is to be added."""

    constant: float
    first: Array
    second: Array


def split_query(if_positive: Any, if_negative: Any, weights: Iterable[Any]) -> SplitQuery:
    r"""Split a statistical query into two that ignore the target and two correlational ones (Bshouty and Feldman 2002).

    $g(x,y)=\frac12(g(x,1)+g(x,-1))+y\cdot\frac12(g(x,1)-g(x,-1))$ for $y=\pm1$. The mean of the first part needs no
    target. The factor of $y$ lies in $\{-1,0,1\}$ and is the mean of two $\pm1$ functions: both equal to it where it is
    not 0, one 1 and the other -1 where it is.

    Parameters
    ----------
    if_positive, if_negative
        $g(x,1)$ and $g(x,-1)$, a value -1 or 1 for each point.
    weights
        The distribution, a weight for each point.

    Examples
    --------
    >>> split_query([1, 1], [-1, 1], [0.5, 0.5])
    SplitQuery(constant=0.5, first=array([1., 1.]), second=array([ 1., -1.]))
    """
    positive = _signs(if_positive, "g(x, 1)")
    negative = _signs(if_negative, "g(x, -1)", positive.size)
    distribution = _weights(weights, "weights", positive.size)
    factor = (positive - negative) / 2
    constant = float(distribution @ positive + distribution @ negative) / 2
    return SplitQuery(constant, np.where(factor == 0, 1.0, factor), np.where(factor == 0, -1.0, factor))


@dataclass(frozen=True, eq=False)
class StatisticalOracle:
    r"""Answers any statistical query $\mathbb E[g(x,h^*(x))]$ by asking a correlational oracle twice.

    Where each correlation is off by at most $\tau$, so is the answer, which is never outside [-1, 1]. The two queries
    need not lie in the class. A query that ignores the label is answered without asking.

    Examples
    --------
    >>> oracle = StatisticalOracle(CorrelationalOracle([1, 1, -1, -1]))
    >>> x_is_first = [1, -1, -1, -1]
    >>> rng = np.random.default_rng(0)
    >>> oracle.respond(x_is_first, [-1, -1, -1, -1], rng)  # is x the first point, and is its label 1?
    -0.5
    """

    correlations: CorrelationalOracle

    def respond(self, if_positive: Any, if_negative: Any, rng: np.random.Generator) -> float:
        r"""The answer to the query with these values of $g(x,1)$ and $g(x,-1)$."""
        constant, first, second = split_query(if_positive, if_negative, self.correlations.weights)
        if (first != second).all():
            return constant
        answer = constant + (self.correlations.respond(first, rng) + self.correlations.respond(second, rng)) / 2
        return min(max(answer, -1.0), 1.0)


def _signs(values: Any, name: str, n_points: int | None = None) -> Array:
    try:
        signs = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InvalidValueError(
            f"{name} must have a value -1 or 1 for each point, got {reprlib.repr(values)}."
        ) from None
    if signs.ndim != 1 or signs.size == 0 or (n_points is not None and signs.size != n_points):
        wanted = "each point" if n_points is None else f"each of the {n_points} points"
        raise InvalidValueError(f"{name} needs one value for {wanted}, got shape {signs.shape}.")
    if not (np.abs(signs) == 1).all():
        place = int(np.flatnonzero(np.abs(signs) != 1)[0])
        raise InvalidValueError(f"{name} must have values -1 and 1, got {signs[place]:g} at point {place}.")
    return signs


def _weights(values: Iterable[Any], name: str, n_points: int) -> Array:
    try:
        weights = np.array([float(weight) for weight in values])
    except (TypeError, ValueError):
        raise InvalidValueError(f"{name} must be numbers, one for each point, got {reprlib.repr(values)}.") from None
    if weights.shape != (n_points,) or not (weights >= 0).all() or not np.isclose(weights.sum(), 1.0):
        raise InvalidValueError(
            f"{name} needs {n_points} weights of at least 0 that add up to 1, one a point, got {reprlib.repr(values)}."
        )
    return weights
