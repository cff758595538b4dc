"""Every command of the documents runs as it stands; `warmer verify` has tests of its own."""

import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from warmer.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXT = "\n".join(page.read_text() for page in PAGES)
(SPEC,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "sweeps.md").read_text(), re.DOTALL)
LINES = [line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]
INLINE = [" ".join(line.split()) for line in re.findall(r"`(warmer [a-z]+ [^`]+)`", TEXT)]
COMMANDS = [line.partition("#")[0].strip() for line in LINES if line.startswith("warmer ")] + INLINE


def test_the_documents_show_commands():
    assert {command.split()[1] for command in COMMANDS} >= {"simulate", "budget", "dimension", "profile", "report"}


@pytest.mark.long
@pytest.mark.parametrize("command", [command for command in COMMANDS if command.split()[1] != "verify"])
def test_a_command_runs(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    table = np.random.default_rng(0).uniform(0.1, 0.9, (4, 6))
    rows = [",".join([f"recipe {k}", *(f"{value:.3f}" for value in row)]) for k, row in enumerate(table)]
    Path("models.csv").write_text("\n".join([",".join(["", *(f"model {k}" for k in range(6))]), *rows]))
    points = [f"p{k},{'cat' if k % 2 else 'dog'},cat" for k in range(9)]
    Path("predictions.csv").write_text("\n".join(["point,one,two", *points]))
    pd.read_csv("predictions.csv").to_parquet("predictions.parquet")
    Path("labels.csv").write_text("point,label\np1,cat\n")
    Path("first.toml").write_text(SPEC)
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out
