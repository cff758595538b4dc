"""Requests that nobody would send: whatever comes, the answer is a page, a sentence or a refusal, never a failure."""

import json
import random

import pytest


@pytest.fixture
def storage(in_a_file: str) -> str:
    """One database is enough for requests that never reach it."""
    return in_a_file


PATHS = [
    *("/", "/live2", "/studies/weather", "/studies/weather/log", "/studies/weather/candidates", "/studies/nobody"),
    *("/studies/weather/answers/1", "/studies/weather/tickets/1", "/studies/weather/explore", "/new", "/new/x"),
    *("/studies/weather/answers.csv", "/studies/weather/study.jsonl", "/health", "/api/v1/studies", "/api/v1/nothing"),
    *("/api/v1/openapi.json", "/api/v1/tables", "/api/v1/jobs/x", "/api/v1/jobs/x/cancel", "/assets/x/y", "/../etc"),
]
VERBS = ["", "next", "answers", "candidates", "log", "ask", "tell", "fail", "release", "correct", "retract"]
VERBS += ["forbid", "allow", "note"]
FIELDS = ["query", "ticket", "token", "reward", "count", "note", "author", "key", "reason", "event", "n", "worker"]
FIELDS += ["lease", "text", "answers", "after", "limit", "name", "table", "kind", "x"]
TEXTS = ["left", "right", "", "0", "-1", "0.5", "1e400", "nan", "\0", "\ud7ff", "é" * 50, "<b>", "'; DROP TABLE x;--"]
TEXTS += ["../..", "%00", "{{7*7}}", "\u202e", "x" * 20_000, "1" * 400]
GOOD = {
    "ask": {"n": 1, "worker": "Ada"},
    "tell": {"query": "left", "reward": 0.5},
    "fail": {"query": "left", "reason": "broken"},
    "release": {"ticket": 1},
    "correct": {"event": 1, "reward": 0.25, "reason": "comma"},
    "retract": {"event": 1, "reason": "wrong well"},
    "forbid": {"query": "right", "reason": "no bulbs"},
    "allow": {"query": "right"},
    "note": {"text": "new agar"},
}
"""Requests that may be right, before a field of some is spoiled."""


def value(rng: random.Random, depth: int = 0):
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return rng.choice(TEXTS)
    if kind == 1:
        return rng.choice([0, 1, -1, 7, 10**6, 10**18, -(10**30), 2**63])
    if kind == 2:
        return rng.choice([0.5, -0.25, 1e300, -1e-300, 3.7])
    if kind == 3:
        return rng.choice([None, True, False])
    if kind in (4, 5):
        return rng.choice(["left", 0.5, 1])
    if kind == 6:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice([*FIELDS, "tuple", "fraction"]): value(rng, depth + 1) for _ in range(rng.randrange(5))}


def request(rng: random.Random) -> tuple[str, str, dict]:
    """A method, an address, and the rest."""
    verb = rng.choice(VERBS)
    path = f"/api/v1/studies/weather/{verb}".rstrip("/") if rng.random() < 0.7 else rng.choice(PATHS)
    method = (
        "POST" if verb in GOOD and rng.random() < 0.8 else rng.choice(["GET", "GET", "POST", "HEAD", "PUT", "PATCH"])
    )
    rest: dict = {}
    if rng.random() < 0.4:
        rest["params"] = {rng.choice([*FIELDS, "search", "sort", "page", "before"]): rng.choice(TEXTS[:-2])}
    if method == "POST":
        form = dict(GOOD.get(verb, {}))
        for _ in range(rng.choice([0, 0, 1, 1, 2, 4])):
            form[rng.choice([*form, *FIELDS])] = value(rng)
        text = json.dumps(form)
        if rng.random() < 0.1:
            text = text[: rng.randrange(len(text) + 1)] + rng.choice(["", "}", "\xff", "[[[["])
        rest["content"] = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.1:
        rest["headers"] = rng.choice(
            [{"Cookie": ";;=;"}, {"Authorization": b"Bearer \xff"}, {"X-Warmer": ""}, {"Host": "x"}, {"Origin": "::"}]
        )
    return method, path, rest


def storm(client, n: int, seed: int) -> dict[int, int]:
    rng, seen = random.Random(seed), {}
    for _ in range(n):
        method, path, rest = request(rng)
        found = client.request(method, path, **rest)
        seen[found.status_code] = seen.get(found.status_code, 0) + 1
        assert found.status_code < 500, (method, path, rest, found.text)
        assert "Traceback" not in found.text
        if path.startswith("/api/") and 400 <= found.status_code < 500 and "json" in found.headers["content-type"]:
            assert method == "HEAD" or "\n" not in found.json()["error"], (method, path, rest)
    return seen


def test_nothing_that_comes_makes_the_server_fail(client):
    seen = storm(client, 200, seed=1)
    assert seen[200] > 20
    assert seen[422] > 20


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 102))
def test_a_hundred_thousand_requests_make_no_failure(client, seed):
    assert sum(storm(client, 1_000, seed).values()) == 1_000
