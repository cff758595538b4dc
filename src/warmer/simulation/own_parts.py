"""What learners and environments of a user's own give, read strictly: one sentence where it cannot be used."""

import inspect
import reprlib
from functools import lru_cache
from typing import Any

import numpy as np

from warmer.model.contracts import Environment, ProblemLike
from warmer.model.errors import InvalidValueError, giver_of


class LegalQueries:
    """The queries of a problem that may be asked, and the reader of what a learner asks for.

    Examples
    --------
    >>> from warmer.model import Problem
    >>> legal = LegalQueries(Problem.from_table([[0.1], [0.7], [0.2]], queries=["a", "b", "c"]))
    >>> legal.read(np.int64(2), "Mine.ask()")
    2
    >>> legal.read("b", "Mine.ask()")
    Traceback (most recent call last):
    ...
    warmer.model.errors.InvalidValueError: Mine.ask() must give the index of a query, an integer from 0 to 2, got 'b'; \
the index of that one is 1.
    """

    def __init__(self, problem: ProblemLike) -> None:
        self.problem, self.size = problem, 0
        """How many queries there are; 0 where they are not numbered."""
        self.is_allowed = b""
        """A byte for each query: 1 where it may be asked."""
        queries: Any = problem.queries
        if not problem.query_shape and hasattr(queries, "__len__"):
            self.size = len(queries)
            mask = np.ones(self.size, dtype=np.uint8)
            if hasattr(problem, "legal_queries"):
                mask[:] = 0
                mask[problem.legal_queries] = 1
            self.is_allowed = mask.tobytes()
        self._holds = getattr(queries, "holds", None)

    def read(self, query: Any, giver: str) -> Any:
        """The query as problems take it; `InvalidValueError` where it is none that may be asked."""
        if self._holds is not None and self._holds(query):
            return query
        if not self.size:
            return self._named(query, giver)
        if isinstance(query, np.ndarray) and query.ndim == 0:
            query = query[()]
        if isinstance(query, bool) or not isinstance(query, int | np.integer) or not 0 <= query < self.size:
            raise InvalidValueError(
                f"{giver} must give the index of a query, an integer from 0 to {self.size - 1}, got "
                f"{reprlib.repr(query)}{self._hint(query)}."
            )
        if not self.is_allowed[query]:
            raise InvalidValueError(
                f"{giver} must give a query that may be asked, got {int(query)}: {self.problem.queries[int(query)]!r} "
                "is forbidden. The others are problem.legal_queries."
            )
        return int(query)

    def label(self, query: Any) -> str:
        """What users call a query, in writing."""
        label = self.problem.queries[query]
        return reprlib.repr(label.tolist() if isinstance(label, np.ndarray) else label)

    def _named(self, query: Any, giver: str) -> Any:
        """A query that is a vector, or that only its family can judge."""
        try:
            return self.problem.queries.position(query)
        except InvalidValueError as error:
            raise InvalidValueError(f"{giver} must give a query that may be asked: {error}") from error

    def _hint(self, query: Any) -> str:
        if isinstance(query, bool | np.bool_ | int | np.integer | float):
            return ""
        try:
            return f"; the index of that one is {self.problem.queries.position(query)}"
        except InvalidValueError:
            return ""


def read_noise(environment: Environment, n: int, rng: np.random.Generator, start: int) -> Any:
    """The chance of n rounds from number `start` on (the first is 0), a row each; plain floats where these are single.

    An environment whose `noise` has a parameter `start` hears the number.

    Examples
    --------
    >>> from warmer import Problem, environments
    >>> truth = environments.UniformNoise(Problem.from_table([[0.5]]), 0)
    >>> len(read_noise(truth, 3, np.random.default_rng(0), start=0))
    3
    """
    more = {"start": start} if _takes_start(type(environment)) else {}
    noise = environment.noise(n, rng, **more)
    if isinstance(noise, np.ndarray) and noise.ndim and len(noise) == n:
        return noise.tolist() if noise.ndim == 1 else noise  # plain floats are the faster ones to reckon with
    if isinstance(noise, list | tuple) and len(noise) == n:
        return noise
    what = f"an array of shape {noise.shape}" if isinstance(noise, np.ndarray) else reprlib.repr(noise)
    raise InvalidValueError(
        f"{giver_of(environment, 'noise')} must give an array with a row for each of {n} rounds, got {what}."
    )


@lru_cache(256)
def _takes_start(kind: type) -> bool:
    """Whether the noise of such environments wants to know the round."""
    try:
        return "start" in inspect.signature(getattr(kind, "noise", None)).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):  # it has none, or it is compiled
        return False
