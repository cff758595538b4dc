"""Whether an online regression oracle is one for this problem, with its regret against every candidate."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np

from warmer.estimation import VovkAzouryWarmuth
from warmer.families import Linear, LinearBall, Sphere
from warmer.model import Array, OnlineRegressor, Problem
from warmer.model.checks import at_least, at_most, check_finite, check_has, check_not_negative, slack_for
from warmer.model.contracts import ProblemLike
from warmer.model.errors import HypothesisError, InvalidValueError, calling, giver_of

_HORIZONS = (1, 2, 3, 10, 100, 1000, 10_000)
"""Numbers of answers for which a claim is read before the first."""


@runtime_checkable
class _TableRegressor(Protocol):
    """An oracle that was built for a table."""

    @property
    def problem(self) -> Any: ...


@runtime_checkable
class _RangedRegressor(Protocol):
    """An oracle that bounds its regret for rewards of a range."""

    @property
    def reward_range(self) -> tuple[float, float]: ...


def check_regressor(problem: Any, regressor: Any) -> None:
    """Raise unless the oracle is one for these queries and rewards, and its regret is against every target."""
    needed = "regressor must be an online regression oracle such as AggregatingForecaster(problem)"
    check_has(needed, regressor, "init", "predict", "update", "regression_regret")
    if isinstance(regressor, _TableRegressor):
        other, both = regressor.problem, (regressor.problem, problem)
        is_alike = all(isinstance(each, Problem) for each in both) and other.reward_range == problem.reward_range
        if other is not problem and not (is_alike and np.array_equal(other.rho, problem.rho)):
            _refuse(problem, repr(other))
    if isinstance(regressor, _RangedRegressor):
        _check_rewards(problem, regressor.reward_range)
    if isinstance(regressor, VovkAzouryWarmuth):
        _check_linear(problem, regressor)


@dataclass(frozen=True, eq=False)
class Heard:
    """An oracle of the user's own: what it says is looked at before anything rests on it."""

    own: OnlineRegressor[Any]
    problem: Any

    def init(self) -> Any:
        """Nothing observed yet."""
        with calling(self.own, "init"):
            return self.own.init()

    def predict(self, state: Any, query: Any) -> float:
        """The reward it expects for a query, a number in the range of rewards."""
        with calling(self.own, "predict"):
            given = self.own.predict(state, query)
        low, high = self.problem.reward_range
        giver, label = giver_of(self.own, "predict"), self.problem.queries[query]
        name = f"what {giver} gives for query {label!r}"
        if isinstance(given, np.ndarray) and given.ndim:
            raise InvalidValueError(f"{name} must be a number, got an array of shape {given.shape}; give one entry.")
        number = check_finite(name, given[()] if isinstance(given, np.ndarray) else given)
        if not (at_least(number, low, self.problem.slack) and at_most(number, high, self.problem.slack)):
            raise InvalidValueError(f"{name} must lie in the reward range, [{low:g}, {high:g}], got {number:g}.")
        return number

    def update(self, state: Any, query: Any, reward: float) -> Any:
        """One more answer."""
        with calling(self.own, "update"):
            after = self.own.update(state, query, reward)
        if after is None and state is not None:
            raise InvalidValueError(f"{giver_of(self.own, 'update')} must give the state after the answer, got None.")
        return after

    def regression_regret(self, horizon: int) -> float:
        """What it claims of its regret."""
        with calling(self.own, "regression_regret"):
            claim = self.own.regression_regret(horizon)
        return check_not_negative(f"the regret that {type(self.own).__name__} claims for {horizon} answers", claim)

    def check_claim(self) -> None:
        """Raise where the claim is no number, or falls as answers come."""
        claims = [(horizon, self.regression_regret(horizon)) for horizon in _HORIZONS]
        for (before, least), (after, claim) in pairwise(claims):
            if not at_least(claim, least):
                raise InvalidValueError(
                    f"the regret that {type(self.own).__name__} claims must never fall as answers come, got {least:g} "
                    f"for {before} and {claim:g} for {after}."
                )


def _check_rewards(problem: ProblemLike, covered: tuple[float, float]) -> None:
    """Raise where rewards of the problem lie outside the range for which the oracle bounds its regret."""
    low, high = problem.reward_range
    if low < covered[0] or high > covered[1]:
        raise InvalidValueError(
            f"the regressor bounds its regret for rewards in [{covered[0]:g}, {covered[1]:g}], and those of the "
            f"problem lie in [{low:g}, {high:g}]; give the regressor reward_range=({low:g}, {high:g})."
        )


def _check_linear(problem: Any, regressor: VovkAzouryWarmuth) -> None:
    """Raise unless every target is a linear function of the features, by a parameter within the norm."""
    if isinstance(problem, LinearBall | Sphere):
        if regressor.n_queries is not None or regressor.n_features != problem.n:
            _refuse(problem, _queries(regressor))
        norm = problem.norm if isinstance(problem, LinearBall) else 1.0
        _check_norm(norm, regressor.norm, f"a target of {problem!r}", problem.slack)
        return
    rows = problem.rho if isinstance(problem, Problem) else problem.matrix if isinstance(problem, Linear) else None
    if rows is None:
        raise HypothesisError(
            f"the regret of the regressor is against linear functions, and those of {problem!r} are not linear."
        )
    if regressor.n_queries != len(rows):
        _refuse(problem, _queries(regressor))
    features, wanted = np.asarray(regressor.features, dtype=float), np.asarray(rows, dtype=float)
    parameters = np.linalg.lstsq(features, wanted, rcond=None)[0]  # the shortest of those that fit best
    misses = np.abs(features @ parameters - wanted).max(axis=0)
    if isinstance(problem, Linear):  # parameters map the class's own to those of the features
        _check_fit(misses, [f"coordinate {k}" for k in range(problem.n)], problem.slack)
        longest = float(np.linalg.norm(parameters, 2)) * problem.norm
        _check_norm(longest, regressor.norm, f"a target of {problem!r}", problem.slack)
        return
    _check_fit(misses, [f"target {label!r}" for label in problem.targets], problem.slack)
    lengths = np.linalg.norm(parameters, axis=0)
    target = problem.targets[int(lengths.argmax())]
    _check_norm(float(lengths.max()), regressor.norm, f"target {target!r}", slack_for(problem.rho.dtype))


def _check_fit(misses: Array, names: list[str], slack: float) -> None:
    for place in np.flatnonzero(misses > slack)[:1].tolist():
        raise HypothesisError(
            "the regret of the regressor is against linear functions of its features, and "
            f"{names[place]} is none: the nearest misses a reward by {misses[place]:g}."
        )


def _check_norm(length: float, norm: float, name: str, slack: float) -> None:
    if not at_most(length, norm, slack):
        raise HypothesisError(
            f"the regret of the regressor is against parameters of norm at most {norm:g}, and {name} has norm "
            f"{length:g}; give the regressor a norm of at least that."
        )


def _queries(regressor: VovkAzouryWarmuth) -> str:
    if regressor.n_queries is None:
        return f"queries that are vectors of {regressor.n_features} numbers"
    return f"{regressor.n_queries} queries"


def _refuse(problem: Any, other: str) -> None:
    raise InvalidValueError(
        f"the regressor must be built for the table of the learner, {problem!r}; it was built for {other}."
    )
