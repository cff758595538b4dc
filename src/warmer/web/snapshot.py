"""What pages show of a study, worked out once per event of its log."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from warmer.model import Label, Problem
from warmer.model.errors import WarmerError
from warmer.studies import Study
from warmer.studies.progress import Progress
from warmer.studies.records.events import Asked
from warmer.studies.records.ledger import Entry
from warmer.studies.records.tickets import Ticket
from warmer.studies.standing import Forecast
from warmer.studies.status import Status

_CHUNK = 5000
"""Events that are read at a time in search of when a ticket was given out."""
_QUIET = 1.0
"""Seconds without news after which the rest of a study is played in memory."""


class Candidate(NamedTuple):
    """A candidate and the evidence against it."""

    label: Label
    log_evidence: float
    """NaN for one that was ruled out and put aside."""
    share: float
    """How far it is on its way to being ruled out, from 0 to 1."""
    fell_at: int
    """The event that ruled it out; 0 while it remains."""
    is_leader: bool


class TicketLine(NamedTuple):
    """An open ticket, and since when somebody has it."""

    ticket: Ticket
    since: float | None

    @property
    def is_overdue(self) -> bool:
        """Whether its lease has run out."""
        return self.ticket.leased_until is not None and self.ticket.leased_until < time.time()


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A study after one event."""

    study: Study
    seq: int
    status: Status
    progress: Progress
    tickets: tuple[TicketLine, ...]
    next_query: Label | None
    """What is asked next; None where nothing need or can be."""
    recent: tuple[Entry, ...]
    """The last answers, the latest first."""
    odd: frozenset[int]
    """The events whose answers no remaining candidate explains."""

    @property
    def problem(self) -> Problem:
        """The table."""
        return self.study.problem

    @property
    def unit(self) -> str:
        """What rewards are measured in; empty where nobody said."""
        return self.study.spec.unit or ""

    @property
    def is_proven(self) -> bool:
        """Whether the goal is proven."""
        return bool(self.status.certificate)

    @property
    def n_overdue(self) -> int:
        """How many open tickets have outlived their lease by now."""
        return sum(line.is_overdue for line in self.tickets)

    @property
    def n_remaining(self) -> int:
        """How many candidates remain."""
        return self.progress.remaining[-1][1]

    @property
    def cost(self) -> float:
        """What the answers that count have cost; 1 each where the problem declares no costs."""
        costs = self.problem.costs
        return float(self.progress.counts.sum() if costs is None else self.progress.counts @ costs)

    def candidates(self) -> list[Candidate]:
        """The remaining ones, with the least evidence against them first; then the others, the last to fall first."""
        found = self.progress
        order = np.lexsort((np.nan_to_num(found.log_evidence, nan=math.inf), -found.fell_at, found.fell_at > 0))
        return [self._candidate(place) for place in order.tolist()]

    def _candidate(self, place: int) -> Candidate:
        found = self.progress
        fell_at, weight = int(found.fell_at[place]), float(found.log_evidence[place])
        share = 1.0 if fell_at else min(1.0, max(0.0, weight / found.threshold))
        label = self.problem.targets[place]
        return Candidate(label, weight, share, fell_at, place == found.leader and not fell_at)


class Desk:
    """An open study, and its latest snapshot."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self._lock, self._forecasting = threading.Lock(), threading.Lock()
        self._snapshot: Snapshot | None = None
        self._forecast: tuple[int, Forecast | None] = (-1, None)
        self._quiet_since, self._asked_for = 0.0, -1
        self._given_out: dict[str, float] = {}

    def snapshot(self) -> Snapshot:
        """What is known now; it is worked out again only where something happened."""
        with self._lock:
            if self._snapshot is None or self._snapshot.seq != self.study.n_events:
                self._snapshot = self._made()
                self._quiet_since = time.monotonic()
            return self._snapshot

    def forecast(self, seq: int) -> Forecast | None:
        """How many more answers it will probably take, where that was worked out for this event."""
        return self._forecast[1] if self._forecast[0] == seq else None

    def wants_forecast(self) -> bool:
        """Whether a forecast is due: once per event, when nothing has happened for a while."""
        found = self._snapshot
        if found is None or found.next_query is None or self._asked_for == found.seq:
            return False
        if time.monotonic() - self._quiet_since < _QUIET:
            return False
        self._asked_for = found.seq
        return True

    def work_out_forecast(self, reader: Callable[[], Study]) -> None:
        """Play the rest of the study in memory, on a copy of its own, so that nobody waits for it."""
        with self._forecasting:
            seq = self.study.n_events
            if self._forecast[0] == seq:
                return
            try:
                with reader() as copied:
                    found = None if copied.is_settled or copied.hindrance else copied.forecast(n_runs=20, most=200)
            except WarmerError:  # no candidate is left, or every query is forbidden
                found = None
            self._forecast = (seq, found)

    def _made(self) -> Snapshot:
        study = self.study
        status, progress, entries = study.status(), study.progress(), study.entries()
        given_out = self._times(status)
        lines = [TicketLine(each, given_out.get(each.token)) for each in status.open]
        return Snapshot(
            study,
            status.n_events,
            status,
            progress,
            tuple(lines),
            _next_query(study, status),
            tuple(entries[:-13:-1]),
            _odd_events(status, entries),
        )

    def _times(self, status: Status) -> dict[str, float]:
        """When each open ticket was given out, by its token; the log is read backwards until all are found."""
        wanted = {ticket.token for ticket in status.open}
        self._given_out = {token: at for token, at in self._given_out.items() if token in wanted}
        end = status.n_events
        while end > 0 and wanted - self._given_out.keys():
            for event in self.study.log(after=max(0, end - _CHUNK), until=end):
                if isinstance(event.body, Asked) and event.body.token in wanted:
                    self._given_out[event.body.token] = event.at
            end -= _CHUNK
        return self._given_out


def _odd_events(status: Status, entries: list[Entry]) -> frozenset[int]:
    if status.standing is None or not status.standing.odd:
        return frozenset()
    counted = [entry.seq for entry in entries if entry.counts and entry.reward is not None]
    return frozenset(counted[odd.t - 1] for odd in status.standing.odd)


def _next_query(study: Study, status: Status) -> Any:
    certificate = status.certificate
    if certificate is not None and certificate.certificate.is_misspecified:
        return None
    try:
        return None if study.is_settled or study.hindrance else study.preview()[0]
    except WarmerError:  # every query is forbidden
        return None
