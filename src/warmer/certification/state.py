"""What a certifier remembers, and what it shows of it to those who choose."""

from typing import Any, NamedTuple

import numpy as np

from warmer.certification.answers import Answers
from warmer.certification.noise import Process
from warmer.model import Array


class Part(NamedTuple):
    """The e-processes of the candidates that remained at some time, which these are, and which remain now."""

    process: Process[Any]
    places: Array
    possible: Array


class Sample(NamedTuple):
    """Some candidates, the share of each, and what they accept; what they predict are some rows of a table that has a
    row for each candidate.
    """

    targets: Array
    weights: Array
    answers: Answers
    columns: Array
    rows: Array


class Watched(NamedTuple):
    """The candidates that are watched, as the compiled choice of a query reads them."""

    weights: Array
    possible: Array
    places: Array
    """Which they are; empty where they are all."""
    columns: Array
    """What candidates predict, a row for each of all."""
    preferred: Array
    values: Array
    """What each of all makes of every answer, a row for each."""
    limits: Array


class Evidence(NamedTuple):
    """The e-processes of all candidates, which of them are still possible, and the answer that is settled, if any."""

    process: Any
    whole: Array
    """Which candidates were possible while all were watched."""
    n_possible: int
    n_answers: int
    watched: Array
    """Objectors that are known, by where they stand among the candidates that are watched."""
    settled: int | None
    part: Part | None = None
    """Where only some candidates are watched any more."""

    @property
    def possible(self) -> Array:
        """Which candidates are still possible."""
        if self.part is None:
            return self.whole
        possible = np.zeros(self.whole.size, dtype=bool)
        possible[self.part.places] = self.part.possible
        return possible
