"""A study in words: what the terminal, a page and a report say of it."""

import pytest

from warmer import Problem, create_study, goals, noise
from warmer.report import study_page
from warmer.report.study_text import (
    body_in_words,
    decision_in_words,
    entry_in_words,
    odd_in_words,
    status_in_words,
)
from warmer.studies.records.events import Answered, Corrected

TABLE = [[0.2, 0.9, 0.5], [0.7, 0.3, 0.6], [0.1, 0.4, 0.8]]
WEATHER = Problem.from_table(TABLE, queries=["agar", "broth", "plate"], targets=["rain", "sun", "fog"])


@pytest.fixture
def lab(tmp_path):
    options = {"noise": noise.SubGaussian(0.05), "storage": f"sqlite:///{tmp_path}/lab.db"}
    with create_study("lab", WEATHER, goal=goals.WhichTarget(), **options) as study:
        yield study


def on_the_page(study):
    return " ".join(decision_in_words(study.status(), next_query=None, n_remaining=1, n_targets=3))


def test_a_proof_by_answers_that_nothing_confirms_says_the_same_on_page_terminal_and_report(lab):
    lab.tell("agar", 0.21)
    advice = "Before you rely on the proof, ask once more: 'agar'. A typo shows only then."
    assert advice in status_in_words(lab.status())
    assert advice in on_the_page(lab)
    assert advice.replace("'", "&#39;") in study_page(lab)
    assert "Nothing more need be asked" not in on_the_page(lab)


def test_nothing_more_need_be_asked_once_every_query_was_asked_twice(lab):
    lab.tell("agar", 0.21)
    lab.tell("agar", 0.19)
    assert on_the_page(lab).endswith("1 of 3 candidates remains. Nothing more need be asked.")
    assert not any("ask once more" in line for line in status_in_words(lab.status()))
    assert "ask once more" not in study_page(lab)


def test_a_proof_under_a_warning_does_not_say_that_nothing_more_need_be_asked(lab):
    for reward in (0.2, 0.21, 0.19, 0.2, -0.9, -0.9):
        lab.tell("agar", reward)
    status = lab.status()
    assert status.standing.warnings
    assert "Nothing more need be asked" not in on_the_page(lab)


def test_what_was_told_stands_in_the_log_digit_for_digit():
    assert body_in_words(Answered("agar", 103.14159265, number=1)) == "answered 'agar': 103.14159265 (ticket 1)"
    assert body_in_words(Corrected(2, 48.5678, "comma")) == "corrected event 2 to 48.5678: comma"


def test_an_answer_is_acknowledged_digit_for_digit(lab):
    words = entry_in_words(lab.tell("agar", 0.123456789, count=2))
    assert words.startswith("event 1: 'agar' 0.123456789, mean of 2, counted")


def test_the_report_lists_answers_digit_for_digit(lab):
    lab.tell("agar", 0.212345678)
    assert "0.212345678" in study_page(lab)


def test_an_odd_answer_is_called_a_typo_only_where_no_other_agrees_with_it(lab):
    lab.tell("agar", 0.2)
    first, second, third = (lab.tell("plate", reward) for reward in (0.61, 0.62, 0.615))
    assert "If it is a typo: warmer study correct lab 2 VALUE" in odd_in_words(first, "lab")
    assert "1 other answer to 'plate' agrees with it, so it is hardly a typo" in odd_in_words(second, "lab")
    assert "2 other answers to 'plate' agree with it" in odd_in_words(third, "lab")
    assert "correct" not in odd_in_words(third, "lab")


@pytest.mark.parametrize("delta", [1e-7, 1e-12])
def test_no_probability_is_rounded_up_to_1(tmp_path, delta):
    storage = f"sqlite:///{tmp_path}/lab.db"
    with create_study(
        "sure", WEATHER, goal=goals.WhichTarget(), noise=noise.SubGaussian(0.05), delta=delta, storage=storage
    ) as study:
        study.tell("agar", 0.2, count=100)
        stated = "with probability at least 0.9999999"
        assert stated in str(study.certificate())
        assert stated in on_the_page(study)
        assert stated in study_page(study)
