"""One URL says where studies are kept."""

import os

from warmer.model.errors import InvalidValueError, StorageError
from warmer.studies.storage.database import Database
from warmer.studies.storage.postgres import Postgres
from warmer.studies.storage.sqlite import SQLite

DEFAULT_URL = "sqlite:///warmer.db"
"""Where studies are kept if neither the caller nor the environment says."""

_FORMS = "sqlite:///lab.db (a file) or postgresql://user@host/database"


def storage_url(given: str | None) -> str:
    """The URL that was given, else that of the environment variable WARMER_STORAGE, else `warmer.db` in this folder.

    Examples
    --------
    >>> storage_url("sqlite:///lab.db")
    'sqlite:///lab.db'
    """
    return given or os.environ.get("WARMER_STORAGE") or DEFAULT_URL


def open_database(url: str, *, must_exist: bool = False, read_only: bool = False) -> Database:
    """The database at a URL; with `must_exist` no file is created for somebody who only looks."""
    scheme, _, rest = url.partition("://")
    if scheme in ("postgresql", "postgres"):
        return Database(Postgres(url), read_only=read_only)
    if scheme != "sqlite" or not rest.startswith("/"):
        raise InvalidValueError(f"the storage must be {_FORMS}, got {url!r}.")
    path = rest[1:]
    if path in ("", ":memory:"):
        raise InvalidValueError(
            f"a study outlives its process, so it needs a file such as sqlite:///lab.db, got {url!r}."
        )
    dialect = SQLite(path)
    if must_exist and not dialect.path.exists():
        raise StorageError(f"there is no file {path}; create a study first, or check --storage and WARMER_STORAGE.")
    return Database(dialect, read_only=read_only)
