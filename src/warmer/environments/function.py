"""A plain Python function as an environment."""

import reprlib
import sys
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from warmer.environments.noise_models import Responding
from warmer.model import Array
from warmer.model.contracts import ProblemLike
from warmer.model.errors import InvalidValueError
from warmer.model.rewards import read_reward

_MOST = sys.float_info.max


@dataclass(frozen=True, eq=False)
class FunctionEnvironment(Responding):
    """A function from a query's label to a reward; it draws its own noise, and its target is unknown.

    Examples
    --------
    >>> from warmer.model import Problem
    >>> lab = FunctionEnvironment(Problem.from_table([[0.5]], queries=["left"]), {"left": 0.25}.get)
    >>> lab.reward(0, None)
    0.25
    """

    problem: ProblemLike
    function: Callable[[Any], Any]
    _: KW_ONLY
    may_leave_range: bool = False
    """Whether answers outside the reward range are taken."""

    def __post_init__(self) -> None:
        if not (isinstance(self.problem, ProblemLike) and callable(self.function)):
            raise InvalidValueError(
                f"FunctionEnvironment needs a Problem or a family and a function of a query's label, got "
                f"{reprlib.repr(self.problem)} and {reprlib.repr(self.function)}."
            )

    def noise(self, horizon: int, rng: np.random.Generator) -> Array:
        """A row of nothing per round: the function brings its own."""
        return np.empty((horizon, 0))

    def reward(self, query: Any, noise: Any) -> float:
        """What the function answers, which must be a number in the reward range."""
        label = self.problem.queries[query]
        low, high = (-_MOST, _MOST) if self.may_leave_range else self.problem.reward_range
        return read_reward(self.function(label), low, high, reprlib.repr(label), "")
