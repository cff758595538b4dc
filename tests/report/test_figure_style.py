from pathlib import Path

import pytest
from matplotlib.figure import Figure

from warmer import InvalidValueError
from warmer.learners import CATALOG
from warmer.report import check_path, save
from warmer.report.figure_style import COLOURS, line_style, new_figure


@pytest.mark.parametrize("suffix", [".png", ".pdf", ".svg", ".PNG"])
def test_a_figure_is_saved_under_its_name_alone(tmp_path: Path, suffix: str) -> None:
    save(new_figure(2, 1), tmp_path / f"figure{suffix}")
    assert [path.name for path in tmp_path.iterdir()] == [f"figure{suffix}"]
    assert (tmp_path / f"figure{suffix}").stat().st_mode & 0o400


def test_a_failed_write_keeps_the_old_figure_and_leaves_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "figure.png"
    path.write_text("old")
    monkeypatch.setattr(Figure, "savefig", full)
    with pytest.raises(InvalidValueError, match=r"figure\.png cannot be written \(No space left on device\)"):
        save(new_figure(2, 1), path)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("figure.png", "old")]


def test_a_folder_that_refuses_new_files_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refused)
    with pytest.raises(InvalidValueError, match=r"cannot be written \(Permission denied\)"):
        save(new_figure(2, 1), tmp_path / "figure.png")


def test_a_folder_is_no_figure(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(InvalidValueError, match="is a folder"):
        check_path(tmp_path / "folder.png")


def test_every_learner_has_a_colour_of_its_own_and_can_be_told_apart_without_it() -> None:
    styles = [line_style(name) for name in CATALOG]
    assert len(CATALOG) <= len(COLOURS)
    assert len({style.colour for style in styles}) == len(styles)
    assert len({(style.marker, style.line) for style in styles}) == len(styles)
