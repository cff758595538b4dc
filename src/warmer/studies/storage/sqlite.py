"""SQLite: a file, nothing to start."""

import random
import sqlite3
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from warmer.model.errors import StorageError
from warmer.studies.storage.database import Rows
from warmer.studies.storage.file_systems import network_file_system

_PATIENCE = 60.0
"""Seconds that anybody waits for their turn."""

_PAUSE = (0.001, 0.005)
"""Seconds between two tries, drawn anew each time. SQLite's own pauses grow to 0.1: whoever came last is served first,
and with eight writers the file is idle for a third of the time.
"""

_OLDEST = (3, 35, 0)
"""The first SQLite that returns the rows it changed."""

_WORDS = {
    "SQLITE_BUSY": "another program has kept it locked for a minute; try again, or see who has it open",
    "SQLITE_LOCKED": "another program has kept it locked for a minute; try again, or see who has it open",
    "SQLITE_FULL": "the disk is full; nothing was recorded. Make room and try again",
    "SQLITE_IOERR": "the disk could not be read or written; nothing was recorded. Look at the disk and try again",
    "SQLITE_READONLY": "it may not be written; look at the permissions of the file and its folder",
    "SQLITE_CANTOPEN": "it cannot be opened; check that the folder exists and may be written",
    "SQLITE_PERM": "it cannot be opened; look at the permissions of the file and its folder",
    "SQLITE_CORRUPT": "it is damaged; restore a copy, or import the study from its last export",
    "SQLITE_NOTADB": "it is no SQLite database; check the path",
}

_chance = random.SystemRandom()  # neither the caller's lots nor, after a fork, those of a sibling

Result = TypeVar("Result")


class SQLite:
    """A file with the studies in it.

    Every commit reaches the disk before it is acknowledged. Where no write-ahead log can be kept, the journal is
    overwritten and synced at each commit (PERSIST). To delete it, as SQLite does by default, is not enough: after a
    power failure the folder may still have it, and the last commit is undone.
    """

    kind = "sqlite"
    clock = "(julianday('now') - 2440587.5) * 86400.0"
    begin = "BEGIN IMMEDIATE"  # a deferred one that writes later would not wait for its turn
    row_lock = ""
    by_open = "INDEXED BY warmer_open_tickets"  # left to itself it reads all tickets of the study
    schema_lock = "SELECT 1"  # the transaction has the only lock there is
    has_table = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    reads_alone = "PRAGMA query_only = ON"  # opening with mode=ro fails after a kill, when the journal must be read

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.name = f"sqlite:///{path}"

    def connect(self) -> sqlite3.Connection:
        """Open the file, and create it where there is none."""
        if sqlite3.sqlite_version_info < _OLDEST:
            raise StorageError(f"studies need SQLite 3.35 or newer; this Python has {sqlite3.sqlite_version}.")
        network = network_file_system(self.path)
        if network:
            warnings.warn(
                f"{self.path} lies on a network file system ({network}), where SQLite's locks may fail and two "
                "machines may damage it; keep it on a local disk, or use postgresql://.",
                UserWarning,
                stacklevel=2,
            )
        try:
            connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise self.explained(error) or error from error
        try:
            self._settle(connection, may_log_ahead=not network)
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.Error):
                raise self.explained(error) or error from error
            raise
        return connection

    def run(self, connection: sqlite3.Connection, sql: str, values: Sequence[Any]) -> Rows:
        """Run one statement and fetch every row, when no other program has the file locked."""
        return _patiently(lambda: connection.execute(sql, values).fetchall(), _PATIENCE)

    def together(self, connection: sqlite3.Connection) -> AbstractContextManager[Any]:
        """A file is not far away: every statement is run at once."""
        return nullcontext()

    def explained(self, error: Exception) -> StorageError | None:
        """SQLite's errors in words."""
        if not isinstance(error, sqlite3.Error):
            return None
        code = getattr(error, "sqlite_errorname", None) or ""
        for name, words in _WORDS.items():
            if code.startswith(name):
                return StorageError(f"{self.name}: {words} (SQLite: {error}).")
        return StorageError(f"{self.name}: {error}.")

    def is_writing(self, connection: sqlite3.Connection) -> bool:
        """Whether a transaction is open."""
        return connection.in_transaction

    def translated(self, statement: str) -> str:
        """The schema is written in SQLite's words."""
        return statement

    def _settle(self, connection: sqlite3.Connection, *, may_log_ahead: bool) -> None:
        """SQLite's patience first, so that what follows waits; then how the journal is kept, and how much is synced."""
        connection.execute(f"PRAGMA busy_timeout = {int(_PATIENCE * 1000)}")
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
        is_new = connection.execute("PRAGMA schema_version").fetchone()[0] == 0
        is_safe = may_log_ahead and has_safe_wal(sqlite3.sqlite_version_info)
        if is_new and is_safe and mode != "wal":
            mode = _switched(connection, "wal")
        elif mode == "wal" and not is_safe:
            mode = self._left_wal(connection)
        if mode != "wal":
            connection.execute("PRAGMA journal_mode = persist")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA busy_timeout = 0")  # from here on the patience is ours

    def _left_wal(self, connection: sqlite3.Connection) -> str:
        mode = _switched(connection, "delete")
        if mode == "wal":
            raise StorageError(
                f"{self.name} keeps a write-ahead log and is open elsewhere, but the SQLite of this Python "
                f"({sqlite3.sqlite_version}) may damage such a file when two programs write. Close the others once, or "
                "use a Python with SQLite 3.51.3 or newer."
            )
        return mode


def has_safe_wal(version: tuple[int, ...]) -> bool:
    """Whether this SQLite can keep a write-ahead log for several writers without risk of damage.

    Up to 3.51.2 a checkpoint and a commit at the same moment may damage the file (sqlite.org/wal.html#walresetbug);
    the repair was carried back to 3.50.7 and 3.44.6.

    Examples
    --------
    >>> [has_safe_wal(version) for version in ((3, 40, 1), (3, 44, 6), (3, 50, 7), (3, 51, 2), (3, 51, 3), (3, 53, 0))]
    [False, True, True, False, True, True]
    """
    return version >= (3, 51, 3) or any(base <= version < (3, base[1] + 1) for base in ((3, 50, 7), (3, 44, 6)))


def _switched(connection: sqlite3.Connection, mode: str) -> str:
    """The journal mode after trying for a second to change it; SQLite does not wait for others by itself here."""
    change = f"PRAGMA journal_mode = {mode}"
    try:
        return str(_patiently(lambda: connection.execute(change).fetchone()[0], min(_PATIENCE, 1.0)))
    except sqlite3.OperationalError as error:
        if not _is_busy(error):
            raise
    return str(connection.execute("PRAGMA journal_mode").fetchone()[0])


def _patiently(work: Callable[[], Result], seconds: float) -> Result:
    """Do what changes nothing while the file is locked, again and again until it is not."""
    end = time.monotonic() + seconds
    while True:
        try:
            return work()
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > end:
                raise
        time.sleep(_chance.uniform(*_PAUSE))


def _is_busy(error: sqlite3.Error) -> bool:
    return str(error.sqlite_errorname).startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
