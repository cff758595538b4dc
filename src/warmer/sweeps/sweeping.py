"""A sweep: its cells, what is missing of them, and how that is played."""

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import closing
from dataclasses import asdict
from itertools import product
from typing import Any

import numpy as np

from warmer.analysis import Task
from warmer.learners import CATALOG
from warmer.model import Array, Problem
from warmer.model.checks import check_count, check_names
from warmer.model.errors import InvalidValueError
from warmer.studies.formats.stored_problems import digest_of, pack, unpack
from warmer.studies.records.plain import dumps
from warmer.studies.storage import storage_url
from warmer.sweeps.cells import Cell, Chunk, cell_text, play, read_runs
from warmer.sweeps.executors import Hands, hands_of
from warmer.sweeps.store import SweepStore

_STEPS = 300_000
"""Rounds per chunk: about a second."""

_AHEAD = 2
"""Chunks handed out per worker, so that none waits for the next."""

Setting = Task | Callable[[Problem], Task]


class Sweep:
    """What was swept so far; `sweep` makes one, and `open_sweep` finds it again.

    Parameters
    ----------
    store, name
        Where it is kept.
    """

    def __init__(self, store: SweepStore, name: str) -> None:
        form = json.loads(store.spec(name))
        self.name, self.n_runs, self.chunk = name, int(form["runs"]), int(form["chunk"])
        self.cells = tuple(Cell(**cell) for cell in form["cells"])
        self._store = store

    def __repr__(self) -> str:
        failed = f", {len(self.failures)} failed" if self.failures else ""
        left = f"{len(self.missing)} chunks to play{failed}"
        return f"Sweep({self.name!r}, {len(self.cells)} cells of {self.n_runs} runs, {left})"

    @property
    def missing(self) -> list[Chunk]:
        """The chunks that have not been played, those that failed among them."""
        kept = self._store.kept(self.name)
        return [
            Chunk(cell, start, min(self.chunk, self.n_runs - start))
            for cell in self.cells
            for start in range(0, self.n_runs, self.chunk)
            if (cell.digest, start) not in kept
        ]

    @property
    def failures(self) -> list[tuple[Cell, int, str]]:
        """The chunks that could not be played: cell, first run, and why."""
        cells = {cell.digest: cell for cell in self.cells}
        return [(cells[digest], start, reason) for digest, start, reason in self._store.failures(self.name)]

    def runs(self, cell: Cell) -> Array:
        """A row for each finished run of a cell, in the order of the runs.

        The fields are run, target (its position), regret, n_bad, is_good, n_answers (until certified; -1 where it never
        was), is_wrong, and the regret so far (`regrets`) after some `rounds`.
        """
        parts = [read_runs(payload) for payload in self._store.results(self.name, cell.digest)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def problem(self, cell: Cell) -> Problem:
        """The problem of a cell."""
        digest = _problem_of(cell)
        return unpack(self._store.problem(digest), digest)

    def run(
        self,
        executor: str | Executor = "here",
        *,
        jobs: int = 1,
        engine: str = "cpu",
        progress: Callable[[int], None] | None = None,
    ) -> "Sweep":
        """Play what is missing, and keep each chunk as soon as it is finished.

        Parameters
        ----------
        executor
            "here", "processes", the address of a Dask scheduler, or any executor of `concurrent.futures`.
        jobs
            How many processes, or how many workers the executor has.
        engine
            As for `simulate`: "cuda" has each worker play on its own GPU. What is kept does not depend on it.
        progress
            Called with the number of runs that were finished since the last call.
        """
        work = _Work(self._store, self.name, hands_of(executor, jobs), engine, progress or (lambda n_runs: None))
        suspects = work.play(deque(self.missing), jobs * _AHEAD)
        for chunk in suspects:  # each alone, so that what breaks the pool again is to blame
            if work.play(deque([chunk]), 1):
                reason = "a worker died twice while playing it"
                self._store.fail(self.name, chunk.cell.digest, chunk.start, reason)
        return self

    def close(self) -> None:
        """Close the connections of this process."""
        self._store.close()


class _Work:
    """Hands out chunks and keeps what comes back."""

    def __init__(
        self, store: SweepStore, name: str, hands: Hands, engine: str, progress: Callable[[int], None]
    ) -> None:
        self._store, self._name, self._hands, self._engine, self._progress = store, name, hands, engine, progress
        self._payloads: dict[str, bytes] = {}

    def play(self, chunks: "deque[Chunk]", n_together: int) -> list[Chunk]:
        """Play the chunks; return those that were under way when a pool of workers broke."""
        suspects: list[Chunk] = []
        while chunks:
            under_way: dict[Future[bytes], Chunk] = {}
            with self._hands() as executor:
                while chunks or under_way:
                    while chunks and len(under_way) < n_together:
                        self._hand_out(executor, chunks, under_way)
                    if not self._collect(under_way):
                        suspects += under_way.values()
                        break
        return suspects

    def _hand_out(self, executor: Executor, chunks: "deque[Chunk]", under_way: "dict[Future[bytes], Chunk]") -> None:
        chunk = chunks.popleft()
        cell, runs = chunk.cell, (chunk.start, chunk.n_runs)
        try:
            future = executor.submit(play, cell.text, self._payload(cell), *runs, self._engine)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        under_way[future] = chunk

    def _collect(self, under_way: "dict[Future[bytes], Chunk]") -> bool:
        """Keep what is finished; whether the workers still stand. What they leave unfinished stays under way."""
        stands = True
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            chunk, error = under_way[future], future.exception()
            if isinstance(error, BrokenExecutor):
                stands = False
                continue
            if error is None:
                self._store.keep(self._name, chunk.cell.digest, chunk.start, future.result())
            else:
                reason = f"{type(error).__name__}: {error}"
                self._store.fail(self._name, chunk.cell.digest, chunk.start, reason)
            del under_way[future]
            self._progress(chunk.n_runs)
        return stands

    def _payload(self, cell: Cell) -> bytes:
        digest = _problem_of(cell)
        if digest not in self._payloads:
            self._payloads = {digest: self._store.problem(digest)}
        return self._payloads[digest]


def sweep(
    name: str,
    *,
    problems: Mapping[str, Problem],
    learners: Sequence[str],
    environments: Sequence[str] = ("gaussian",),
    settings: Mapping[str, Setting],
    horizon: int,
    runs: int,
    seeds: Sequence[int] = (0,),
    with_proofs: bool = False,
    chunk: int | None = None,
    storage: str | None = None,
    executor: str | Executor | None = "here",
    jobs: int = 1,
    engine: str = "cpu",
    progress: Callable[[int], None] | None = None,
) -> Sweep:
    """Simulate every combination, and keep what is finished; the same call again goes on where it stopped.

    Run k of a cell depends on the seed and k alone, so chunks, workers and kills change nothing.

    Parameters
    ----------
    name
        What the sweep is called in its database.
    problems
        Tables by name.
    learners, environments
        Names of `warmer.learners.CATALOG`, and noise models such as "coin" or "gaussian:width=0.5".
    settings
        By name what is to be decided and what is declared, or a function that gives it for a problem.
    horizon, runs, seeds
        As for `simulate`, with several seeds.
    with_proofs
        Whether to look for the first certificate of every run.
    chunk
        Runs that are played and kept together; about a second's worth where None.
    storage
        The URL of the database; WARMER_STORAGE or warmer.db in this folder where None.
    executor, jobs, engine, progress
        As for `Sweep.run`; with None nothing is played yet.

    Examples
    --------
    >>> import tempfile
    >>> from warmer import analysis, problems
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = sweep(
    ...         "small",
    ...         problems={"treasure": problems.treasure(side=3)},
    ...         learners=["top-two", "uniform"],
    ...         settings={"noisy": analysis.Task(epsilon=0.1, sigma=0.5)},
    ...         horizon=50,
    ...         runs=4,
    ...         storage=f"sqlite:///{folder}/sweep.db",
    ...     )
    ...     shown, shapes = repr(found), [len(found.runs(cell)) for cell in found.cells]
    ...     found.close()
    >>> shown, shapes
    ("Sweep('small', 2 cells of 4 runs, 0 chunks to play)", [4, 4])
    """
    check_count("runs", runs)
    check_count("horizon", horizon)
    check_names("learners", learners, "top-two")
    check_names("environments", environments, "gaussian")
    for what, given, example in (("problems", problems, "problem"), ("settings", settings, "Task(epsilon=0.1)")):
        if not isinstance(given, Mapping):
            raise InvalidValueError(
                f'{what} must map names to them, such as {{"first": {example}}}, got {type(given).__name__}.'
            )
    for seed in seeds:
        check_count("a seed", seed, least=0)
    for learner in learners:
        if learner not in CATALOG:
            raise InvalidValueError(f"there is no learner {learner!r}; choose among {', '.join(CATALOG)}.")
    digests = {key: digest_of(problem) for key, problem in problems.items()}
    shared: dict[str, Any] = {"horizon": horizon, "with_proofs": with_proofs}
    cells = []
    for key, learner, environment, setting, seed in product(problems, learners, environments, settings, seeds):
        problem, task = problems[key], settings[setting]
        parts: dict[str, Any] = {"learner": learner, "environment": environment, "seed": seed}
        text = cell_text(problem, digests[key], task if isinstance(task, Task) else task(problem), **parts, **shared)
        cells.append(Cell(problem=key, setting=setting, text=text, **parts))
    if not cells:
        raise InvalidValueError("a sweep needs at least one problem, learner, environment, setting and seed.")
    size = max(1, _STEPS // horizon) if chunk is None else check_count("chunk", chunk)
    store = SweepStore(storage_url(storage))
    store.create(
        name,
        dumps({"version": 1, "runs": runs, "chunk": size, "cells": [asdict(cell) for cell in cells]}),
        {digests[key]: pack(problem) for key, problem in problems.items()},
    )
    found = Sweep(store, name)
    return found if executor is None else found.run(executor, jobs=jobs, engine=engine, progress=progress)


def open_sweep(name: str, *, storage: str | None = None) -> Sweep:
    """The sweep of this name, to look at or to go on with."""
    return Sweep(SweepStore(storage_url(storage), must_exist=True), name)


def list_sweeps(*, storage: str | None = None) -> list[str]:
    """The names of the sweeps in a database."""
    with closing(SweepStore(storage_url(storage), must_exist=True)) as store:
        return store.names()


def _problem_of(cell: Cell) -> str:
    return str(json.loads(json.loads(cell.text)["decided"])["problem"])
