"""The search for the dimension of the guarantees, beside the simulation."""

import threading
import time
from typing import Any

import numpy as np

from warmer.dimensions import Bracket, dissimilarity_dimension
from warmer.dimensions.search.anytime import Anytime
from warmer.learners.dimension import guarantee_dimension
from warmer.model import Problem
from warmer.model.time_limit import Clock

_LOOK = 0.05
"""Seconds between two looks at Ctrl-C."""
_GRACE = 0.4
"""Seconds that the search has to end in after Ctrl-C; one that is still compiling is left behind."""

_OVER = 1e-9
"""A time limit that has passed."""


class DimensionSearch:
    """A search in a thread of its own, within a block at whose end it stops.

    Where `at_least` is given it has so many seconds, not counting what loads or compiles, and more until somebody waits
    for it.
    """

    def __init__(self, problem: Problem, *, alpha: Any, epsilon: Any, at_least: float | None) -> None:
        self._problem, self._levels, self._at_least = problem, {"alpha": alpha, "epsilon": epsilon}, at_least
        self._clock = Clock(None)
        self._found: Bracket | None = None
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._search, daemon=True)
        self._thread.start()

    def wait(self) -> Bracket:
        """What is found when the search has ended; after Ctrl-C what was found by then."""
        if self._at_least is not None:
            self._clock.time_limit = self._at_least
        try:
            while self._thread.is_alive():
                Clock(None).check()
                self._thread.join(_LOOK)
        except KeyboardInterrupt:  # the search hears it too
            self._thread.join(_GRACE)
        if self._failure is not None:
            raise self._failure
        size = int(min(self._problem.legal_queries.size, self._problem.n_targets))
        return self._found or Bracket(0, size, None, "interrupted; upper bound: all alternatives used")

    def __enter__(self) -> "DimensionSearch":
        return self

    def __exit__(self, *_: object) -> None:
        self._clock.time_limit = _OVER

    def _search(self) -> None:
        try:
            if self._at_least is not None:
                rho = self._problem.rho
                is_symmetric = self._problem.is_square and bool(np.array_equal(rho, rho.T))
                small: Any = {"is_symmetric": is_symmetric, "alpha": 1, "epsilon": 1}
                Anytime(self._at_least).rehearse(dissimilarity_dimension, self._problem, **small)
                self._clock.start = time.monotonic()
            self._found = guarantee_dimension(self._problem, clock=self._clock, **self._levels)
        except BaseException as error:  # it is raised again where it is waited for
            self._failure = error
