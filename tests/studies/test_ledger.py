"""A long log is read in a faster way than event by event, with the same result."""

from dataclasses import dataclass
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.studies.examples import QUERIES
from warmer.studies.records import log
from warmer.studies.records.events import (
    Allowed,
    Answered,
    Asked,
    Body,
    Corrected,
    Event,
    Failed,
    Forbidden,
    Noted,
    Released,
    Retracted,
    kind_of,
    write_body,
)
from warmer.studies.records.ledger import Ledger
from warmer.studies.records.tickets import ticket_row
from warmer.studies.storage import EventRow, Head

REWARDS = st.integers(-8, 8).map(lambda eighths: eighths / 8)


@st.composite
def logs(draw):
    """Events in which answers, failures and corrections are retracted only while they count."""
    ledger, events = Ledger(), []
    for seq in range(1, draw(st.integers(1, 15)) + 1):
        event = Event(seq, f"k{seq}", float(seq), "Ada", draw(bodies(ledger)))
        ledger.add(event)
        events.append(event)
    return events


def bodies(ledger: Ledger) -> st.SearchStrategy[Body]:
    query, number = st.sampled_from(QUERIES), st.sampled_from([None, *ledger.open])
    asked = st.builds(lambda q: Asked(ledger.n_asks + 1, q, 1, "t", "w", None, ledger.seq), query)
    choices = [
        asked,
        st.builds(Answered, query, REWARDS, st.integers(1, 3), number),
        st.builds(Failed, query, number, st.just("mould")),
        st.builds(Forbidden, query, st.just("sold out")),
        st.builds(Allowed, query, st.just("")),
        st.builds(Noted, st.just("new agar")),
    ]
    told = [entry.seq for entry in ledger.entries.values() if entry.counts and entry.reward is not None]
    standing = [entry.seq for entry in ledger.entries.values() if entry.counts]
    standing += [seq for entry in ledger.entries.values() if entry.counts for seq, *_ in entry.corrections]
    if ledger.open:
        choices.append(st.builds(lambda n: Released(ledger.open[n].query, n, ""), st.sampled_from(list(ledger.open))))
    if told:
        choices.append(st.builds(Corrected, st.sampled_from(told), REWARDS, st.just("typo")))
    if standing:
        choices.append(st.builds(Retracted, st.sampled_from(standing), st.just("no agar")))
    return st.one_of(choices)


@dataclass
class Stored:
    """A database that holds one log."""

    events_: list[Event]
    ledger: Ledger

    def head(self, study):
        return Head(self.ledger.seq, self.ledger.n_asks, 0.0)

    def events(self, study, *, after, until, without):
        return [
            EventRow(event.seq, kind_of(event.body), event.key, event.at, event.author, write_body(event.body))
            for event in self.events_
            if after < event.seq <= until and kind_of(event.body) != without
        ]

    def open_tickets(self, study):
        return [ticket_row(asked, None) for asked in self.ledger.open.values()]


@given(logs(), st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_a_long_log_read_in_pages_amounts_to_the_same_as_its_events_one_by_one(events, page):
    slow = Ledger()
    for event in events:
        slow.add(event)
    with patch.object(log, "_PAGE", page):
        read, head, tickets = log.Log(Stored(events, slow), "study").start()
        fast = Ledger.started(read, seq=head.n_events, n_asks=head.n_asks, tickets=tickets)
    assert list(fast.entries.items()) == list(slow.entries.items())
    assert (fast.closed, fast.forbidden, fast.open) == (slow.closed, slow.forbidden, slow.open)
    assert (list(fast.moves()), fast.told, fast.special) == (list(slow.moves()), slow.told, slow.special)
    assert (fast.retracted, fast.n_changes) == (slow.retracted, slow.n_changes)
    assert fast.told == [entry for entry in slow.entries.values() if entry.standing in ("counted", "corrected")]
    assert all(entry in fast.special for entry in slow.entries.values() if entry.standing != "counted")


ANSWERS = st.builds(
    Answered,
    st.sampled_from("ab"),
    st.sampled_from([0.0, 1.0]),
    st.integers(1, 2),
    st.one_of(st.none(), st.integers(1, 3)),
)
CHANGES = st.one_of(st.integers(1, 9).map(lambda seq: Retracted(seq, "why")), st.just(Failed("a", None, "why")))


@given(bodies=st.lists(st.one_of(ANSWERS, ANSWERS, CHANGES), max_size=9))
def test_unasked_answers_and_repeats_are_counted_as_their_definition_says(bodies):
    ledger, events = Ledger(), []
    for body in bodies:
        standing = {seq for seq, entry in ledger.entries.items() if entry.counts}
        if not isinstance(body, Retracted) or body.seq in standing:
            events.append(Event(len(events) + 1, str(len(events)), 0.0, "Ada", body))
            ledger.add(events[-1])
    told = ledger.told
    pairs = list(zip([None, *told], told, strict=False))
    repeats = [
        place
        for place, (before, entry) in enumerate(pairs, start=1)
        if entry.number is None
        and before is not None
        and (before.query, before.reward, before.count) == (entry.query, entry.reward, entry.count)
    ]
    expected = (len(told), sum(entry.number is None for entry in told), len(repeats), max(repeats, default=0))
    for found in (ledger, Ledger.started(events, seq=len(events), n_asks=0, tickets=())):
        assert (found.n_told, found.n_unasked, found.n_repeats, found.last_repeat) == expected
