"""The report page in a real browser, as wide as a desk and as a phone."""

import csv
from pathlib import Path

import pytest
from PIL import Image

from tests.browser.accessibility import CHECKS
from tests.browser.chromium import NO_BROWSER, find_browser, look
from tests.browser.driven import Browser
from warmer.cli import main

pytestmark = pytest.mark.long

DESK, PHONE = 1280, 390
SECTIONS = [
    "How many queries will it take?",
    "The problem",
    "How complex is it?",
    "How does a proof come about?",
    "How much does learning cost?",
    "Which targets are hard to tell apart?",
]
LABELS = ["<img src=x.png onerror=fail()>", "Unbreakable" * 25, r"$\bad{$ & 'co'", "plain words, many of them, " * 9]


@pytest.fixture(scope="module", autouse=True)
def browser() -> None:
    if find_browser() is None:
        pytest.fail(NO_BROWSER)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports of a problem from the catalogue, and of one with labels that break pages."""
    folder = tmp_path_factory.mktemp("pages")
    rows = [[0.9, 0.1, -0.3, 0.2], [0.0, 0.8, 0.3, -0.5], [-0.2, 0.4, 0.7, 0.6]]
    odd = folder / "odd.csv"
    with odd.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["", *LABELS], *([label, *row] for label, row in zip(LABELS, rows, strict=False))])
    sources = {"treasure": "treasure:side=3", "odd": str(odd)}
    for name, source in sources.items():
        line = [
            "report",
            source,
            "-o",
            str(folder / f"{name}.html"),
            "--sigma",
            "0.5",
            "--runs",
            "2",
            "--horizon",
            "30",
        ]
        assert main(line) == 0
    return {name: folder / f"{name}.html" for name in sources}


@pytest.mark.parametrize("width", [DESK, PHONE])
@pytest.mark.parametrize("name", ["treasure", "odd"])
def test_the_page_fits_is_whole_and_keeps_to_itself(pages: dict[str, Path], name: str, width: int) -> None:
    seen = look(pages[name], width=width)
    assert seen.width == width
    assert seen.too_wide == seen.scrolled == []
    assert seen.fetched == []
    assert seen.said == []
    assert len(seen.pictures) == 7
    assert min(seen.pictures) > width / 8
    assert seen.headings[1:] == SECTIONS


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("width", [DESK, PHONE])
@pytest.mark.parametrize("name", ["treasure", "odd"])
def test_the_page_can_be_read_by_everybody(pages: dict[str, Path], name: str, width: int, is_dark: bool) -> None:
    with Browser() as browser:
        browser.size(width)
        browser.dark(is_dark)
        browser.open(pages[name].as_uri())
        assert browser.run(CHECKS) == []
        assert browser.run("[...document.images].filter(each => !each.alt).length") == 0
        browser.press("Tab")
        assert browser.run("document.activeElement.textContent") == "Skip to the content"
        assert browser.said == []


@pytest.mark.parametrize(("is_dark", "ground"), [(False, (255, 255, 255)), (True, (31, 35, 39))])
def test_figures_show_the_page_behind_them(
    pages: dict[str, Path], tmp_path: Path, is_dark: bool, ground: tuple[int, ...]
) -> None:
    with Browser() as browser:
        browser.size(DESK)
        browser.dark(is_dark)
        browser.open(pages["treasure"].as_uri())
        for place in range(browser.run("document.images.length")):
            browser.run(f"document.images[{place}].scrollIntoView({{block: 'start', behavior: 'instant'}})")
            x, y = browser.run(f"(b => [b.x + 2, b.y + 2])(document.images[{place}].getBoundingClientRect())")
            browser.picture(tmp_path / "figure.png", whole=False)
            with Image.open(tmp_path / "figure.png") as picture:
                assert picture.convert("RGB").getpixel((int(x), int(y))) == ground


def test_what_is_wrong_with_a_page_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "wrong.html"
    page.write_text(
        '<h1>Wrong</h1><div style="width:500px">wide</div><img src="gone.png"><img src="https://elsewhere.example/x.png"><script>nothing_of_that_name()</script>'
        '<div class="scroll" style="overflow-x:auto"><p style="width:900px">pushed</p></div>'
    )
    seen = look(page, width=PHONE)
    assert seen.width > PHONE
    assert seen.too_wide == ["DIV"]
    assert seen.scrolled == ["pushed"]
    assert [name.rpartition("/")[2] for name in seen.fetched] == ["gone.png", "x.png"]
    assert seen.pictures == [0, 0]
    assert seen.headings == ["Wrong"]
    assert "nothing_of_that_name is not defined" in " ".join(seen.said)
