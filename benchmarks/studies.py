"""How many rounds of ask and tell a study takes per second, alone and with eight workers, on each database.

Optuna is measured in the same run where it is installed. PostgreSQL is a private server, where its binaries are here.
"""

import multiprocessing
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from warmer import Problem, create_study, goals, noise
from warmer.studies.storage import sqlite

SECONDS = 5.0
PROTOTYPE = {"sqlite, rollback journal": "51 / 23", "sqlite, write-ahead log": "108 / 91", "postgresql": "57 / 24"}
"""Rounds per second with 1 / 8 workers, of the prototype of 150 lines, on a machine like ours."""

_forked = multiprocessing.get_context("forkserver")
_forked.set_forkserver_preload(["benchmarks.studies", "warmer.estimation.kernels.losses"])


def main() -> None:
    print(f"ask + tell per second, {SECONDS:g} s each; SQLite {sqlite3.sqlite_version}")
    print(f"{'':28}{'1 worker':>10}{'8 workers':>11}{'prototype':>13}")
    with tempfile.TemporaryDirectory() as folder:
        for name, url, setting in _places(Path(folder)):
            _report(name, _rounds, url, setting, PROTOTYPE[name])
            with suppress(ImportError):
                import optuna  # noqa: F401

                _report("  optuna there", _optuna_rounds, url.replace("lab", "optuna"), setting, "")
    _report_size()


def _places(folder: Path) -> Iterator[tuple[str, str, str]]:
    yield "sqlite, rollback journal", f"sqlite:///{folder}/lab.db", ""
    yield "sqlite, write-ahead log", f"sqlite:///{folder}/lab-wal.db", "wal"
    from tests.studies.server import binaries, running

    if binaries():
        with running() as server:
            yield "postgresql", server.url, ""


def _report(name: str, rounds: Callable[..., int], url: str, setting: str, prototype: str) -> None:
    rates = [_rate(rounds, url, setting, workers) for workers in (1, 8)]
    print(f"{name:28}{rates[0]:>10.0f}{rates[1]:>11.0f}{prototype:>13}", flush=True)


def _rate(rounds: Callable[..., int], url: str, setting: str, workers: int) -> float:
    """Rounds of all workers together; they start at the same time, and compile before."""
    ready, done = _forked.Barrier(workers), _forked.Queue()
    name = f"bench{workers}"
    processes = [_forked.Process(target=_timed, args=(rounds, url, setting, name, ready, done)) for _ in range(workers)]
    for process in processes:
        process.start()
    counts = [done.get() for _ in processes]
    for process in processes:
        process.join()
    return sum(counts) / SECONDS


def _timed(rounds: Callable[..., int], url: str, setting: str, name: str, ready: Any, done: Any) -> None:
    with _journal(setting):
        done.put(rounds(url, name, ready))


@contextmanager
def _journal(setting: str) -> Iterator[None]:
    """For measuring only: a write-ahead log also where the library has the bug."""
    before, sqlite.has_safe_wal = sqlite.has_safe_wal, lambda version: setting == "wal"
    try:
        yield
    finally:
        sqlite.has_safe_wal = before


def _problem() -> Problem:
    return Problem.from_table(np.random.default_rng(0).uniform(-0.5, 0.5, (40, 200)))


def _rounds(url: str, name: str, ready: Any) -> int:
    problem = _problem()
    study = create_study(name, problem, goal=goals.BestQuery(0.05), noise=noise.SubGaussian(0.5), storage=url)
    study.tell(study.ask()[0], 0.0)
    ready.wait()
    end, count = time.perf_counter() + SECONDS, 0
    while time.perf_counter() < end:
        [ticket] = study.ask(worker="w", lease=60)
        study.tell(ticket, 0.25, author="w")
        count += 1
    study.close()
    return count


def _optuna_rounds(url: str, name: str, ready: Any) -> int:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    address = url.replace("postgresql://", "postgresql+psycopg://")
    study = optuna.create_study(study_name=name, storage=address, load_if_exists=True)
    ready.wait()
    end, count = time.perf_counter() + SECONDS, 0
    while time.perf_counter() < end:
        with suppress(Exception):  # its workers are locked out; those rounds do not count
            trial = study.ask()
            trial.suggest_categorical("query", list(range(40)))
            study.tell(trial, 0.25)
            count += 1
    return count


def _report_size() -> None:
    """A large study: how long it takes to open and to look at, and whether rounds get slower."""
