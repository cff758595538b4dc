"""`warmer sweep`: many problems, learners and settings at once, in chunks that a kill does not lose."""

import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from warmer.analysis import Task
from warmer.cli.console import progress
from warmer.cli.goal_argument import find_task
from warmer.cli.options import Engine, Storage, option
from warmer.cli.problem_argument import find_problem
from warmer.cli.tables import new_table
from warmer.cli.verbs import group
from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_fraction
from warmer.report.text import counted, short
from warmer.sweeps import Cell, Sweep, list_sweeps, open_sweep
from warmer.sweeps import sweep as start_sweep
from warmer.sweeps.export import export_sweep

sweep, verb = group(
    """Simulate every combination of problems and learners.

    A sweep plays problems x learners x noise models x settings x seeds, and goes on after a kill. Finished chunks
    lie in a database: --storage, else WARMER_STORAGE, else sqlite:///warmer.db.
    """
)

_NEEDED = ("problems", "learners", "horizon", "runs")
_KEYS = (*_NEEDED, "name", "environments", "seeds", "settings", "chunk")
_SETTINGS = ("goal", "noise", "epsilon", "delta", "sigma", "alpha", "resolution")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The sweep.")]
SpecFile = Annotated[Path, typer.Argument(metavar="SPEC.toml", help="What to sweep over.")]
Where = Annotated[str, option("WHERE", "here, processes, or the address of a Dask scheduler: tcp://HOST:8786.")]
Jobs = Annotated[int, option("N", "How many processes, or workers of the cluster.")]
Folder = Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where the Parquet files go.")]


@verb()
def run(
    spec: SpecFile, storage: Storage = None, executor: Where = "here", jobs: Jobs = 1, engine: Engine = "cpu"
) -> Any:
    """Play what is missing of a sweep; the same command again goes on where it stopped."""
    found = start_sweep(**_read(spec), storage=storage, executor=None)
    total = sum(chunk.n_runs for chunk in found.missing)
    with progress("sweeping", total=total) as advance:
        found.run(executor, jobs=jobs, engine=engine, progress=advance)
    return _described(found)


@verb("show")
def show_sweep(name: Name, storage: Storage = None) -> Any:
    """How far a sweep is, and the means of every cell."""
    return _described(open_sweep(name, storage=storage))


@verb("list")
def list_all(storage: Storage = None) -> Any:
    """The sweeps of a database."""
    names = list_sweeps(storage=storage)
    return {"sweeps": names}, *(names or ["There are no sweeps yet."])


@verb()
def export(name: Name, output: Folder, storage: Storage = None) -> Any:
    """Write a row per run (runs.parquet), and regret over time (curves.parquet)."""
    written = [str(path) for path in export_sweep(open_sweep(name, storage=storage), output)]
    words = [f"Wrote {path}" for path in written] or ["Nothing is finished yet; nothing was written."]
    return {"written": written}, *words


def _read(path: Path) -> dict[str, Any]:
    """The arguments of `warmer.sweep` from a TOML file."""
    try:
        form = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidValueError(f"{path} is no TOML: {error}.") from error
    for key in form:
        if key not in _KEYS:
            raise InvalidValueError(f"{path}: there is no setting {key!r}; there are {', '.join(_KEYS)}.")
    for key in _NEEDED:
        if key not in form:
            raise InvalidValueError(f"{path}: {key} is missing.")
    settings = form.pop("settings", {"default": {}})
    return {
        **{"name": path.stem, **form},
        "problems": {source: find_problem(source) for source in form["problems"]},
        "settings": {name: _setting(path, name, given) for name, given in settings.items()},
        "with_proofs": any("goal" in given or "noise" in given for given in settings.values()),
    }


def _setting(path: Path, name: str, given: dict[str, Any]) -> Callable[[Problem], Task]:
    for key in given:
        if key not in _SETTINGS:
            raise InvalidValueError(f"{path}: settings.{name} has no {key!r}; it may have {', '.join(_SETTINGS)}.")
    numbers: dict[str, Any] = {
        key: None if key not in given else as_fraction(given[key]) for key in ("epsilon", "alpha")
    }
    plain: dict[str, Any] = {key: given.get(key) for key in ("goal", "noise", "sigma", "resolution")}
    return partial(find_task, delta=given.get("delta", 0.05), **numbers, **plain)


def _described(found: Sweep) -> Any:
    rows = [(cell, _means(found, cell)) for cell in found.cells]
    failures = [{**cell.names, "start": start, "reason": reason} for cell, start, reason in found.failures]
    cells = [{**cell.names, **means} for cell, means in rows]
    lines = (
        (
            cell.problem,
            cell.learner,
            f"{cell.environment}, {cell.setting}, {cell.seed}",
            f"{means['runs']}",
            *("-" if value is None else short(value) for value in (means["regret"], means["answers"])),
        )
        for cell, means in rows
    )
    left = counted(len(found.missing), "chunk")
    return (
        {"name": found.name, "runs": found.n_runs, "cells": cells, "failures": failures},
        f"{found.name}: {counted(len(found.cells), 'cell')} of {counted(found.n_runs, 'run')}, {left} to play.",
        "",
        new_table(("problem", "learner", "noise, setting, seed", "runs", "regret", "answers"), lines, numbers=3),
        *(
            f"\nFailed: {each['problem']}, {each['learner']}, run {each['start']}: {each['reason']}"
            for each in failures
        ),
    )


def _means(found: Sweep, cell: Cell) -> dict[str, Any]:
    """Mean regret, and the mean number of answers until certified where every finished run was."""
    rows = found.runs(cell)
    if not len(rows):
        return {"runs": 0, "regret": None, "answers": None, "certified": 0, "wrong": 0}
    answers = rows["n_answers"]
    return {
        "runs": len(rows),
        "regret": float(np.mean(rows["regret"])),
        "answers": float(np.mean(answers)) if (answers >= 0).all() else None,
        "certified": int((answers >= 0).sum()),
        "wrong": int(rows["is_wrong"].sum()),
    }
