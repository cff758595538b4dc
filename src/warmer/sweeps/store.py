"""The tables of sweeps: specifications, problems, and a row for each finished chunk."""

from collections.abc import Iterator, Mapping
from typing import Any

from warmer.model.errors import InvalidValueError
from warmer.studies.storage import open_database

_TABLES = (
    "CREATE TABLE IF NOT EXISTS warmer_sweeps (name TEXT PRIMARY KEY, spec TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS warmer_sweep_problems (digest TEXT PRIMARY KEY, payload BLOB NOT NULL)",
    """CREATE TABLE IF NOT EXISTS warmer_sweep_results (
        sweep TEXT NOT NULL REFERENCES warmer_sweeps (name),
        cell TEXT NOT NULL,
        start BIGINT NOT NULL,
        payload BLOB NOT NULL,
        PRIMARY KEY (sweep, cell, start))""",
    """CREATE TABLE IF NOT EXISTS warmer_sweep_failures (
        sweep TEXT NOT NULL REFERENCES warmer_sweeps (name),
        cell TEXT NOT NULL,
        start BIGINT NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (sweep, cell, start))""",
)


class SweepStore:
    """The sweeps of one database; a chunk that was kept is never played or kept again."""

    def __init__(self, url: str, *, must_exist: bool = False) -> None:
        self._database = open_database(url, must_exist=must_exist)
        self.name = self._database.dialect.name
        with self._database.writing():
            self._database.execute(self._database.dialect.schema_lock)
            for statement in _TABLES:
                self._database.execute(self._database.dialect.translated(statement))

    def create(self, name: str, spec: str, problems: Mapping[str, bytes]) -> None:
        """Keep a sweep; nothing happens where the same one is there already."""
        with self._database.writing():
            execute = self._database.execute
            execute("INSERT INTO warmer_sweeps VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, spec))
            if self.spec(name) != spec:
                raise InvalidValueError(
                    f"there is another sweep {name!r} in {self.name}, with other cells, runs or chunks; choose another "
                    "name."
                )
            for digest, payload in problems.items():
                execute(
                    "INSERT INTO warmer_sweep_problems VALUES (?, ?) ON CONFLICT (digest) DO NOTHING", (digest, payload)
                )

    def names(self) -> list[str]:
        """The sweeps of this database, by name."""
        return [str(row[0]) for row in self._database.execute("SELECT name FROM warmer_sweeps ORDER BY name")]

    def spec(self, name: str) -> str:
        """What a sweep was set up with."""
        rows = self._database.execute("SELECT spec FROM warmer_sweeps WHERE name = ?", (name,))
        if not rows:
            known = ", ".join(self.names())
            raise InvalidValueError(
                f"there is no sweep {name!r} in {self.name}; {f'there are {known}' if known else 'there is none yet'}."
            )
        return str(rows[0][0])

    def problem(self, digest: str) -> bytes:
        """The bytes of a problem."""
        rows = self._database.execute("SELECT payload FROM warmer_sweep_problems WHERE digest = ?", (digest,))
        return bytes(rows[0][0])

    def kept(self, name: str) -> set[tuple[str, int]]:
        """The chunks that are finished, by cell and first run."""
        rows = self._database.execute("SELECT cell, start FROM warmer_sweep_results WHERE sweep = ?", (name,))
        return {(str(cell), int(start)) for cell, start in rows}

    def keep(self, name: str, cell: str, start: int, payload: bytes) -> None:
        """Keep what a chunk gave; a failure of it before is forgotten."""
        key = (name, cell, start)
        with self._database.writing():
            self._database.execute(
                "INSERT INTO warmer_sweep_results VALUES (?, ?, ?, ?) ON CONFLICT (sweep, cell, start) DO NOTHING",
                (*key, payload),
            )
            self._database.execute("DELETE FROM warmer_sweep_failures WHERE sweep = ? AND cell = ? AND start = ?", key)

    def fail(self, name: str, cell: str, start: int, reason: str) -> None:
        """Record that a chunk could not be played, and why."""
        self._database.execute(
            "INSERT INTO warmer_sweep_failures VALUES (?, ?, ?, ?) ON CONFLICT (sweep, cell, start) DO UPDATE "
            "SET reason = excluded.reason",
            (name, cell, start, reason),
        )

    def failures(self, name: str) -> list[tuple[str, int, str]]:
        """Cell, first run and reason of the chunks that could not be played."""
        rows = self._database.execute(
            "SELECT cell, start, reason FROM warmer_sweep_failures WHERE sweep = ? ORDER BY cell, start", (name,)
        )
        return [(str(cell), int(start), str(reason)) for cell, start, reason in rows]

    def results(self, name: str, cell: str) -> Iterator[bytes]:
        """What the finished chunks of a cell gave, in the order of their runs."""
        rows: Any = self._database.execute(
            "SELECT payload FROM warmer_sweep_results WHERE sweep = ? AND cell = ? ORDER BY start", (name, cell)
        )
        return (bytes(row[0]) for row in rows)

    def close(self) -> None:
        """Close the connections of this process."""
        self._database.close()
