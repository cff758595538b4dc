"""How a study came to where it stands, against the session replayed to every event."""

import math
from pathlib import Path

import numpy as np
import pytest

from warmer import Problem, create_study, goals, list_studies, noise, open_study
from warmer.model.errors import InvalidValueError


@pytest.fixture
def study(tmp_path: Path):
    table = np.random.default_rng(3).uniform(-0.5, 0.5, (5, 12))
    url = f"sqlite:///{tmp_path}/lab.db"
    made = create_study(
        "agar",
        Problem.from_table(table),
        goal=goals.WhichTarget(),
        noise=noise.SubGaussian(0.2),
        unit="mg/l",
        storage=url,
    )
    with made:
        yield made


def told(study, n: int) -> None:
    rng = np.random.default_rng(5)
    for _ in range(n):
        [query] = study.preview()
        study.tell(query, float(np.clip(study.problem.rho[query, 4] + rng.normal(0, 0.2), -1, 1)))


def test_candidates_fall_at_the_event_after_which_the_session_no_longer_has_them(study):
    told(study, 30)
    found = study.progress()
    sizes = [len(study.session(at=seq).remaining) for seq in range(31)]
    assert [(n, size) for n, size in enumerate(sizes) if n == 0 or size != sizes[n - 1]] == list(found.remaining)
    for target, seq in enumerate(found.fell_at.tolist()):
        if seq:
            assert target in study.session(at=seq - 1).remaining
            assert target not in study.session(at=seq).remaining
        else:
            assert target in study.session().remaining
    assert found.threshold == pytest.approx(math.log(20))


def test_a_correction_and_a_retraction_rewrite_the_progress(study):
    told(study, 12)
    before = study.progress()
    study.correct(1, -1.0, reason="read upside down")
    study.retract(2, reason="wrong well")
    after = study.progress()
    assert (before.n_answers, after.n_answers) == (12, 11)
    answers = [entry for entry in study.entries() if entry.counts]
    for query in range(5):
        rewards = [entry.reward for entry in answers if entry.query == query]
        assert after.counts[query] == len(rewards)
        assert math.isnan(after.means[query]) if not rewards else after.means[query] == pytest.approx(np.mean(rewards))


def test_a_preview_names_what_ask_then_gives_out_and_gives_out_nothing(study):
    expected = study.preview(3)
    assert study.tickets() == []
    assert [ticket.query for ticket in study.ask(3)] == expected


def test_an_answer_can_be_checked_without_being_recorded(study):
    assert study.check_answer(0, 0.25) == 0.25
    with pytest.raises(InvalidValueError, match="nothing was recorded"):
        study.check_answer(0, math.nan)
    assert study.n_events == 0


def test_a_list_names_the_study_and_counts_the_tickets_that_are_overdue(study):
    study.ask(2, lease=1e-6)
    study.ask()
    [found] = list_studies(storage=study.storage)
    assert (found.id, found.n_open, found.n_overdue) == (study.id, 2, 1)


def test_the_unit_stays_with_the_study(study):
    with open_study("agar", storage=study.storage) as opened:
        assert opened.spec.unit == "mg/l"
    with pytest.raises(InvalidValueError, match="a unit has 1 to 20"):
        create_study("x", study.problem, goal=goals.WhichTarget(), unit="\n", storage=study.storage)
