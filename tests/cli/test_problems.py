from pathlib import Path

from tests.cli.conftest import Command
from warmer.problems.catalog import CATALOG


def test_the_list_names_every_problem_within_80_columns(warmer: Command) -> None:
    said = warmer("problems")
    assert said.code == 0
    for name in CATALOG:
        assert f"\n{name} " in said.out
    assert "treasure:side=9" in said.out
    assert "$" not in said.out
    assert max(map(len, said.out.splitlines())) <= 80


def test_the_list_as_json_has_size_and_parameters(warmer: Command) -> None:
    entries = {entry["name"]: entry for entry in warmer("problems", "--json").form["problems"]}
    assert set(entries) == set(CATALOG)
    assert entries["treasure"]["parameters"] == {"side": 15, "reach": "3.0"}
    assert (entries["treasure"]["n_queries"], entries["treasure"]["is_square"]) == (225, True)


def test_one_problem_shows_size_labels_and_parameters(warmer: Command) -> None:
    out = warmer("problems", "treasure:side=4").out
    assert "16 x 16" in out
    assert "A1; B1; C1; ...; D4" in out
    assert "side=15, reach=3.0 (defaults)" in out


def test_one_problem_as_json_has_its_labels(warmer: Command) -> None:
    form = warmer("problems", "treasure:side=4", "--json").form
    assert form["targets"] == {"count": 16, "first": ["A1", "B1", "C1"], "last": "D4"}
    assert form["self_evaluations"] == {"least": 1.0, "greatest": 1.0}


def test_a_file_is_shown_like_a_problem_of_the_catalogue(warmer: Command) -> None:
    Path("weather.csv").write_text(",rain,sun\nleft,0.1,0.9\nright,0.7,0.3\n")
    out = warmer("problems", "weather.csv").out
    assert "2 x 2 (queries x targets)" in out
    assert "0.700 to 0.900" in out
    assert warmer("problems", "weather.csv", "--json").form["queries"]["first"] == ["left", "right"]
