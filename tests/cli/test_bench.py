import pytest

from tests.cli.conftest import Command
from warmer.learners import CATALOG

QUICK = ("--seconds", "0.01")


def test_every_learner_is_timed_and_the_table_fits_the_terminal(warmer: Command) -> None:
    said = warmer("bench", "treasure:side=3", *QUICK)
    assert said.code == 0
    assert all(f"\n{name} " in said.out for name in CATALOG if name not in ("pac-theorem", "exact-pac"))
    assert max(map(len, said.out.splitlines())) <= 80


def test_json_has_the_documented_keys_and_times_that_agree(warmer: Command) -> None:
    form = warmer("bench", "needle", "--learner", "ucb1", "--learner", "uniform", *QUICK, "--json").form
    assert set(form) == {"source", "problem", "pass_seconds", "learners"}
    assert [row["learner"] for row in form["learners"]] == ["ucb1", "uniform"]
    assert all(row["seconds"] * row["steps_per_second"] == pytest.approx(1) for row in form["learners"])
    assert form["pass_seconds"] > 0


def test_unknown_learners_and_times_that_are_none_are_refused(warmer: Command) -> None:
    said = warmer("bench", "needle", "--learner", "ucb9", *QUICK)
    assert (said.code, said.out) == (2, "")
    assert "there is no learner 'ucb9'" in said.err
    assert "seconds must be greater than 0" in warmer("bench", "needle", "--seconds", "0").err
