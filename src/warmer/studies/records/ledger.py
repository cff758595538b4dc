"""What a log amounts to: the answers that count, the tickets that are open, and what a learner must be told."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from warmer.model import Label
from warmer.model.errors import InvalidValueError
from warmer.studies.records.events import (
    VERSION,
    Allowed,
    Answered,
    Asked,
    Corrected,
    Event,
    Failed,
    Forbidden,
    Noted,
    Released,
    Retracted,
    event_from,
    forms_of,
    query_of,
)
from warmer.studies.storage import EventRow

_MOST_FAILURES = 3
"""After so many failures in a row a query is not asked again."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a learner is told, in the order of the log: an answer, a failure, a query closed or opened."""

    kind: str
    query: Label
    reward: Any = 0.0
    count: int = 1


class Correction(NamedTuple):
    """What was put in the place of an answer, by event `seq`."""

    seq: int
    reward: Any
    reason: str


class Entry(NamedTuple):
    """An answer or a failure of the log, with what was said about it later."""

    seq: int
    at: float
    author: str
    query: Label
    reward: Any
    """As it counts now; None for an experiment that failed."""
    count: int = 1  # type: ignore[assignment]  # a tuple has a method of that name, which nobody wants here
    number: int | None = None
    note: str = ""
    told: Any = None
    """As it was first told."""
    corrections: tuple[Correction, ...] = ()
    """Those that stand; the last one counts."""
    retraction: Retracted | None = None
    surprise: float | None = None
    """The largest p-value of the answer under any candidate that remained when it was told; None where nobody asked."""
    is_odd: bool = False
    """Whether no remaining candidate explains it: then it should be read again."""
    n_agreeing: int = 0
    """If it is odd, how many others to its query lie nearer to it than to what is expected of it."""
    is_repeat: bool = False
    """Whether it came unasked and equals the answer before it, as where a cell of a notebook is run twice: is it the
    same answer twice?
    """

    @property
    def counts(self) -> bool:
        """Whether the learner knows of it."""
        return self.retraction is None

    @property
    def is_unasked(self) -> bool:
        """Whether it came to a query that was not open: nobody had asked for it, or it was answered before."""
        return self.number is None

    @property
    def standing(self) -> str:
        """Counted, corrected, failed or retracted."""
        if self.retraction is not None:
            return "retracted"
        if self.reward is None:
            return "failed"
        return "corrected" if self.corrections else "counted"


@dataclass
class Ledger:
    """A log, added up. The same log gives the same ledger, on every machine.

    Examples
    --------
    >>> ledger = Ledger()
    >>> bodies = [Answered("left", 0.5), Answered("right", 19.6), Corrected(2, 0.25, "comma"), Retracted(1, "no agar")]
    >>> [ledger.add(Event(seq, f"k{seq}", 0.0, "Ada", body)) for seq, body in enumerate(bodies, 1)]
    [False, False, True, True]
    >>> [(move.query, move.reward) for move in ledger.moves()]
    [('right', 0.25)]
    """

    seq: int = 0
    n_asks: int = 0
    entries: dict[int, Entry] = field(default_factory=dict)
    open: dict[int, Asked] = field(default_factory=dict)
    """The tickets that somebody still works on, by number."""
    notes: list[Event] = field(default_factory=list)
    retracted: list[Event] = field(default_factory=list)
    _doors: dict[int, Move] = field(default_factory=dict)
    """Queries closed and opened, by the number of the event."""
    _special: set[int] = field(default_factory=set)
    """The entries that failed, were corrected or were retracted."""
    _corrected: dict[int, int] = field(default_factory=dict)
    forbidden: set[Label] = field(default_factory=set)
    """The queries that nobody may ask now."""
    n_told: int = 0
    """How many answers count."""
    n_unasked: int = 0
    """How many of them came to queries that were not open."""
    n_repeats: int = 0
    """How many of those equal the answer before them."""
    last_repeat: int = 0
    """The last that does, by its place among the answers that count, from 1; 0 where there is none."""
    _newest: Entry | None = None
    """The last answer that counts."""
    _resting: set[Label] = field(default_factory=set)
    _failures: dict[Label, int] = field(default_factory=dict)

    def add(self, event: Event) -> bool:
        """Add the next event; true where it changes what was there before, so that learners must start again."""
        changes_past = self._add(event)
        if changes_past:
            self._recount()
        elif (move := self.move(event.seq)) is not None:
            self._count(move)
            if move.kind == "tell":
                self._count_answer(self.entries[event.seq])
        return changes_past

    def _add(self, event: Event) -> bool:
        self.seq = event.seq
        body = event.body
        match body:
            case Answered():
                self._note_answer(event, body)
            case Asked():
                self.open[body.number] = body
                self.n_asks = max(self.n_asks, body.number)
            case Corrected():
                return self._correct(event, body)
            case Retracted():
                return self._retract(event, body)
            case Failed():
                self._shut(body.number)
                told = (event.seq, event.at, event.author, body.query, None)
                self.entries[event.seq] = Entry(*told, number=body.number, note=body.reason)
                self._special.add(event.seq)
            case Released():
                self._shut(body.number)
            case Forbidden():
                self._doors[event.seq] = Move("forbid", body.query)
            case Allowed():
                self._doors[event.seq] = Move("allow", body.query)
            case Noted():
                self.notes.append(event)
        return False

    def moves(self) -> Iterator[Move]:
        """What a learner is told from the beginning, corrections in the place of what they correct."""
        for seq in heapq.merge(self.entries, self._doors):
            move = self.move(seq)
            if move is not None:
                yield move

    def move(self, seq: int) -> Move | None:
        """What event `seq` tells a learner as it counts now, if anything."""
        entry = self.entries.get(seq)
        if entry is None:
            return self._doors.get(seq)
        if not entry.counts:
            return None
        return (
            Move("fail", entry.query) if entry.reward is None else Move("tell", entry.query, entry.reward, entry.count)
        )

    @classmethod
    def started(cls, events: Iterable[Event | Entry], *, seq: int, n_asks: int, tickets: Iterable[Event]) -> "Ledger":
        """The ledger of a log whose asking was left out, after event `seq`.

        Nearly all of a long log are answers that stand, which come as entries.
        """
        ledger = cls()
        for event in chain(tickets, events):
            if isinstance(event, Entry):
                ledger.entries[event.seq] = event
                if ledger.open:
                    ledger._shut(event.number)
            else:
                ledger._add(event)
        if ledger._doors or ledger._special:
            ledger._recount()
        else:
            ledger._recount_answers()
        ledger.seq, ledger.n_asks = seq, n_asks
        return ledger

    @property
    def closed(self) -> set[Label]:
        """The queries that are not to be asked next: forbidden ones, and those whose experiments fail.

        A query that failed rests until another answer has come, and after three failures in a row until somebody
        allows it again or tells an answer to it.
        """
        failing = {query for query, failures in self._failures.items() if failures >= _MOST_FAILURES}
        return self.forbidden | self._resting | failing

    @property
    def n_changes(self) -> int:
        """How often something that had been told was changed."""
        return len(self.retracted) + len(self._corrected)

    @property
    def pending(self) -> list[Label]:
        """The queries that were asked and not answered, oldest ticket first."""
        return [self.open[number].query for number in sorted(self.open)]

    def entry(self, seq: int) -> Entry:
        """The answer or failure that is event `seq` of the log."""
        if seq not in self.entries:
            raise InvalidValueError(f"event {seq} of the log is no answer; the log shows the number of each.")
        return self.entries[seq]

    @property
    def told(self) -> list[Entry]:
        """The answers that count, in the order they came."""
        return [entry for entry in self.entries.values() if entry.retraction is None and entry.reward is not None]

    @property
    def special(self) -> list[Entry]:
        """The entries that failed, were corrected or were retracted, in the order they came."""
        return [self.entries[seq] for seq in sorted(self._special)]

    def ticket_for(self, query: Label) -> int | None:
        """The oldest open ticket for this query, if there is one."""
        return min((number for number, asked in self.open.items() if asked.query == query), default=None)

    @property
    def last(self) -> int:
        """The last answer, failure or correction that stands: what an undo takes back."""
        answers = (seq for seq in reversed(self.entries) if self.entries[seq].counts)
        corrections = (seq for seq in reversed(self._corrected) if self._stands(seq))
        found = max(next(answers, 0), next(corrections, 0))
        if found == 0:
            raise InvalidValueError("there is nothing to undo: no answer and no failure counts.")
        return found

    def answer_of(self, seq: int) -> int:
        """The answer that event `seq` is, or corrects."""
        return self._corrected.get(seq, seq)

    def check_correctable(self, seq: int) -> Entry:
        """The answer that a correction speaks of; it must be one that counts."""
        entry = self.entry(seq)
        if entry.reward is None:
            raise InvalidValueError(f"event {seq} is a failed experiment; tell its answer, or retract the failure.")
        if not entry.counts:
            raise InvalidValueError(f"answer {seq} was retracted; tell the right one as a new answer.")
        return entry

    def check_retractable(self, seq: int) -> Entry:
        """The answer that a retraction speaks of, or whose correction it undoes."""
        entry = self.entry(self.answer_of(seq))
        if not entry.counts:
            raise InvalidValueError(f"answer {entry.seq} was retracted before.")
        return entry

    def _count(self, move: Move) -> None:
        """Keep what is closed up to date."""
        query = move.query
        if move.kind == "fail":
            self._failures[query] = self._failures.get(query, 0) + 1
            self._resting.add(query)
            return
        if move.kind == "tell":
            self._resting.clear()
        elif move.kind == "forbid":
            self.forbidden.add(query)
            return
        elif move.kind == "allow":
            self.forbidden.discard(query)
            self._resting.discard(query)
        self._failures.pop(query, None)

    def _recount(self) -> None:
        self.forbidden, self._resting, self._failures = set(), set(), {}
        for move in self.moves():
            self._count(move)
        self._recount_answers()

    def _count_answer(self, entry: Entry) -> None:
        """Keep up to date what came unasked, and what may have been told twice."""
        self.n_told += 1
        if entry.number is None:
            self.n_unasked += 1
            if self._newest is not None and _says_the_same(entry, self._newest):
                self.n_repeats += 1
                self.last_repeat = self.n_told
        self._newest = entry

    def _recount_answers(self) -> None:
        self.n_told = self.n_unasked = self.n_repeats = self.last_repeat = 0
        self._newest = None
        for entry in self.told:
            self._count_answer(entry)

    def _note_answer(self, event: Event, body: Answered) -> None:
        self._shut(body.number)
        self.entries[event.seq] = Entry(
            event.seq,
            event.at,
            event.author,
            body.query,
            body.reward,
            body.count,
            body.number,
            body.note,
            body.reward,
        )

    def _correct(self, event: Event, body: Corrected) -> bool:
        entry = self.entries[body.seq]
        self._corrected[event.seq] = body.seq
        self._special.add(body.seq)
        corrections = (*entry.corrections, Correction(event.seq, body.reward, body.reason))
        self.entries[body.seq] = entry._replace(reward=body.reward, corrections=corrections)
        return True

    def _retract(self, event: Event, body: Retracted) -> bool:
        self.retracted.append(event)
        self._special.add(self.answer_of(body.seq))
        if body.seq in self._corrected:
            entry = self.entries[self._corrected[body.seq]]
            left = tuple(correction for correction in entry.corrections if correction.seq != body.seq)
            reward = left[-1].reward if left else entry.told
            self.entries[entry.seq] = entry._replace(corrections=left, reward=reward)
        else:
            self.entries[body.seq] = self.entries[body.seq]._replace(retraction=body)
        return True

    def _stands(self, seq: int) -> bool:
        """Whether a correction counts."""
        entry = self.entries[self._corrected[seq]]
        return entry.counts and any(seq == correction.seq for correction in entry.corrections)

    def _shut(self, number: int | None) -> None:
        if number is not None:
            self.open.pop(number, None)


def _says_the_same(entry: Entry, other: Entry) -> bool:
    return (entry.query, entry.reward, entry.count) == (other.query, other.reward, other.count)


def read_log(rows: Sequence[EventRow]) -> Iterator[Event | Entry]:
    """Rows of the log for `Ledger.started`: answers as entries, and everything else as events."""
    for row, form in zip(rows, forms_of(rows), strict=True):
        if row[1] == "answered" and form["version"] == VERSION:
            seq, _, _, at, author, _ = row
            query, reward = query_of(form), form["reward"]
            told = (seq, at, author, query, reward, form["count"], form["number"], form["note"], reward)
            yield Entry._make(told + _UNTOUCHED)
        else:
            yield event_from(row, form)


_UNTOUCHED = tuple(Entry._field_defaults[name] for name in Entry._fields[9:])
"""What an answer has that nobody has spoken of since."""
