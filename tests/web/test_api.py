"""Every verb of a study as JSON."""

import io
import json
import re
import runpy
from fractions import Fraction
from pathlib import Path

import pytest

from tests.web.conftest import BASE
from warmer import Problem, create_study, goals, open_study
from warmer.web.api.creation import creation_routes
from warmer.web.api.routes import api_routes
from warmer.web.jobs import Jobs
from warmer.web.keys import KeyRing
from warmer.web.library import Library
from warmer.web.tables import Tables

HERE = "/api/v1/studies/weather"


def test_a_program_asks_does_and_tells_until_the_goal_is_proven(client, storage):
    while not (status := client.get(HERE).json())["certificate"]["is_proven"]:
        [ticket] = client.post(f"{HERE}/ask", json={"worker": "robot"}).json()["tickets"]
        reward = {"left": 0.9, "right": 0.3}[ticket["query"]]
        told = client.post(
            f"{HERE}/tell", json={"ticket": ticket["number"], "token": ticket["token"], "reward": reward}
        )
        assert told.status_code == 200
    assert status["certificate"]["answer"] == "left"
    with open_study("weather", storage=storage) as study:
        assert study.certificate().answer == "left"
        assert study.verify() > 0


def test_an_answer_says_whether_its_query_was_open_and_whether_it_was_told_twice(client):
    client.post(f"{HERE}/ask", json={})
    answers = {"answers": [{"query": "left", "reward": 0.9}] * 2}
    told = client.post(f"{HERE}/tell", json=answers).json()["answers"]
    assert [(each["is_unasked"], each["is_repeat"]) for each in told] == [(False, False), (True, True)]
    status = client.get(HERE).json()
    assert (status["n_unasked"], status["standing"]["n_unasked"], status["standing"]["n_repeats"]) == (1, 1, 1)
    assert status["standing"]["remarks"][-1].endswith("the same answer twice?")


def test_the_verbs_do_what_the_study_does(client, storage):
    def post(verb, **fields):
        answer = client.post(f"{HERE}/{verb}", json=fields)
        assert answer.status_code == 200, answer.text
        return answer.json()

    assert client.get(f"{HERE}/next?n=2").json() == {"queries": ["left", "left"]}
    first, second = post("ask", n=2, worker="Ada")["tickets"]
    assert post("fail", ticket=second["number"], reason="broken")["standing"] == "failed"
    assert post("tell", query="left", reward=0.09, author="Ada", note="cloudy")["ticket"] == first["number"]
    assert post("correct", event=4, reward=0.9, reason="comma")["reward"] == 0.9
    assert post("retract", event=4, reason="wrong well")["standing"] == "retracted"
    assert post("forbid", query="left", reason="no bulbs") == {"forbidden": "left"}
    assert post("allow", query="left") == {"allowed": "left"}
    third = post("ask")["tickets"][0]
    assert post("release", ticket=third["number"])["released"] == third["number"]
    assert post("note", text="new agar")["event"] == 11
    kinds = [event["kind"] for event in client.get(f"{HERE}/log").json()["events"]]
    with open_study("weather", storage=storage) as study:
        assert kinds == [event.kind for event in study.log()]
    assert [entry["standing"] for entry in client.get(f"{HERE}/answers").json()["answers"]] == ["failed", "retracted"]
    assert client.get(f"{HERE}/log?after=10&limit=1").json()["events"][0]["event"] == 11
    assert {each["candidate"] for each in client.get(f"{HERE}/candidates").json()["candidates"]} == {
        "rain",
        "sun",
        "snow",
    }


def test_a_request_sent_twice_counts_once(client, storage):
    body = {"query": "left", "reward": 0.5, "key": "form 7"}
    assert [client.post(f"{HERE}/tell", json=body).json()["event"] for _ in range(2)] == [1, 1]
    plate = {"key": "plate 1", "answers": [{"query": "left", "reward": 0.5}, {"query": "right", "reward": "0.25"}]}
    for _ in range(2):
        told = client.post(f"{HERE}/tell", json=plate).json()["answers"]
        assert [each["event"] for each in told] == [2, 3]
    changed = client.post(f"{HERE}/tell", json={**body, "reward": 0.75})
    assert changed.status_code == 409
    assert "correct(1" in changed.json()["error"]
    with open_study("weather", storage=storage) as study:
        assert [entry.reward for entry in study.entries()] == [0.5, 0.5, 0.25]


def test_of_several_answers_all_are_recorded_or_none(client, storage):
    rows = [{"query": "left", "reward": 0.5}, {"query": "nowhere", "reward": 0.5}, {"query": "right", "reward": "abc"}]
    refused = client.post(f"{HERE}/tell", json={"answers": rows})
    assert refused.status_code == 422
    found = refused.json()["rows"]
    assert set(found) == {"1", "2"}
    assert "there is no query 'nowhere'" in found["1"]
    assert "reward must be a number" in found["2"]
    with open_study("weather", storage=storage) as study:
        assert study.n_events == 0


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("{", "must be JSON"),
        ("[1]", "must be a JSON object"),
        ("[" * 100_000, "must be JSON"),
        ('{"rewards": 1}', "there is no field 'rewards'"),
        ('{"query": "left"}', "reward is missing"),
        ('{"reward": 0.5}', "name a query, or a ticket"),
        ('{"query": "left", "reward": NaN}', "must be a number"),
        ('{"query": "left", "reward": true}', "must be a number"),
        ('{"query": "left", "reward": 1e999}', "must be a number"),
        ('{"query": "left", "reward": "1_0"}', "must be a number"),
        ('{"query": "left", "reward": 0.5, "count": 1.5}', "whole number"),
        ('{"query": "left", "reward": 0.5, "count": 0}', "count"),
        ('{"query": "left", "reward": 0.5, "note": 7}', "must be text"),
        ('{"query": "left", "reward": 0.5, "note": "\\ud800"}', "no text has"),
        ('{"query": ["left"], "reward": 0.5}', "must be a label"),
        ('{"query": {"x": 1}, "reward": 0.5}', "a label is text"),
        ('{"query": {"fraction": "1/0"}, "reward": 0.5}', "a label is text"),
        ('{"ticket": 99, "reward": 0.5}', "no open ticket 99"),
        ('{"answers": []}', "1 to 1000"),
        ('{"answers": [1]}', "list of objects"),
    ],
)
def test_a_slip_is_named_in_one_sentence_and_nothing_is_recorded(client, storage, body, words):
    refused = client.post(f"{HERE}/tell", content=body)
    assert refused.status_code == 422
    assert words in refused.json()["error"]
    assert "\n" not in refused.json()["error"]
    with open_study("weather", storage=storage) as study:
        assert study.n_events == 0


def test_a_value_outside_the_range_of_bounded_answers_is_refused(client, storage):
    table = Problem.from_table([[0.0, 1.0]], queries=["a"], targets=["x", "y"], reward_range=(0, 1))
    create_study("bounded", table, goal=goals.WhichTarget(), storage=storage).close()
    refused = client.post("/api/v1/studies/bounded/tell", json={"query": "a", "reward": 1.5})
    assert refused.status_code == 422
    assert "[0, 1]" in refused.json()["error"]


def test_labels_that_are_numbers_fractions_or_tuples_are_found_again(client, storage):
    labels = [3, Fraction(1, 3), (1, "a")]
    table = Problem.from_table([[0.0, 1.0], [0.5, 0.2], [0.1, 0.3]], queries=labels)
    with create_study("odd", table, goal=goals.WhichTarget(), storage=storage) as study:
        for given in (3, "3", {"fraction": "1/3"}, "1/3", {"tuple": [1, "a"]}, "(1, 'a')"):
            told = client.post("/api/v1/studies/odd/tell", json={"query": given, "reward": 0.1})
            assert told.status_code == 200, told.text
        assert [entry.query for entry in study.entries()] == [label for label in labels for _ in range(2)]


def test_an_address_that_is_none_is_said_as_json(client):
    for path, status in (("/api/v1/nothing", 404), ("/api/v1/studies/nobody", 404)):
        refused = client.get(path)
        assert (refused.status_code, list(refused.json())) == (status, ["error"])
    assert client.delete(HERE).status_code == 405


def test_the_document_describes_every_verb(client):
    document = client.get("/api/v1/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    for verb in ("ask", "tell", "fail", "release", "correct", "retract", "forbid", "allow", "note"):
        operation = document["paths"][f"/studies/{{study}}/{verb}"]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        assert set(schema["required"]) <= set(schema["properties"])
        assert json.dumps(schema)


def test_the_document_has_every_route_of_the_interface_and_no_other(client, storage):
    library = Library(storage, may_write=False)
    routes = [*api_routes(library), *creation_routes(library, Tables(), Jobs())]
    served = {(route.path, method) for route in routes for method in route.methods - {"HEAD"}}
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    described = {(f"/api/v1{path}", method.upper()) for path, methods in paths.items() for method in methods}
    assert described == served
    for path, methods in paths.items():
        for operation in methods.values():
            named = {each["name"] for each in operation["parameters"] if each["in"] == "path"}
            assert named == set(re.findall(r"{(\w+)}", path))
            assert operation["summary"]
    sent = paths["/tables"]["post"]
    assert sent["parameters"][0]["name"] == "name"
    assert list(sent["requestBody"]["content"]) == ["application/octet-stream"]


def test_the_example_of_an_instrument_drives_a_study_to_its_proof(client, monkeypatch, capsys, tmp_path):
    """The example speaks over the network; here its calls go to the application."""
    secret = KeyRing(tmp_path / "keys.json").add("plate reader", may_write=True)
    client.cookies.clear()

    def urlopen(request):
        headers = dict(request.header_items())
        found = client.request(request.get_method(), request.full_url, content=request.data, headers=headers)
        assert found.status_code == 200, found.text
        return io.BytesIO(found.content)

    monkeypatch.setenv("WARMER_KEY", secret)
    monkeypatch.setattr("sys.argv", ["instrument.py", BASE, "weather"])
    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    monkeypatch.setattr("builtins.input", lambda prompt: {"left: ": "0.9", "right: ": "0.3"}[prompt])
    example = Path(__file__).parents[2] / "examples" / "instrument.py"
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out == "'left' is within 0.1 of the best query\n"
