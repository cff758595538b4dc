"""Who is let in, and who may write."""

import os
import stat

import pytest

from tests.web.conftest import BASE, TOKEN, WRITES
from tests.web.markup import Page
from warmer import open_study
from warmer.model.errors import InvalidValueError
from warmer.web.keys import KeyRing

TELL = "/api/v1/studies/weather/tell"
ANSWER = {"query": "left", "reward": 0.5}
PATHS = [
    "/",
    "/live",
    "/studies/weather",
    "/studies/weather/live",
    "/studies/weather/log",
    "/studies/weather/answers.csv",
]
PATHS += [
    "/studies/weather/study.jsonl",
    "/api/v1/studies",
    "/api/v1/studies/weather",
    "/api/v1/openapi.json",
    "/nothing",
]


@pytest.mark.parametrize("path", PATHS)
def test_nobody_comes_in_without_the_token(client_of, path):
    client = client_of(has_cookie=False)
    for given in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": "warmer-8765=wrong"}, {"Cookie": "=;;=x"}):
        refused = client.get(path, headers=given)
        assert (refused.status_code, refused.text.count("\n")) == (401, 1)
    assert client.get(f"{path}?token=wrong").status_code == 401
    assert client.post(path, headers=WRITES).status_code == 401


def test_the_link_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(client_of):
    client = client_of(has_cookie=False)
    found = client.get(f"/studies/weather?token={TOKEN}&x=1", follow_redirects=False)
    assert (found.status_code, found.headers["location"]) == (303, "/studies/weather?x=1")
    cookie = found.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert client.get("/studies/weather").status_code == 200


def test_the_link_never_leads_elsewhere(client_of):
    client = client_of(has_cookie=False)
    found = client.get(f"{BASE}//evil.example/?token={TOKEN}", follow_redirects=False)
    assert found.headers["location"].startswith("/evil.example")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil:8765", "[::2]:8765"])
def test_another_host_is_refused_even_with_the_cookie(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 403
    assert client.get("/health", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "[::1]:99", "127.0.0.1"])
def test_the_port_of_the_host_does_not_matter(client_of, host):
    assert client_of(has_cookie=False).get("/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"X-Warmer": "0"},
    ],
)
def test_another_site_and_a_request_without_the_header_cannot_write(client, storage, headers):
    refused = client.post(TELL, json=ANSWER, headers=headers)
    assert refused.status_code == 403
    with open_study("weather", storage=storage) as study:
        assert study.n_events == 0


def test_a_browser_on_the_page_can_write(client):
    headers = {"Origin": BASE, "Sec-Fetch-Site": "same-origin"}
    assert client.post(TELL, json=ANSWER, headers=headers).status_code == 200


def test_without_write_everything_shows_and_nothing_is_recorded(client_of, storage):
    client = client_of(may_write=False)
    assert client.get("/studies/weather").status_code == 200
    assert "<form data-verb" not in client.get("/studies/weather").text
    for verb in ("ask", "tell", "fail", "release", "correct", "retract", "forbid", "allow", "note"):
        refused = client.post(f"/api/v1/studies/weather/{verb}", json=ANSWER, headers=WRITES)
        assert refused.status_code == 403
        assert "--write" in refused.text
    with open_study("weather", storage=storage) as study:
        assert study.n_events == 0


def test_a_page_may_run_nothing_that_is_written_into_it(client):
    for path in ("/", "/studies/weather", "/nothing", "/health"):
        found = client.get(path)
        policy = found.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["referrer-policy"] == "no-referrer"
        assert Page(found.text).dangers() == []


def test_more_than_a_megabyte_is_refused_in_one_sentence(client):
    refused = client.post(TELL, content=b" " * 1_000_001)
    assert (refused.status_code, refused.text) == (413, "more than 1 MB were sent; nothing was kept.\n")
    streamed = client.post(TELL, content=(b" " * 100_000 for _ in range(11)))
    assert streamed.status_code == 413


def test_a_key_reads_or_writes_until_it_is_revoked(client_of, storage, tmp_path):
    ring = KeyRing(tmp_path / "keys.json")
    reader, writer = ring.add("display"), ring.add("plate reader", may_write=True)
    assert stat.S_IMODE(os.stat(ring.path).st_mode) == 0o600
    assert writer not in ring.path.read_text()
    client = client_of(has_cookie=False)
    for secret, status in ((reader, 403), (writer, 200)):
        bearer = {"Authorization": f"Bearer {secret}"}
        assert client.get("/api/v1/studies", headers=bearer).status_code == 200
        assert client.post(TELL, json=ANSWER, headers=bearer).status_code == status
    with open_study("weather", storage=storage) as study:
        assert [entry.author for entry in study.entries()] == ["plate reader"]
    ring.revoke("plate reader")
    assert client.get("/api/v1/studies", headers={"Authorization": f"Bearer {writer}"}).status_code == 401
    assert client.get("/api/v1/studies", headers={"Authorization": f"Bearer {reader}"}).status_code == 200


def test_a_key_that_writes_only_reads_where_the_server_only_shows(client_of, tmp_path):
    secret = KeyRing(tmp_path / "keys.json").add("robot", may_write=True)
    refused = client_of(may_write=False, has_cookie=False).post(
        TELL, json=ANSWER, headers={"Authorization": f"Bearer {secret}"}
    )
    assert refused.status_code == 403


def test_keys_have_names_of_their_own(tmp_path):
    ring = KeyRing(tmp_path / "keys.json")
    ring.add("robot")
    for name, words in (
        ("robot", "already"),
        ("", "needs a name"),
        ("a\nb", "needs a name"),
        ("x" * 61, "needs a name"),
    ):
        with pytest.raises(InvalidValueError, match=words):
            ring.add(name)
    with pytest.raises(InvalidValueError, match="there is no key 'x'"):
        ring.revoke("x")
    ring.path.write_text("{")
    with pytest.raises(InvalidValueError, match="delete it"):
        ring.keys()
