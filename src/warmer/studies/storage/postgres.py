"""PostgreSQL: a server for several machines (the extra `warmer[postgres]`)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from warmer.model.errors import StorageError, optional_module
from warmer.studies.storage.database import LostConnectionError, Rows

_PREPARE_AFTER = 3


class Postgres:
    """A server with the studies in it; a commit is acknowledged when the server has it on its disk."""

    kind = "postgresql"
    clock = "extract(epoch FROM clock_timestamp())::float8"  # now() would be the time when the transaction began
    begin = "BEGIN"
    row_lock = " FOR UPDATE"
    by_open = ""  # its planner finds the index
    schema_lock = "SELECT pg_advisory_xact_lock(7714211)"
    has_table = "SELECT count(to_regclass(?))"
    reads_alone = "SET default_transaction_read_only = on"

    def __init__(self, url: str) -> None:
        self._psycopg = optional_module("psycopg", "a study on PostgreSQL", "postgres")
        self._url = url
        self.name = _without_password(url)

    def connect(self) -> Any:
        """Connect to the server."""
        try:
            return self._psycopg.connect(self._url, autocommit=True, prepare_threshold=_PREPARE_AFTER)
        except self._psycopg.Error as error:
            raise LostConnectionError(
                f"{self.name} does not answer: {_line(error)}. Check the address and that the server runs."
            ) from error

    def run(self, connection: Any, sql: str, values: Sequence[Any]) -> Rows:
        """Run one statement and fetch every row."""
        cursor = connection.execute(sql.replace("?", "%s"), values)
        return cursor.fetchall() if sql.startswith("SELECT") or "RETURNING" in sql else []

    @contextmanager
    def together(self, connection: Any) -> Iterator[None]:
        """One way to the server and back for several statements, where the client's library can do that."""
        failed = None
        try:
            with connection.pipeline() if self._psycopg.Pipeline.is_supported() else nullcontext():
                try:
                    yield
                except BaseException as error:  # raised below: psycopg would print a line about what follows from it
                    failed = error
        except self._psycopg.Error:
            if failed is None:
                raise
        if failed is not None:
            raise failed

    def explained(self, error: Exception) -> StorageError | None:
        """PostgreSQL's errors in words."""
        if not isinstance(error, self._psycopg.Error):
            return None
        state = getattr(error, "sqlstate", None) or ""
        is_lost = isinstance(error, self._psycopg.OperationalError) and (not state or state.startswith(("08", "57P")))
        if is_lost:
            return LostConnectionError(f"{self.name}: the connection to the server was lost ({_line(error)}).")
        if state.startswith("53"):
            return StorageError(f"{self.name}: the server has no room left ({_line(error)}); nothing was recorded.")
        return StorageError(f"{self.name}: {_line(error)}.")

    def is_writing(self, connection: Any) -> bool:
        """Whether a transaction is open on a connection that still stands."""
        idle = self._psycopg.pq.TransactionStatus.IDLE
        return not connection.closed and connection.info.transaction_status != idle

    def translated(self, statement: str) -> str:
        """PostgreSQL has another word for bytes, and does not keep rows in the order of a key."""
        return statement.replace("BLOB", "BYTEA").removesuffix(" WITHOUT ROWID")


def _without_password(url: str) -> str:
    """The URL as it may be shown.

    Examples
    --------
    >>> _without_password("postgresql://ada:secret@db/lab?host=/run")
    'postgresql://ada@db/lab'
    """
    parts = urlsplit(url)
    user, _, place = parts.netloc.rpartition("@")
    shown = f"{user.partition(':')[0]}@{place}" if user else place
    return urlunsplit((parts.scheme, shown, parts.path, "", "")).removesuffix("/")


def _line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
