"""Algorithm 4 of the paper, and its optimistic form: least squares on the predictions of a regression oracle."""

import math
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple

import numpy as np

from warmer.bounds.radii import anytime_oracle_radius, paper_oracle_radius
from warmer.estimation import Predicted, PredictionBall, TableFit, VovkAzouryWarmuth
from warmer.model import Array, OnlineRegressor, Problem
from warmer.model.checks import at_most, check_count, check_finite, check_probability, slack_for
from warmer.model.errors import HypothesisError, InvalidValueError

__all__ = ["OracleLeastSquares"]


class Regressed(NamedTuple):
    """The oracle's state, and the distances of all targets to what it predicted."""

    regressor: Any
    predicted: Predicted


@dataclass(frozen=True, eq=False)
class OracleLeastSquares:
    r"""Ask the best query of a target near the predictions of an online regression oracle.

    The oracle predicts $\hat\rho_t$ for the query $z_t$ before the reward $r_t$ comes. With alpha (Algorithm 4)
    $z_{t+1}=\arg\min_{z\in Z_\alpha}\sum_{i\le t}(\rho(z_i|z)-\hat\rho_i)^2$; with a radius (its optimistic form)
    $z_{t+1}$ has the largest self-evaluation among the targets whose sum is at most the radius. Ties go to the lowest
    index.

    That set can be empty: then the predictions are too far from every target, no target is the truth (or, with
    probability at most delta, chance was unkind), `is_misspecified` says so, and the query is that of the nearest
    target.

    Parameters
    ----------
    problem
        The table.
    regressor
        The oracle, for the same queries. Its regret must be against every target of the table: one for linear functions
        of features needs rewards in its range, and columns $F\theta$ with $|\theta|$ at most its norm.
    alpha
        The optimality level. Give this or a radius.
    radius
        `"anytime"`: $2\,\mathrm{Reg}(t)+8\sigma^2\ln(1/\delta)$, which contains the truth at all times with probability
        $1-\delta$. `"paper"`: $8\,\mathrm{Reg}(T)+64\beta\max\{\beta,\beta'\}\ln(T/\delta)$, which needs `horizon`. Or
        a number.
    delta
        The probability with which the confidence set may ever lose the truth.
    sigma
        The noise is sigma-sub-Gaussian; half the length of the reward range where none is declared.
    horizon
        $T$, for `"paper"`.

    Examples
    --------
    >>> from warmer.estimation import AggregatingForecaster
    >>> problem = Problem.from_table([[0.0, 1.0], [0.5, 0.0]])
    >>> learner = OracleLeastSquares(problem, AggregatingForecaster(problem), alpha=0.5)
    >>> rng = np.random.default_rng(0)
    >>> state = learner.init(rng)
    >>> learner.ask(state, rng)
    1
    >>> state = learner.tell(state, 1, 0.0)
    >>> learner.ask(learner.tell(state, 1, 0.0), rng), learner.is_misspecified(state)
    (0, False)
    """

    problem: Problem
    regressor: OnlineRegressor[Any]
    _: KW_ONLY
    alpha: float | None = None
    radius: float | Literal["anytime", "paper"] | None = None
    delta: float = 0.05
    sigma: float | None = None
    horizon: int | None = None

    def __post_init__(self) -> None:
        check_probability("delta", self.delta)
        if (self.alpha is None) == (self.radius is None):
            raise InvalidValueError("give alpha= (Algorithm 4) or radius= (its optimistic form), one of the two.")
        if self.alpha is not None:
            check_finite("alpha", self.alpha)
        if self.horizon is not None:
            check_count("horizon", self.horizon)
        _ = (
            TableFit(self.problem),
            self.problem.sigma(self.sigma),
        )  # raise where there is no table, and for a bad sigma
        self._check_regressor()
        self.ball.start()  # raises where no target reaches alpha
        _ = self.ball.radius(1)  # raises for a bad radius

    def init(self, rng: np.random.Generator) -> Regressed:
        """Nothing observed yet."""
        return Regressed(self.regressor.init(), self.ball.start())

    def ask(self, state: Regressed, rng: np.random.Generator) -> int:
        """The best query of the estimate."""
        return self.problem.best_query(self.estimate(state))

    def tell(self, state: Regressed, query: int, reward: float, count: int = 1) -> Regressed:
        """Predict, then learn; one answer at a time, since the radius needs predictions older than their noise."""
        if count != 1:
            raise InvalidValueError(
                f"{type(self).__name__} predicts every answer before it comes, so it cannot learn from the mean of "
                f"{count}; tell the answers one by one."
            )
        regressor, predicted = state
        predicted = self.ball.update(predicted, query, self.regressor.predict(regressor, query))
        return Regressed(self.regressor.update(regressor, query, reward), predicted)

    def estimate(self, state: Regressed) -> int:
        """The viable target nearest to the predictions, or the most optimistic of those within the radius."""
        if self.alpha is not None:
            return self.ball.nearest(state.predicted)
        return self.ball.most_optimistic(state.predicted)

    def is_misspecified(self, state: Regressed) -> bool:
        """Whether the confidence set is empty; with alpha, that of the anytime radius among the viable targets."""
        return self.ball.is_empty(state.predicted)

    @property
    def has_exact_fit(self) -> bool:
        """Whether the target nearest to the predictions is proved to be that."""
        return self.ball.fit.is_exact(self.alpha)

    def error_budget(self, *, horizon: int, delta: float) -> float:
        r"""$C_{T,\delta}$: four times the anytime radius with alpha, $(\sqrt R+\sqrt c)^2$ with a radius $R\ge c$ that.

        Definition 3 and Lemma `lemma::online_to_confidence_bound`.
        """
        inner = self._anytime_radius(horizon, delta)
        if self.alpha is not None:
            return 4 * inner
        radius = self.ball.radius(horizon)
        if radius < inner:
            raise HypothesisError(
                f"the confidence set keeps the truth with probability {1 - delta:g} if its radius is at least "
                f"{inner:g}; it is {radius:g}."
            )
        return (math.sqrt(radius) + math.sqrt(inner)) ** 2

    @cached_property
    def ball(self) -> PredictionBall:
        """The confidence set."""
        alpha = None if self.alpha is None else float(self.alpha)
        return PredictionBall(TableFit(self.problem), self._radius(), alpha)

    def _check_regressor(self) -> None:
        needed = "regressor must be an online regression oracle such as AggregatingForecaster(problem)"
        if isinstance(self.regressor, type):
            raise InvalidValueError(f"{needed}, got the class {self.regressor.__name__}.")
        for name in ("init", "predict", "update", "regression_regret"):
            if not callable(getattr(self.regressor, name, None)):
                raise InvalidValueError(f"{needed}, got {type(self.regressor).__name__}, which has no {name}.")
        problem = getattr(self.regressor, "problem", self.problem)
        n_queries = getattr(self.regressor, "n_queries", self.problem.n_queries)
        if not _is_same(problem, self.problem) or n_queries != self.problem.n_queries:
            raise InvalidValueError(
                f"the regressor must be built for the table of the learner, {self.problem!r}; it was built for "
                f"{_queries(n_queries) if problem is self.problem else repr(problem)}."
            )
        _check_rewards(self.problem, getattr(self.regressor, "reward_range", self.problem.reward_range))
        if isinstance(self.regressor, VovkAzouryWarmuth):
            _check_linear(self.problem, np.asarray(self.regressor.features, dtype=float), self.regressor.norm)

    def _radius(self) -> Callable[[int], float]:
        if self.radius is None:
            return self._radius_after
        if not isinstance(self.radius, str):
            constant = check_finite("radius", self.radius)
            if constant < 0:
                raise InvalidValueError(f"radius must be at least 0, got {constant:g}.")
            return partial(_always, constant)
        if self.radius == "anytime":
            return self._radius_after
        if self.radius == "paper":
            return partial(_always, self._paper_radius())
        raise InvalidValueError(f'radius must be a number, "anytime" or "paper", got {self.radius!r}.')

    def _radius_after(self, n_rounds: int) -> float:
        return self._anytime_radius(max(n_rounds, 1), self.delta)

    def _anytime_radius(self, n_rounds: int, delta: float) -> float:
        regret = self.regressor.regression_regret(n_rounds)
        return anytime_oracle_radius(regression_regret=regret, delta=delta, sigma=self.problem.sigma(self.sigma))

    def _paper_radius(self) -> float:
        if self.horizon is None:
            raise InvalidValueError('radius="paper" needs the number of rounds: give horizon=T.')
        width = 2 * self.problem.scale  # no answer and no prediction is further than this from a mean
        return paper_oracle_radius(
            regression_regret=self.regressor.regression_regret(self.horizon),
            horizon=self.horizon,
            delta=self.delta,
            beta=width,
            beta_prime=width,
        )


def _always(radius: float, n_rounds: int) -> float:
    return radius


def _is_same(left: Problem, right: Problem) -> bool:
    return left is right or (left.reward_range == right.reward_range and np.array_equal(left.rho, right.rho))


def _check_rewards(problem: Problem, covered: tuple[float, float]) -> None:
    """Raise where rewards of the problem lie outside the range for which the oracle bounds its regret."""
    low, high = problem.reward_range
    if low < covered[0] or high > covered[1]:
        raise InvalidValueError(
            f"the regressor bounds its regret for rewards in [{covered[0]:g}, {covered[1]:g}], and those of the "
            f"problem lie in [{low:g}, {high:g}]; give the regressor reward_range=({low:g}, {high:g})."
        )


def _check_linear(problem: Problem, features: Array, norm: float) -> None:
    """Raise unless every column of the table is a linear function of the features, by a parameter within the norm."""
    rho = np.asarray(problem.rho, dtype=float)
    parameters = np.linalg.lstsq(features, rho, rcond=None)[0]  # the shortest of those that fit best
    misses = np.abs(features @ parameters - rho).max(axis=0)
    lengths = np.linalg.norm(parameters, axis=0)
    wrong = np.flatnonzero(misses > problem.slack)
    if wrong.size:
        raise HypothesisError(
            f"the regret of the regressor is against linear functions of its features, and target "
            f"{problem.targets[int(wrong[0])]!r} is none: the nearest misses a reward by {misses[wrong[0]]:g}."
        )
    longest = int(lengths.argmax())
    if not at_most(lengths[longest], norm, slack_for(problem.rho.dtype)):
        raise HypothesisError(
            f"the regret of the regressor is against parameters of norm at most {norm:g}, and target "
            f"{problem.targets[longest]!r} has norm {lengths[longest]:g}; give the regressor a norm of at least that."
        )


def _queries(n_queries: int | None) -> str:
    return "queries that are vectors" if n_queries is None else f"{n_queries} queries"
