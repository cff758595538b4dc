"""The tables, as a numbered list of changes: databases of every past version are brought up to date when opened."""

from collections.abc import Sequence

from warmer.model.errors import StorageError
from warmer.studies.storage.database import Database

_TABLES = (
    "CREATE TABLE warmer_problems (digest TEXT PRIMARY KEY, payload BLOB NOT NULL)",
    """CREATE TABLE warmer_studies (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        spec TEXT NOT NULL,
        created_at DOUBLE PRECISION NOT NULL,
        n_events BIGINT NOT NULL,
        n_asks BIGINT NOT NULL)""",
    """CREATE TABLE warmer_events (
        study TEXT NOT NULL REFERENCES warmer_studies (id),
        seq BIGINT NOT NULL,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        at DOUBLE PRECISION NOT NULL,
        author TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (study, seq),
        UNIQUE (study, key)) WITHOUT ROWID""",
    """CREATE TABLE warmer_tickets (
        study TEXT NOT NULL REFERENCES warmer_studies (id),
        number BIGINT NOT NULL,
        query TEXT NOT NULL,
        as_of BIGINT NOT NULL,
        attempt BIGINT NOT NULL,
        token TEXT NOT NULL,
        worker TEXT NOT NULL,
        leased_until DOUBLE PRECISION,
        is_open BIGINT NOT NULL,
        PRIMARY KEY (study, number)) WITHOUT ROWID""",
    "CREATE INDEX warmer_open_tickets ON warmer_tickets (study, number) WHERE is_open = 1",
)

_APPEND_ONLY_IN_SQLITE = tuple(
    f"CREATE TRIGGER {table}_{action.lower()} BEFORE {action} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"
    for table in ("warmer_events", "warmer_problems")
    for action in ("UPDATE", "DELETE")
)

_APPEND_ONLY_IN_POSTGRES = (
    "CREATE FUNCTION warmer_append_only() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN RAISE 'the log is append-only'; END $$",
    *(
        f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION warmer_append_only()"
        for table in ("warmer_events", "warmer_problems")
    ),
)

MIGRATIONS: tuple[dict[str, Sequence[str]], ...] = (
    {
        "sqlite": (*_TABLES, *_APPEND_ONLY_IN_SQLITE),
        "postgresql": (*_TABLES, *_APPEND_ONLY_IN_POSTGRES),
    },
)
"""Entry k makes version k+1 out of version k. Entries are never edited, only added; each gets a database to test on."""


def migrate(database: Database) -> None:
    """Bring the tables up to date, in one transaction; of several programs one does it and the others wait."""
    if _version(database) == len(MIGRATIONS):
        return
    with database.writing():
        database.execute(database.dialect.schema_lock)
        database.execute("CREATE TABLE IF NOT EXISTS warmer_schema (version BIGINT NOT NULL)")
        found = _version(database)
        if found > len(MIGRATIONS):
            raise StorageError(
                f"{database.dialect.name} was written by a newer warmer (its schema is {found}, this one knows "
                f"{len(MIGRATIONS)}); upgrade warmer to open it."
            )
        for step in MIGRATIONS[found:]:
            for statement in step[database.dialect.kind]:
                database.execute(database.dialect.translated(statement))
        database.execute("DELETE FROM warmer_schema")
        database.execute("INSERT INTO warmer_schema (version) VALUES (?)", (len(MIGRATIONS),))


def check_version(database: Database) -> None:
    """For somebody who only looks: the schema must be of today."""
    found = _version(database)
    if found == 0:
        raise StorageError(f"{database.dialect.name} holds no studies; create one first, or check the address.")
    if found != len(MIGRATIONS):
        whose, what = (
            ("a newer", "upgrade warmer") if found > len(MIGRATIONS) else ("an older", "open a study in it once")
        )
        raise StorageError(f"{database.dialect.name} was written by {whose} warmer; {what} to bring it up to date.")


def _version(database: Database) -> int:
    if not database.execute(database.dialect.has_table, ("warmer_schema",))[0][0]:
        return 0
    rows = database.execute("SELECT version FROM warmer_schema")
    return int(rows[0][0]) if rows else 0
