"""Files that are torn, disks that are full, libraries with a bug, servers that go away."""

import itertools
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.studies.examples import a_study, check_invariants, rows, spawning
from tests.studies.server import binaries, running
from tests.studies.victims import tell_many, upgrade
from warmer import InvalidValueError, WarmerError, create_study, list_studies, open_study
from warmer.model.errors import StorageError
from warmer.studies.storage import Store, open_database, schema, sqlite, storage_url
from warmer.studies.storage.database import Database, LostConnectionError
from warmer.studies.storage.file_systems import network_file_system

DATA = Path(__file__).parent / "data"

SECOND = {kind: ["CREATE TABLE warmer_second (place BIGINT)"] for kind in ("sqlite", "postgresql")}


def test_databases_of_every_version_open_and_go_on(tmp_path):
    """A new version adds its own file; nobody may change or remove an old one. A newer learner may choose otherwise."""
    stored = sorted(DATA.glob("version-*.db"))
    assert len(stored) == len(schema.MIGRATIONS)
    for path in stored:
        copy = tmp_path / path.name
        shutil.copy(path, copy)
        with open_study("yeast", storage=f"sqlite:///{copy}") as study:
            assert [event.kind for event in study.log()] == [
                *("asked", "asked", "answered", "answered", "failed", "corrected", "retracted", "noted", "asked"),
                *("released", "forbidden", "allowed"),
            ]
            assert [(entry.query, entry.reward, entry.standing) for entry in study.entries()] == [
                ("agar", 0.25, "corrected"),
                ("broth", -0.5, "retracted"),
                ("starch", None, "failed"),
            ]
            check_invariants(study, choices=False)
            study.tell(study.ask()[0], 0.5)
            check_invariants(study, choices=False)


def test_an_old_schema_is_brought_up_to_date_once_by_many(storage, monkeypatch):
    a_study(storage).close()
    workers = [spawning.Process(target=upgrade, args=(storage, SECOND)) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 8
    assert rows(storage, "SELECT version FROM warmer_schema") == [(2,)]
    assert rows(storage, "SELECT place FROM warmer_second") == []


def test_a_migration_that_fails_leaves_everything_as_it_was(storage, monkeypatch):
    a_study(storage).close()
    broken = {kind: [*SECOND[kind], "CREATE TABEL typo (x BIGINT)"] for kind in SECOND}
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, broken))
    with pytest.raises(StorageError, match="syntax error"):
        open_study("yeast", storage=storage)
    monkeypatch.undo()
    with a_study(storage) as study:
        study.note("as before")
    assert rows(storage, "SELECT version FROM warmer_schema") == [(1,)]


def test_a_newer_schema_is_refused_and_left_alone(storage):
    a_study(storage).close()
    rows(storage, "UPDATE warmer_schema SET version = 99")
    with pytest.raises(StorageError, match=r"written by a newer warmer .*99, this one knows 1.*; upgrade warmer"):
        open_study("yeast", storage=storage)
    with pytest.raises(StorageError, match="written by a newer warmer; upgrade warmer"):
        list_studies(storage=storage)
    assert rows(storage, "SELECT version FROM warmer_schema") == [(99,)]


def test_an_event_of_a_newer_version_is_refused_and_not_guessed(storage):
    with a_study(storage) as study:
        with study._store.writing(study._log.study) as writer:
            writer.append("dreamt", key="k", author="Ada", body='{"version": 1}')
        with pytest.raises(StorageError, match=r"holds an event 'dreamt' in version 1.*upgrade warmer"):
            study.status()


def test_a_statement_that_fails_is_noticed_before_the_commit_and_nothing_is_kept(storage):
    with a_study(storage) as study:
        study.note("one", key="k")
        with pytest.raises(StorageError, match=r"(?i)unique"):
            append(study, keys=("j", "k", "l"))
        assert [event.key for event in study.log()] == ["k"]
        study.note("three", key="l")
        assert [event.key for event in study.log()] == ["k", "l"]


def append(study, keys):
    with study._store.writing(study._log.study) as writer:
        for key in keys:
            writer.append("noted", key=key, author="Ada", body='{"text": "two", "version": 1}')


def test_a_reader_cannot_write_and_makes_nobody_wait(storage):
    with a_study(storage) as study:
        study.note("one")
        reader = Store(open_database(storage, read_only=True))
        [row] = reader.studies()
        with study._store.writing(study._log.study) as writer:
            writer.append("noted", key="k", author="Ada", body='{"text": "two", "version": 1}')
            assert len(reader.events(row.id)) == 1  # while somebody writes
        assert len(reader.events(row.id)) == 2
        with pytest.raises(StorageError, match=r"read-?only|readonly"), reader.writing(row.id):
            reader._database.execute("DELETE FROM warmer_tickets")
        reader.close()


def test_a_viewer_of_an_empty_database_is_told_so(storage):
    Path(storage.removeprefix("sqlite:///")).touch() if storage.startswith("sqlite") else None
    with pytest.raises(StorageError, match="holds no studies; create one first"):
        list_studies(storage=storage)


def test_looking_creates_no_file(tmp_path):
    url = f"sqlite:///{tmp_path}/nothing.db"
    for look in (lambda: list_studies(storage=url), lambda: open_study("yeast", storage=url)):
        with pytest.raises(StorageError, match=r"there is no file .*nothing\.db; create a study first"):
            look()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("lab.db", "the storage must be sqlite:///lab.db"),
        ("mysql://host/x", "the storage must be sqlite:///lab.db"),
        ("sqlite://lab.db", "the storage must be sqlite:///lab.db"),
        ("sqlite:///:memory:", "a study outlives its process"),
        ("sqlite:///", "a study outlives its process"),
    ],
)
def test_a_url_that_means_nothing_is_refused_in_words(url, words):
    with pytest.raises(InvalidValueError, match=words):
        open_database(url)


def test_the_environment_names_the_storage_where_nobody_else_does(monkeypatch):
    monkeypatch.delenv("WARMER_STORAGE", raising=False)
    assert storage_url(None) == "sqlite:///warmer.db"
    monkeypatch.setenv("WARMER_STORAGE", "postgresql://db/lab")
    assert storage_url(None) == "postgresql://db/lab"
    assert storage_url("sqlite:///mine.db") == "sqlite:///mine.db"


def test_a_server_that_does_not_answer_is_named_without_its_password():
    with pytest.raises(StorageError, match=r"postgresql://ada@localhost:1/lab does not answer") as caught:
        open_study("yeast", storage="postgresql://ada:secret@localhost:1/lab")
    assert "secret" not in str(caught.value)


def test_a_torn_file_is_refused_in_words_at_every_length(tmp_path):
    whole = tmp_path / "lab.db"
    with a_study(f"sqlite:///{whole}") as study:
        for _ in range(20):
            study.tell(study.ask()[0], 0.5)
    content = whole.read_bytes()
    for length in range(1, len(content), 3001):
        torn = tmp_path / f"torn{length}.db"
        torn.write_bytes(content[:length])
        with pytest.raises(WarmerError, match=r"damaged|no SQLite database|lost the problem|no study"):
            use_all(f"sqlite:///{torn}")


def use_all(url):
    with open_study("yeast", storage=url) as study:
        study.verify()
        study.note("never")
        check_invariants(study)


def test_a_file_that_is_no_database_is_left_alone(tmp_path):
    path = tmp_path / "thesis.txt"
    path.write_text("Chapter one. " * 100)
    with pytest.raises(StorageError, match=r"thesis\.txt: it is no SQLite database; check the path"):
        open_study("yeast", storage=f"sqlite:///{path}")
    assert path.read_text() == "Chapter one. " * 100


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(StorageError, match="check that the folder exists and may be written"):
        a_study(f"sqlite:///{tmp_path}/no/lab.db")


def test_a_full_disk_loses_nothing_and_the_study_goes_on(tmp_path):
    url = f"sqlite:///{tmp_path}/lab.db"
    with a_study(url) as study:
        study.tell("agar", 0.5)
        pages = study._store._database.execute("PRAGMA page_count")[0][0]
        study._store._database.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(StorageError, match=r"the disk is full; nothing was recorded\. Make room and try again"):
            tell_for_ever(study)
        with open_study("yeast", storage=url) as other:
            told = len(other.entries()) - 1
            assert [event.key for event in other.log()][1:] == [f"k{place}" for place in range(told)]
        study._store._database.execute(f"PRAGMA max_page_count = {pages + 100}")
        study.tell("agar", 0.5, key=f"k{told}", note="x" * 200)
        assert len(study.entries()) == told + 2
        check_invariants(study)


def tell_for_ever(study):
    for place in itertools.count():
        study.tell("agar", 0.5, key=f"k{place}", note="x" * 200)


FULL_DISK = """
import resource, signal, sys
from warmer import StorageError, open_study
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
study, told = open_study("yeast", storage=sys.argv[1]), 0
size = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
try:
    while True:
        study.tell("agar", 0.5, key=f"k{told}", note="x" * 200)
        told += 1
except StorageError as error:
    print(told, "nothing was recorded" in str(error))
"""


def test_a_disk_that_refuses_to_write_loses_nothing(tmp_path):
    url = f"sqlite:///{tmp_path}/lab.db"
    with a_study(url) as study:
        size = os.path.getsize(tmp_path / "lab.db") + 3 * 4096
        said = subprocess.run(
            [sys.executable, "-c", FULL_DISK, url, str(size)], capture_output=True, text=True, check=True
        )
        told, has_said_so = said.stdout.split()
        assert (len(study.entries()), has_said_so) == (int(told), "True")
        check_invariants(study)


def test_a_locked_file_is_said_to_be_locked(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "_PATIENCE", 0.05)
    with a_study(f"sqlite:///{tmp_path}/lab.db") as study:
        other = sqlite3.connect(tmp_path / "lab.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="another program has kept it locked"):
            study.note("wait")
        other.close()
        study.note("now")


def test_who_waits_for_the_file_looks_again_after_a_short_while_however_long_it_takes(tmp_path, monkeypatch):
    """SQLite's own pauses grow to a tenth of a second: with eight writers it was idle for a third of the time."""
    url, pauses = f"sqlite:///{tmp_path}/lab.db", []
    with a_study(url) as study:
        other = sqlite3.connect(tmp_path / "lab.db", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")

        def pause(seconds):
            pauses.append(seconds)
            if len(pauses) == 50:
                other.execute("ROLLBACK")

        monkeypatch.setattr("time.sleep", pause)
        assert study.note("waited") == 1
        other.close()
    assert len(pauses) == 50
    assert max(pauses) < 0.01


def test_a_library_with_the_bug_never_keeps_a_write_ahead_log(tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path}/lab.db"
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 2))
    a_study(url).close()
    assert journal_mode(tmp_path) == "delete"
    sqlite3.connect(tmp_path / "lab.db").execute("PRAGMA journal_mode = wal")
    a_study(url).close()
    assert journal_mode(tmp_path) == "delete"


def test_a_library_with_the_repair_keeps_a_write_ahead_log_in_new_files(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    with a_study(f"sqlite:///{tmp_path}/lab.db") as study:
        study.note("one")
        assert journal_mode(tmp_path) == "wal"
        assert study._store._database.execute("PRAGMA synchronous") == [(2,)]
        monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
        monkeypatch.setattr("time.sleep", lambda seconds: None)
        monkeypatch.setattr(sqlite, "_PATIENCE", 0.01)
        with pytest.raises(StorageError, match="keeps a write-ahead log and is open elsewhere"):
            open_study("yeast", storage=f"sqlite:///{tmp_path}/lab.db")


def test_without_a_write_ahead_log_a_power_failure_cannot_undo_a_commit(tmp_path, monkeypatch):
    """A journal that is deleted may be back after a power failure; one that is overwritten and synced may not."""
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))
    with a_study(f"sqlite:///{tmp_path}/lab.db") as study:
        study.note("one")
        assert study._store._database.execute("PRAGMA journal_mode") == [("persist",)]
        assert study._store._database.execute("PRAGMA synchronous") == [(2,)]
        assert (tmp_path / "lab.db-journal").read_bytes()[:28] == bytes(28)


def test_no_call_reads_all_tickets_or_all_events_of_a_study(tmp_path, monkeypatch):
    """So that ask and tell cost the same after 100,000 answers; the plan of every statement says what it reads."""
    run, plans = Database.execute, {}

    def explained(database, sql, values=()):
        if sql.lstrip().startswith(("SELECT", "UPDATE")) and "warmer_" in sql:
            plans[sql] = [row[-1] for row in run(database, f"EXPLAIN QUERY PLAN {sql}", values)]
        return run(database, sql, values)

    with a_study(f"sqlite:///{tmp_path}/lab.db") as study:
        study.status()
        monkeypatch.setattr(Database, "execute", explained)
        tickets = study.ask(2, lease=60)
        study.renew(tickets[0], lease=60)
        study.tell(tickets[0], 0.5)
        study.tell(tickets[1].query, 0.5)
        study.release(study.ask()[0])
        study.status()
    steps = [step for plan in plans.values() for step in plan]
    assert any("warmer_open_tickets" in step for step in steps)
    for table in ("warmer_tickets", "warmer_events"):
        whole = [f"SCAN {table}", f"SEARCH {table} USING PRIMARY KEY (study=?)"]
        assert not set(whole) & set(steps)


def test_a_connection_lost_within_a_transaction_is_not_replaced_by_another_one(storage):
    """The rest of it would be written without its lock, and without its beginning."""
    with a_study(storage) as study:
        with pytest.raises(LostConnectionError, match="lost within a transaction"):
            write_through_a_loss(study)
        assert list(study.log()) == []
        study.note("three")
        check_invariants(study)


def write_through_a_loss(study):
    store, name, body = study._store, study._log.study, '{"text": "one", "version": 1}'
    with store.writing(name) as writer:
        writer.append("noted", key="one", author="Ada", body=body)
        store._database._threads.connection.close()
        store._database._threads.connection = None
        with pytest.raises(LostConnectionError, match="lost within a transaction"):
            store.events(name)
        writer.append("noted", key="two", author="Ada", body=body)


def test_a_network_file_system_is_warned_of(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "network_file_system", lambda path: "nfs4")
    with pytest.warns(UserWarning, match=r"lies on a network file system \(nfs4\).*use postgresql://"):
        a_study(f"sqlite:///{tmp_path}/lab.db").close()
    assert journal_mode(tmp_path) == "delete"


def test_mounts_that_cannot_be_read_are_taken_for_local(tmp_path):
    assert network_file_system(tmp_path / "lab.db", tmp_path / "none") is None


def test_a_child_of_a_fork_opens_a_connection_of_its_own(storage):
    with a_study(storage) as study:
        study.note("parent")
        child = os.fork()
        if child == 0:
            study.note("child")
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        study.note("parent again")
        assert [event.body.text for event in study.log()] == ["parent", "child", "parent again"]


def journal_mode(folder):
    with sqlite3.connect(folder / "lab.db") as connection:
        return connection.execute("PRAGMA journal_mode").fetchone()[0]


def test_the_extra_is_named_where_psycopg_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ImportError, match=r"a study on PostgreSQL needs the extra warmer\[postgres\]"):
        create_study("yeast", None, learner=None, storage="postgresql://db/lab")


if binaries():

    @pytest.mark.long
    def test_a_server_that_crashes_under_load_loses_nothing():
        with running() as server, a_study(server.url) as study:
            workers = [spawning.Process(target=tell_many, args=(server.url, f"w{k}", 100)) for k in range(3)]
            for worker in workers:
                worker.start()
            while not {f"w{k}/0" for k in range(3)} <= {event.key for event in study.log()}:
                time.sleep(0.05)  # who opens a study wants to know at once that the address is wrong
            for _ in range(5):
                time.sleep(0.7)
                server.stop("immediate")
                server.start()
            for worker in workers:
                worker.join()
            assert [worker.exitcode for worker in workers] == [0] * 3
            check_invariants(study)
            keys = {event.key for event in study.log()}
            assert {f"w{k}/{place}" for k in range(3) for place in range(100)} <= keys
            assert len(study.entries()) == 300
