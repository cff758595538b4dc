"""`warmer sweep` in the terminal."""

import json
from pathlib import Path

import pandas as pd
import pytest

from warmer.cli import main

SPEC = """
problems = ["treasure:side=3"]
learners = ["uniform"]
environments = ["coin"]
horizon = 20
runs = 3
[settings.best]
epsilon = 0.1
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WARMER_STORAGE", raising=False)
    Path("first.toml").write_text(SPEC)


def test_a_sweep_is_run_shown_listed_and_exported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "run", "first.toml"]) == 0
    assert "first: 1 cell of 3 runs, 0 chunks to play." in capsys.readouterr().out
    assert main(["sweep", "show", "first", "--json"]) == 0
    form = json.loads(capsys.readouterr().out)
    assert (form["cells"][0]["runs"], form["cells"][0]["learner"], form["failures"]) == (3, "uniform", [])
    assert main(["sweep", "list"]) == 0
    assert capsys.readouterr().out == "first\n"
    assert main(["sweep", "export", "first", "-o", "out"]) == 0
    runs, curves = pd.read_parquet("out/runs.parquet"), pd.read_parquet("out/curves.parquet")
    assert runs["regret"].mean() == pytest.approx(form["cells"][0]["regret"])
    assert curves.groupby("run")["regret"].last().tolist() == runs["regret"].tolist()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("runs = ", "is no TOML"),
        (SPEC.replace("runs", "rounds"), "no setting 'rounds'"),
        (SPEC.replace("horizon = 20\n", ""), "horizon is missing"),
        (SPEC.replace("epsilon", "accuracy"), "has no 'accuracy'"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(text: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("first.toml").write_text(text)
    assert main(["sweep", "run", "first.toml"]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
