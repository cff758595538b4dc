"""What a declaration about the noise says, and the e-process that it allows."""

import math
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, runtime_checkable

from warmer.certification.custom import Custom
from warmer.certification.memory import Batch
from warmer.certification.weights import Weights
from warmer.model import Array, Problem, RoundLearner
from warmer.model.checks import check_has
from warmer.model.errors import InvalidValueError, calling, giver_of, is_own
from warmer.model.words import span

State = TypeVar("State")
_EVIDENCE = ("start", "update", "log_evidence")
_PROCESS = ("is_coin", "problem", "start", "advance", "log_evidence", "part", "weights", "variances")


class Process(Protocol[State]):
    """An e-process for each candidate of one table: what confidence sets and learners that prove need of it."""

    is_coin: ClassVar[bool]
    """Whether every answer is one of the two ends of the range."""

    @property
    def problem(self) -> Problem:
        """The table of the candidates that it watches."""
        ...

    def start(self) -> State:
        """Nothing observed yet: every process is 1."""
        ...

    def advance(self, state: State, told: Batch, possible: Array, threshold: float) -> tuple[State, int, int]:
        """Answer after answer until one of them rules possible candidates out; it may reuse the memory of the state.

        The state, how many of the answers were told (at least one), and how many candidates were struck off the
        possible ones: those whose log evidence has reached the threshold.
        """
        ...

    def log_evidence(self, state: State) -> Array:
        """The logarithm of each candidate's process: the evidence against it."""
        ...

    def part(self, state: State, places: Array) -> "tuple[Process[State], State] | None":
        """The process and its state for some of the candidates alone; None where it must watch all."""
        ...

    def weights(self, state: State) -> Weights:
        """How likely the candidates are, for choosing; nothing that is proven rests on it."""
        ...

    def variances(self, state: State, queries: Array, means: Array) -> Array:
        """The variance of an answer to each of some queries, where these are their means; for choosing alone.

        Only where answers are coins are the means read.
        """
        ...


@runtime_checkable
class Noise(Protocol):
    """A declaration about the noise."""

    def process(self, problem: Problem, log_prior: Array, tolerance: float) -> Process[Any]:
        """The e-process for a table whose entries are right up to a tolerance."""
        ...

    def check(self, problem: Problem, query: int, reward: float, count: int) -> None:
        """Raise `InvalidValueError` for an answer that the declaration calls impossible."""
        ...


@runtime_checkable
class NoiseOfMeans(Protocol):
    """A declaration that can speak of one query's mean alone, where there is no table of candidates."""

    def bets(self, family: Any, scale: float) -> Array:
        """For each query the bets on its mean (`kernels.one_sided`), with answers scaled to [0, 1].

        The scale is a difference of means that matters, also scaled.
        """
        ...


class Tails(Protocol):
    """A declaration that says how far from its mean an answer may be thrown."""

    def tail(self, problem: Problem, query: int, told: "Told", means: Array, tolerance: float) -> Array:
        """A p-value for each of some answers to one query, if these are their means up to a tolerance (`tails`)."""
        ...


class Told(NamedTuple):
    """Some answers to one query: rewards, each the mean of so many."""

    rewards: Array
    counts: Array


def evidence_process(noise: Any, problem: Problem, log_prior: Array, tolerance: float) -> Process[Any]:
    """The e-process of a declaration, or the user's own.

    Examples
    --------
    >>> import numpy as np
    >>> from warmer.certification.noise import SubGaussian
    >>> table = Problem.from_table([[0.0, 1.0]])
    >>> process = evidence_process(SubGaussian(0.5), table, np.empty(0), 0.0)
    >>> state, _, struck = process.advance(process.start(), Batch.one(0, 1.0, 4), np.ones(2, dtype=bool), 3.0)
    >>> struck, process.log_evidence(state).round(1).tolist()
    (1, [7.2, -0.8])
    """
    if isinstance(noise, Noise) and not isinstance(noise, type):
        if not is_own(noise):
            return noise.process(problem, log_prior, tolerance)
        with calling(noise, "process"):
            process = noise.process(problem, log_prior, tolerance)
        check_has(f"{giver_of(noise, 'process')} must give a process such as SubGaussian's", process, *_PROCESS)
        return process
    needed = "noise must be a declaration such as noise.SubGaussian(0.3)"
    if hasattr(noise, "process") or hasattr(noise, "check"):
        check_has(needed, noise, "process", "check")
    advice = "an e-process of your own has the methods start, update and log_evidence"
    check_has(needed, noise, *_EVIDENCE, advice=advice)
    if tolerance:
        raise InvalidValueError("an e-process of your own must itself allow for the tolerance of the table.")
    return Custom(problem, log_prior, noise)


def check_outside(outside: str, problem: Any, range_reason: str) -> None:
    """Raise where answers outside the reward range can be neither refused nor kept."""
    if outside not in ("refuse", "keep"):
        raise InvalidValueError(f'outside must be "refuse" or "keep", got {outside!r}.')
    if outside == "keep" and range_reason:
        low, high = problem.reward_range
        raise InvalidValueError(
            f'outside="keep" keeps answers outside {span(low, high)}, but {range_reason}; declare '
            "noise.SubGaussian(sigma) or noise.Gaussian(), with a learner that learns from any data."
        )


def range_reason(learner: Any, *certifiers: Any) -> str:
    """Why answers to a learner must lie in the reward range; empty where all that these prove holds without that.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from warmer.certification.noise import Bounded, SubGaussian
    >>> table = Problem.from_table([[0.0, 1.0]])
    >>> [range_reason(None, SimpleNamespace(problem=table, noise=noise)) for noise in (Bounded(), SubGaussian(0.5))]
    ['Bounded() says that there are none', '']
    """
    if isinstance(learner, RoundLearner) and learner.counts_rounds:
        return f"the guarantee of {type(learner).__name__} needs them inside"
    for certifier in certifiers:
        if not _may_leave_range(certifier.noise, certifier.problem):
            return f"{certifier.noise or 'Bounded()'!s} says that there are none"
    return ""


def _may_leave_range(noise: Any, problem: Any) -> bool:
    """Whether a declaration calls an answer possible that lies a little outside the range."""
    if not isinstance(noise, Noise):
        return False
    low, high = problem.reward_range
    outside, unit = high + 1e-5 * (high - low), getattr(noise, "resolution", None)
    try:
        noise.check(problem, 0, outside if unit is None else unit * math.ceil(outside / unit), 1)
    except InvalidValueError:
        return False
    return True
