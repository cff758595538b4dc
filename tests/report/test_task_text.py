"""Goals and noise in words: a proof and a page say the same number, and nothing is shown as code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.test_study_text import WEATHER
from warmer import Problem, Session, TopTwo, create_study, goals, noise
from warmer.certification.goals import Accepts
from warmer.model.words import enclosed, exact, exact_sum
from warmer.report import study_page
from warmer.report.study_text import decision_of, declaration_of, status_in_words
from warmer.report.task_text import goal_in_words, noise_in_words
from warmer.report.text import problem_in_words

RANGE = {"reward_range": (0.0, 300.0), "queries": ["agar", "broth"], "targets": ["rain", "sun"]}
ROUGH = Problem.from_table([[100.0, 150.0], [190.0, 110.0]], tolerance=4.0, **RANGE)


class Fast:
    """A goal of somebody's own, which knows nothing of words."""

    def __init__(self) -> None:
        self.table = np.zeros((300, 300))


class Spoken(Fast):
    def __str__(self) -> str:
        return "the fastest decay"


def test_a_declared_tolerance_stands_on_status_report_and_page_and_in_the_proof(tmp_path):
    with create_study(
        "rough", ROUGH, goal=goals.BestQuery(5.0), noise=noise.SubGaussian(2.0), storage=f"sqlite:///{tmp_path}/a.db"
    ) as study:
        study.tell("agar", 101.0, count=9)
        note = "(5 by the table, whose entries are right within 4)"
        assert f"'broth' is within 13 of the best query {note}" in str(study.certificate())
        assert decision_of(study.spec) == f"a query whose expected reward is within 13 of the best {note}"
        assert declaration_of(study.spec).endswith("; the table's entries are right within 4")
        assert "Declared: the table's entries are right within 4." in status_in_words(study.status())
        page = study_page(study)
        assert page.count("right within 4") >= 3
        assert "within 5 of" not in page


def test_the_standing_of_a_session_knows_the_tolerance():
    session = Session(ROUGH, goal=goals.BestQuery(5.0), noise=noise.SubGaussian(2.0))
    session.tell("agar", 101.0)
    assert session.status().tolerance == 4.0
    exactly = Session(WEATHER, goal=goals.BestQuery(0.1), tolerance=0.01)
    assert exactly.status().tolerance == 0.01


def test_a_study_by_a_learner_says_what_its_learner_decides_and_declares(tmp_path):
    learner = TopTwo(WEATHER, goals.WhichTarget(), noise=noise.SubGaussian(0.05), delta=0.01)
    with create_study("own", WEATHER, learner=learner, storage=f"sqlite:///{tmp_path}/a.db") as study:
        assert decision_of(study.spec) == "which candidate is true"
        assert declaration_of(study.spec) == "sub-Gaussian noise with sigma = 0.05"
        assert "sub-Gaussian noise with sigma = 0.05" in study_page(study)
        assert "reaches 100 with probability" in " ".join(study_page(study).split())


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (goals.BestDecision(np.zeros((200, 3)), 0.25), "a decision whose value is within 0.25 of the best decision"),
        (Accepts(np.ones((2, 3), dtype=bool)), "an answer that the true candidate accepts"),
        (goals.BestQuery(0.1234567), "a query whose expected reward is within 0.1234567 of the best"),
        (
            goals.BestAbove(0.5, epsilon=0.1),
            "whether some query is worth more than 0.5; either answer is right within 0.1 of it",
        ),
        (Fast(), "what Fast asks, a goal of your own"),
        (Spoken(), "the fastest decay"),
    ],
)
def test_every_goal_is_described_and_none_shown_as_code(goal, words):
    assert goal_in_words(goal) == words


@pytest.mark.parametrize(
    ("known", "words"),
    [
        (noise.SubGaussian(0.1234567), "sub-Gaussian noise with sigma = 0.1234567"),
        (Fast(), "noise as Fast has it, a model of your own"),
        (Spoken(), "the fastest decay"),
    ],
)
def test_every_noise_is_described_and_none_shown_as_code(known, words):
    assert noise_in_words(known) == words


def test_a_threshold_under_a_tolerance_says_both_numbers():
    above = goals.BestAbove(0.5, epsilon=0.1)
    assert goal_in_words(above, tolerance=0.2) == (
        "whether some query is worth more than 0.5; either answer is right within 0.3 of it (0.1 by the table, whose "
        "entries are right within 0.2)"
    )
    assert above.sentence(True, tolerance=0.2) == (
        "some query is worth more than 0.2 (0.4 by the table, whose entries are right within 0.2)"
    )


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_was_told_reads_back_as_the_same_number(value):
    assert float(exact(value)) == value


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=4))
def test_sums_of_decimals_are_those_on_paper(thousandths):
    assert exact_sum(*(each / 1000 for each in thousandths)) == exact(sum(thousandths) / 1000)


@given(st.floats(-1e9, 1e9), st.floats(0, 1e9))
def test_an_interval_is_rounded_outward(low, length):
    least, most = map(float, enclosed(low, low + length))
    near = 1e-12 * max(abs(low), abs(low + length))
    assert least <= low + near
    assert most >= low + length - near
    assert low - least <= 1e-5 * abs(low)
    assert most - (low + length) <= 1e-5 * abs(low + length)


def test_a_declared_range_stands_digit_for_digit():
    problem = Problem.from_table([[100.0, 150.0]], reward_range=(0.0, 1234567.5), tolerance=0.25)
    words = " ".join(problem_in_words(problem))
    assert "Rewards lie in [0, 1234567.5];" in words
    assert "Its entries are right within 0.25, as declared." in words
    unknown = Problem.from_table([[0.1, 0.2]], tolerance=None)
    assert "nothing can be proven by it" in " ".join(problem_in_words(unknown))
