"""The same option has one name, one type and one default in all commands."""

import inspect
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from warmer.cli.app import application

QUICK = {
    "simulate": "simulate weather.csv --learner uniform --runs 1 --horizon 5",
    "budget": "budget weather.csv --runs 1",
    "dimension": "dimension weather.csv --alpha 3/5",
    "report": "report weather.csv -o page.html --runs 1 --horizon 5",
}


@pytest.fixture(autouse=True)
def weather(warmer: Command) -> None:
    Path("weather.csv").write_text(",rain,sun,fog\nleft,0.1,0.9,0.5\nright,0.7,0.3,0.2\nwait,0.4,0.4,0.6\n")


def test_an_option_is_the_same_in_every_command() -> None:
    found: dict[str, set[object]] = {}
    for command in application().registered_commands:
        for name, parameter in inspect.signature(command.callback).parameters.items():
            found.setdefault(name, set()).add(id(parameter.annotation.__metadata__[0]))
    several = {name for name, options in found.items() if len(options) > 1}
    assert several == {"problem", "learner"}  # also a family in `simulate`; in `budget` only learners that run there


@pytest.mark.parametrize("name", QUICK)
def test_an_accuracy_is_a_decimal_or_a_fraction_everywhere(warmer: Command, name: str) -> None:
    for number in ("0.1", "1/10"):
        said = warmer(*QUICK[name].split(), "--epsilon", number)
        assert (said.code, said.err) == (0, "")
    said = warmer(*QUICK[name].split(), "--epsilon", "x")
    assert (said.code, "epsilon must be a finite number" in said.err) == (2, True)


@pytest.mark.parametrize("name", [*QUICK, "profile", "bench", "problems"])
def test_every_command_that_reads_a_file_takes_its_reward_range(warmer: Command, name: str) -> None:
    more = {"profile": "profile weather.csv --alpha 0.6", "bench": "bench weather.csv --learner uniform --seconds 0.01"}
    line = (QUICK | more | {"problems": "problems weather.csv"})[name].split()
    said = warmer(*line, "--reward-range", "0", "1")
    assert (said.code, said.err) == (0, "")
    assert "must lie in [0, 0.5], got 0.9" in warmer(*line, "--reward-range", "0", "0.5").err


@pytest.mark.parametrize(
    ("line", "choices"),
    [
        ("simulate needle --learner nope", "there is no learner 'nope'; choose one of least-squares, optimistic"),
        ("budget needle --learner nope", "there is no learner 'nope'; choose one of least-squares, optimistic"),
        ("simulate needle --environment nope", "there is no environment 'nope'; choose one of exact, coin"),
        ("simulate needle --strategy nope", "there is no strategy 'nope'; choose one of truthful, up, down, random"),
        ("dimension needle --measure nope", "there is no measure 'nope'; choose one of dissimilarity, eluder"),
    ],
)
def test_a_name_that_does_not_exist_is_refused_with_those_that_do(warmer: Command, line: str, choices: str) -> None:
    said = warmer(*line.split())
    assert (said.code, choices in said.err) == (2, True)
