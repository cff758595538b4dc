"""What a learner, an environment and a fit promise each other."""

from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from warmer.model.problem import Problem

__all__ = ["Array", "Environment", "EstimatingLearner", "Fit", "Learner"]

Array = npt.NDArray[Any]
State = TypeVar("State")


class Learner(Protocol[State]):
    """A rule for one problem. It never changes; what it remembers is its state."""

    @property
    def problem(self) -> Problem:
        """The problem whose queries this learner chooses among."""
        ...

    def init(self, rng: np.random.Generator) -> State:
        """The state before the first round."""
        ...

    def ask(self, state: State, rng: np.random.Generator) -> int:
        """The index of the query to make next."""
        ...

    def tell(self, state: State, query: int, reward: float, count: int = 1) -> State:
        """The state after `reward` (the mean of `count` answers) came for `query`.

        It may reuse the memory of the state it was given.
        """
        ...


class EstimatingLearner(Learner[State], Protocol[State]):
    """A learner whose query is always the best query of one target, its estimate."""

    def estimate(self, state: State) -> int:
        """The index of the target that the next query is best for."""
        ...


class Fit(Protocol[State]):
    """Least squares over a class of targets: all that Algorithms 1 and 3 need to know about it."""

    def start(self, alpha: float | None = None) -> State:
        """Nothing observed yet; with alpha, only targets whose self-evaluation reaches it are fitted."""
        ...

    def update(self, state: State, query: int, reward: float, count: int = 1) -> State:
        """One more answer, or the mean of `count` of them."""
        ...

    def estimate(self, state: State) -> int:
        """The target with the least sum of squared residuals."""
        ...

    def best_query(self, target: int) -> int:
        """The query that a target evaluates highest."""
        ...


@runtime_checkable
class Environment(Protocol):
    """The keeper of the target."""

    @property
    def problem(self) -> Problem:
        """The problem whose queries this environment answers."""
        ...

    def noise(self, horizon: int, rng: np.random.Generator) -> Array:
        """All the chance of a run in one block, a row a round."""
        ...

    def reward(self, query: int, noise: Any) -> float:
        """The answer to a query, given the round's row of noise."""
        ...
