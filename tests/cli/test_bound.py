"""`warmer bound`."""

import inspect
import json
import math
from typing import Any

import numpy as np
import pytest
import typer

from tests.bounds.test_every_bound import an_example
from tests.cli.conftest import Command
from warmer import bounds
from warmer.cli.commands.bound import BOUNDS, command_of, short_name


def options(name: str) -> tuple[dict[str, Any], list[str]]:
    """The arguments of a bound's first example, and the line that gives them in the terminal."""
    values, words = an_example(name)
    words = dict(zip(inspect.signature(BOUNDS[name]).parameters, values, strict=False)) | words
    line = []
    for word, value in words.items():
        option = "--" + word.replace("_", "-")
        if value is True:
            line.append(option)
        elif word == "reward_range":
            line += [option, *map(str, value)]
        elif callable(value):
            line += [option, str(value(1))]
        elif value is not False and value is not None:
            line.append(f"{option}={_typed(value)}")
    return words, line


def _typed(value: Any) -> str:
    array = np.asarray(value, dtype=object)
    if array.ndim == 2:
        return ";".join(",".join(map(str, row)) for row in array)
    return ",".join(map(str, array)) if array.ndim == 1 else str(value)


def _as_json(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if hasattr(value, "_asdict"):
        return {name: _as_json(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_as_json(part) for part in value]
    return str(value) if value == math.inf else value


def test_every_bound_says_in_the_terminal_what_it_says_in_python(capsys: pytest.CaptureFixture[str]) -> None:
    for name, function in BOUNDS.items():
        words, line = options(name)
        alone = typer.Typer()  # one command, where the real group would be built anew for each
        alone.command()(command_of(name))
        alone(args=[*line, "--json"], standalone_mode=False)
        found, expected = json.loads(capsys.readouterr().out)["value"], _as_json(function(**words))
        assert found == (pytest.approx(expected) if isinstance(expected, float) else expected), name


def test_all_bounds_are_listed_with_what_they_need(warmer: Command) -> None:
    form = warmer("bound", "--json").form["bounds"]
    assert [each["bound"] for each in form] == [short_name(name) for name in BOUNDS]
    assert len({each["bound"] for each in form}) == len(BOUNDS)
    (bad,) = (each for each in form if each["bound"] == "bad-queries")
    assert bad["needs"] == ["--dimension", "--error-budget", "--epsilon"]
    said = warmer("bound")
    assert "bad-queries" in said.out
    assert max(map(len, said.out.splitlines())) <= 80


def test_a_fraction_and_the_letter_of_the_paper_are_read(warmer: Command) -> None:
    said = warmer("bound", "bad-queries", "--d", "5", "--epsilon", "1/10", "--error-budget", "20", "--json")
    assert said.form["value"] == bounds.bad_queries_bound(dimension=5, epsilon=0.1, error_budget=20)
    assert said.form["given"] == {"dimension": 5, "error_budget": 20.0, "epsilon": "1/10"}
    words = warmer("bound", "sq-lower", "--strong-sq", "1e6")
    assert words.out.startswith("sq-lower: 9\n(strong_sq 1,000,000)\n")
    assert "The least m with m>root3(s)/12" in words.out


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("bad-queries --d 5 --epsilon 1/10", "Missing option '--error-budget'"),
        ("bad-queries --epsilon 1/10 --error-budget 20", "Missing option '--dimension'"),
        ("bad-queries --d 5 --epsilon 0 --error-budget 20", "epsilon must be greater than 0"),
        ("bad-queries --d 5 --epsilon 1/0 --error-budget 20", "epsilon must be a finite number"),
        ("bad-queries --d 5.5 --epsilon 1 --error-budget 20", "dimension must be a whole number, got 5.5"),
        ("bad-queries --d 5 --epsilon 1 --error-budget 1e999999999", "400 digits"),
        ("bad-queries --d 5 --epsilon 1 --error-budget 1e400", "a number that a float can hold"),
        ("bad-queries --d 5 --epsilon 1 --error-budget 1 --form x", "there is no form 'x'"),
        ("union-dimension --dimensions 3,x", "dimensions must be a finite number"),
        ("regret --d 2 --error-budget 1 --horizon 100 --form printed", "needs an error budget of at least ln(2T)"),
        ("bad-query --d 2", "there is no bound 'bad-query'; did you mean bad-queries"),
        ("xyz", "there is no bound 'xyz'; `warmer bound` lists them"),
    ],
)
def test_what_a_bound_cannot_use_is_refused_in_one_line(warmer: Command, line: str, reason: str) -> None:
    said = warmer("bound", *line.split())
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert reason in said.err


def test_the_help_of_a_bound_says_what_it_needs(warmer: Command) -> None:
    said = warmer("bound", "bad-queries", "--help")
    assert "Bound the number of ε-bad queries" in said.out
    assert "--dimension, --d N" in said.out
    assert "[required]" in said.out
