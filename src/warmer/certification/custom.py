"""An e-process of the user's own: three methods, and all else is supplied."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from warmer.certification.bets import Bets, Betting
from warmer.certification.memory import Batch
from warmer.certification.weights import Weights
from warmer.model import Array, Problem
from warmer.model.checks import SLACK
from warmer.model.errors import InvalidValueError, calling, giver_of

State = TypeVar("State")


@runtime_checkable
class EvidenceProcess(Protocol[State]):
    """For each candidate a non-negative process that starts at 1 and never grows on average if it is the truth.

    It must be so however the queries are chosen.
    """

    def start(self) -> State:
        """Nothing observed yet."""
        ...

    def update(self, state: State, query: int, reward: float, count: int = 1) -> State:
        """One more answer, or the mean of `count` of them."""
        ...

    def log_evidence(self, state: State) -> Array:
        """The logarithm of each candidate's process."""
        ...


class Watched(NamedTuple):
    """The user's state, and what forecasts are made from."""

    own: Any
    seen: Betting


@dataclass(frozen=True, eq=False)
class Custom:
    """A user's process, with weights by squared residuals to choose by."""

    is_coin: ClassVar[bool] = False

    problem: Problem
    log_prior: Array
    own: EvidenceProcess[Any]

    def start(self) -> Watched:
        """Nothing observed yet."""
        with calling(self.own, "start"):
            own = self.own.start()
        state = Watched(own, self._forecasts.start()._replace(capital=np.empty(0)))
        for target in np.flatnonzero(self.log_evidence(state) > SLACK)[:1].tolist():
            raise InvalidValueError(
                f"every process starts at 1, so {giver_of(self.own, 'log_evidence')} must give 0 before the first "
                f"answer, got {self.log_evidence(state)[target]:g} for candidate {self.problem.targets[target]!r}."
            )
        return state

    def advance(self, state: Watched, told: Batch, possible: Array, threshold: float) -> tuple[Watched, int, int]:
        """The first of these answers, and whom it rules out."""
        one = Batch(*(values[:1] for values in told))
        seen = self._forecasts.advance(state.seen, one, np.empty(0, dtype=bool), threshold)[0]
        query, reward, count = (values[0].item() for values in one)
        with calling(self.own, "update"):
            own = self.own.update(state.own, query, reward, int(count))
        if own is None and state.own is not None:
            raise InvalidValueError(f"{giver_of(self.own, 'update')} must give the state after the answer, got None.")
        state = Watched(own, seen)
        struck = possible & (self.log_evidence(state) >= threshold)
        possible &= ~struck
        return state, 1, int(struck.sum())

    def log_evidence(self, state: Watched) -> Array:
        """The user's own."""
        with calling(self.own, "log_evidence"):
            evidence = np.asarray(self.own.log_evidence(state.own))
        is_real = evidence.dtype.kind in "fiu"
        has_nan = is_real and bool(np.isnan(evidence).any())
        if evidence.shape != (self.problem.n_targets,) or not is_real or has_nan:
            kind = "" if is_real else f" of {evidence.dtype}"
            raise InvalidValueError(
                f"{giver_of(self.own, 'log_evidence')} must give a number for each of the {self.problem.n_targets} "
                f"candidates, got an array{kind} of shape {evidence.shape}{' with NaN' if has_nan else ''}."
            )
        return evidence.astype(float)

    def part(self, state: Watched, places: Array) -> None:
        """It always watches all candidates."""

    def weights(self, state: Watched) -> Weights:
        """Weights by squared residuals over the variance of the forecast errors."""
        return self._forecasts.weights(state.seen)

    def variances(self, state: Watched, queries: Array, means: Array) -> Array:
        """That of the forecast errors, the same for all queries."""
        return self._forecasts.variances(state.seen, queries, means)

    @cached_property
    def _forecasts(self) -> Bets:
        return Bets(self.problem, self.log_prior)
