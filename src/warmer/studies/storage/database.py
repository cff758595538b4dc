"""One statement at a time on SQLite or PostgreSQL; connections belong to a thread and never survive a fork."""

import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

from warmer.model.errors import StorageError

Rows = list[tuple[Any, ...]]


class LostConnectionError(StorageError):
    """The server went away in the middle; whether the last transaction counts is known only to the database."""


class Dialect(Protocol):
    """What SQLite and PostgreSQL do differently."""

    kind: str
    """Its name in the schema."""
    name: str
    """Where the data lie, for messages; no password in it."""
    clock: str
    """SQL for the seconds since 1970 by the database's own clock."""
    begin: str
    """Starts a transaction that is going to write."""
    row_lock: str
    """What a SELECT needs at its end to lock the study that it reads until the transaction ends."""
    by_open: str
    """What follows the table of tickets where only open ones are looked for."""
    schema_lock: str
    """A statement that makes migrations wait for each other."""
    has_table: str
    """Counts the tables of a name."""
    reads_alone: str
    """A statement after which this connection cannot write."""

    def connect(self) -> Any:
        """A connection in autocommit mode; raises `StorageError` where there is none to be had."""
        ...

    def run(self, connection: Any, sql: str, values: Sequence[Any]) -> Rows:
        """Run one statement, with question marks for values, and fetch every row at once."""
        ...

    def together(self, connection: Any) -> AbstractContextManager[Any]:
        """Until the end, statements without rows may be sent along with the next one that has some, or at the end."""
        ...

    def explained(self, error: Exception) -> StorageError | None:
        """The error in plain words, if it is one of the database's."""
        ...

    def is_writing(self, connection: Any) -> bool:
        """Whether a transaction is open."""
        ...

    def translated(self, statement: str) -> str:
        """A statement of the schema in this database's words."""
        ...


class Database:
    """A database behind a URL: each thread has its own connection, made when it is first needed.

    Parameters
    ----------
    dialect
        Which database, and how it is reached.
    read_only
        A viewer's connection: it can never write, and it holds no transaction between two statements.
    """

    def __init__(self, dialect: Dialect, *, read_only: bool = False) -> None:
        self.dialect = dialect
        self.is_read_only = read_only
        self._threads = threading.local()
        self._opened: list[tuple[int, Any]] = []
        self._finalizer = weakref.finalize(self, _close_all, self._opened)

    def execute(self, sql: str, values: Sequence[Any] = ()) -> Rows:
        """Run one statement and return its rows."""
        connection = self._connection()
        if self.is_writing and self._threads.transaction[1] is not connection:
            raise LostConnectionError("the connection was lost within a transaction, of which nothing was kept.")
        with self._explaining():
            return self.dialect.run(connection, sql, values)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction: all of it is kept, or nothing."""
        connection = self._connection()
        try:
            with self._explaining(), self.dialect.together(connection):
                self.execute(self.dialect.begin)
                self._threads.transaction = os.getpid(), connection
                yield
            self.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._threads.transaction = None

    @property
    def is_writing(self) -> bool:
        """Whether this thread is within a transaction, whose connection must not be replaced by another."""
        transaction = getattr(self._threads, "transaction", None)
        return transaction is not None and transaction[0] == os.getpid()

    def close(self) -> None:
        """Close every connection that this process opened."""
        self._finalizer()
        self._threads = threading.local()
        self._finalizer = weakref.finalize(self, _close_all, self._opened)

    def _connection(self) -> Any:
        connection, process = getattr(self._threads, "connection", None), os.getpid()
        if connection is None or self._threads.process != process:
            connection = self.dialect.connect()
            self._opened.append((process, connection))
            self._threads.connection, self._threads.process = connection, process
            if self.is_read_only:
                self.execute(self.dialect.reads_alone)
        return connection

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Raise the database's errors in plain words, and forget a connection that was lost."""
        try:
            yield
        except Exception as error:
            explained = self.dialect.explained(error)
            if explained is None:
                raise
            if isinstance(explained, LostConnectionError):
                self._threads.connection = None
            raise explained from error

    def _roll_back(self) -> None:
        connection = getattr(self._threads, "connection", None)
        is_same = self.is_writing and self._threads.transaction[1] is connection
        if connection is not None and is_same and self.dialect.is_writing(connection):
            self.execute("ROLLBACK")


def retried(work: Callable[[], Any], *, pauses: Sequence[float], sleep: Callable[[float], None]) -> Any:
    """Do work that may safely be done twice, again where the server went away in the middle."""
    for pause in pauses:
        try:
            return work()
        except LostConnectionError:
            sleep(pause)
    return work()


def _close_all(opened: list[tuple[int, Any]]) -> None:
    """Close this process's connections; those of a parent are left alone, for closing them would break its locks."""
    while opened:
        process, connection = opened.pop()
        if process == os.getpid():
            connection.close()
        else:
            _INHERITED.append(connection)


_INHERITED: list[Any] = []
"""Connections of a process that forked: kept, so that nothing closes them here."""
