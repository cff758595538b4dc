"""What a goal asks of a class without a table, and what is known of the answer so far."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from warmer.certification.goals import Goal
from warmer.model import Array
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array

__all__ = ["Model", "Question", "Verdict", "interval_verdict", "unsuitable", "weights_of"]


class Verdict(NamedTuple):
    """The answer that is proven, if any; the one to give now; which queries are known to leave it open."""

    settled: Any
    answer: Any
    open: Sequence[int]
    detail: Any = None
    """What was worked out on the way, for choosing the next query."""


class Question(Protocol):
    """A goal, read for one class and one declaration about the noise."""

    @property
    def is_query(self) -> bool:
        """Whether the answer is a query."""
        ...

    def judge(self, data: Any) -> Verdict:
        """What the data prove."""
        ...

    def name(self, answer: Any) -> Any:
        """The answer in the user's words."""
        ...

    def open(self, data: Any, verdict: Verdict) -> Sequence[Any]:
        """The queries that leave the answer open, the most doubtful first."""
        ...

    def most_telling(self, data: Any, verdict: Verdict, rng: np.random.Generator) -> Any:
        """The query to make next."""
        ...


class Model(Protocol):
    """What is remembered of the answers, and what is known of the means at all times."""

    def start(self) -> Any:
        """Nothing observed yet."""
        ...

    def update(self, data: Any, query: Any, reward: float, count: int = 1) -> Any:
        """One more answer, or the mean of `count` of them; it may reuse the memory of the given data."""
        ...

    def imagined(self, data: Any, pending: Sequence[Any]) -> Any:
        """The data as if pending queries had been answered as expected."""
        ...

    def is_refuted(self, data: Any) -> bool:
        """Whether the data contradict the whole class."""
        ...

    def leader(self, data: Any) -> Any:
        """The query that looks best."""
        ...

    def intervals(self, data: Any) -> dict[Any, tuple[float, float]]:
        """Where the mean of each query lies: all of them, at all times, with probability 1-delta."""
        ...

    def question(self, goal: Goal) -> Question:
        """The goal, read for this class; raises `InvalidValueError` for one that needs a table."""
        ...


def interval_verdict(ends: tuple[float, float], tolerance: float, doubtful: Sequence[int], detail: Any) -> Verdict:
    """The interval of twice the tolerance around two bounds, settled if it holds both."""
    middle = (ends[0] + ends[1]) / 2
    answer = (middle - tolerance, middle + tolerance)
    is_settled = ends[1] - ends[0] <= 2 * tolerance
    return Verdict(answer if is_settled else None, answer, () if is_settled else doubtful, detail)


def unsuitable(family: Any, goal: Any) -> InvalidValueError:
    """The error for a goal that speaks of candidates where there is no table of them."""
    return InvalidValueError(
        f"{type(family).__name__} has no table of candidates, so {type(goal).__name__} cannot be decided there; use "
        "BestQuery, BestAbove, or ValueOf with the word 'best' or a weight for each query."
    )


def weights_of(family: Any, values: Any) -> Array:
    """The weights of a sum of means, one for each query, from a sequence or a mapping from labels."""
    n_queries = len(family.queries)
    if isinstance(values, Mapping):
        weights = np.zeros(n_queries)
        for label, weight in values.items():
            weights[family.queries.position(label)] = float(weight)
    elif isinstance(values, str):
        raise InvalidValueError(f"values must be 'best' or a weight for each query, got {values!r}.")
    else:
        weights = as_array("values", values)
    if weights.shape != (n_queries,) or not weights.any():
        raise InvalidValueError(
            f"values must hold a weight for each of the {n_queries} queries, not all 0, got shape {weights.shape}."
        )
    return weights
