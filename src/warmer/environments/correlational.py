"""Statistical queries beyond the class: any function of a point, or of a point and its label."""

import inspect
import reprlib
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.environments.noise_models import Exact
from warmer.model import Array, Environment, Problem
from warmer.model.errors import InvalidValueError
from warmer.model.signs import check_signs, check_weights


@dataclass(frozen=True, eq=False)
class CorrelationalOracle:
    r"""Answers $\mathbb E_{x\sim D}[\varphi(x)h^*(x)]$ for any $\varphi$ with values $\pm1$, in the class or not.

    The target $h^*$ is a value -1 or 1 for each point, the distribution the weight of each, uniform where None. A
    correlation is answered by the environment: `Exact`, `Coin` (one sample), `partial(SampleMean, n=k)`,
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
    environment: Callable[[Problem, Any], Environment] = Exact

    def __post_init__(self) -> None:
        assert self.weights.size == self._target.size
        _check_maker(self.environment)

    @cached_property
    def weights(self) -> Array:
        """The distribution, which the learner knows."""
        n = self._target.size
        if self.distribution is None:
            return np.full(n, 1 / n)
        return np.array(check_weights("distribution", self.distribution, n), dtype=float)

    def respond(self, query: Any, rng: np.random.Generator) -> float:
        """The answer to a query given by its values at the points."""
        correlation = float(
            self.weights @ (check_signs("a correlational query", query, self._target.size) * self._target)
        )
        table = Problem.from_table([[min(max(correlation, -1.0), 1.0)]])  # rounding may step outside
        made = self.environment(table, 0)
        if not isinstance(made, Environment):
            raise InvalidValueError(f"environment must make one, as Exact does, got {reprlib.repr(made)}.")
        return float(made.reward(0, made.noise(1, rng)[0]))

    @cached_property
    def _target(self) -> Array:
        return check_signs("the target", self.target)


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

    What is given are $g(x,1)$ and $g(x,-1)$, a value -1 or 1 for each point, and the weight of each point.

    Examples
    --------
    >>> split_query([1, 1], [-1, 1], [0.5, 0.5])
    SplitQuery(constant=0.5, first=array([1., 1.]), second=array([ 1., -1.]))
    """
    positive = check_signs("g(x, 1)", if_positive)
    negative = check_signs("g(x, -1)", if_negative, positive.size)
    distribution = np.array(check_weights("weights", weights, positive.size), dtype=float)
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

    def __post_init__(self) -> None:
        if not isinstance(self.correlations, CorrelationalOracle):
            raise InvalidValueError(
                f"StatisticalOracle asks a CorrelationalOracle, got {reprlib.repr(self.correlations)}."
            )

    def respond(self, if_positive: Any, if_negative: Any, rng: np.random.Generator) -> float:
        r"""The answer to the query with these values of $g(x,1)$ and $g(x,-1)$."""
        constant, first, second = split_query(if_positive, if_negative, self.correlations.weights)
        if (first != second).all():
            return constant
        answer = constant + (self.correlations.respond(first, rng) + self.correlations.respond(second, rng)) / 2
        return min(max(answer, -1.0), 1.0)


def _check_maker(environment: Any) -> None:
    """Raise unless a problem and a target are all that the environment needs, as far as its signature shows."""
    if not callable(environment):
        raise InvalidValueError(f"environment must be one such as Exact or Coin, got {reprlib.repr(environment)}.")
    try:
        signature = inspect.signature(environment)
    except ValueError:  # compiled code has none
        return
    try:
        signature.bind("problem", "target")
    except TypeError as error:
        raise InvalidValueError(
            f"environment is called with a problem and a target; {error}. Give the rest with functools.partial."
        ) from None
