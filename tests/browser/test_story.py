"""The whole story of a study in real browsers: two of them and a terminal, from the table to the certificate."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.accessibility import CHECKS, WIDTHS
from tests.browser.chromium import NO_BROWSER, find_browser
from tests.browser.driven import Browser
from tests.browser.served import served
from warmer import Problem, create_study, goals, noise, open_study
from warmer.cli import main

pytestmark = pytest.mark.long

TRUTH = {"left": 0.9, "right": 0.3, "middle": 0.4}
TABLE = ",rain,sun,snow,hail\nleft,0.1,0.9,0.2,0.85\nright,0.7,0.3,0.4,0.75\nmiddle,0.2,0.4,0.8,0.1\n"


@pytest.fixture(scope="module", autouse=True)
def browser() -> None:
    if find_browser() is None:
        pytest.fail(NO_BROWSER)


@pytest.fixture
def storage(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/lab.db"


def made(url: str, name: str = "weather") -> None:
    rows = [[0.1, 0.9, 0.2, 0.85], [0.7, 0.3, 0.4, 0.75], [0.2, 0.4, 0.8, 0.1]]
    table = Problem.from_table(rows, queries=list(TRUTH), targets=["rain", "sun", "snow", "hail"])
    create_study(name, table, goal=goals.WhichTarget(), noise=noise.SubGaussian(0.1), unit="mm", storage=url).close()


def base_of(link: str) -> str:
    return link.partition("/?")[0]


def n_answers(browser: Browser) -> str:
    return browser.run("document.querySelector('[data-part=decision] dd').textContent")


def test_from_the_table_to_the_certificate_with_two_browsers_and_a_terminal(storage: str, tmp_path: Path):
    (tmp_path / "weather.csv").write_text(TABLE)
    with served(storage, "--write") as link, Browser() as ada, Browser() as bo:
        ada.open(link)
        ada.open(f"{base_of(link)}/new")
        ada.upload("[type=file]", tmp_path / "weather.csv")
        ada.click("form button")
        ada.until("location.pathname.startsWith('/new/') && document.readyState == 'complete'")
        ada.click("[value=which-target]")
        ada.click("[value=sub-gaussian]")
        ada.type("[name=sigma]", "0.1")
        ada.until("document.querySelector('#estimate .said').textContent.startsWith('Probably')")
        ada.click("#create > .actions button")
        ada.until("location.pathname == '/studies/weather' && document.readyState == 'complete'")
        bo.open(link)
        bo.open(f"{base_of(link)}/studies/weather")
        bo.until("document.querySelector('.headline').textContent.includes('ext: ')")

        ada.type("[data-remember=name]", "Ada")
        ada.click("#ask button")
        for each in (ada, bo):
            each.until("document.querySelectorAll('#tickets fieldset').length == 1")
        query = ada.run("document.querySelector('#tickets legend bdi').textContent")
        assert bo.run("document.querySelector('#tickets legend bdi').textContent") == query

        bo.type("[name=query]", "left")  # he types while she records
        ada.type("#tickets [name=reward]", str(TRUTH[query]))
        ada.click("#tell .actions button")
        for each in (ada, bo):
            each.until("document.querySelector('[data-part=decision] dd').textContent == '1'")
            each.until("document.querySelectorAll('#tickets fieldset').length == 0")
        assert bo.run("document.querySelector('[name=query]').value") == "left"
        assert bo.run("document.activeElement.name") == "query"

        bo.type("[data-row].free [name=reward]", "0.09")  # a typo
        bo.click("#tell .actions button")
        ada.until("document.querySelector('[data-part=decision] dd').textContent == '2'")
        ada.until("document.body.innerText.includes('is odd') || document.body.innerText.includes('contradict')")
        ada.click("[data-part=latest] tbody a")
        ada.until("location.pathname.includes('/answers/') && document.readyState == 'complete'")
        ada.type("form[data-verb$=retract] [name=reason]", "0.9 was meant")
        ada.click("form[data-verb$=retract] button")
        ada.until("location.pathname == '/studies/weather' && document.readyState == 'complete'")
        bo.until("document.querySelector('[data-part=decision] dd').textContent == '1'")

        while not ada.run("document.body.innerText.includes('Proven')"):
            count = n_answers(ada)
            with open_study("weather", storage=storage) as study:
                [query] = study.preview()
            assert main(["study", "tell", "weather", query, str(TRUTH[query]), "--storage", storage]) == 0
            for each in (ada, bo):
                each.until(f"document.querySelector('[data-part=decision] dd').textContent != '{count}'")
        for each in (ada, bo):
            each.until("/^Proven: .*'sun'/.test(document.querySelector('.headline').textContent)")
            assert each.said == []
    with open_study("weather", storage=storage) as study:
        assert study.certificate().answer == "sun"
        assert len(study.certificate().retracted) == 1


def test_what_another_process_tells_comes_to_the_screen_answer_by_answer(storage: str):
    """How quickly it comes is measured by `python -m benchmarks pages`."""
    made(storage)
    with served(storage) as link, Browser() as browser, open_study("weather", storage=storage) as study:
        browser.open(link)
        browser.open(f"{base_of(link)}/studies/weather")
        browser.until("document.documentElement.dataset.version")
        browser.run(
            "window.seen = []; new MutationObserver(() => { const n = document.querySelector('[data-part=decision] dd')"
            ".textContent; if (seen.at(-1) != n) seen.push(n); })"
            ".observe(document.body, {subtree: true, childList: true})"
        )
        for count in range(1, 6):
            study.tell("left", 0.9)
            browser.until(f"window.seen.at(-1) == '{count}'")
        assert browser.run("window.seen") == ["1", "2", "3", "4", "5"]


def test_exploring_adds_a_file_drops_a_candidate_and_shows_the_profile(storage: str, tmp_path: Path):
    made(storage)
    more = tmp_path / "more.csv"
    with open_study("weather", storage=storage) as study:
        names = ",".join(map(str, study.problem.targets))
        more.write_text(f",{names}\nup,{','.join(['0.5'] * study.problem.n_targets)}\n")
        n_queries, n_targets = study.problem.n_queries, study.problem.n_targets
        first = study.problem.targets[0]
    with served(storage, "--write") as link, Browser() as browser:
        browser.open(link)
        browser.open(f"{base_of(link)}/studies/weather/explore")
        browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        browser.upload("[data-send]", more)
        edited = "[...document.querySelectorAll('[data-job=budget] tr:nth-child(2) td')].map(e => e.textContent)"
        browser.until(f"{edited}.slice(0, 3).join() == 'edited,{n_targets},{n_queries + 1}'")
        browser.type("[name=drop_targets]", str(first))
        browser.until(f"{edited}.slice(0, 3).join() == 'edited,{n_targets - 1},{n_queries + 1}'")
        browser.click("[data-job=complexity] button")
        browser.until("[...document.querySelectorAll('[data-job=complexity] img')].every(e => e.naturalWidth > 100)")
        browser.until("document.querySelectorAll('[data-job=complexity] img').length == 2")
        assert browser.run(CHECKS) == []
        assert browser.said == []


def test_a_refused_value_stays_where_it_was_typed(storage: str):
    made(storage)
    with served(storage, "--write") as link, Browser() as browser:
        browser.open(link)
        browser.open(f"{base_of(link)}/studies/weather")
        browser.type("#ask [name=n]", "2")
        browser.click("#ask button")
        browser.until("document.querySelectorAll('#tickets fieldset').length == 2")
        browser.type("#tickets fieldset:nth-child(1) [name=reward]", "0.5")
        browser.type("#tickets fieldset:nth-child(2) [name=reward]", "0,5 mm")
        browser.click("#tell .actions button")
        browser.until(
            "document.querySelector('#tickets fieldset:nth-child(2) .refused').textContent.includes('0,5 mm')"
        )
        values = browser.run("[...document.querySelectorAll('#tickets [name=reward]')].map(e => e.value)")
        assert values == ["0.5", "0,5 mm"]
        assert browser.run("document.querySelector('#tickets fieldset:nth-child(1) .refused').hidden")
        with open_study("weather", storage=storage) as study:
            assert study.entries() == []
        browser.type("#tickets fieldset:nth-child(2) [name=reward]", "0.5")
        browser.click("#tell .actions button")
        browser.until("document.querySelectorAll('#tickets fieldset').length == 0")
        with open_study("weather", storage=storage) as study:
            assert [entry.reward for entry in study.entries()] == [0.5, 0.5]
        refused = [words for words in browser.said if "422" not in words]  # the browser itself notes the refusal
        assert refused == []


def test_an_answer_that_nobody_asked_for_is_said_to_be_so_and_questioned_when_it_comes_again(storage: str):
    made(storage)
    with served(storage, "--write") as link, Browser() as browser:
        browser.open(link)
        browser.open(f"{base_of(link)}/studies/weather")
        for words in ("Recorded. Its query was not open.", "Answer 2 equals the one before it: the same answer twice?"):
            browser.type("#tell [name=query]", "left")
            browser.type("#tell [name=reward]", "0.5")
            browser.click("#tell .actions button")
            browser.until(f"document.querySelector('#tell .said').textContent.includes({words!r})")
        browser.until("document.querySelector('[data-part=decision]').textContent.includes('the same answer twice?')")
        assert browser.said == []


def test_everything_can_be_done_with_the_keyboard_alone(storage: str):
    made(storage)
    with served(storage, "--write") as link, Browser() as browser:
        browser.open(link)
        browser.open(f"{base_of(link)}/studies/weather")
        browser.press("Tab")
        assert browser.run("document.activeElement.className") == "skip"
        reached = []
        for _ in range(60):
            browser.press("Tab")
            name = browser.run("document.activeElement.name || document.activeElement.textContent.trim()")
            reached.append(name)
            ring = browser.run("getComputedStyle(document.activeElement).outlineStyle")
            assert ring != "none", name
            if name == "query":
                browser.call("Input.insertText", text="left")
            if name == "reward":
                browser.call("Input.insertText", text="0.9")
            if name == "Record":
                browser.press("Enter")
                break
        assert {"Studies", "query", "reward", "count", "author", "Record"} <= set(reached)
        browser.until("document.querySelector('[data-part=decision] dd').textContent == '1'")
        assert browser.said == []


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """A server with a study that has everything, among it labels that break pages."""
    url = f"sqlite:///{tmp_path_factory.mktemp('pages')}/lab.db"
    made(url)
    long = "Unbreakable" * 30
    table = Problem.from_table(
        [[0.1, 0.9], [0.7, 0.3]], queries=[long, "<img src=x onerror=fail()>"], targets=["\u202eabc", long + "z"]
    )
    with create_study(long[:200], table, goal=goals.WhichTarget(), noise=noise.SubGaussian(0.3), storage=url) as study:
        identity = study.id
        study.ask(worker=long)
        study.tell("<img src=x onerror=fail()>", 0.5, note=long, author=long)
        study.tell(long, 0.5, author="Ada")
    with open_study("weather", storage=url) as study:
        study.ask(2, worker="Ada")
        for reward in (0.9, 0.88, 0.92):
            study.tell("middle", reward)
        study.retract(5, reason="wrong well")
    names = []
    for name in ("weather", identity):
        names += [
            f"/studies/{name}{end}" for end in ("", "/log", "/candidates", "/answers/3", "/tickets/1", "/explore")
        ]
    with served(url, "--write") as link:
        yield link, ["/", "/new", "/nothing", *names]


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_fit_say_what_they_are_and_are_silent(pages: tuple[str, list[str]], width: int, is_dark: bool):
    link, paths = pages
    with Browser() as browser:
        browser.size(width)
        browser.dark(is_dark)
        browser.open(link)
        for path in paths:
            browser.open(base_of(link) + path)
            assert browser.run(WIDTHS) == [width], path
            assert browser.run(CHECKS) == [], path
        fetched = browser.run("performance.getEntriesByType('resource').map(e => e.name)")
        assert all(name.startswith(base_of(link)) for name in fetched)
        assert [words for words in browser.said if "/nothing" not in words] == []


def test_what_is_wrong_with_a_page_is_noticed(tmp_path: Path):
    page = tmp_path / "wrong.html"
    page.write_text(
        "<h1>A</h1><h3>skips</h3><input><button></button><p style='color:#aaa'>faint</p><i id=x></i><i id=x></i>"
        "<table><tr><td>1</td></tr></table><div style='width:3000px'>wide</div>"
    )
    with Browser() as browser:
        browser.open(page.as_uri())
        found = " ".join(browser.run(CHECKS))
        for words in ("no language", "no title", "0 main", "skips a level", "no name: <input", "no name: <button"):
            assert words in found
        for words in ("contrast", "id x twice", "table without headings"):
            assert words in found
        assert len(browser.run(WIDTHS)) > 1
        assert re.match("<div", browser.run(WIDTHS)[1])


def test_a_slider_shows_the_number_that_is_used(storage: str):
    made(storage)
    with served(storage) as link, Browser() as browser:
        browser.open(link)
        browser.open(f"{base_of(link)}/studies/weather/explore")
        browser.until("document.querySelector('[data-output]').textContent")
        shown = (
            "[...document.querySelectorAll('.slider')].map(each => [each.querySelector('[data-output]').textContent, "
            "String(Number(each.querySelector('input').value))])"
        )
        assert all(words == used for words, used in browser.run(shown))
        browser.run(
            "const slider = document.querySelector('.slider input[name=delta]'); slider.value = 0.123456789; "
            "slider.dispatchEvent(new Event('input', {bubbles: true}))"
        )
        assert browser.run("document.querySelector('.slider input[name=delta]').value") == "0.12"
        assert all(words == used for words, used in browser.run(shown))
