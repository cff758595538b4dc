"""A study as a laboratory meets it: several people, a laptop that sleeps, plates, failures and typos."""

import json
import time
from fractions import Fraction

import numpy as np
import pytest

from tests.studies.examples import QUERIES, a_problem, a_study, check_invariants, rows
from warmer import (
    InvalidValueError,
    MaxInformation,
    Optimistic,
    Problem,
    ProtocolError,
    Session,
    Thompson,
    UntilCertified,
    create_study,
    goals,
    list_studies,
    noise,
    open_study,
)
from warmer.model.errors import CertificateError, StorageError
from warmer.studies.storage.postgres import Postgres
from warmer.studies.storage.sqlite import SQLite


def test_answers_survive_the_night(storage):
    with a_study(storage) as study:
        [ticket] = study.ask(worker="Ada")
        study.tell(ticket, 0.5, author="Ada", note="pH 7")
    with open_study("yeast", storage=storage) as study:
        [entry] = study.entries()
        assert (entry.query, entry.reward, entry.author, entry.note) == (ticket.query, 0.5, "Ada", "pH 7")
        assert study.tickets() == []
        check_invariants(study)


def test_the_same_answers_give_the_same_next_query_wherever_they_are_told(storage, tmp_path):
    def queries(url, reopen, looks):
        asked = []
        study = a_study(url, "same", seed=8)
        for round_ in range(12):
            if reopen:
                study.close()
                study = open_study("same", storage=url)
            for _ in range(looks):
                study.status()
            [ticket] = study.ask()
            asked.append(ticket.query)
            study.tell(ticket, (round_ % 5 - 2) / 4)
        study.close()
        return asked

    here, there = queries(storage, reopen=True, looks=0), queries(f"sqlite:///{tmp_path}/b.db", reopen=False, looks=2)
    assert here == there
    assert len(set(here)) > 1


def test_a_study_asks_what_a_session_asks(storage):
    session = Session(a_problem(), goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.5), seed=5)
    with a_study(storage, seed=5) as study:
        for round_ in range(6):
            asked, tickets = session.ask(3), study.ask(3)
            assert [ticket.query for ticket in tickets] == asked
            for ticket, reward in zip(tickets[: 1 + round_ % 3], (0.25, -0.5, 0.125), strict=False):
                session.tell(ticket.query, reward)
                study.tell(ticket.query, reward)
            assert study.session().pending == session.pending
        assert study.session().ask(4) == session.ask(4)
        assert str(study.certificate().certificate) == str(session.certificate())


def test_a_plate_of_four_is_asked_at_once_and_nothing_twice_by_number(storage):
    with a_study(storage) as study:
        tickets = study.ask(4, worker="plate")
        assert [ticket.number for ticket in tickets] == [1, 2, 3, 4]
        assert [ticket.number for ticket in study.ask(2)] == [5, 6]
        study.tell(tickets[2], 0.25)
        study.fail(tickets[1], reason="dropped")
        study.release(tickets[0], reason="no time")
        study.release(4)
        assert [ticket.number for ticket in study.tickets()] == [5, 6]
        check_invariants(study)


def test_a_call_repeated_under_its_key_changes_nothing(storage):
    with a_study(storage) as study:
        first, second = study.ask(3, key="monday"), study.ask(3, key="monday")
        assert first == second
        answers = [study.tell("agar", 0.5, key="form 7", author="Bo") for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
        assert study.note("agar is old", key="n") == study.note("agar is old", key="n")
        kinds = [event.kind for event in study.log()]
        assert kinds == ["asked"] * 3 + ["answered", "noted"]


def test_two_people_who_answer_one_ticket_agree_or_are_told_so(storage):
    with a_study(storage) as ada, open_study("yeast", storage=storage) as bo:
        [ticket] = ada.ask()
        entry = ada.tell(ticket, 0.5, author="Ada")
        assert bo.tell(ticket, 0.5, author="Bo") == entry
        with pytest.raises(ProtocolError, match=r"answered before with 0.5 \(event 2, by Ada\).*correct\(2, ...\)"):
            bo.tell(ticket, 0.25, author="Bo")
        assert len(bo.entries()) == 1


def test_a_key_of_something_else_is_refused(storage):
    with a_study(storage) as study:
        study.note("hello", key="k")
        with pytest.raises(ProtocolError, match=r"'k' was used before, for event 1 \(noted\)"):
            study.tell("agar", 0.5, key="k")


def test_an_expired_ticket_goes_to_the_next_who_asks_and_a_late_answer_still_counts(storage, monkeypatch):
    with a_study(storage) as study:
        set_clock(monkeypatch, 1000.0)
        [late] = study.ask(worker="Ada", lease=60)
        [mine] = study.ask(worker="Bo", lease=60)
        assert mine.number == 2
        set_clock(monkeypatch, 1059.0)
        assert study.renew(mine, lease=60)
        set_clock(monkeypatch, 1061.0)
        [again] = study.ask(worker="Cy", lease=60)
        assert (again.number, again.query, again.attempt, again.worker) == (1, late.query, 2, "Cy")
        assert again.token != late.token
        assert not study.renew(late, lease=60)
        study.tell(late, 0.25)
        assert [ticket.number for ticket in study.tickets()] == [2]
        study.tell(again, 0.5)
        assert [entry.reward for entry in study.entries()] == [0.25, 0.5]
        check_invariants(study)


def test_leases_follow_the_clock_of_the_database_and_not_of_this_machine(storage, monkeypatch):
    with a_study(storage) as study:
        real = time.time()
        monkeypatch.setattr(time, "time", lambda: real + 10 * 365 * 86400)
        [ticket] = study.ask(lease=600)
        assert abs(ticket.leased_until - real - 600) < 60
        assert [other.number for other in study.ask(lease=600)] == [2]
        monkeypatch.setattr(time, "time", lambda: 0.0)
        assert [other.number for other in study.ask(lease=600)] == [3]


def test_a_ticket_of_a_person_never_expires(storage, monkeypatch):
    with a_study(storage) as study:
        set_clock(monkeypatch, 1000.0)
        study.ask()
        set_clock(monkeypatch, 1e9)
        assert study.ask()[0].number == 2


def test_an_answer_by_label_closes_the_oldest_ticket_for_its_query(storage):
    with a_study(storage) as study:
        [ticket] = study.ask()
        entry = study.tell(ticket.query, 0.5)
        assert (entry.number, study.tickets()) == (1, [])
        assert study.tell(ticket.query, 0.5).number is None


def test_a_correction_takes_the_place_of_the_answer_and_both_stay(storage):
    with a_study(storage) as study, a_study(storage, "right at once") as other:
        for name, reward in [("agar", 0.5), ("broth", -0.96), ("starch", 0.25)]:
            study.tell(name, reward)
            other.tell(name, 0.125 if name == "broth" else reward)
        entry = study.correct(2, 0.125, reason="196 read as 19.6", author="Bo")
        assert (entry.reward, entry.told, entry.standing) == (0.125, -0.96, "corrected")
        assert [event.kind for event in study.log()] == ["answered"] * 3 + ["corrected"]
        assert study.ask(3)[2].query == other.ask(3)[2].query
        assert study.session().history.rewards.tolist() == [0.5, 0.125, 0.25]
        assert study.session(at=3).history.rewards.tolist() == [0.5, -0.96, 0.25]
        assert study.session(at=1).history.queries == ["agar"]


def test_a_retraction_needs_a_reason_and_is_named_by_the_certificate(storage):
    with a_study(storage) as study:
        study.tell("agar", 0.5)
        study.tell("broth", 0.5)
        [ticket] = study.ask()
        study.fail("starch", reason="mould")
        with pytest.raises(InvalidValueError, match="say why in a few words"):
            study.retract(1, reason=" ")
        assert study.retract(1, reason="contaminated").standing == "retracted"
        assert study.retract(1, reason="contaminated").seq == 1
        with pytest.raises(InvalidValueError, match="answer 1 was retracted before"):
            study.retract(1, reason="again")
        with pytest.raises(InvalidValueError, match="answer 1 was retracted; tell the right one as a new answer"):
            study.correct(1, 0.25, reason="typo")
        words = str(study.certificate(goals.BestQuery(0.1)))
        assert "answer 1 to 'agar' (0.5) was retracted: contaminated" in words
        assert "an experiment with 'starch' failed: mould" in words
        assert f"ticket 1 for {ticket.query!r} is unanswered" in words
        assert study.session().history.queries == ["broth"]
        assert study.status().n_retracted == 1


def test_a_correction_can_be_undone(storage):
    with a_study(storage) as study:
        study.tell("agar", 0.5)
        study.correct(1, 0.25, reason="typo")
        study.correct(1, 0.75, reason="no, this")
        assert study.retract(3, reason="it was right").reward == 0.25
        assert study.retract(2, reason="it was right at first").reward == 0.5
        assert study.entries()[0].standing == "counted"


def test_an_experiment_that_fails_is_not_asked_for_ever(storage):
    with a_study(storage) as study:
        first = study.ask()[0]
        study.fail(first, reason="mould")
        second = study.ask()[0]
        assert second.query != first.query  # it rests
        study.tell(second, 0.0)
        for _ in range(2):
            study.fail(first.query, reason="mould")
        study.tell(second.query, 0.0)
        assert first.query in study.status().closed
        assert first.query not in {ticket.query for ticket in study.ask(12)}
        study.allow(first.query, reason="new agar")
        assert study.status().closed == ()
        check_invariants(study)


def test_an_answer_or_a_retraction_ends_a_row_of_failures(storage):
    with a_study(storage) as study:
        for _ in range(3):
            entry = study.fail("agar", reason="mould")
        study.tell("broth", 0.0)
        assert study.status().closed == ("agar",)
        study.retract(entry.seq, reason="it was the broth")
        assert study.status().closed == ()
        study.fail("agar", reason="mould")
        study.tell("agar", 0.0)
        assert study.status().closed == ()


def test_a_forbidden_query_is_not_asked_until_it_is_allowed(storage, monkeypatch):
    with a_study(storage) as study:
        set_clock(monkeypatch, 1000.0)
        [held] = study.ask(lease=60)
        for query in QUERIES:
            if query != "starch":
                study.forbid(query, reason="sold out")
        assert {ticket.query for ticket in study.ask(5)} == {"starch"}
        set_clock(monkeypatch, 1061.0)
        if held.query != "starch":
            assert study.ask()[0].query == "starch"  # an expired ticket for a closed query is not given out again
            assert held.number not in {ticket.number for ticket in study.tickets()}
        study.forbid("starch", reason="sold out")
        with pytest.raises(ProtocolError, match="every query is forbidden; allow one to go on"):
            study.ask()
        study.allow("broth")
        assert study.ask()[0].query == "broth"
        check_invariants(study)


def test_where_every_query_fails_the_failing_ones_are_tried_again(storage):
    with a_study(storage) as study:
        for query in QUERIES:
            study.fail(query, reason="power cut")
        assert study.ask()[0].query in QUERIES


@pytest.mark.parametrize(
    "learner",
    [
        Optimistic,
        Thompson,
        lambda problem: MaxInformation(problem, goals.WhichTarget()),
        lambda problem: UntilCertified(Optimistic(problem), goals.BestQuery(0.1)),
    ],
)
def test_any_learner_leaves_closed_queries_alone(tmp_path, learner):
    problem = a_problem()
    with create_study("any", problem, learner=learner(problem), storage=f"sqlite:///{tmp_path}/lab.db") as study:
        study.forbid("agar", reason="sold out")
        study.forbid("broth", reason="sold out")
        for _ in range(6):
            [ticket] = study.ask()
            assert ticket.query in ("starch", "peptone")
            study.tell(ticket, 0.25)
        check_invariants(study)


def test_the_history_is_a_table_that_says_what_counts(storage):
    with a_study(storage) as study:
        study.tell(study.ask()[0], 0.5, author="Ada")
        study.tell("broth", 0.5, count=4)
        study.fail("starch", reason="mould")
        study.correct(3, 0.25, reason="typo")
        study.retract(2, reason="no agar")
        frame = study.history()
    assert frame["standing"].tolist() == ["retracted", "corrected", "failed"]
    assert frame["reward"].tolist()[:2] == [0.5, 0.25]
    assert frame["told"].tolist()[1] == 0.5
    assert frame["count"].tolist() == [1, 4, 1]
    assert frame["ticket"].isna().tolist() == [False, True, True]
    assert str(frame["at"].dtype).endswith("UTC]")


def test_what_cannot_be_an_answer_is_refused_and_nothing_is_written(storage):
    with a_study(storage) as study:
        for reward in (float("nan"), None, "0.5", 1.5):
            with pytest.raises(InvalidValueError, match="must be a number in"):
                study.tell("agar", reward)
        with pytest.raises(InvalidValueError, match="there is no query 'agra'; perhaps 'agar' was meant"):
            study.tell("agra", 0.5)
        with pytest.raises(InvalidValueError, match="event 9 of the log is no answer"):
            study.correct(9, 0.5, reason="typo")
        with pytest.raises(InvalidValueError, match="there is no open ticket 3 in study 'yeast'; open are: none"):
            study.release(3)
        assert list(study.log()) == []


def test_a_ticket_of_another_study_is_refused(storage):
    with a_study(storage) as study, a_study(storage, "other") as other:
        [ticket] = other.ask()
        with pytest.raises(InvalidValueError, match="is of another study than 'yeast'"):
            study.tell(ticket, 0.5)


def test_creating_twice_opens_and_creating_otherwise_is_refused(storage):
    with a_study(storage) as study:
        study.note("first")
        with a_study(storage) as same:
            assert [event.kind for event in same.log()] == ["noted"]
        with pytest.raises(InvalidValueError, match=r"there is another study 'yeast' in .* choose another name"):
            a_study(storage, seed=1)
        with pytest.raises(InvalidValueError, match=r"there is no study 'beer' in .*; there are 'yeast'"):
            open_study("beer", storage=storage)
    assert [found.name for found in list_studies(storage=storage)] == ["yeast"]


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 201, None])
def test_a_study_needs_a_name(storage, name):
    with pytest.raises(InvalidValueError, match="needs a name of 1 to 200 printable characters"):
        a_study(storage, name)


def test_labels_of_every_kind_come_back_as_they_were(storage):
    labels = [("a", 1), Fraction(1, 3), 2, 0.5, "naïve"]
    problem = Problem.from_table(np.eye(5), queries=labels, targets=labels[::-1])
    with create_study("labels", problem, goal=goals.WhichTarget(), storage=storage) as study:
        for label in labels:
            study.tell(label, 0.5)
        study.ask(5)
    with open_study("labels", storage=storage) as study:
        assert [entry.query for entry in study.entries()] == labels
        assert list(study.problem.targets) == labels[::-1]
        check_invariants(study)


def test_a_learner_of_somebody_elses_is_refused(storage):
    class Mine(Thompson):
        """It cannot be made again on another machine."""

    problem = a_problem()
    with pytest.raises(InvalidValueError, match=r"must be able to make its learner again.*got Mine"):
        create_study("mine", problem, learner=Mine(problem), storage=storage)


def test_the_log_can_only_grow(storage):
    with a_study(storage) as study:
        study.tell("agar", 0.5)
    for sql in (
        "UPDATE warmer_events SET body = '{}'",
        "DELETE FROM warmer_events",
        "DELETE FROM warmer_problems",
        "UPDATE warmer_problems SET digest = 'x'",
    ):
        with pytest.raises(StorageError, match="append-only"):
            rows(storage, sql)


def test_a_log_that_was_changed_does_not_verify(storage):
    with a_study(storage) as study:
        for _ in range(3):
            study.tell(study.ask()[0], 0.5)
        assert study.verify() == 3
        events = list(study.log())
        forged = next(query for query in QUERIES if query != events[4].body.query)
        with study._store.writing(study._log.study) as writer:
            body = json.dumps({**json.loads(raw_body(storage, 5)), "number": 4, "query": forged, "as_of": 6})
            writer.append("asked", key="forged", author="Eve", body=body)
        with pytest.raises(CertificateError, match=r"ticket 4 .* asked"):
            study.verify()


def raw_body(storage, seq):
    return rows(storage, f"SELECT body FROM warmer_events WHERE seq = {seq}")[0][0]


def set_clock(monkeypatch, seconds):
    for dialect in (SQLite, Postgres):
        monkeypatch.setattr(dialect, "clock", f"{seconds}::float8" if dialect is Postgres else str(seconds))


def test_a_study_counts_the_answers_that_came_to_queries_that_were_not_open(storage):
    with a_study(storage) as study:
        first, second = study.ask(2)
        assert not study.tell(first, 0.25).is_unasked
        assert not study.tell(second.query, 0.25).is_unasked  # by its label
        repeated = study.tell(second.query, 0.25)
        assert (repeated.is_unasked, repeated.is_repeat) == (True, True)
        assert not study.tell(first, 0.25).is_repeat  # the same ticket again is the same answer
        status = study.status()
        assert (status.n_unasked, status.standing.n_unasked, status.standing.n_repeats) == (1, 1, 1)
        assert status.remarks == status.standing.remarks
        assert study.session().status() == status.standing
    with open_study("yeast", storage=storage) as study:
        assert study.status().n_unasked == study.status().standing.n_repeats == 1
        study.retract(repeated.seq, reason="twice")
        assert (study.status().n_unasked, study.status().standing.last_repeat) == (0, None)


def test_a_study_gives_a_new_ticket_at_every_ask(storage):
    with a_study(storage) as study:
        assert [study.ask()[0].number for _ in range(3)] == [1, 2, 3]
        assert study.session().ask() == study.tickets()[0].query
