"""Tables that are sent, studies made of them, and computations about either."""

import io
import pickle
import time
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from tests.web.markup import Page
from warmer import Problem, create_study, goals, noise, open_study
from warmer.web.choices import task_of

CSV = b",rain,sun,snow\nleft,0.1,0.9,0.2\nright,0.7,0.3,0.4\n"
DECISIONS = ",sun,rain,snow\nhat,1,0,0\numbrella,0,1,1"


def as_xlsx(rows) -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def as_npz(**arrays) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def as_parquet() -> bytes:
    table = pd.DataFrame([[0.1, 0.9, 0.2], [0.7, 0.3, 0.4]], index=["left", "right"], columns=["rain", "sun", "snow"])
    return table.to_parquet()


def send(client, name, content):
    return client.post("/api/v1/tables", params={"name": name}, content=content)


def finished(client, body):
    started = client.post("/api/v1/jobs", json=body)
    assert started.status_code == 202, started.text
    while (job := client.get(f"/api/v1/jobs/{started.json()['job']}").json())["state"] in ("waiting", "running"):
        time.sleep(0.02)
    return job


TABLES = {
    "weather.csv": CSV,
    "weather.xlsx": as_xlsx([["", "rain", "sun", "snow"], ["left", 0.1, 0.9, 0.2], ["right", 0.7, 0.3, 0.4]]),
    "weather.npz": as_npz(
        rho=np.array([[0.1, 0.9, 0.2], [0.7, 0.3, 0.4]]), queries=["left", "right"], targets=["rain", "sun", "snow"]
    ),
    "weather.parquet": as_parquet(),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_becomes_a_study(client, storage, name):
    found = send(client, name, TABLES[name])
    assert found.status_code == 201, found.text
    assert (found.json()["n_queries"], found.json()["n_targets"], found.json()["reward_range"]) == (2, 3, [0, 1])
    text = client.get(found.json()["next"]).text
    for label in ("left", "right", "rain", "sun", "snow", "0.9"):
        assert label in text
    body = {
        "table": found.json()["table"],
        "name": name,
        "epsilon": "0.1",
        "noise": "sub-gaussian",
        "sigma": "0.2",
        "unit": "mm",
    }
    made = client.post("/api/v1/studies", json=body)
    assert made.status_code == 201, made.text
    assert client.get(made.json()["next"]).status_code == 200
    with open_study(name, storage=storage) as study:
        assert study.problem.reward_range == (0, 1)
        assert repr(study.spec.noise) == "SubGaussian(sigma=0.2)"
        assert study.spec.unit == "mm"
        assert study.problem.rho.tolist() == [[0.1, 0.9, 0.2], [0.7, 0.3, 0.4]]
    again = client.post("/api/v1/studies", json=body)
    assert again.status_code == 422
    assert "choose another name" in again.json()["error"]


def bomb(member: str) -> bytes:
    file = io.BytesIO()
    packed = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
    with packed as archive, archive.open(member, "w", force_zip64=True) as stream:
        for _ in range(210):
            stream.write(b"0" * 1_000_000)
    return file.getvalue()


def many_rows() -> bytes:
    file = io.BytesIO()
    parquet.write_table(pa.table({"x": pa.array(np.zeros(6_000_000))}), file)
    return file.getvalue()


def pickled() -> bytes:
    file = io.BytesIO()
    np.savez(file, rho=np.array([["a", {1: 2}]], dtype=object))
    return file.getvalue()


def wrong_shape() -> bytes:
    """An array that claims to have far more entries than it brings."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**7, 10**6)})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("rho.npy", header.getvalue())
    return file.getvalue()


REFUSED = [
    ("table.txt", CSV, "must be one of"),
    ("table", CSV, "must be one of"),
    ("../../etc/cron.csv", CSV, "without a path"),
    ("C:\\x.csv", CSV, "without a path"),
    ("a\0.csv", CSV, "without a path"),
    ("", CSV, "without a path"),
    ("x" * 300 + ".csv", CSV, "without a path"),
    ("table.csv", b"", "the file is empty"),
    ("table.csv", b"\xff\xfe\x00", "UTF-8"),
    ("table.csv", b",a\nq,\n", "the cell is empty"),
    ("table.csv", b",a\nq,1e999\n", "'a'"),
    ("table.npz", b"PK\x03\x04 nothing", "not a whole .npz"),
    ("table.npz", pickle.dumps({"rho": [[1]]}), "not a whole .npz"),
    ("table.npz", pickled(), "plain arrays"),
    ("table.npz", wrong_shape(), ""),
    ("table.npz", bomb("rho.npy"), "unpacks to 210 MB"),
    ("table.xlsx", bomb("xl/worksheets/sheet1.xml"), "unpacks to 210 MB"),
    ("table.xlsx", as_npz(rho=np.zeros((1, 1))), ".xlsx"),
    ("table.xlsx", as_xlsx([]), "empty"),
    ("table.parquet", b"PAR1nothingPAR1", "not a whole Parquet"),
    ("table.parquet", many_rows(), "6,000,000 entries"),
]


@pytest.mark.parametrize(("name", "content", "words"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_table_is_refused_in_one_sentence(client, name, content, words):
    refused = send(client, name, content)
    assert refused.status_code == 422
    sentence = refused.json()["error"]
    assert words in sentence
    assert "\n" not in sentence
    assert "/tmp" not in sentence
    assert "Traceback" not in sentence


def test_200_megabytes_are_refused_before_they_are_read(client):
    piece = b"0" * 1_000_000
    refused = client.post("/api/v1/tables", params={"name": "t.csv"}, content=(piece for _ in range(200)))
    assert (refused.status_code, refused.text) == (413, "more than 32 MB were sent; nothing was kept.\n")


def test_the_last_tables_are_kept_and_no_others(client, monkeypatch):
    monkeypatch.setattr("warmer.web.tables._MOST_KEPT", 2)
    first, *_ = [send(client, "t.csv", CSV).json()["next"] for _ in range(3)]
    assert client.get(first).status_code == 422
    assert "send it again" in client.get(first).text


def test_an_estimate_comes_before_the_button(client):
    table = send(client, "t.csv", CSV).json()["table"]
    job = finished(client, {"kind": "estimate", "table": table, "noise": "sub-gaussian", "sigma": 0.1})
    assert job["state"] == "done"
    assert job["result"]["words"].startswith("Probably ")
    assert job["result"]["median"] <= job["result"]["quantile_95"]


def test_leaving_out_candidates_and_experiments_shows_what_that_changes(client):
    body = {"kind": "budget", "study": "weather", "sigma": 0.2, "noise": "sub-gaussian", "drop_targets": "snow\nrain"}
    result = finished(client, body)["result"]
    assert result["edited"]["median"] == 0
    assert result["as it is"]["median"] > 0
    refused = client.post("/api/v1/jobs", json={**body, "drop_targets": "hail"})
    assert refused.status_code == 422
    assert "hail" in refused.json()["error"]


@pytest.mark.parametrize(
    ("added", "n_queries", "n_targets"),
    [
        (",rain,sun,snow\nup,0.5,0.1,0.9\n", 3, 3),
        ("\thail\tfog\nright\t0.6\t0.1\nleft\t0.2\t0.8", 2, 5),
        (";hail\nright;0,6\nleft;0,2", 2, 4),
    ],
)
def test_pasted_experiments_and_candidates_are_added(client, added, n_queries, n_targets):
    body = {"kind": "budget", "study": "weather", "sigma": 0.2, "noise": "sub-gaussian", "add": added}
    page = Page(finished(client, body)["result"]["html"])
    assert page.rows()[1][:3] == ["edited", str(n_targets), str(n_queries)]
    refused = client.post("/api/v1/jobs", json={**body, "add": ",rain\nup,0.5"})
    assert refused.status_code == 422


def test_a_table_that_was_sent_is_added_and_parts_of_it_left_out_again(client):
    table = send(client, "more.csv", b",rain,sun,snow\nup,0.5,0.1,0.9\ndown,0.5,0.1,0.2\n").json()["table"]
    body = {"kind": "budget", "study": "weather", "goal": "own", "noise": "own", "add_table": table}
    page = Page(finished(client, {**body, "drop_queries": "down"})["result"]["html"])
    assert page.rows()[1][:3] == ["edited", "3", "3"]


@pytest.mark.parametrize(
    ("fields", "goal"),
    [
        ({"goal": "which-group", "groups": "rain, wet\nsnow, wet\nsun, dry"}, goals.WhichGroup),
        ({"goal": "value-of", "values": "rain; 1\nsnow; 2\nsun; 9", "tolerance": 0.5}, goals.ValueOf),
        (
            {
                "goal": "best-decision",
                "decisions": ",sun,rain,snow\nhat,1,0,0\numbrella,0,1,1",
                "decision_epsilon": 0.1,
            },
            goals.BestDecision,
        ),
        ({"goal": "best-above", "threshold": 0.8, "margin": 0.05}, goals.BestAbove),
        ({"goal": "own"}, goals.BestQuery),
    ],
)
@pytest.mark.parametrize(
    "known", [{"noise": "coin"}, {"noise": "gaussian", "sigma": 0.1}, {"noise": "bounded-noise", "width": 0.2}]
)
def test_every_goal_and_every_noise_can_be_asked_for(storage, fields, goal, known):
    with open_study("weather", storage=storage) as study:
        task = task_of({**fields, **known}, study.problem, study.spec)
        assert isinstance(task.goal, goal)
        assert len(task.goal.answers(study.problem).preferred) == 3
        assert task.on(study.problem).environment(study.problem, "sun") is not None


def test_decisions_are_matched_to_candidates_by_their_names(storage):
    with open_study("weather", storage=storage) as study:
        goal = task_of(
            {"goal": "best-decision", "decisions": DECISIONS, "decision_epsilon": 0.1}, study.problem, study.spec
        ).goal
        answers = goal.answers(study.problem)
    assert [answers.names[each] for each in answers.preferred] == ["umbrella", "hat", "umbrella"]


def test_the_complexity_page_shows_the_profile_and_every_witness(client):
    page = Page(finished(client, {"kind": "complexity", "study": "weather", "epsilon": 0.2})["result"]["html"])
    pictures = [attributes for tag, attributes in page.elements if tag == "img"]
    assert len(pictures) == 2
    assert all(each["alt"] and each["src"].startswith("data:image/svg+xml") for each in pictures)
    for measure in ("dissimilarity dimension", "eluder dimension", "covering number"):
        assert f"Witness of the {measure}" in page.text
    assert "tells" in page.text


def test_the_form_starts_from_what_the_study_decides_and_declares(client, storage):
    table = Problem.from_table([[0.0, 1.0], [0.5, 0.25]], targets=["a", "b"])
    known = noise.SubGaussian([0.1, 0.2])
    goal = goals.WhichGroup({"a": "x", "b": "y"})
    create_study("grouped", table, goal=goal, noise=known, storage=storage).close()
    for study, wanted in (("weather", {"best-query", "sub-gaussian"}), ("grouped", {"own"})):
        elements = Page(client.get(f"/studies/{study}/explore").text).elements
        assert {
            a["value"] for tag, a in elements if tag == "input" and a.get("type") == "radio" and "checked" in a
        } == wanted
    body = {"kind": "budget", "study": "grouped", "goal": "own", "noise": "own", "delta": 0.05}
    assert finished(client, body)["state"] == "done"


def test_learners_are_compared(client):
    body = {"kind": "compare", "study": "weather", "learners": ["uniform", "top-two"], "runs": 2, "horizon": 20}
    result = finished(client, {**body, "noise": "sub-gaussian", "sigma": 0.1, "epsilon": 0.1})["result"]
    assert {each["learner"] for each in result["outcomes"]} == {"uniform", "top-two"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "dance"}, "there is no computation"),
        ({"kind": "estimate", "goal": "glory"}, "there is no goal"),
        ({"kind": "estimate", "noise": "loud"}, "there is no noise"),
        ({"kind": "estimate", "noise": "sub-gaussian"}, "how large the noise"),
        ({"kind": "estimate", "noise": "gaussian"}, "give sigma"),
        ({"kind": "estimate", "goal": "best-above"}, "which threshold"),
        ({"kind": "estimate", "goal": "which-group"}, "each candidate"),
        ({"kind": "estimate", "goal": "which-group", "groups": "sun, dry"}, "'rain' is missing"),
        ({"kind": "estimate", "goal": "value-of", "values": "sun, dry", "tolerance": 1}, "must be a number"),
        ({"kind": "estimate", "goal": "best-decision", "decisions": ",sun\nhat,1", "decision_epsilon": 1}, "'rain'"),
        ({"kind": "estimate", "delta": 2}, "delta"),
        ({"kind": "compare", "learners": ["nobody"]}, "choose 1 to"),
        ({"kind": "compare", "runs": 10**9}, "runs must lie between"),
        ({"kind": "complexity", "epsilon": -1}, "epsilon must be greater"),
    ],
)
def test_what_cannot_be_computed_is_refused_before_it_starts(client, fields, words):
    refused = client.post("/api/v1/jobs", json={"study": "weather", **fields})
    assert refused.status_code == 422
    assert words in refused.json()["error"]


def test_a_computation_is_cancelled_at_a_word_and_works_without_write(client_of):
    client = client_of(may_write=False)
    client.headers.update({"X-Warmer": "1"})
    body = {"kind": "compare", "study": "weather", "runs": 200, "horizon": 2000, "noise": "bounded", "epsilon": 0.001}
    job = client.post("/api/v1/jobs", json=body).json()["job"]
    client.post(f"/api/v1/jobs/{job}/cancel", json={})
    while (state := client.get(f"/api/v1/jobs/{job}").json()["state"]) in ("waiting", "running"):
        time.sleep(0.02)
    assert state == "cancelled"
    assert client.get("/api/v1/jobs/unknown").status_code == 422
    assert client.post("/api/v1/tables?name=t.csv", content=CSV).status_code == 403


def test_the_form_says_what_sigma_is_and_asks_for_the_resolution(client, storage):
    table = Problem.from_table([[0.0, 1.0], [0.5, 0.25]], targets=["a", "b"])
    known = noise.Gaussian(resolution=0.25)
    create_study("rounded", table, goal=goals.WhichTarget(), noise=known, storage=storage).close()
    page = Page(client.get("/studies/rounded/explore").text)
    assert "the standard deviation if the noise is normal, uniform or evenly two-valued" in page.text
    [field] = [a for tag, a in page.elements if tag == "input" and a.get("name") == "resolution"]
    assert field["value"] == "0.25"
    assert task_of({"goal": "which-target", "noise": "gaussian", "resolution": 0.5}, table).noise.resolution == 0.5
