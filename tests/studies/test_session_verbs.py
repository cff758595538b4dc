"""A session in which experiments fail, answers are taken back, and queries are closed for a while."""

import copy
import pickle
import threading
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.studies.examples import QUERIES, a_problem
from tests.studies.examples import a_study as the_study
from warmer import (
    PAC,
    InvalidValueError,
    LeastSquares,
    OracleLeastSquares,
    Problem,
    ProtocolError,
    Session,
    Uniform,
    create_study,
    goals,
    noise,
)
from warmer.estimation import MeanForecaster
from warmer.families import KArms, Sphere
from warmer.studies.formats.json_forms import certificate_form


def a_session(**options):
    return Session(a_problem(), goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.5), **options)


def test_an_experiment_that_fails_is_not_asked_for_ever():
    session = a_session()
    first = session.ask()
    entry = session.fail(first, reason="mould")
    assert (entry.standing, entry.query, entry.number) == ("failed", first, 1)
    assert (session.failed, session.closed, session.pending) == ([first], [first], [])
    second = session.ask()
    assert second != first  # it rests
    session.tell(second, 0.0)
    assert session.closed == []
    for _ in range(2):
        session.fail(first, reason="mould")
    session.tell(second, 0.0)
    assert session.closed == [first]  # three failures in a row
    assert first not in session.ask(12)
    session.allow(first)
    assert session.closed == []
    assert len(session.history) == 2


def test_a_query_given_back_counts_as_not_asked():
    session = a_session()
    asked = session.ask(3)
    session.release(asked[1], reason="no time")
    assert session.pending == [asked[0], asked[2]]
    with pytest.raises(InvalidValueError, match=rf"'{asked[1]}' is not pending; pending are: '{asked[0]}', "):
        session.release(asked[1])


def test_a_query_is_closed_and_opened_again_during_a_run():
    session = a_session()
    for query in QUERIES[1:]:
        session.forbid(query, reason="sold out")
    assert set(session.ask(4)) == {QUERIES[0]}
    session.forbid(QUERIES[0], reason="sold out")
    with pytest.raises(ProtocolError, match="every query is forbidden; allow one to go on"):
        session.ask()
    session.allow("broth", reason="delivered")
    assert session.ask() == "broth"
    assert session.closed == sorted(set(QUERIES) - {"broth"})


def test_arms_without_a_table_are_closed_too():
    session = Session(KArms(3, labels=list("abc")), goal=goals.BestQuery(0.1), noise=noise.Coin())
    session.forbid("a", reason="sold out")
    assert "a" not in session.ask(8)


def test_what_cannot_be_closed_is_said_in_words():
    rounds = Session(PAC(LeastSquares(a_problem(), alpha=0.5), epsilon=0.25, horizon=4, n_candidates=3, n_repeats=2))
    with pytest.raises(ProtocolError, match="PAC counts rounds, and its guarantee needs every query that it asks"):
        rounds.forbid("agar", reason="sold out")
    asked = rounds.ask()
    rounds.fail(asked, reason="mould")
    assert rounds.ask() == asked  # the round is not over
    with pytest.raises(InvalidValueError, match="Sphere has infinitely many queries"):
        Session(LeastSquares(Sphere(2), alpha=0.5)).forbid([1.0, 0.0], reason="sold out")
    with pytest.raises(InvalidValueError, match="say why in a few words"):
        a_session().fail("agar", reason=" ")


def test_undo_makes_it_as_if_the_last_answer_had_never_come():
    session, other = a_session(), a_session()
    for query, reward in [("agar", 0.5), ("broth", -0.96), ("starch", 0.25)]:
        session.tell(query, reward, count=2)
        if query == "agar":
            other.tell(query, reward, count=2)
    session.fail("agar", reason="mould")
    undone = [session.undo() for _ in range(3)]
    assert [(entry.query, entry.reward, entry.standing) for entry in undone] == [
        ("agar", None, "retracted"),
        ("starch", 0.25, "retracted"),
        ("broth", -0.96, "retracted"),
    ]
    assert session.history.queries == ["agar"]
    assert session.cost == other.cost == 2.0
    assert (session.remaining, session.failed) == (other.remaining, [])
    assert session.ask(3) == other.ask(3)
    session.undo()
    with pytest.raises(InvalidValueError, match="there is nothing to undo"):
        session.undo()


def test_a_study_is_undone_as_a_session_is_and_keeps_the_reason(storage):
    with the_study(storage) as study:
        study.tell("agar", 0.5)
        study.tell("broth", 0.5)
        study.correct(2, 0.25, reason="typo")
        assert study.undo(reason="it was right").reward == 0.5
        assert study.undo(reason="wrong plate", author="Bo").standing == "retracted"
        assert study.undo(reason="wrong day").query == "agar"
        with pytest.raises(InvalidValueError, match="there is nothing to undo"):
            study.undo(reason="once more")
        assert [event.body.reason for event in study.log() if event.kind == "retracted"] == [
            "it was right",
            "wrong plate",
            "wrong day",
        ]


VERBS = st.one_of(
    st.tuples(st.just("ask"), st.integers(1, 3)),
    st.tuples(st.just("tell"), st.sampled_from(QUERIES), st.integers(-8, 8).map(lambda k: k / 8), st.integers(1, 3)),
    st.tuples(st.just("fail"), st.sampled_from(QUERIES)),
    st.tuples(st.just("forbid"), st.sampled_from(QUERIES[:3])),
    st.tuples(st.just("allow"), st.sampled_from(QUERIES)),
    st.tuples(st.just("release")),
    st.tuples(st.just("undo")),
)


@given(verbs=st.lists(VERBS, max_size=12))
@settings(max_examples=25, deadline=None)
def test_a_session_and_a_study_mean_the_same_by_every_verb(tmp_path_factory, verbs):
    session = a_session(seed=3)
    with the_study(f"sqlite:///{tmp_path_factory.mktemp('lab')}/lab.db", seed=3) as study:
        for verb in verbs:
            assert done_in_session(session, *verb) == done_in_study(study, *verb)
            assert session.pending == [ticket.query for ticket in study.tickets()]
            assert tuple(session.closed) == study.status().closed
            found, kept = session.certificate(), study.certificate()
            assert (found.verdict, found.remarks) == (kept.certificate.verdict, kept.remarks)
        assert [event.body for event in study.session()._events] == [event.body for event in study.log()]


def done_in_session(session, verb, *args):
    if verb == "ask":
        return session.ask(*args)
    if verb == "tell":
        entry = session.tell(args[0], args[1], count=args[2])
        return entry.query, entry.reward, entry.number
    if verb == "release":
        return session.release(session.pending[0]) if session.pending else None
    if verb == "undo":
        return undone(session.undo)
    return getattr(session, verb)(args[0], reason="so") and None


def done_in_study(study, verb, *args):
    if verb == "ask":
        return [ticket.query for ticket in study.ask(*args)]
    if verb == "tell":
        entry = study.tell(args[0], args[1], count=args[2])
        return entry.query, entry.reward, entry.number
    if verb == "release":
        return study.release(study.tickets()[0]) if study.tickets() else None
    if verb == "undo":
        return undone(lambda: study.undo(reason="undone"))
    return getattr(study, verb)(args[0], reason="so") and None


def undone(undo):
    try:
        return undo().seq
    except InvalidValueError:
        return None


def test_a_mean_that_the_learner_cannot_learn_from_is_refused_before_it_is_recorded(tmp_path):
    problem = a_problem()
    learner = OracleLeastSquares(problem, MeanForecaster(problem), alpha=0.1)
    session = Session(learner)
    with create_study("oracle", problem, learner=learner, storage=f"sqlite:///{tmp_path}/lab.db") as study:
        for tell in (session.tell, study.tell):
            with pytest.raises(InvalidValueError, match="cannot learn from the mean of 3; tell the answers one by one"):
                tell("agar", 0.5, count=3)
            tell("agar", 0.5)
        assert len(study.entries()) == len(session.history) == 1
        assert study.ask()


@dataclass(frozen=True, eq=False)
class Watched(Uniform):
    """A learner that notes how many threads are in it at once."""

    inside: list[int] = field(default_factory=lambda: [0, 0])

    def tell(self, state: Any, query: int, reward: float, count: int = 1) -> Any:
        self.inside[0] += 1
        self.inside[1] = max(self.inside)
        threading.Event().wait(0.002)
        self.inside[0] -= 1
        return state


def test_threads_share_a_session_and_wait_for_each_other():
    learner = Watched(a_problem())
    session = Session(learner, noise=noise.SubGaussian(5.0))

    def work():
        for _ in range(8):
            [query] = session.ask(1)
            session.tell(query, 0.25)
            assert session.remaining

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert learner.inside == [0, 1]
    assert (len(session.history), session.cost, session.pending) == (48, 48.0, [])
    assert [event.seq for event in session._events] == list(range(1, 97))


def test_a_copy_of_a_session_goes_its_own_way():
    session = a_session()
    session.tell(session.ask(), 0.25)
    for other in (copy.deepcopy(session), pickle.loads(pickle.dumps(session))):
        other.tell(other.ask(), 0.5)
        assert (len(other.history), len(session.history)) == (2, 1)


HONEST = [noise.SubGaussian(0.5), noise.SubGaussian(dict.fromkeys(QUERIES, 0.25)), noise.Gaussian()]


@pytest.mark.parametrize("declared", HONEST)
def test_readings_outside_the_range_are_kept_where_the_noise_permits_it(declared):
    strict = Session(a_problem(), goal=goals.BestQuery(0.1), noise=declared)
    with pytest.raises(InvalidValueError, match=r"must be a number in \[-1, 1\], got 1.25.*with outside=\"keep\""):
        strict.tell("agar", 1.25)
    session = Session(a_problem(), goal=goals.BestQuery(0.1), noise=declared, outside="keep")
    assert session.tell("agar", 1.25).reward == 1.25
    with pytest.raises(InvalidValueError, match="nothing was recorded"):
        session.tell("agar", 1e300)
    with pytest.raises(InvalidValueError, match="nothing was recorded"):
        session.tell("agar", float("nan"))
    assert session.history.rewards.tolist() == [1.25]


@pytest.mark.parametrize("declared", [None, noise.Bounded(), noise.Coin(), noise.BoundedNoise(0.5)])
def test_readings_outside_the_range_are_refused_where_the_noise_says_there_are_none(declared):
    with pytest.raises(InvalidValueError, match=r"says that there are none; declare noise\.SubGaussian"):
        Session(a_problem(), goal=goals.BestQuery(0.1), noise=declared, outside="keep")
    with pytest.raises(InvalidValueError, match='must be "refuse" or "keep", got True'):
        Session(a_problem(), goal=goals.BestQuery(0.1), outside=True)


def test_a_learner_that_needs_the_range_is_not_told_readings_outside():
    known, problem = noise.SubGaussian(0.5), a_problem()
    rounds = PAC(LeastSquares(problem, alpha=0.5), epsilon=0.25, horizon=4, n_candidates=3, n_repeats=2)
    with pytest.raises(InvalidValueError, match="but the guarantee of PAC needs them inside"):
        Session(rounds, goal=goals.BestQuery(0.1), noise=known, outside="keep")
    with pytest.raises(InvalidValueError, match=r"Bounded\(\) says that there are none"):
        Session(LeastSquares(Sphere(2), alpha=0.5), outside="keep")


def test_a_study_keeps_readings_outside_the_range_when_it_is_opened_again(storage):
    options = {"goal": goals.BestQuery(0.1), "noise": noise.SubGaussian(0.5), "storage": storage}
    with create_study("edge", a_problem(), outside="keep", **options) as study:
        study.tell("agar", 1.25)
    with create_study("edge", a_problem(), outside="keep", **options) as study:
        assert [entry.reward for entry in study.entries()] == [1.25]
        with pytest.raises(InvalidValueError, match="there is another study 'edge'"):
            create_study("edge", a_problem(), **options)


@pytest.mark.parametrize("declared", [noise.SubGaussian(0.25), noise.Gaussian()])
def test_at_the_edge_of_the_range_the_truth_is_kept_and_no_honest_reading_is_refused(declared):
    """A quarter of the readings leave the range. With delta = 0.1 more than 32 losses in 200 runs have probability
    below 0.4% (binomial)."""
    table = np.array([[1.0, 0.75, 0.5, 1.0], [0.0, 0.25, 0.5, 0.75]])
    problem, rng = Problem.from_table(table, reward_range=(0, 1)), np.random.default_rng(7)
    losses, n_outside = 0, 0
    for _ in range(200):
        session = Session(Uniform(problem), goal=goals.WhichTarget(), noise=declared, delta=0.1, outside="keep")
        for t in range(24):
            reading = table[t % 2, 0] + 0.25 * rng.standard_normal()
            n_outside += not 0 <= reading <= 1
            session.tell(t % 2, reading)
        losses += 0 not in session.remaining
    assert n_outside > 0.4 * 200 * 24
    assert losses <= 32


RULE = "a proof holds if the reasons lie in the experiment or its record, not in the result"


def test_a_certificate_of_a_session_names_what_was_undone_and_what_failed():
    session = a_session()
    session.tell("agar", 0.5)
    assert session.certificate().remarks == ()
    session.tell("broth", 0.25)
    session.undo(reason="wrong plate")
    session.fail("starch", reason="mould")
    certificate = session.certificate()
    assert certificate.remarks == (
        f"1 answer was retracted; {RULE}",
        "answer 2 to 'broth' (0.25) was retracted: wrong plate",
        "an experiment with 'starch' failed: mould",
    )
    assert str(certificate).splitlines() == [certificate.verdict, *certificate.remarks]
    session.undo(reason="it grew overnight")
    assert session.certificate().remarks[0] == f"1 answer was retracted, 1 failure was retracted; {RULE}"


def test_a_certificate_without_a_table_names_what_was_undone():
    session = Session(KArms(3), goal=goals.BestQuery(0.1))
    session.tell(0, 0.5)
    session.undo(reason="wrong arm")
    assert str(session.certificate()).endswith("answer 1 to 0 (0.5) was retracted: wrong arm")


def test_a_certificate_of_a_study_counts_what_was_changed_and_gives_the_reasons(storage):
    with the_study(storage) as study:
        for reward in (0.5, 0.25, 0.125):
            study.tell("agar", reward)
        study.retract(1, reason="contaminated")
        study.retract(3, reason="contaminated")
        study.correct(2, 0.75, reason="typo")
        corrected = study.correct(2, 0.875, reason="typo in the typo")
        study.retract(corrected.corrections[0].seq, reason="superseded")
        certificate = study.certificate()
        assert certificate.remarks == (
            f"2 answers were retracted, 1 correction was retracted, 1 answer was corrected; {RULE}",
            "answer 1 to 'agar' (0.5) was retracted: contaminated",
            "answer 2 to 'agar' was corrected from 0.25 to 0.875: typo in the typo",
            "answer 3 to 'agar' (0.125) was retracted: contaminated",
            "a correction of answer 2 was retracted: superseded",
        )
        assert [entry.seq for entry in certificate.corrected] == [2]
        assert certificate_form(certificate)["remarks"] == list(certificate.remarks)


def test_a_certificate_tells_twenty_changes_and_counts_the_others():
    session = a_session()
    for _ in range(23):
        session.tell("agar", 0.5)
        session.undo(reason="wrong plate")
    remarks = session.certificate().remarks
    assert remarks[0].startswith("23 answers were retracted; ")
    assert len(remarks) == 22
    assert remarks[-1] == "and 3 more, which the log has"
