"""A server that is stopped five times under load, and eight processes that create and migrate at once."""

import tempfile
import time
from pathlib import Path

from tests.studies.examples import rows
from tests.studies.server import ABSENT, binaries, running
from tests.studies.victims import create, tell_many

from benchmarks.document import verdict
from benchmarks.studies import a_study, forked, places
from warmer import open_study

STOPS = 5
WORKERS = 8
ROUNDS = 100
ATTEMPTS = 10


def main() -> None:
    _stops() if binaries() else print(ABSENT)
    with tempfile.TemporaryDirectory() as folder:
        for name, url, _ in places(Path(folder), with_wal=False):
            _creations(name, url)


def _stops() -> None:
    """Every round that a worker was told of must be in the log once, whatever the server went through."""
    with running() as server:
        a_study(server.url, "yeast").close()
        workers = [forked.Process(target=tell_many, args=(server.url, f"w{k}", ROUNDS)) for k in range(WORKERS)]
        for worker in workers:
            worker.start()
        for _ in range(STOPS):
            before = _n_events(server.url)
            while _n_events(server.url) < before + 2 * WORKERS:
                time.sleep(0.05)
            server.stop("immediate")
            server.start()
        n_alive = sum(worker.is_alive() for worker in workers)
        for worker in workers:
            worker.join()
        with open_study("yeast", storage=server.url) as study:
            keys = [event.key for event in study.log()]
            study.verify()
        told = {f"w{k}/{place}" for k in range(WORKERS) for place in range(ROUNDS)}
        print(
            f"postgresql: {STOPS} immediate stops under {WORKERS} workers ({n_alive} still at work after the last), "
            f"exit codes {sorted({worker.exitcode for worker in workers})}; {len(told & set(keys))} of {len(told)} "
            f"answers and {len(keys)} of {2 * len(told)} events are there, {len(keys) - len(set(keys))} keys twice",
            flush=True,
        )
        what = f"postgresql, answers after {STOPS} immediate stops"
        verdict(what, f"{len(told & set(keys))} of {len(told)}, {len(keys) - len(set(keys))} twice", "each once")


def _n_events(url: str) -> int:
    with open_study("yeast", storage=url) as study:
        return study.n_events


def _creations(name: str, url: str) -> None:
    """The first time the tables are made as well."""
    failed = 0
    for attempt in range(ATTEMPTS):
        workers = [forked.Process(target=create, args=(url, f"study{attempt}")) for _ in range(WORKERS)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        failed += sum(worker.exitcode != 0 for worker in workers)
        with open_study(f"study{attempt}", storage=url) as study:
            failed += [event.kind for event in study.log()] != ["noted"] * WORKERS
    versions, studies = rows(url, "SELECT version FROM warmer_schema"), rows(url, "SELECT id FROM warmer_studies")
    print(
        f"{name}: {WORKERS} processes create and migrate at once, {ATTEMPTS} times: {failed} errors, "
        f"{len(studies)} studies, schema {versions}",
        flush=True,
    )
    verdict(f"{name}, {WORKERS} processes that create and migrate at once: errors", str(failed), "none")
