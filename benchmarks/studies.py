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

from warmer import Problem, Study, create_study, goals, noise, open_study
from warmer.studies.records.events import Answered, Asked, write_body
from warmer.studies.records.tickets import ticket_row
from warmer.studies.storage import sqlite

SECONDS = 5.0
PROTOTYPE = {"sqlite, rollback journal": "51 / 23", "sqlite, write-ahead log": "108 / 91", "postgresql": "57 / 24"}
"""Rounds per second with 1 / 8 workers, of the prototype of 150 lines, on a machine like ours."""

forked = multiprocessing.get_context("forkserver")
forked.set_forkserver_preload(["benchmarks.warm", "benchmarks.storm"])


def main() -> None:
    print(f"ask + tell per second, {SECONDS:g} s each; SQLite {sqlite3.sqlite_version}")
    print(f"{'':28}{'1 worker':>10}{'8 workers':>11}{'prototype':>13}")
    with tempfile.TemporaryDirectory() as folder:
        for name, url, setting in places(Path(folder)):
            _report(name, _rounds, url, setting, PROTOTYPE[name])
            with suppress(ImportError):
                import optuna  # noqa: F401

                _report("  optuna there", _optuna_rounds, url.replace("lab", "optuna"), setting, "")
    _report_size()


def places(folder: Path, *, with_wal: bool = True) -> Iterator[tuple[str, str, str]]:
    """Where a study can be kept here: a name, a URL, and how SQLite keeps its journal."""
    yield "sqlite, rollback journal", f"sqlite:///{folder}/lab.db", ""
    if with_wal:
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
    ready, done = forked.Barrier(workers), forked.Queue()
    name = f"bench{workers}"
    processes = [forked.Process(target=_timed, args=(rounds, url, setting, name, ready, done)) for _ in range(workers)]
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


def a_study(url: str, name: str, *, n_targets: int = 200, sigma: float = 100.0) -> Study:
    """A study; where nobody says otherwise its answers are so noisy that it never ends."""
    table = np.random.default_rng(0).uniform(-0.5, 0.5, (40, n_targets))
    goal, known = goals.WhichTarget(), noise.SubGaussian(sigma)
    return create_study(name, Problem.from_table(table), goal=goal, noise=known, storage=url)


def _rounds(url: str, name: str, ready: Any) -> int:
    study = a_study(url, name)
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


def _report_size(n_answers: int = 100_000, n_targets: int = 2000) -> None:
    """A large study: how long it takes to open and to look at, and whether rounds get slower."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/large.db"
        with a_study(url, "small", n_targets=n_targets, sigma=0.5) as small:
            first = _round_time(small)
        with a_study(url, "large", n_targets=n_targets, sigma=0.5) as large:
            _fill(large, n_answers)
        start = _now()
        with open_study("large", storage=url) as study:
            study.status()
            opened = _now()
            study.status()
            looked = _now()
            later = _round_time(study)
    print(f"{n_answers:,} answers, {n_targets:,} candidates; in brackets the part of the processor, for a busy machine")
    print(f"  open and first status  {_seconds(opened - start)}")
    print(f"  status                 {_seconds(looked - opened)}")
    print(f"  ask + tell             {_seconds(later)}; of an empty study {_seconds(first)}")


def _now() -> Any:
    """The time on the wall, and that of the processor."""
    return np.array([time.perf_counter(), time.process_time()])


def _seconds(passed: Any) -> str:
    return f"{passed[0]:.4f} s ({passed[1]:.4f})"


def _round_time(study: Study, rounds: int = 40) -> Any:
    study.tell(study.ask()[0], 0.0)
    start = _now()
    for _ in range(rounds):
        study.tell(study.ask()[0], 0.0)
    return (_now() - start) / rounds


def _fill(study: Study, n_answers: int) -> None:
    """Write so many rounds at once, as a study of months would have them."""
    rng = np.random.default_rng(1)
    queries = rng.integers(0, study.problem.n_queries, n_answers)
    rewards = study.problem.rho[queries, 0] + rng.uniform(-0.5, 0.5, n_answers)
    with study._store.writing(study._log.study) as writer:
        for number, (query, reward) in enumerate(zip(queries.tolist(), rewards.tolist(), strict=True), start=1):
            asked = Asked(number, query, 1, f"t{number}", "w", 60.0, 2 * number - 2)
            writer.issue(ticket_row(asked, 0.0), is_open=False)
            writer.append("asked", key=f"ask:{number}", author="w", body=write_body(asked))
            told = Answered(query, reward, 1, number)
            writer.append("answered", key=f"answer:{number}", author="w", body=write_body(told))
