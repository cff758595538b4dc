"""`warmer report`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command

LINE = (
    "report",
    "needle:n_arms=3",
    "-o",
    "page.html",
    "--sigma",
    "0.5",
    "--runs",
    "2",
    "--horizon",
    "20",
    "--time-limit",
    "600",
)
"""With time to compile whatever no test before has compiled."""


def test_a_page_is_written_and_its_command_makes_it_again(warmer: Command) -> None:
    said = warmer(*LINE)
    assert said.code == 0
    assert said.out.startswith("Wrote page.html (")
    page = Path("page.html").read_text(encoding="utf-8")
    assert "warmer report needle:n_arms=3 --epsilon 1/20 --delta 0.05 --sigma 0.5" in page
    assert "--sigma 0.5 --alpha 1 --runs 2 --horizon 20 --seed 0 --time-limit 600.0. The same command repeats" in page
    assert "Only what the time limit cut short may differ" in page
    assert "gives the same numbers" not in page
    form = warmer(*LINE, "--json").form
    assert form["page"] == "page.html"
    assert form["budget"]["simulation"]["truths"] == 3
    assert Path("page.html").read_text(encoding="utf-8") == page


def test_the_command_in_the_page_keeps_every_digit_and_what_was_declared(warmer: Command) -> None:
    Path("mine.csv").write_text(",a,b\na,0.9,0.1\nb,0.1,0.9\n")
    line = "report mine.csv -o page.html --runs 1 --horizon 5 --epsilon 0.12345678 --sigma 3 --table"
    assert warmer(*line.split()).code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert "warmer report mine.csv --epsilon 6172839/50000000 --delta 0.05 --sigma 3.0 --alpha 0.9" in page
    assert "--time-limit 60.0 --table. The" in page
    assert "sigma = 1 (not 3: no reward in [-1, 1] is noisier than that)" in page


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("report needle", "Missing option '--output'"),
        ("report needle -o page.txt", "a page's name must end in .html, .htm"),
        ("report needle -o no/page.html", "there is no folder no; make it first"),
        ("report nope -o page.html", "there is no problem 'nope'"),
        ("report needle -o page.html --epsilon 0", "epsilon must be greater than 0"),
        ("report needle -o page.html --alpha 2", "alpha"),
        ("report needle -o page.html --runs 0", "runs must be at least 1"),
        ("report needle -o page.html --time-limit 0", "time_limit must be greater than 0"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(warmer: Command, line: str, reason: str) -> None:
    said = warmer(*line.split())
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert reason in said.err
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    "place", ["warmer.cli.commands.report.analyse_problem", "warmer.report.figure_style.Path.replace"]
)
def test_an_interrupt_leaves_no_page(warmer: Command, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupted)
    said = warmer(*LINE)
    assert (said.code, said.out) == (130, "")
    assert list(Path().iterdir()) == []
