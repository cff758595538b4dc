"""A session as a file that a person can read, and that another day or another machine goes on with."""

import json

import numpy as np
import pytest

from tests.studies.examples import QUERIES, a_problem, check_invariants
from tests.studies.examples import a_study as the_study
from warmer import (
    PAC,
    InvalidValueError,
    LeastSquares,
    Problem,
    Session,
    Thompson,
    TopTwo,
    UntilCertified,
    goals,
    import_study,
    noise,
)
from warmer.families import GLM, KArms, Linear, LinearBall, Link, Sphere, logistic


def a_session(**options):
    return Session(a_problem(), goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.5), **options)


def a_full_session():
    session = a_session(seed=5, outside="keep")
    first, second, _ = session.ask(3)
    session.tell(first, 1.125, count=2, note="naïve")
    session.fail(second, reason="mould")
    session.tell("agar", 0.25)
    session.undo(reason="wrong plate")
    session.forbid("starch", reason="sold out")
    return session


def test_a_session_goes_on_from_its_file_as_if_nothing_had_happened(tmp_path):
    session = a_full_session()
    session.save(tmp_path / "lab.jsonl")
    other = Session.load(tmp_path / "lab.jsonl")
    assert list(other.history) == list(session.history)
    assert (other.pending, other.failed, other.closed) == (session.pending, session.failed, session.closed)
    assert (other.cost, other.remaining) == (session.cost, session.remaining)
    assert str(other.certificate()) == str(session.certificate())
    assert other.ask(3) == session.ask(3)
    assert other.tell("broth", -1.125).seq == session.tell("broth", -1.125).seq
    assert other.undo().query == session.undo().query == "broth"
    again = tmp_path / "again.jsonl"
    other.save(again)
    saved = [json.loads(line) for line in again.read_text().splitlines()]
    assert [line["kind"] for line in saved if "event" in line] == [event.kind for event in session._events]


def test_a_file_is_read_by_people(tmp_path):
    a_full_session().save(tmp_path / "lab.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "lab.jsonl").read_text().splitlines()]
    assert (lines[0]["warmer"], lines[0]["version"], lines[0]["spec"]["outside"]) == ("study", 1, "keep")
    answer = next(line for line in lines if line.get("kind") == "answered")
    assert (answer["reward"], answer["count"], answer["note"]) == (1.125, 2, "naïve")
    assert [path.name for path in tmp_path.iterdir()] == ["lab.jsonl"]  # whole or not at all


PROBLEM = a_problem()
LEARNERS = [
    Thompson(PROBLEM, sigma=0.5),
    TopTwo(PROBLEM, goals.WhichTarget(), noise=noise.Gaussian()),
    UntilCertified(LeastSquares(PROBLEM, alpha=0.1), goals.BestQuery(0.1), noise=noise.BoundedNoise(2.0)),
    PAC(LeastSquares(PROBLEM, alpha=0.1), epsilon=0.25, horizon=4, n_candidates=3, n_repeats=2),
    *(
        LeastSquares(family, alpha=0.5)
        for family in (
            KArms(3, labels=["a", "b", "c"], means=(0.0, 0.75)),
            Sphere(3),
            LinearBall(2, norm=0.75),
            Linear([[1.0, 0.0], [0.0, 1.0]], labels=["x", "y"]),
            GLM([[1.0, 0.0], [0.6, 0.8]], logistic, norm=2.0),
        )
    ),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: f"{type(learner).__name__}-{learner.problem}"[:24])
def test_every_learner_and_every_family_comes_back(learner, tmp_path):
    session = Session(learner, seed=2)
    for _ in range(4):
        session.tell(session.ask(), 0.25)
    session.save(tmp_path / "lab.jsonl")
    other = Session.load(tmp_path / "lab.jsonl")
    assert type(other.learner) is type(learner)
    for _ in range(3):
        asked = session.ask()
        assert np.array_equal(other.ask(), asked)
        session.tell(asked, 0.5)
        other.tell(asked, 0.5)
    assert np.array_equal(other.recommend(), session.recommend())


def test_what_cannot_be_made_again_is_refused_and_no_file_is_left(tmp_path):
    link = Link(np.tanh, lambda x: 1 / np.cosh(x) ** 2, slopes=(0.1, 1.0))
    session = Session(LeastSquares(GLM([[1.0]], link, reward_range=(-1, 1)), alpha=0.1))
    with pytest.raises(InvalidValueError, match="keeps its link by name, logistic or probit"):
        session.save(tmp_path / "lab.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_file_cut_off_anywhere_is_refused(tmp_path):
    a_full_session().save(tmp_path / "lab.jsonl")
    text = (tmp_path / "lab.jsonl").read_text()
    for length in range(0, len(text) - 1, 61):
        (tmp_path / "torn.jsonl").write_text(text[:length])
        with pytest.raises(InvalidValueError, match=r"torn\.jsonl: .*(not whole|no saved session|cut off)"):
            Session.load(tmp_path / "torn.jsonl")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"reward": 1.125', '"reward": 1.25', "do not match their checksum"),
        ('"version": 1', '"version": 9', r"a newer warmer wrote this \(form 9\); upgrade warmer"),
        ('{"warmer": "study"', '{"warmer": "letter"', "this is no exported study and no saved session"),
        ('{"warmer": "study"', '["warmer", "study"', "line 1 is not whole"),
    ],
)
def test_a_foreign_or_changed_file_is_refused(tmp_path, old, new, words):
    a_full_session().save(tmp_path / "lab.jsonl")
    text = (tmp_path / "lab.jsonl").read_text()
    assert old in text
    (tmp_path / "lab.jsonl").write_text(text.replace(old, new, 1))
    with pytest.raises(InvalidValueError, match=words):
        Session.load(tmp_path / "lab.jsonl")


def test_other_files_are_refused_in_words(tmp_path):
    (tmp_path / "table.csv").write_text("query,rain,sun\nleft,0.1,0.9\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidValueError, match=r"table\.csv: line 1 is not whole"):
        Session.load(tmp_path / "table.csv")
    with pytest.raises(InvalidValueError, match="binary: 'utf-8' codec"):
        Session.load(tmp_path / "binary")
    with pytest.raises(InvalidValueError, match=r"none\.jsonl cannot be read \(No such file"):
        Session.load(tmp_path / "none.jsonl")
    with pytest.raises(InvalidValueError, match=r"cannot be written \(No such file"):
        a_session().save(tmp_path / "no" / "where.jsonl")


def test_a_session_about_another_problem_is_refused(tmp_path):
    session = a_full_session()
    session.save(tmp_path / "lab.jsonl")
    same = Session.load(tmp_path / "lab.jsonl", problem=session.problem)
    assert same.problem is session.problem
    for other in (Problem.from_table(np.eye(4), queries=QUERIES), KArms(4)):
        with pytest.raises(InvalidValueError, match="this is about another problem"):
            Session.load(tmp_path / "lab.jsonl", problem=other)


def test_a_session_becomes_a_study_and_a_study_a_session(tmp_path, storage):
    session = a_session(seed=5)
    for reward in (0.25, -0.5, 0.5):
        session.tell(session.ask(2)[0], reward)
    session.save(tmp_path / "lab.jsonl")
    with import_study(tmp_path / "lab.jsonl", name="lab", storage=storage) as study:
        assert [entry.reward for entry in study.entries()] == [0.25, -0.5, 0.5]
        assert [ticket.query for ticket in study.tickets()] == session.pending
        check_invariants(study)
        study.tell("broth", 0.125)
        session.tell("broth", 0.125)
        assert [ticket.query for ticket in study.ask(3)] == session.ask(3)
    with the_study(storage, seed=5) as study:
        study.tell(study.ask(2)[0], 0.5)
        study.export(tmp_path / "study.jsonl")
        assert Session.load(tmp_path / "study.jsonl").ask(2) == [ticket.query for ticket in study.ask(2)]


def test_a_session_that_counts_rounds_becomes_no_study(tmp_path):
    session = Session(LEARNERS[3])
    session.tell(session.ask(), 0.25)
    session.save(tmp_path / "rounds.jsonl")
    with pytest.raises(InvalidValueError, match="PAC counts rounds, and a study has several queries under way"):
        import_study(tmp_path / "rounds.jsonl", storage=f"sqlite:///{tmp_path}/lab.db")
