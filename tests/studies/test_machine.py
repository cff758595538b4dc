"""Every sequence of calls, against a plain list: ask, tell, correct, retract, fail, expire, crash and reopen."""

import tempfile
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


class Crash(BaseException):
    """A process that ends in the middle of a call."""


@dataclass(frozen=True)
class Line:
    """An answer, as a person would keep it in a notebook."""

    seq: int
    query: str
    reward: float | None
    counts: bool = True


class Laboratory(RuleBasedStateMachine):
    """A study, and the notebook that it must agree with."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.url = f"sqlite:///{self.folder.name}/lab.db"
        self.clock, self.now = SQLite.clock, 1000.0
        SQLite.clock = "1000.0"
        self.study = a_study(self.url)
        self.lines: list[Line] = []
        self.tickets: list = []
        self.told: list = []
        self.n_keys = 0

    def teardown(self) -> None:
        SQLite.clock = self.clock
        self.study.close()
        self.folder.cleanup()

    @rule(n=st.integers(1, 3), lease=st.sampled_from([None, 60.0]))
    def ask(self, n, lease):
        expired = [t.number for t in self.study.tickets() if t.leased_until is not None and t.leased_until < self.now]
        before = self.study.status().n_events
        tickets = self.study.ask(n, worker="w", lease=lease)
        assert [ticket.number for ticket in tickets][: len(expired)] == expired[:n]
        assert self.study.status().n_events == before + n
        self.tickets += tickets

    @precondition(lambda self: self.tickets)
    @rule(place=PLACES, reward=REWARDS)
    def tell_a_ticket_perhaps_late_or_again(self, place, reward):
        ticket = self.tickets[place % len(self.tickets)]
        known = next((line for token, line in self.told if token == ticket.token), None)
        if known is None:
            entry = self.study.tell(ticket, reward)
            self.told.append((ticket.token, (entry.seq, reward)))
            self.lines.append(Line(entry.seq, ticket.query, reward))
        elif known[1] == reward:
            assert self.study.tell(ticket, reward).seq == known[0]
        else:
            with pytest.raises(ProtocolError, match=rf"correct\({known[0]}, \.\.\.\)"):
                self.study.tell(ticket, reward)

    @rule(query=st.sampled_from(QUERIES), reward=REWARDS)
    def tell_a_label(self, query, reward):
        self.lines.append(Line(self.study.tell(query, reward).seq, query, reward))

    @rule(query=st.sampled_from(QUERIES))
    def fail(self, query):
        self.lines.append(Line(self.study.fail(query, reason="mould").seq, query, None))

    @precondition(lambda self: any(line.counts and line.reward is not None for line in self.lines))
    @rule(place=PLACES, reward=REWARDS)
    def correct(self, place, reward):
        index = self.chosen(place, [k for k, line in enumerate(self.lines) if line.counts and line.reward is not None])
        self.study.correct(self.lines[index].seq, reward, reason="typo")
        self.lines[index] = replace(self.lines[index], reward=reward)

    @precondition(lambda self: any(line.counts for line in self.lines))
    @rule(place=PLACES)
    def retract(self, place):
        index = self.chosen(place, [k for k, line in enumerate(self.lines) if line.counts])
        self.study.retract(self.lines[index].seq, reason="contaminated")
        self.lines[index] = replace(self.lines[index], counts=False)

    @rule(seconds=st.sampled_from([30.0, 61.0]))
    def wait(self, seconds):
        self.now += seconds
        SQLite.clock = str(self.now)

    @rule(statement=st.integers(1, 20), reward=REWARDS, query=st.sampled_from(QUERIES))
    def crash_while_telling_and_tell_again(self, statement, reward, query):
        self.n_keys += 1
        run, left = Database.execute, statement

        def crashing(database, sql, values=()):
            nonlocal left
            left -= 1
            if left == 0:
                raise Crash
            return run(database, sql, values)

        Database.execute = crashing
        try:
            self.study.tell(query, reward, key=f"k{self.n_keys}")
        except Crash:
            pass
        finally:
            Database.execute = run
        self.reopen()
        self.lines.append(Line(self.study.tell(query, reward, key=f"k{self.n_keys}").seq, query, reward))

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
