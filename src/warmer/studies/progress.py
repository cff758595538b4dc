"""How a study came to where it stands: who was ruled out when, and what each query has earned."""

import math
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from warmer.model import Array
from warmer.studies.records.ledger import Entry, Ledger
from warmer.studies.spec import Spec


@dataclass(frozen=True, eq=False)
class Progress:
    """The evidence against each candidate, and its past."""

    n_answers: int
    """How many answers count."""
    remaining: tuple[tuple[int, int], ...]
    """After how many answers the number of remaining candidates changed, and to what; the first is (0, all)."""
    fell_at: Array
    """The event that ruled each candidate out; 0 for those that remain."""
    log_evidence: Array
    """The logarithm of the evidence against each candidate; NaN for those that were ruled out and put aside."""
    threshold: float
    r"""$\ln(1/\delta)$: a candidate whose evidence reaches it is ruled out."""
    leader: int
    """The likeliest remaining candidate."""
    counts: Array
    """How many rewards each query has earned, and their mean: NaN where there are none."""
    means: Array


class Tracker:
    """Keeps the progress of a study up to date with its log.

    Examples
    --------
    >>> from warmer import Problem, goals, noise
    >>> from warmer.studies.records.events import Answered, Event
    >>> table = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
    >>> tracker, ledger = Tracker(Spec(table, goals.WhichTarget(), noise.SubGaussian(0.25))), Ledger()
    >>> for seq in (1, 2, 3):
    ...     _ = ledger.add(Event(seq, f"k{seq}", 0.0, "Ada", Answered("left", 0.8)))
    >>> found = tracker.follow(ledger)
    >>> found.remaining, found.fell_at.tolist(), found.means.round(3).tolist()
    (((0, 2), (1, 1)), [1, 0], [0.8, nan])
    """

    def __init__(self, spec: Spec) -> None:
        self._problem = spec.problem
        self._certifier: Any = spec.certifier
        self._n_changes = 0
        self._start()

    def follow(self, ledger: Ledger) -> Progress:
        """The progress where the ledger is; told from the beginning where something in it was changed."""
        if ledger.n_changes != self._n_changes:
            self._n_changes = ledger.n_changes
            self._start()
        for entry in islice(ledger.entries.values(), self._n_seen, None):
            self._n_seen += 1
            if entry.counts and entry.reward is not None:
                self._tell(entry, entry.reward)
        with np.errstate(invalid="ignore"):
            means = self._sums / self._counts
        return Progress(
            n_answers=self._n_answers,
            remaining=tuple(self._remaining),
            fell_at=self._fell_at.copy(),
            log_evidence=np.array(self._certifier.log_evidence(self._state)),
            threshold=-math.log(self._certifier.delta),
            leader=int(self._certifier.leader(self._state)),
            counts=self._counts.copy(),
            means=means,
        )

    def _start(self) -> None:
        self._state = self._certifier.start()
        self._n_seen = self._n_answers = 0
        self._remaining = [(0, self._problem.n_targets)]
        self._fell_at = np.zeros(self._problem.n_targets, dtype=np.int64)
        self._counts, self._sums = np.zeros(self._problem.n_queries), np.zeros(self._problem.n_queries)

    def _tell(self, entry: Entry, reward: float) -> None:
        query = self._problem.queries.position(entry.query)
        before = self._state.n_possible
        self._state = self._certifier.update(self._state, query, reward, entry.count)
        self._n_answers += 1
        self._counts[query] += entry.count
        self._sums[query] += entry.count * reward
        if self._state.n_possible < before:
            self._remaining.append((self._n_answers, self._state.n_possible))
            self._fell_at[~self._state.possible & (self._fell_at == 0)] = entry.seq
