r"""Online regression oracles: they predict rewards one by one and regret little, whatever comes.

The regret is $\sum_t(\hat\rho_t-r_t)^2-\inf_z\sum_t(\rho(z_t|z)-r_t)^2$, and each oracle bounds it for every
sequence of queries and rewards in the range, however chosen.
"""

import math
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from warmer.estimation.confidence import Losses
from warmer.estimation.table_fit import TableFit
from warmer.model import Array, Problem
from warmer.model.checks import SLACK, check_count, check_interval, check_positive
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_matrix


@dataclass(frozen=True, eq=False)
class _Weighted:
    """What both forecasters over a table remember: the losses of all targets, which are the logarithms of weights."""

    problem: Problem

    def __post_init__(self) -> None:
        _ = self._fit  # raises where there is no table

    def init(self) -> Losses:
        """Every target weighs the same."""
        return self._fit.start()

    def update(self, state: Losses, query: int, reward: float) -> Losses:
        """One more answer, in the memory of the given state."""
        return self._fit.update(state, query, reward)

    @cached_property
    def _fit(self) -> TableFit:
        return TableFit(self.problem)


@dataclass(frozen=True, eq=False)
class AggregatingForecaster(_Weighted):
    r"""Vovk's aggregating algorithm over the targets of a table: regret at most $2Y^2\ln N$.

    Rewards lie within $Y$ of the middle of their range. Squared loss is mixable there at rate $\eta=1/(2Y^2)$: with
    weights $w_z\propto e^{-\eta L_t(z)}$ and $g(y)=-\frac1\eta\ln\sum_zw_ze^{-\eta(\rho(q|z)-y)^2}$, the prediction
    $(g(-Y)-g(Y))/(4Y)$ loses at most $g(y)$ whatever $y\in[-Y,Y]$ comes (Vovk 1998).

    Examples
    --------
    >>> oracle = AggregatingForecaster(Problem.from_table([[-1.0, 1.0], [0.0, 0.5]]))
    >>> state = oracle.init()
    >>> oracle.predict(state, 0)
    0.0
    >>> round(oracle.predict(oracle.update(state, 0, 1.0), 0), 3)
    0.663
    """

    def predict(self, state: Losses, query: int) -> float:
        """The prediction that no outcome can make costlier than the mixture."""
        low, high = self.problem.reward_range
        weights = self._fit.posterior(state, self.problem.scale)
        row = self.problem.rho[query].astype(np.float64)
        double = 2 * self.problem.scale**2
        up, down = (float(weights @ np.exp(-((row - end) ** 2) / double)) for end in (high, low))
        return (low + high) / 2 + self.problem.scale / 2 * math.log(up / down)

    def regression_regret(self, horizon: int) -> float:
        r"""$2Y^2\ln N$, for every horizon."""
        return 2 * self.problem.scale**2 * math.log(self.problem.n_targets)


@dataclass(frozen=True, eq=False)
class MeanForecaster(_Weighted):
    r"""The mean prediction of the targets under exponential weights: regret at most $8Y^2\ln N$.

    Squared loss is exp-concave at rate $\eta=1/(8Y^2)$ on a range of length $2Y$. Simpler than
    `AggregatingForecaster`, and four times its regret.

    Examples
    --------
    >>> oracle = MeanForecaster(Problem.from_table([[-1.0, 1.0], [0.0, 0.5]]))
    >>> round(oracle.predict(oracle.update(oracle.init(), 0, 1.0), 0), 3)
    0.245
    """

    def predict(self, state: Losses, query: int) -> float:
        """The weighted mean."""
        low, high = self.problem.reward_range
        weights = self._fit.posterior(state, 2 * self.problem.scale)
        return min(max(float(weights @ self.problem.rho[query]), low), high)  # rounding may step outside

    def regression_regret(self, horizon: int) -> float:
        r"""$8Y^2\ln N$, for every horizon."""
        return 8 * self.problem.scale**2 * math.log(self.problem.n_targets)


class Ridge(NamedTuple):
    """The inverse of the regularised second moments of the features, and their products with the rewards."""

    inverse: Array
    moments: Array


@dataclass(frozen=True, eq=False)
class VovkAzouryWarmuth:
    r"""Forward ridge regression over linear functions: regret at most $\lambda b^2+Y^2n\ln(1+TX^2/(\lambda n))$.

    Before it predicts for features $x_t$ it shrinks as if they had come with reward 0:
    $\hat\rho_t=x_t^\top(\lambda I+\sum_{i\le t}x_ix_i^\top)^{-1}\sum_{i<t}r_ix_i$ (Vovk 2001; Azoury and Warmuth 2001).
    The prediction is cut to the range of rewards, which no reward in it can hold against it. The bound is against every
    $\theta$ with $|\theta|\le b$; $|r_t|\le Y$ and $|x_t|\le X$.

    Parameters
    ----------
    features
        A row of features for each query; or, where queries are vectors of the unit ball themselves, their length n.
    norm
        $b$, the largest norm of a parameter.
    regularization
        $\lambda$.

    Examples
    --------
    >>> oracle = VovkAzouryWarmuth([[1.0, 0.0], [0.6, 0.8]])
    >>> oracle.predict(oracle.update(oracle.init(), 0, 1.0), 0)
    0.3333333333333333
    """

    features: Any
    _: KW_ONLY
    norm: float = 1.0
    regularization: float = 1.0
    reward_range: tuple[float, float] = (-1.0, 1.0)

    def __post_init__(self) -> None:
        check_positive("norm", self.norm)
        check_positive("regularization", self.regularization)
        object.__setattr__(self, "reward_range", check_interval("reward_range", self.reward_range))
        assert self.n_features > 0

    @cached_property
    def n_features(self) -> int:
        """How many features a query has."""
        return check_count("features", self.features) if self._table is None else int(self._table.shape[1])

    @property
    def n_queries(self) -> int | None:
        """How many queries have features; None where queries are vectors themselves."""
        return None if self._table is None else int(self._table.shape[0])

    def init(self) -> Ridge:
        """Nothing observed yet."""
        return Ridge(np.eye(self.n_features) / self.regularization, np.zeros(self.n_features))

    def predict(self, state: Ridge, query: Any) -> float:
        """The forward ridge prediction, within the range."""
        x = self._features_of(query)
        image = state.inverse @ x
        low, high = self.reward_range
        return min(max(float(image @ state.moments) / (1 + float(image @ x)), low), high)

    def update(self, state: Ridge, query: Any, reward: float) -> Ridge:
        """One more answer, in the memory of the given state: a rank-one update of the inverse."""
        x = self._features_of(query)
        image = state.inverse @ x
        inverse, moments = state
        inverse -= np.outer(image, image / (1 + float(image @ x)))
        moments += reward * x
        return state

    def regression_regret(self, horizon: int) -> float:
        r"""$\lambda b^2+Y^2n\ln(1+TX^2/(\lambda n))$."""
        size, n = max(map(abs, self.reward_range)), self.n_features
        inside = 1 + check_count("horizon", horizon) * self._largest**2 / (self.regularization * n)
        return self.regularization * self.norm**2 + size**2 * n * math.log(inside)

    def _features_of(self, query: Any) -> Array:
        if self._table is not None:
            return np.asarray(self._table[query])
        vector = np.asarray(query, dtype=float)
        if vector.shape != (self.n_features,) or not np.linalg.norm(vector) <= self._largest * (1 + SLACK):
            raise InvalidValueError(
                f"a query must be {self.n_features} numbers of norm at most {self._largest:g}, got {query}."
            )
        return vector

    @cached_property
    def _table(self) -> Array | None:
        return None if isinstance(self.features, Real) else as_matrix("features", self.features)

    @cached_property
    def _largest(self) -> float:
        return 1.0 if self._table is None else float(np.linalg.norm(self._table, axis=1).max())
