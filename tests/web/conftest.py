"""A small study in a file, and clients that come in by the link."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.studies.conftest import KINDS, new_schema
from tests.studies.server import Server, running
from warmer import Problem, create_study, goals, noise
from warmer.web import make_application

TOKEN = "the-token-of-the-link"
BASE = "http://127.0.0.1:8765"
WRITES = {"X-Warmer": "1"}


@pytest.fixture(autouse=True)
def _always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of studies is read anew at every look."""
    monkeypatch.setattr("warmer.web.library._FRESH", 0.0)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running() as found:
        yield found


@pytest.fixture(params=KINDS)
def storage(request: pytest.FixtureRequest) -> str:
    """Where the study of one test is kept: a file, and a schema of a private PostgreSQL where there is one."""
    if request.param == "sqlite":
        return request.getfixturevalue("in_a_file")
    return _made(new_schema(request.getfixturevalue("server"), request.node.nodeid))


@pytest.fixture
def in_a_file() -> Iterator[str]:
    """A study in memory where that is to be had: these tests are not about disks."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        yield _made(f"sqlite:///{folder}/lab.db")


def _made(url: str) -> str:
    table = Problem.from_table(
        [[0.1, 0.9, 0.2], [0.7, 0.3, 0.4]], queries=["left", "right"], targets=["rain", "sun", "snow"]
    )
    create_study(
        "weather", table, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.25), unit="mm", storage=url
    ).close()
    return url


@pytest.fixture
def client_of(storage: str, tmp_path: Path) -> Iterator[Callable[..., TestClient]]:
    made = []

    def client(*, may_write: bool = True, has_cookie: bool = True, **settings) -> TestClient:
        application = make_application(
            storage, token=TOKEN, may_write=may_write, keys=tmp_path / "keys.json", **settings
        )
        found = TestClient(application, base_url=BASE, raise_server_exceptions=True)
        found.__enter__()
        made.append(found)
        if has_cookie:
            assert found.get(f"/?token={TOKEN}").status_code == 200
        return found

    yield client
    for each in made:
        each.__exit__(None, None, None)


@pytest.fixture
def client(client_of) -> TestClient:
    """Somebody who may write, in a browser: cookie and header."""
    found = client_of()
    found.headers.update(WRITES)
    return found
