"""The page: well-formed, self-contained, escaped, whole."""

import base64
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from warmer import InvalidValueError, Problem
from warmer.analysis import ProblemReport, Task, analyse_problem
from warmer.report import check_page_path, report_page, save_page
from warmer.report.figure_style import INK, ON_DARK

SECTIONS = ["decision", "budget", "problem", "complexity", "evidence", "regret", "alike"]
VOID = {"meta", "img", "source", "br", "link"}
NASTY = ["<script>alert(1)</script>", r'$\b$ "quoted" & b', "${title}"]


class Outline(HTMLParser):
    """Collects tags, attributes and words, and insists that what is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module")
def found() -> ProblemReport:
    table = [[0.1, 0.9, 0.3], [0.7, 0.3, 0.1], [0.2, 0.25, 0.8]]
    problem = Problem.from_table(table, queries=["buy", "sell", "hold"], targets=NASTY)
    return analyse_problem(problem, Task(0.1, 0.05, 0.5), learners=["least-squares", "uniform"], runs=2, horizon=30)


@pytest.fixture(scope="module")
def page(found: ProblemReport) -> str:
    return report_page(found, source="models <of> $mine.csv", made_by="warmer report 'models <of> $mine.csv'")


@pytest.fixture(scope="module")
def outline(page: str) -> Outline:
    parser = Outline()
    parser.feed(page)
    parser.close()
    return parser


def test_everything_opened_is_closed(outline: Outline) -> None:
    assert outline.open == []


def test_every_section_is_there_in_order(outline: Outline) -> None:
    assert [attributes["id"] for tag, attributes in outline.tags if tag == "section"] == SECTIONS


def test_nothing_is_fetched_and_nothing_runs(page: str, outline: Outline) -> None:
    assert "http:" not in page
    assert "https:" not in page
    assert not {"script", "link", "iframe", "object"} & {tag for tag, _ in outline.tags}
    assert "@import" not in page
    assert "url(" not in page
    for _, attributes in outline.tags:
        for name in ("src", "srcset"):
            assert attributes.get(name, "data:").startswith("data:")
        assert attributes.get("href", "#").startswith("#")


def test_every_picture_is_a_whole_drawing_inside_the_page(outline: Outline) -> None:
    images = [attributes for tag, attributes in outline.tags if tag == "img"]
    assert len(images) == 7
    assert all(attributes["alt"] for attributes in images)
    addresses = [a.get("src") or a.get("srcset") for tag, a in outline.tags if tag in ("img", "source")]
    for address in addresses:
        head, _, body = address.partition(",")
        assert head == "data:image/svg+xml;base64"
        drawing = ElementTree.fromstring(base64.b64decode(body))
        assert drawing.tag.endswith("svg")
        assert all(
            "href" not in name or value.startswith(("#", "data:")) for e in drawing.iter() for name, value in e.items()
        )


def test_pictures_follow_the_colours_that_a_reader_prefers(outline: Outline) -> None:
    for address in [a["src"] for tag, a in outline.tags if tag == "img"]:
        drawing = base64.b64decode(address.partition(",")[2]).decode()
        assert "@media (prefers-color-scheme: dark)" in drawing
        assert f"--c{INK[1:]}:{ON_DARK[INK]}" in drawing
        assert "var(--c" in drawing
        assert f": {INK}" not in drawing.partition("</style>")[2]
        assert "fill: var(--cffffff)" not in drawing.partition('id="axes_1"')[0]  # the page shows through


def test_every_link_leads_to_a_part_of_the_page_and_every_part_has_a_name(outline: Outline) -> None:
    known = {a["id"] for _, a in outline.tags if "id" in a}
    links = [a["href"].removeprefix("#") for tag, a in outline.tags if tag == "a"]
    assert set(links) <= known
    assert set(links) > set(SECTIONS) - {"decision"}
    for tag, a in outline.tags:
        if tag == "section":
            assert a.get("aria-label") or a["aria-labelledby"] in known


def test_who_was_told_alpha_is_said_beside_the_name(page: str) -> None:
    assert '<td data-name="learner">least-squares (told alpha)</td>' in page
    assert '<td data-name="learner">uniform</td>' in page


def test_labels_are_words_and_never_markup(page: str, outline: Outline) -> None:
    text = " ".join(outline.words)
    for label in NASTY:
        assert label in text
    assert "<script" not in page
    assert "models <of> $mine.csv" in text


def test_the_numbers_of_the_budget_and_the_measures_are_told(found: ProblemReport, outline: Outline) -> None:
    text = " ".join(outline.words)
    assert f"{found.budget.theorem.n_queries:,}" in text
    assert f"{found.budget.trials.quantile(0.95):,}" in text
    for row in found.complexity.rows():
        assert row.measure in text
        assert row.reason in text
    for outcome in found.comparison.outcomes:
        assert outcome.learner in text


def test_the_same_numbers_give_the_same_page(found: ProblemReport, page: str) -> None:
    again = report_page(found, source="models <of> $mine.csv", made_by="warmer report 'models <of> $mine.csv'")
    assert again == page


def test_the_page_fits_a_phone_and_a_dark_room(page: str) -> None:
    assert 'name="viewport"' in page
    assert "prefers-color-scheme: dark" in page
    assert re.search(r"max-width: 40rem", page)


def test_a_large_problem_has_no_map(found: ProblemReport) -> None:
    from warmer.analysis import neighbours
    from warmer.problems import random_table

    wide = replace(found, neighbours=neighbours(random_table(3, 201)))
    assert report_page(wide, source="wide", made_by="").count("<img") == 6
    alone = replace(found, neighbours=neighbours(Problem.from_table([[0.5]])))
    assert "There is only one target." in report_page(alone, source="one", made_by="")


def test_a_page_is_saved_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.html"
    save_page("<p>ε</p>", path)
    assert path.read_text(encoding="utf-8") == "<p>ε</p>"

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_page("new", path)
    assert [(each.name, each.read_text(encoding="utf-8")) for each in tmp_path.iterdir()] == [("page.html", "<p>ε</p>")]


def test_a_page_needs_a_name_of_its_kind(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError, match=r"a page's name must end in \.html, \.htm"):
        check_page_path(tmp_path / "page.pdf")


def test_the_number_to_plan_with_stands_before_the_numbers_of_theorems(page: str) -> None:
    places = [
        page.index(f'<td data-name="estimate">{name}</td>')
        for name in ("simulated 95%", "simulated median", "round robin", "theorem")
    ]
    assert places == sorted(places)
    assert page.index("Plan for ") < places[0]


def test_the_number_to_plan_with_says_how_few_runs_it_comes_from(found: ProblemReport, page: str) -> None:
    trials = found.budget.trials
    assert f"enough for 95% of {trials.n_runs:,} simulated runs; half of the runs were" in page
    first = replace(trials, truths=trials.truths[:1], n_answers=trials.n_answers[:1], is_wrong=trials.is_wrong[:1])
    short = replace(found, budget=replace(found.budget, simulated=(first, *found.budget.simulated[1:])))
    words = (
        f"of {first.n_runs} simulated runs with 1 of {trials.n_candidates} candidates as the truth; half of the runs"
    )
    assert words in report_page(short, source="few", made_by="")
