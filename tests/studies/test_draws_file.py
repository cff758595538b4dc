"""The points of a choice in a file beside its labels."""

import math
from pathlib import Path

import pytest

from warmer import ModelChoice
from warmer.choice.draws import Drawn
from warmer.model.errors import InvalidValueError
from warmer.studies.formats.draws_file import DrawsFile


@pytest.mark.parametrize("letter", ["\x85", "\u2028", "\u2029"])
def test_names_with_letters_that_end_lines_elsewhere_are_read_again(letter: str, tmp_path: Path) -> None:
    names = [f"p{letter}{place}" for place in range(6)]
    path = tmp_path / "labels.csv.draws.jsonl"
    first, again = (
        DrawsFile(path, ModelChoice([[0] * 6, [1] * 6], epsilon=0.1, points=names)).ask(2) for _ in range(2)
    )
    assert first == again


HOSTILE = {
    "nobody has a weight": '{"point": 0, "frame": "0:000"}',
    "all models agree on the point": '{"point": 5, "frame": "0:fff"}',
    "only models with a weight agree": '{"point": 1, "frame": "0:ff0"}',
    "a leader that is none": '{"point": 0, "frame": "3:fff"}',
    "too few weights": '{"point": 0, "frame": "0:ff"}',
    "a frame that is no text": '{"point": 0, "frame": {"0": 1}}',
    "a denominator of 0": '{"point": {"fraction": "1/0"}, "frame": ""}',
    "deep brackets": '{"point": ' + "[" * 100_000 + "]" * 100_000 + ', "frame": ""}',
    "deep tuples": '{"point": ' + '{"tuple": [' * 20_000 + "]}" * 20_000 + ', "frame": ""}',
    "a point that is none": '{"point": 1e400, "frame": ""}',
    "a list": '{"point": [0], "frame": ""}',
    "no point": "{}",
    "a number": "7",
    "no JSON": "{",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_line_that_no_draw_can_have_left_is_refused_by_its_number(kind: str, tmp_path: Path) -> None:
    models, path = [[0, 0, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0], [1, 1, 0, 0, 0, 0]], tmp_path / "draws.jsonl"
    assert DrawsFile(path, ModelChoice(models, epsilon=0.1)).ask(1)
    head = path.read_text().split("\n")[0]
    path.write_text(f"{head}\n{HOSTILE[kind]}\n")
    with pytest.raises(InvalidValueError, match="line 2 is not one of this choice") as caught:
        DrawsFile(path, ModelChoice(models, epsilon=0.1))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_a_point_is_not_taken_from_a_frame_in_which_it_has_no_chance() -> None:
    choice = ModelChoice([[0, 0], [1, 0]], epsilon=0.1)
    with pytest.raises(InvalidValueError, match="point 1 cannot have been drawn from the frame '0:ff'"):
        choice.take(Drawn(1, "0:ff"))
    assert choice.unanswered == []
    choice.take(Drawn(0, "0:ff"))
    choice.tell(0, 1)
    assert choice.certificate().answer == 1


def test_what_is_drawn_where_chances_are_all_but_equal_is_taken(tmp_path: Path) -> None:
    nearly = [math.nextafter(0.1, 1), 0.9]
    chances, path = [[[0.1, 0.9]] * 4, [nearly, *[[0.9, 0.1]] * 3]], tmp_path / "draws.jsonl"
    asked, again = (DrawsFile(path, ModelChoice(chances, epsilon=0, loss="brier", seed=3)).ask(4) for _ in range(2))
    assert sorted(asked) == [0, 1, 2, 3]
    assert again == asked
