"""Where the output goes wrong: a full disk, a reader that left, a cell without end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from warmer.cli.app import application

LINES = {
    "demo": "demo --runs 1 --horizon 5 --figure {folder}/demo.png",
    "simulate": "simulate needle --learner uniform --horizon 5 --runs 1",
    "dimension": "dimension needle --epsilon 1/2",
    "profile": "profile needle:n_arms=3",
    "budget": "budget needle:n_arms=3 --epsilon 1/2 --runs 1",
    "report": "report needle:n_arms=3 -o {folder}/page.html --runs 1 --horizon 5",
    "problems": "problems",
    "verify": "verify theorem::turan --instances 2",
    "bench": "bench needle --learner uniform --seconds 0.01",
    "choose": "choose {folder}/predictions.csv",
    "sq": "sq {folder}/points.csv",
    "bound": "bound linear-dimension --n 2 --alpha 1",
    "study": "study create lab needle --storage sqlite:///{folder}/studies.db",
    "sweep": "sweep run {folder}/first.toml --storage sqlite:///{folder}/sweeps.db",
    "key": "key list --keys {folder}/keys.json",
}
NUMBER = "9" * 10_000


def ended(line: str, folder: Path, output: object) -> tuple[int, str]:
    """The exit code and the errors of a fresh process that prints there."""
    command = [sys.executable, "-m", "warmer", *line.format(folder=folder).split()]
    done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


def test_every_command_is_tried() -> None:
    groups = {group.name for group in application().registered_groups}
    tried = {*LINES, "serve"}  # which prints one link, and has tests of its own
    assert {command.callback.__name__ for command in application().registered_commands} | groups == tried


@pytest.fixture(autouse=True)
def predictions(tmp_path: Path) -> None:
    (tmp_path / "predictions.csv").write_text("point,one,two\na,cat,dog\nb,dog,dog\nc,cat,cat\n")
    (tmp_path / "first.toml").write_text('problems = ["needle"]\nlearners = ["uniform"]\nhorizon = 5\nruns = 1\n')
    (tmp_path / "points.csv").write_text("target,positive,negative\n1,1,-1\n-1,1,1\n")


@pytest.mark.long
@pytest.mark.parametrize("form", ["", " --json"])
@pytest.mark.parametrize("name", LINES)
def test_a_full_disk_is_one_line(name: str, form: str, tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        code, errors = ended(LINES[name] + form, tmp_path, full)
    assert (code, errors) == (2, "error: the output cannot be written (No space left on device).\n")


@pytest.mark.long
@pytest.mark.parametrize("form", ["", " --json"])
@pytest.mark.parametrize("name", LINES)
def test_a_reader_that_leaves_is_no_surprise(name: str, form: str, tmp_path: Path) -> None:
    """As under `| head`: nothing on stderr, and neither 0 nor 1, which `verify` gives a meaning."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as nobody:
        assert ended(LINES[name] + form, tmp_path, nobody) == (141, "")


def test_a_full_disk_and_a_reader_that_leaves_are_told_apart(tmp_path: Path) -> None:
    """The quick form of the two tests above."""
    test_a_full_disk_is_one_line("problems", " --json", tmp_path)
    test_a_reader_that_leaves_is_no_surprise("dimension", "", tmp_path)


def test_an_error_that_cannot_be_told_is_still_an_error(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "warmer", "nope"], stderr=full, check=False)
    assert done.returncode == 2


@pytest.mark.parametrize("name", sorted(set(LINES) - {"demo", "verify", "choose", "study", "sweep", "key"}))
def test_a_cell_of_ten_thousand_digits_is_not_echoed_whole(warmer: Command, name: str) -> None:
    Path("long.csv").write_text(f",a,b\nx,{NUMBER},0.5\ny,0.1,0.2\n")
    said = warmer(*f"{name} long.csv -o page.html".split()[: 4 if name == "report" else 2])
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert "long.csv" in said.err
    assert len(said.err) < 400


@pytest.mark.parametrize(
    "line",
    [
        "simulate needle --epsilon",
        "simulate needle --alpha",
        "simulate needle --delta",
        "simulate needle --sigma",
        "simulate needle --width",
        "simulate needle --horizon",
        "simulate needle --learner",
        "simulate needle --target",
        "budget needle --time-limit",
        "verify",
        "problems",
        "bench needle --seconds",
        "budget needle --add",
        "simulate needle --figure",
    ],
)
def test_an_option_of_ten_thousand_digits_is_not_echoed_whole(warmer: Command, line: str) -> None:
    said = warmer(*line.split(), NUMBER + "x")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert len(said.err) < 4000
    assert NUMBER[:300] not in said.err
