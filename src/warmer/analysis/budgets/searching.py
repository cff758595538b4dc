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
        self._problem, self._levels, self._at_least = problem, {"alpha": alpha, "epsilon": epsilon}, at_least
        self._beside = Beside(self._search)

    def wait(self) -> Bracket:
        """What is found when the search has ended; after Ctrl-C what was found by then."""
        if self._at_least is not None:
            self._beside.clock.time_limit = self._at_least
        size = int(min(self._problem.legal_queries.size, self._problem.n_targets))
        return self._beside.wait(lambda: Bracket(0, size, None, "interrupted; upper bound: all alternatives used"))

    def __enter__(self) -> "DimensionSearch":
        return self

    def __exit__(self, *_: object) -> None:
        self._beside.__exit__()

    def _search(self, clock: Clock) -> Bracket:
        if self._at_least is not None:
            rho = self._problem.rho
            is_symmetric = self._problem.is_square and bool(np.array_equal(rho, rho.T))
            small: Any = {"is_symmetric": is_symmetric, "alpha": 1, "epsilon": 1}
            Anytime(self._at_least).rehearse(dissimilarity_dimension, self._problem, **small)
            clock.start = time.monotonic()
        return guarantee_dimension(self._problem, clock=clock, **self._levels)
