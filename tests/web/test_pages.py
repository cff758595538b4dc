"""What the pages show, and that nothing in a study can break them."""

import csv
import re
import time

import numpy as np
import pytest

from tests.web.conftest import TOKEN
from tests.web.markup import Page
from warmer import ModelChoice, Problem, create_study, goals, noise, open_study
from warmer.web.library import Library
from warmer.web.pages.study import study_values

NASTY = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    '" onfocus=alert(1) autofocus x="',
    "{{ 7 * 7 }}{% raw %}",
    "\u202egnp.exe \u0645\u0631\u062d\u0628\u0627",
    "x" * 10_000,
    "=HYPERLINK(0)",
    "javascript:alert(1)",
]


def tell(storage, *rewards, name="weather", query="left"):
    with open_study(name, storage=storage) as study:
        for reward in rewards:
            study.tell(query, reward, author="Ada")


def test_the_list_says_where_each_study_stands(client, storage):
    tell(storage, 0.95, 0.9, 0.9)
    while "proven" not in (text := client.get("/").text):  # a look is good for half a second
        time.sleep(0.05)
    assert re.search(r'href="/studies/weather".*?proven.*?left', text, re.DOTALL)


def test_many_studies_are_searched_sorted_and_paged(client, storage, monkeypatch):
    monkeypatch.setattr("warmer.web.pages.overview._PER_PAGE", 10)
    table = Problem.from_table([[0.0, 1.0]])
    for number in range(24):
        create_study(f"series {number:03}", table, goal=goals.WhichTarget(), storage=storage).close()
    names = re.findall(r'href="/studies/([^"?]+)"', client.get("/?sort=name").text)
    assert len(names) == 10
    assert names[0] == "series%20000"
    assert re.findall(r'href="/studies/([^"?]+)"', client.get("/?search=ES%20019").text) == ["series%20019"]
    assert "page 3 of 3" in client.get("/?sort=name&page=3").text
    assert "page 3 of 3" in client.get("/?sort=name&page=99999").text
    assert "No study has" in client.get("/?search=xyz").text


def test_the_page_of_a_study_decides_first_and_then_says_why(client, storage):
    text = client.get("/studies/weather").text
    assert re.search(r"Next: left: it separates (rain|snow|sun) from (rain|snow|sun)\.", text)
    assert "3 of 3 candidates remain" in text
    tell(storage, 0.95, 0.9, 0.9)
    text = client.get("/studies/weather").text
    headline = re.search(r'class="headline"[^>]*>(.*?)<', text)[1]
    assert headline == "Proven: &#39;left&#39; is within 0.1 of the best query."
    assert text.index("headline") < text.index("Enter answers") < text.index("Candidates that remain")
    fallen = re.findall(r'class="fallen">\s*<td><bdi>(\w+)</bdi>.*?event (\d+)', text, re.DOTALL)
    with open_study("weather", storage=storage) as study:
        fell = dict(zip(["rain", "sun", "snow"], study.progress().fell_at.tolist(), strict=True))
    assert {(name, int(event)) for name, event in fallen} == {(name, at) for name, at in fell.items() if at}
    assert "0.9 mm" in text


def test_tickets_show_who_has_them_and_since_when(client, storage):
    with open_study("weather", storage=storage) as study:
        study.ask(worker="Ada")
        study.ask(worker="robot", lease=1e-6)
    text = client.get("/studies/weather").text
    assert re.search(
        r"Ticket 1.*?Ada, just now.*?Ticket 2.*?robot, just now <span class=\"badge bad\">overdue", text, re.DOTALL
    )
    assert "The experiment failed" in client.get("/studies/weather/tickets/1").text
    assert "not open" in client.get("/studies/weather/tickets/77").text


def test_an_answer_has_a_page_on_which_it_is_corrected_and_taken_back(client, storage):
    tell(storage, 0.09)
    assert "first told as</dt><dd>0.09 mm" in client.get("/studies/weather/answers/1").text
    told = client.post("/api/v1/studies/weather/correct", json={"event": 1, "reward": "0.9", "reason": "comma"})
    assert told.json()["standing"] == "corrected"
    assert "counts as</dt><dd>0.9 mm" in client.get("/studies/weather/answers/1").text
    client.post("/api/v1/studies/weather/retract", json={"event": 1, "reason": "wrong well"})
    text = client.get("/studies/weather/answers/1").text
    assert "Taken back: wrong well" in text
    assert "<form" not in text
    assert client.get("/studies/weather/answers/2").status_code == 404


def test_the_log_is_filtered_and_paged_from_the_latest_backwards(client, storage, monkeypatch):
    monkeypatch.setattr("warmer.web.pages.records._PER_PAGE", 10)
    tell(storage, *np.linspace(0, 0.9, 25))
    with open_study("weather", storage=storage) as study:
        study.note("new agar", author="Bo")
    seen, address = [], "/studies/weather/log?"
    while address:
        text = client.get(address).text
        seen += [int(seq) for seq in re.findall(r'id="event-(\d+)"', text)]
        older = re.search(r'rel="next" href="([^"]+)"', text)
        address = older and "/studies/weather/log" + older[1].replace("&amp;", "&")
    assert seen == list(range(26, 0, -1))
    for words in ("kind=noted", "search=AGAR", "search=bo"):
        assert re.findall(r'id="event-(\d+)"', client.get(f"/studies/weather/log?{words}").text) == ["26"]
    assert "Nothing like that" in client.get("/studies/weather/log?search=xyz").text


def test_a_filter_reads_no_more_than_a_stretch_of_a_long_log(client, storage, monkeypatch):
    monkeypatch.setattr("warmer.web.pages.records._MOST_READ", 8)
    monkeypatch.setattr("warmer.web.pages.records._STRETCH", 4)
    tell(storage, *np.linspace(0, 0.9, 20))
    text = client.get("/studies/weather/log?search=nobody").text
    assert "before=13" in text


def test_downloads_hold_every_answer(client, storage):
    tell(storage, 0.5, 0.25)
    rows = list(csv.DictReader(client.get("/studies/weather/answers.csv").text.splitlines()))
    assert [(row["query"], row["reward"]) for row in rows] == [("left", "0.5"), ("left", "0.25")]
    lines = client.get("/studies/weather/study.jsonl")
    with open_study("weather", storage=storage) as study:
        assert lines.text == "".join(study.export_lines())
    report = client.get("/studies/weather/report.html")
    assert report.headers["content-disposition"].startswith("attachment")
    assert "left" in report.text
    assert 'filename="weather.jsonl"' in lines.headers["content-disposition"]


@pytest.mark.parametrize("label", NASTY)
def test_labels_names_and_notes_are_inert(client, storage, label):
    name = label[:200] if label.isprintable() else "plain"
    table = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=[label, "b"], targets=[label, "c"])
    with create_study(name, table, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.2), storage=storage) as study:
        study.ask(worker=label[:90])
        study.tell(label, 0.9, author=label[:90], note=label)
        study.ask()
        study.note(label)
        identity = study.id
    pages = [f"/studies/{identity}{end}" for end in ("", "/log", "/candidates", "/answers/2", "/tickets/2")]
    for path in (*pages, "/"):
        found = client.get(path)
        assert found.status_code == 200
        assert len(found.content) < 100_000
        parsed = Page(found.text)
        assert parsed.dangers() == []
        assert (name if path == "/" else label)[:39] in parsed.text
    sheet = client.get(f"/studies/{identity}/answers.csv").text
    assert not any(cell.startswith("=") for row in csv.reader(sheet.splitlines()) for cell in row)


def test_a_study_whose_name_is_a_path_is_found_by_its_identity(client, storage):
    table = Problem.from_table([[0.0, 1.0]])
    for name in ("../../etc/passwd", "a/b?c#d", "..", " x ", "f" * 32):
        with create_study(name, table, goal=goals.WhichTarget(), storage=storage) as study:
            assert client.get(f"/studies/{study.id}").status_code == 200
            assert f'href="/studies/{study.id}"' in client.get("/").text
    assert client.get("/studies/nobody").status_code == 404
    assert "There is no study" in client.get("/studies/nobody").text


def test_files_of_pages_may_be_kept_and_change_their_address_with_their_content(client_of):
    client = client_of()
    text = client.get("/").text
    for address in re.findall(r'(?:href|src)="(/assets/[^"]+)"', text):
        found = client.get(address)
        assert found.status_code == 200
        assert "immutable" in found.headers["cache-control"]
    assert TOKEN not in text


def test_a_study_whose_candidates_are_all_ruled_out_says_so(client, storage):
    tell(storage, *[-0.9] * 12)
    text = client.get("/studies/weather").text
    assert "The data contradict every candidate." in text
    assert "0 of 3" not in re.search(r'class="headline"[^>]*>(.*?)<', text)[1]


def test_an_odd_answer_is_marked_and_said_beside_the_decision(client, storage):
    tell(storage, 0.85, 0.9, 0.95, 0.9, 0.88, -0.9)
    text = client.get("/studies/weather").text
    assert "is odd" in text
    assert re.search(r'<bdi>left</bdi> <span class="badge bad">odd</span></td>\s*<td class="number">-0.9 mm', text)
    assert 'class="mark odd"' in text


def test_answers_to_queries_that_were_not_open_are_counted_marked_and_questioned(client, storage):
    tell(storage, 0.5, 0.25)
    page = client.get("/studies/weather").text
    assert "2 answers came to queries that were not open; a proof holds if each stands under the query" in page
    assert page.count('<span class="badge">unasked</span>') == 2
    assert "twice" not in page
    tell(storage, 0.25)
    assert "came unasked and equals the answer before it: the same answer twice?" in client.get("/studies/weather").text
    assert "it came to a query that was not open" in client.get("/studies/weather/answers/1").text


def test_a_forecast_is_made_on_a_copy_when_nothing_has_happened_for_a_while(storage, monkeypatch):
    monkeypatch.setattr("warmer.web.snapshot._QUIET", 0.0)
    library = Library(storage, may_write=False)
    desk = library.desk("weather")
    assert not desk.wants_forecast()
    assert "Next: left" in study_values(desk.snapshot(), desk)["headline"]
    assert [desk.wants_forecast() for _ in range(2)] == [True, False]
    desk.work_out_forecast(lambda: open_study("weather", storage=storage, read_only=True))
    library.close()
    assert re.match(r"\d more experiments?, probably; next: left", study_values(desk.snapshot(), desk)["headline"])


def test_a_study_that_chooses_a_model_is_listed_and_has_a_page_that_says_where_to_go_on(client, storage):
    models = {"<tree>": ["cat", "dog", "cat"], "forest": ["dog", "dog", "cow"]}
    with create_study("pets", ModelChoice(models, epsilon=0.1, seed=0), storage=storage) as study:
        page = Page(client.get("/studies/pets").text)
        assert "1 other model may be better" in page.text
        assert "warmer choose --study pets" in page.text
        assert "0.000 and 1.000" in page.text
        assert "With a seed the draws can be foretold" in page.text
        assert "estimated" not in page.text
        assert "so labels tell how far models are apart, not how good they are" in page.text
        for ticket in study.ask(2, worker="Ada"):
            study.tell(ticket, "cow" if ticket.query == 2 else "dog", author="Ada")
        answer = str(study.certificate().answer)
        assert study.is_settled
    page = Page(client.get("/studies/pets").text)
    assert f"Proven: {answer} is within 0.1 of the best." in page.text
    assert page.dangers() == []
    while "working it out" in (listed := client.get("/").text):
        time.sleep(0.01)
    row = next(row for row in Page(listed).rows() if row[0] == "pets")
    assert row[1].split() == ["proven", answer]
    refused = client.get("/api/v1/studies/pets")
    assert (refused.status_code, "warmer choose" in refused.json()["error"]) == (422, True)
    for path in ("/log", "/explore", "/candidates", "/live", "/report.html"):
        assert client.get(f"/studies/pets{path}").status_code in (404, 422)


def test_pages_show_what_was_told_digit_for_digit(client, storage):
    tell(storage, 0.123456789)
    for address in ("/studies/weather", "/studies/weather/answers/1", "/studies/weather/log"):
        assert "0.123456789" in client.get(address).text
    assert "0.123456789" in client.get("/studies/weather/report.html").text
    assert "0.123456789" in client.get("/studies/weather/answers.csv").text


def test_the_form_that_explores_begins_with_what_the_study_declares_digit_for_digit(client, storage):
    table = Problem.from_table([[0.1, 0.9]], reward_range=(0.0, 1234567.0))
    options = {"goal": goals.BestQuery(0.123456789), "noise": noise.SubGaussian(0.001234567), "delta": 0.012345678}
    create_study("digits", table, storage=storage, **options).close()
    text = client.get("/studies/digits/explore").text
    for name, value in (("epsilon", "0.123456789"), ("sigma", "0.001234567"), ("delta", "0.012345678")):
        slider = re.search(
            rf'<input type="range" name="{name}" min="([^"]+)" max="([^"]+)" step="any" value="{value}"', text
        )
        assert float(slider[1]) <= float(value) <= float(slider[2])
    assert 'max="1234567"' in text


def test_a_new_study_begins_with_the_range_of_its_table_digit_for_digit(client):
    content = b",a,b\nleft,0.25,1234567.5\n"
    sent = client.post("/api/v1/tables", params={"name": "t.csv"}, content=content).json()
    assert 'name="high" inputmode="decimal" value="1234567.5"' in client.get(sent["next"]).text


def test_the_page_of_a_choice_names_the_ticket_that_labels_wait_for(client, storage):
    rows = {"tree": ["cat", "dog"] * 20, "forest": ["dog", "cat"] * 20, "bush": ["cat", "cat"] * 20}
    with create_study("pets", ModelChoice(rows, epsilon=0.1), storage=storage) as study:
        first, *others = study.ask(4, worker="Ada")
        for ticket in others:
            study.tell(ticket, "cat")
        text = client.get(f"/studies/{study.id}").text
        assert f"3 labels wait for the label of point {first.query} (ticket 1, Ada): tell it" in text
        assert "0 labels count" in text
        assert "more, probably" not in text
        study.tell(first, "cat")
        assert "wait for" not in client.get(f"/studies/{study.id}").text


def test_a_declared_tolerance_stands_once_on_the_page_beside_goal_or_noise(client, storage):
    table = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], tolerance=0.05)
    with (
        create_study("near", table, goal=goals.BestQuery(0.1), storage=storage) as near,
        create_study("which", table, goal=goals.WhichTarget(), storage=storage) as which,
    ):
        text = client.get(f"/studies/{near.id}").text
        assert "within 0.2 of the best (0.1 by the table, whose entries are right within 0.05)" in text
        assert text.count("right within 0.05") == 1
        assert "the table&#39;s entries are right within 0.05" in client.get(f"/studies/{which.id}").text
