"""The search for the dimension of the guarantees, beside the simulation."""

import time
from typing import Any

import numpy as np

from warmer.analysis.budgets.beside import Beside
from warmer.dimensions import Bracket, dissimilarity_dimension
from warmer.dimensions.search.anytime import Anytime
from warmer.learners.dimension import guarantee_dimension
from warmer.model import Problem
from warmer.model.time_limit import Clock


class DimensionSearch:
    """A search in a thread of its own, within a block at whose end it stops.

    Where `at_least` is given it has so many seconds, not counting what loads or compiles, and more until somebody waits
    for it.
    """

    def __init__(self, problem: Problem, *, alpha: Any, epsilon: Any, at_least: float | None) -> None:
        self._problem, self._at_least = problem, at_least
        settings: Any = {"alpha": alpha, "epsilon": epsilon, "at_least": at_least}
        self._beside = Beside(lambda clock: search_dimension(problem, clock, **settings))

    def wait(self) -> Bracket:
        """What is found when the search has ended; after Ctrl-C what was found by then."""
        if self._at_least is not None:
            self._beside.clock.time_limit = self._at_least
        return self._beside.wait(lambda: _unsearched(self._problem, "interrupted"))

    def __enter__(self) -> "DimensionSearch":
        return self

    def __exit__(self, *_: object) -> None:
        self._beside.__exit__()


def search_dimension(
    problem: Problem, clock: Clock, *, alpha: Any, epsilon: Any, at_least: float | None = None
) -> Bracket:
    """The `guarantee_dimension` or, where Numba is missing, which a GPU does not need, what is known without a search.

    Where `at_least` is given, the clock starts when everything is loaded and compiled.
    """
    try:
        if at_least is not None:
            is_symmetric = problem.is_square and bool(np.array_equal(problem.rho, problem.rho.T))
            small: Any = {"is_symmetric": is_symmetric, "alpha": 1, "epsilon": 1}
            Anytime(at_least).rehearse(dissimilarity_dimension, problem, **small)
            clock.start = time.monotonic()
        return guarantee_dimension(problem, alpha=alpha, epsilon=epsilon, clock=clock)
    except ModuleNotFoundError as error:
        if error.name != "numba":
            raise
        return _unsearched(problem, "not searched, since Numba is not installed")


def _unsearched(problem: Problem, why: str) -> Bracket:
    size = int(min(problem.legal_queries.size, problem.n_targets))
    return Bracket(0, size, None, f"{why}; upper bound: all alternatives used")
