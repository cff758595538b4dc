"""One URL for each test: a file, and a schema of a private PostgreSQL where there is one."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.studies.server import Server, binaries, running

KINDS = ["sqlite", *([pytest.param("postgresql", marks=pytest.mark.long)] if binaries() else [])]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture(params=KINDS)
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the studies of one test are kept."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/lab.db"
    return new_schema(request.getfixturevalue("server"), request.node.nodeid)


def new_schema(server: Server, name: str) -> str:
    """The URL of an empty schema of its own."""
    import psycopg

    schema = f"t{abs(hash(name)):x}"
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE")
        connection.execute(f"CREATE SCHEMA {schema}")
    return f"{server.url}&options={quote(f'-c search_path={schema}')}"
