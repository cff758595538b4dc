"""Every sequence of calls, against a plain list: ask, tell, correct, retract, fail, expire, crash and reopen."""

import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.studies.examples import QUERIES, a_study, check_invariants
from warmer import ProtocolError, open_study
from warmer.studies.storage.database import Database
from warmer.studies.storage.sqlite import SQLite

REWARDS = st.integers(-8, 8).map(lambda eighths: eighths / 8)
PLACES = st.integers(0, 10**6)
CRASHES = st.none() | st.tuples(st.integers(1, 20), st.booleans())
"""None, or the SQL statement before or after which the process ends."""


class Crash(BaseException):
    """A process that ends in the middle of a call."""


@contextmanager
def crashing(statement, is_done):
    """End before this statement, or after it is done and before anybody hears of it."""
    run, left = Database.execute, statement

    def execute(database, sql, values=()):
        nonlocal left
        left -= 1
        if left == 0 and not is_done:
            raise Crash
        found = run(database, sql, values)
        if left == 0:
            raise Crash
        return found

    Database.execute = execute
    try:
        with suppress(Crash):
            yield
    finally:
        Database.execute = run


@dataclass(frozen=True)
class Line:
    """An answer, as a person would keep it in a notebook."""

    seq: int
    query: str
    reward: float | None
    counts: bool = True


def unsynced(connect):
    """Connections that do not wait for the disk: what fails here is never the power."""

    def connected(dialect):
        connection = connect(dialect)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    return connected


class Laboratory(RuleBasedStateMachine):
    """A study, and the notebook that it must agree with."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.url = f"sqlite:///{self.folder.name}/lab.db"
        self.clock, self.now = SQLite.clock, 1000.0
        SQLite.clock = "1000.0"
        self.connect, SQLite.connect = SQLite.connect, unsynced(SQLite.connect)
        self.study = a_study(self.url)
        self.lines: list[Line] = []
        self.tickets: list = []
        self.told: list = []
        self.n_keys = 0

    def teardown(self) -> None:
        SQLite.clock, SQLite.connect = self.clock, self.connect
        self.study.close()
        self.folder.cleanup()

    def done(self, call, crash, *, n_events=1):
        """What a call returns; after a crash within it, what the same call returns when the study is open again."""
        before = self.study.n_events
        if crash is not None:
            with crashing(*crash):
                call(self.study)
            self.reopen()
        result = call(self.study)
        assert self.study.n_events == before + n_events
        return result

    def key(self):
        self.n_keys += 1
        return f"k{self.n_keys}"

    @rule(n=st.integers(1, 3), lease=st.sampled_from([None, 60.0]), crash=CRASHES)
    def ask(self, n, lease, crash):
        expired = [t.number for t in self.study.tickets() if t.leased_until is not None and t.leased_until < self.now]
        key = self.key()
        tickets = self.done(lambda study: study.ask(n, worker="w", lease=lease, key=key), crash, n_events=n)
        assert [ticket.number for ticket in tickets][: len(expired)] == expired[:n]
        self.tickets += tickets

    @precondition(lambda self: self.tickets)
    @rule(place=PLACES, reward=REWARDS, crash=CRASHES)
    def tell_a_ticket_perhaps_late_or_again(self, place, reward, crash):
        ticket = self.tickets[place % len(self.tickets)]
        known = next((line for token, line in self.told if token == ticket.token), None)
        if known is None:
            entry = self.done(lambda study: study.tell(ticket, reward), crash)
            self.told.append((ticket.token, (entry.seq, reward)))
            self.lines.append(Line(entry.seq, ticket.query, reward))
        elif known[1] == reward:
            assert self.done(lambda study: study.tell(ticket, reward), crash, n_events=0).seq == known[0]
        else:
            with pytest.raises(ProtocolError, match=rf"correct\({known[0]}, \.\.\.\)"):
                self.study.tell(ticket, reward)

    @rule(query=st.sampled_from(QUERIES), reward=REWARDS, crash=CRASHES)
    def tell_a_label(self, query, reward, crash):
        key = self.key()
        self.lines.append(Line(self.done(lambda study: study.tell(query, reward, key=key), crash).seq, query, reward))

    @rule(query=st.sampled_from(QUERIES), crash=CRASHES)
    def fail(self, query, crash):
        key = self.key()
        entry = self.done(lambda study: study.fail(query, reason="mould", key=key), crash)
        self.lines.append(Line(entry.seq, query, None))

    @precondition(lambda self: any(line.counts and line.reward is not None for line in self.lines))
    @rule(place=PLACES, reward=REWARDS, crash=CRASHES)
    def correct(self, place, reward, crash):
        index = self.chosen(place, [k for k, line in enumerate(self.lines) if line.counts and line.reward is not None])
        seq, key = self.lines[index].seq, self.key()
        self.done(lambda study: study.correct(seq, reward, reason="typo", key=key), crash)
        self.lines[index] = replace(self.lines[index], reward=reward)

    @precondition(lambda self: any(line.counts for line in self.lines))
    @rule(place=PLACES, crash=CRASHES)
    def retract(self, place, crash):
        index = self.chosen(place, [k for k, line in enumerate(self.lines) if line.counts])
        seq = self.lines[index].seq
        self.done(lambda study: study.retract(seq, reason="contaminated"), crash)
        self.lines[index] = replace(self.lines[index], counts=False)

    @precondition(lambda self: self.study.tickets())
    @rule(place=PLACES, crash=CRASHES)
    def release(self, place, crash):
        tickets = self.study.tickets()
        ticket = tickets[place % len(tickets)]
        self.done(lambda study: study.release(ticket, reason="lunch"), crash)

    @rule(seconds=st.sampled_from([30.0, 61.0]))
    def wait(self, seconds):
        self.now += seconds
        SQLite.clock = str(self.now)

    @rule()
    def reopen(self):
        self.study.close()
        self.study = open_study("yeast", storage=self.url)

    @invariant()
    def the_study_agrees_with_the_notebook(self):
        entries = self.study.entries()
        assert [(e.seq, e.query, e.reward, e.counts) for e in entries] == [
            (line.seq, line.query, line.reward, line.counts) for line in self.lines
        ]
        counted = [(line.query, line.reward) for line in self.lines if line.counts and line.reward is not None]
        history = self.study.session().history
        assert list(zip(history.queries, history.rewards.tolist(), strict=True)) == counted
        check_invariants(self.study)

    @staticmethod
    def chosen(place, indices):
        return indices[place % len(indices)]


TestLaboratory = Laboratory.TestCase
TestLaboratory.settings = settings(max_examples=12, stateful_step_count=20, deadline=None)
