"""A study from the terminal."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Said
from warmer.cli.commands.study import study
from warmer.studies import open_study

TABLE = ",rain,sun,snow\nleft,0.1,0.9,0.2\nright,0.7,0.3,0.4\n"


@pytest.fixture
def lab(warmer: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command `warmer study`, with a study `lab` in a database of its own."""
    monkeypatch.delenv("WARMER_STORAGE", raising=False)
    Path("weather.csv").write_text(TABLE)

    def run(*arguments: str) -> Said:
        return warmer("study", *arguments)

    assert run("create", "lab", "weather.csv", "--epsilon", "1/10", "--sigma", "1/4").code == 0
    return run


def test_a_study_goes_from_creation_to_a_proof(lab: Command) -> None:
    assert "1       left   Ada" in lab("ask", "lab", "--worker", "Ada").out
    assert "event 2: 'left' 0.875 (ticket 1), counted" in lab("tell", "lab", "left", "0.875", "--note", "pH 7").out
    assert "event 3: 'right' -0.25, mean of 4, counted" in lab("tell", "lab", "right", "-0.25", "--count", "4").out
    assert "event 3: 'right' 0.25, mean of 4, corrected" in lab("correct", "lab", "3", "0.25", "--reason", "sign").out
    out = lab("status", "lab").out
    assert "2 answers (1 corrected); 0 open tickets" in out
    assert "proven: 'left' is within 0.1 of the best query" in out


def test_a_study_without_events_says_so(lab: Command) -> None:
    assert "0 answers; 0 open tickets; no events yet." in lab("status", "lab").out
    assert lab("report", "lab", "-o", "page.html").code == 0
    assert "last event" not in Path("page.html").read_text()


def test_everything_fits_80_columns(lab: Command) -> None:
    lab("ask", "lab", "-n", "3", "--worker", "somebody with a rather long name@a.machine.with.one")
    lab("tell", "lab", "left", "0.5", "--note", "a long note " * 12)
    for arguments in (
        ["status", "lab"],
        ["log", "lab"],
        ["list"],
        ["--help"],
        ["create", "--help"],
        ["tell", "--help"],
    ):
        said = lab(*arguments)
        assert said.code == 0
        assert max(map(len, said.out.splitlines())) <= 80


def test_without_a_verb_it_shows_what_there_is(lab: Command) -> None:
    said = lab()
    assert said.code == 0
    assert "create" in said.out
    assert "WARMER_STORAGE" in said.out


def test_every_verb_speaks_json(lab: Command) -> None:
    """Every command of the group; a new one must be added here."""
    calls = {
        "create": ["create", "two", "weather.csv", "--goal", "which-target", "--noise", "coin"],
        "list": ["list"],
        "ask": ["ask", "lab", "--n", "2"],
        "tell": ["tell", "lab", "left", "0.5"],
        "fail": ["fail", "lab", "right", "--reason", "mould"],
        "correct": ["correct", "lab", "3", "0.25", "--reason", "typo"],
        "undo": ["undo", "lab", "3", "--reason", "no agar"],
        "release": ["release", "lab", "3"],
        "forbid": ["forbid", "lab", "right", "--reason", "sold out"],
        "allow": ["allow", "lab", "right"],
        "note": ["note", "lab", "new agar"],
        "status": ["status", "lab"],
        "report": ["report", "lab", "-o", "lab.html"],
        "log": ["log", "lab"],
        "verify": ["verify", "lab"],
        "export": ["export", "lab", "lab.jsonl"],
        "import": ["import", "lab.jsonl", "--name", "copy"],
    }
    named = {command.name or command.callback.__name__ for command in study.registered_commands if command.callback}
    assert set(calls) == named
    forms = {}
    for verb, arguments in calls.items():
        if verb == "release":
            assert lab("ask", "lab").code == 0
        forms[verb] = lab(*arguments, "--json").form
    assert [ticket["number"] for ticket in forms["ask"]["tickets"]] == [1, 2]
    assert (forms["tell"]["event"], forms["tell"]["reward"], forms["correct"]["told"]) == (3, 0.5, 0.5)
    assert forms["undo"]["standing"] == "retracted"
    assert forms["release"]["released"] == 3
    assert forms["status"]["certificate"]["is_proven"] is False
    assert forms["status"]["standing"]["n_candidates"] == 3
    assert forms["status"]["forecast"]["n_runs"] == 20
    assert Path("lab.html").stat().st_size > 1000
    assert [event["kind"] for event in forms["log"]["events"]][:3] == ["asked", "asked", "answered"]
    assert forms["verify"]["tickets"] == 3
    assert forms["import"]["n_events"] == len(forms["log"]["events"])
    assert forms["list"]["studies"][0]["name"] == "lab"


def test_a_repeated_command_with_a_key_counts_once(lab: Command) -> None:
    for _ in range(2):
        assert lab("ask", "lab", "--key", "monday").code == 0
        assert lab("tell", "lab", "left", "0.5", "--key", "form 7").code == 0
    assert len(lab("log", "lab", "--json").form["events"]) == 2


def test_an_export_goes_to_the_screen_or_to_a_file(lab: Command) -> None:
    lab("tell", "lab", "left", "0.5")
    lines = [json.loads(line) for line in lab("export", "lab").out.splitlines()]
    assert lines[0]["name"] == "lab"
    assert lines[-1]["end"] == 1
    assert "Wrote lab.jsonl." in lab("export", "lab", "lab.jsonl").out
    assert "Study 'again' with 1 event is in" in lab("import", "lab.jsonl", "--name", "again").out


def test_the_storage_is_an_option_or_in_the_environment(lab: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Path("warmer.db").exists()
    lab("create", "other", "weather.csv", "--storage", "sqlite:///other.db")
    assert [each["name"] for each in lab("list", "--storage", "sqlite:///other.db", "--json").form["studies"]] == [
        "other"
    ]
    monkeypatch.setenv("WARMER_STORAGE", "sqlite:///other.db")
    assert lab("status", "other").code == 0
    assert lab("status", "lab").code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("status beer", "there is no study 'beer' in sqlite:///warmer.db; there are 'lab'"),
        ("tell lab lift 0.5", "there is no query 'lift'; perhaps 'left' was meant"),
        ("tell lab left 7", "must be a number in [-1, 1], got 7"),
        ("tell lab left warm", "Invalid value for 'REWARD'"),
        ("tell lab left 0.5 --ticket 1", "there is no open ticket 1"),
        ("tell lab left 0.5 --autor Ada", "unexpected extra argument"),
        ("correct lab 9 0.5 --reason x", "event 9 of the log is no answer"),
        ("undo lab 1 --reason x", "event 1 of the log is no answer"),
        ("undo lab --reason x", "there is nothing to undo: no answer and no failure counts"),
        ("release lab 4", "there is no open ticket 4"),
        ("fail lab left", "Missing option '--reason'"),
        ("ask lab --n 0", "n must be at least 1"),
        ("ask lab --lease 0", "lease must be greater than 0"),
        ("create lab weather.csv --epsilon 1/5", "there is another study 'lab'"),
        ("create a weather.csv --goal fame", "there is no --goal 'fame'; choose one of best-query:EPSILON"),
        ("create a weather.csv --noise loud", "there is no --noise 'loud'; choose one of bounded"),
        ("create a weather.csv --goal best-above", "write --goal best-above:THRESHOLD[:EPSILON]"),
        ("create a weather.csv --goal best-query:1 --epsilon 1", "--epsilon E stands for --goal best-query:E"),
        ("create a weather.csv --noise coin --outside keep", "outside"),
        ("report lab -o lab.pdf", "lab.pdf"),
        ("list --storage sqlite:///none.db", "there is no file none.db; create a study first"),
        ("list --storage warmer.db", "the storage must be sqlite:///lab.db"),
        ("import none.jsonl", "none.jsonl cannot be read"),
    ],
)
def test_an_error_is_one_line_that_says_what_to_do(lab: Command, arguments: str, words: str) -> None:
    said = lab(*arguments.split())
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert words in said.err
    assert said.err.count("\n") == 1


def test_a_ticket_for_another_query_is_refused(lab: Command) -> None:
    lab("ask", "lab")
    assert "ticket 1 is for 'left', not for 'right'" in lab("tell", "lab", "right", "0.5", "--ticket", "1").err


def test_goals_and_noise_reach_the_study(lab: Command) -> None:
    lab("create", "above", "weather.csv", "--goal", "best-above:0.5", "--noise", "bounded-noise:0.25", "--unit", "mg")
    with open_study("above", storage="sqlite:///warmer.db") as opened:
        assert repr(opened.spec.goal) == "BestAbove(threshold=0.5, epsilon=0.0)"
        assert repr(opened.spec.noise) == "BoundedNoise(width=0.25)"
        assert opened.spec.unit == "mg"


def test_a_typo_is_noticed_when_it_is_told_and_undone_by_its_number_or_as_the_last(lab: Command) -> None:
    for _ in range(2):
        assert "odd" not in lab("tell", "lab", "left", "0.9").out
    out = lab("tell", "lab", "right", "-0.9").out
    assert "This answer is odd: no remaining candidate explains it" in out
    assert "warmer study correct lab 3 VALUE" in out
    assert "Warning: answer 3 ('right': -0.9) is odd" in lab("status", "lab").out
    assert "event 3: 'right' -0.9, retracted" in lab("undo", "lab", "--reason", "typo").out
    assert "Warning" not in lab("status", "lab").out
    assert "event 1: 'left' 0.9, retracted" in lab("undo", "lab", "1", "--reason", "wrong plate").out


def test_the_status_draws_how_far_each_candidate_is_from_being_ruled_out(lab: Command) -> None:
    lab("tell", "lab", "left", "0.6")
    out = lab("status", "lab", "--no-forecast").out
    assert "Evidence against each candidate; ruled out at 20x." in out
    bars = {line.split()[0]: line.count("#") for line in out.splitlines() if line.endswith("x") and "|" in line}
    assert set(bars) == {"rain", "sun", "snow"}
    assert bars["sun"] == 0
    assert 0 < bars["snow"] <= bars["rain"] <= 40
    assert "Next: 'left' tells 'sun'" in out
    assert "Forecast" not in out
    assert "to a proof" in lab("status", "lab").out


def test_an_answer_to_a_query_that_is_not_open_is_said_to_be_so_and_questioned_when_it_is_repeated(
    lab: Command,
) -> None:
    lab("ask", "lab")
    assert "not open" not in lab("tell", "lab", "left", "0.5").out
    said = " ".join(lab("tell", "lab", "left", "0.5").out.split())
    assert "counted; its query was not open." in said
    assert "The same answer twice? " in said
    assert "warmer study undo lab 3 --reason twice" in said
    status = " ".join(lab("status", "lab").out.split())
    assert "1 answer came to a query that was not open; a proof holds if it stands under the query" in status
    assert "Answer 2 ('left': 0.5) came unasked and equals the answer before it: the same answer" in status
    assert "(unasked)" in lab("log", "lab").out
    lab("report", "lab", "-o", "page.html")
    page = Path("page.html").read_text()
    assert "1 answer came to a query that was not open" in page
    assert "the same answer twice?" in page
    assert "twice" not in lab("undo", "lab", "3", "--reason", "pressed again").out
    assert "not open" not in lab("status", "lab").out


def test_undo_takes_back_the_last_correction_first(lab: Command) -> None:
    lab("tell", "lab", "left", "0.5")
    lab("correct", "lab", "1", "0.25", "--reason", "misread")
    assert "event 1: 'left' 0.5, counted" in lab("undo", "lab", "--reason", "it was right").out
    assert "event 1: 'left' 0.5, retracted" in lab("undo", "lab", "--reason", "no agar").out


def test_the_report_begins_with_the_decision(lab: Command) -> None:
    lab("tell", "lab", "left", "0.9", "--count", "9", "--note", "<b>bold</b>")
    lab("fail", "lab", "right", "--reason", "mould")
    assert "Wrote lab.html" in lab("report", "lab", "-o", "lab.html").out
    page = Path("lab.html").read_text()
    places = [page.index(f'id="{part}"') for part in ("decision", "evidence", "answers", "theory")]
    assert places == sorted(places)
    assert "<h2>Proven</h2>" in page
    assert "&lt;b&gt;bold" in page
    assert "failed: mould (event 2)" in page
    assert "no method decides this with fewer than" in page
    assert "<script" not in page
