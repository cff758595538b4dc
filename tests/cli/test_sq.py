"""`warmer sq`."""

from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.conftest import Command

ROWS = [(1, 1, -1, "5/8"), (1, -1, -1, "1/8"), (-1, -1, -1, "1/8"), (-1, 1, -1, "1/8")]
HEAD = "target,positive,negative,weight"


@pytest.fixture(autouse=True)
def points(warmer: Command) -> None:
    Path("points.csv").write_text("\n".join([HEAD, *(",".join(map(str, row)) for row in ROWS)]))


def mean() -> float:
    """The definition: the mean of g(x, h(x))."""
    return float(sum(Fraction(weight) * (yes if label == 1 else no) for label, yes, no, weight in ROWS))


def test_a_statistical_query_is_answered_by_correlational_ones(warmer: Command) -> None:
    form = warmer("sq", "points.csv", "--json").form
    assert form["answer"] == form["truth"] == pytest.approx(mean())
    assert form["first"] == [1, 1, 1, 1]
    assert form["second"] == [1, -1, -1, 1]
    assert "Answer: 0.25 (true value 0.25; noise model of a correlation: exact)" in " ".join(
        warmer("sq", "points.csv").out.split()
    )


def test_an_adversary_of_tolerance_tau_leaves_an_answer_within_tau(warmer: Command) -> None:
    line = ("sq", "points.csv", "--environment", "adversarial", "--width", "0.2", "--strategy", "up", "--json")
    assert warmer(*line).form["answer"] == pytest.approx(mean() + 0.2)


def test_a_query_that_ignores_the_label_needs_no_correlation(warmer: Command) -> None:
    Path("plain.csv").write_text("target,positive,negative\n1,1,1\n-1,1,1\n1,-1,-1\n1,1,1\n")
    said = " ".join(warmer("sq", "plain.csv", "--environment", "coin").out.split())
    assert "Answer: 0.5 (true value 0.5;" in said
    assert said.endswith("no correlation is needed.")


def test_a_setting_of_another_noise_model_is_refused(warmer: Command) -> None:
    assert "--strategy does not apply to exact" in warmer("sq", "points.csv", "--strategy", "up").err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("target,positive\n1,1\n", "the column negative is missing"),
        (HEAD + "\n", "there are no points"),
        (HEAD + "\n1,1,0,1\n", "write 0 as -1"),
        (HEAD + "\n1,1,x,1\n", "line 2, negative must be a finite number"),
        (HEAD + "\n1,1\n", "line 2 has 2 cells, but line 1 has 4"),
        (HEAD + "\n1,1,1,1/2\n", "distribution"),
    ],
)
def test_points_that_make_no_sense_are_refused_in_one_line(warmer: Command, text: str, reason: str) -> None:
    Path("bad.csv").write_text(text)
    said = warmer("sq", "bad.csv")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert reason in said.err
