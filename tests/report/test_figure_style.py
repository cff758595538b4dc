from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from warmer import InvalidValueError
from warmer.learners import CATALOG
from warmer.report import check_path, save
from warmer.report.figure_style import COLOURS, INK, ON_DARK, PAPER, line_styles, new_figure


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

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(InvalidValueError, match=r"cannot be written \(Permission denied\)"):
        save(new_figure(2, 1), tmp_path / "figure.png")


def test_a_folder_is_no_figure(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(InvalidValueError, match="is a folder"):
        check_path(tmp_path / "folder.png")


@given(st.lists(st.sampled_from(list(CATALOG)), min_size=1, max_size=12, unique=True))
def test_twelve_learners_of_a_figure_share_neither_colour_nor_dashes_nor_marker(learners: list[str]) -> None:
    styles = line_styles(learners)
    assert set(styles) == set(learners)
    for part in range(3):
        assert len({style[part] for style in styles.values()}) == len(learners)


def test_all_learners_of_the_catalogue_in_one_figure_can_be_told_apart() -> None:
    styles = line_styles(CATALOG)
    assert len({(style.colour, style.dashes) for style in styles.values()}) == len(CATALOG)


def test_every_colour_stands_out_on_light_and_on_dark_pages() -> None:
    for light in COLOURS:
        assert contrast(light, PAPER) >= 3
        assert contrast(ON_DARK[light], ON_DARK[PAPER]) >= 3
    assert contrast(INK, PAPER) >= 7
    assert contrast(ON_DARK[INK], ON_DARK[PAPER]) >= 7


def contrast(one: str, other: str) -> float:
    """As the guidelines for accessible pages define it."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
