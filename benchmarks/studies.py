"""Rounds of ask and tell per second, alone and with eight workers, on each database, beside Optuna on the same one.

Both have their workers ready before the first turn, and take turns of a few seconds: what else the disk has to do hits
both. PostgreSQL is a private server, where its binaries are here.
"""

import multiprocessing
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.document import verdict
from warmer import Problem, Study, create_study, goals, noise
from warmer.studies.storage import sqlite

SECONDS = 3.0
TURNS = {1: 2, 8: 5}
"""By workers: the goals are stated for eight."""
GOALS = {"sqlite, rollback journal": 2, "sqlite, write-ahead log": 5, "postgresql": 2}
PATIENCE = 300.0

Round = Callable[[], bool]
"""One ask and tell; false where the database refused it."""

forked = multiprocessing.get_context("forkserver")
forked.set_forkserver_preload(["benchmarks.warm", "benchmarks.storm", "optuna", "sqlalchemy"])


def main() -> None:
    print(f"ask + tell per second in turns of {SECONDS:g} s each; SQLite {sqlite3.sqlite_version}")
    rivals = {"warmer": _rounds} | ({"Optuna": _optuna_rounds} if _has_optuna() else {})
    with tempfile.TemporaryDirectory() as folder:
        for name, url, setting in places(Path(folder)):
            for workers in TURNS:
                ratios = _report(f"{name}, {workers} worker{'s' * (workers > 1)}", rivals, url, setting, workers)
                if workers > 1 and ratios:
                    what = f"{name}, {workers} workers: rounds per second / Optuna's, median and least of the turns"
                    verdict(what, f"{np.median(ratios):.1f}, {min(ratios):.1f}", f"at least {GOALS[name]}")


def places(folder: Path, *, with_wal: bool = True) -> Iterator[tuple[str, str, str]]:
    """Where a study can be kept here: a name, a URL, and how SQLite keeps its journal."""
    yield "sqlite, rollback journal", f"sqlite:///{folder}/lab.db", ""
    if with_wal:
        yield "sqlite, write-ahead log", f"sqlite:///{folder}/lab-wal.db", "wal"
    from tests.studies.server import binaries, running

    if binaries():
        with running() as server:
            yield "postgresql", server.url, ""


def _report(title: str, rivals: dict[str, Callable[..., Round]], url: str, setting: str, workers: int) -> list[float]:
    """Print the rates of all turns; the ratios, where there is a rival."""
    done, refused = _counted(list(rivals.values()), url, setting, workers)
    turns = range(TURNS[workers])
    rates = [[done[turn, place] / SECONDS for turn in turns] for place in range(len(rivals))]
    print(f"{title}:")
    for place, name in enumerate(rivals):
        each = " ".join(f"{rate:6.1f}" for rate in rates[place])
        print(f"  {name:8} {each}   refused: {sum(refused[turn, place] for turn in turns)}")
    if len(rates) == 1:
        return []
    ratios = [ours / max(theirs, 1 / SECONDS) for ours, theirs in zip(*rates, strict=True)]
    print(f"  ratio    {' '.join(f'{ratio:6.1f}' for ratio in ratios)}   least: {min(ratios):.1f}", flush=True)
    return ratios


def _counted(rivals: list[Callable[..., Round]], url: str, setting: str, workers: int) -> tuple[Any, Any]:
    """Rounds that were done, and that were refused, by turn and rival."""
    everybody, counts = forked.Barrier(workers * len(rivals)), forked.Queue()
    processes = [
        forked.Process(target=_work, args=(rival, place, len(rivals), url, setting, workers, everybody, counts))
        for place, rival in enumerate(rivals)
        for _ in range(workers)
    ]
    for process in processes:
        process.start()
    done, refused = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for _ in range(TURNS[workers] * len(processes)):
        turn, place, n_done, n_refused = counts.get(timeout=PATIENCE)
        done[turn, place] += n_done
        refused[turn, place] += n_refused
    for process in processes:
        process.join()
    return done, refused


def _work(
    rival: Callable[..., Round],
    place: int,
    n_rivals: int,
    url: str,
    setting: str,
    workers: int,
    everybody: Any,
    counts: Any,
) -> None:
    with _journal(setting):
        play = rival(url, f"bench{workers}", setting)
        for turn in range(TURNS[workers]):
            for whose in range(n_rivals):
                everybody.wait(PATIENCE)
                if whose == place:
                    found = _rounds_within(play)
                    counts.put((turn, place, found[True], found[False]))


def _rounds_within(play: Round) -> Counter[bool]:
    found, end = Counter[bool](), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        found[play()] += 1
    return found


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


def _rounds(url: str, name: str, setting: str) -> Round:
    study = a_study(url, name)
    study.tell(study.ask()[0], 0.0)

    def play() -> bool:
        [ticket] = study.ask(worker="w", lease=60)
        study.tell(ticket, 0.25, author="w")
        return True

    return play


def _has_optuna() -> bool:
    try:
        import optuna  # noqa: F401
    except ImportError:
        return False
    return True


def _optuna_rounds(url: str, name: str, setting: str) -> Round:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    address = url.replace("/lab", "/optuna").replace("postgresql://", "postgresql+psycopg://")
    if setting == "wal":
        with closing(sqlite3.connect(address.removeprefix("sqlite:///"), timeout=PATIENCE)) as connection:
            connection.execute("PRAGMA journal_mode = wal")
    study = _created(lambda: optuna.create_study(study_name=name, storage=address, load_if_exists=True))

    def play() -> bool:
        try:
            trial = study.ask()
            trial.suggest_categorical("query", list(range(40)))
            study.tell(trial, 0.25)
        except Exception:  # the database is locked
            return False
        return True

    return play


def _created(create: Callable[[], Any]) -> Any:
    """What eight processes create at once, each again until it is there: its tables are not made for that."""
    while True:
        try:
            return create()
        except Exception:
            time.sleep(0.2)
