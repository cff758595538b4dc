"""The points of a choice in a file beside its labels."""

from pathlib import Path

import pytest

from warmer import ModelChoice
from warmer.studies.formats.draws_file import DrawsFile


@pytest.mark.parametrize("letter", ["\x85", "\u2028", "\u2029"])
def test_names_with_letters_that_end_lines_elsewhere_are_read_again(letter: str, tmp_path: Path) -> None:
    names = [f"p{letter}{place}" for place in range(6)]
    path = tmp_path / "labels.csv.draws.jsonl"
    first, again = (
        DrawsFile(path, ModelChoice([[0] * 6, [1] * 6], epsilon=0.1, points=names)).ask(2) for _ in range(2)
    )
    assert first == again
