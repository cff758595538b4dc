"""What a certifier remembers, and what it shows of it to those who choose."""

from typing import Any, NamedTuple

from warmer.certification.answers import Answers
from warmer.certification.noise import Process
from warmer.model import Array


class Part(NamedTuple):
    """The e-processes of the candidates that remained at some time, which these are, and which remain now."""

    process: Process[Any]
    places: Array
    possible: Array


class Sample(NamedTuple):
    """Some candidates: what each predicts (a row for each of them), what they accept, and the share of each."""

    predictions: Array
    answers: Answers
    weights: Array


class Evidence(NamedTuple):
    """The e-processes of all candidates, which of them are still possible, and the answer that is settled, if any."""

    process: Any
    possible: Array
    n_possible: int
    n_answers: int
    watched: Array
    """Objectors that are known."""
    settled: int | None
    part: Part | None = None
    """Where only some candidates are watched any more."""
