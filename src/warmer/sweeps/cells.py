"""One cell of a sweep, as text that any machine can play, and the runs of a chunk of it."""

import hashlib
import io
import json
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np

from warmer import environments
from warmer.analysis import Comparison, Task, compare, draw_targets
from warmer.model import Array, Problem
from warmer.model.errors import InvalidValueError, StorageError
from warmer.studies.formats.stored_problems import unpack
from warmer.studies.records.plain import dumps
from warmer.studies.spec import Spec, read_spec

_CURVE = 24
"""At how many rounds the regret of a run is kept."""

_READERS = {"width": float, "n": int, "strategy": str}
"""The settings of a noise model, and how they are read."""


@dataclass(frozen=True)
class Cell:
    """A combination of a sweep: what people call its parts, and all of it as JSON."""

    problem: str
    learner: str
    environment: str
    setting: str
    seed: int
    text: str

    @property
    def digest(self) -> str:
        """A name for what is played here, and for nothing else."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def names(self) -> dict[str, Any]:
        """Its parts by the names that people gave them."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "text"}


@dataclass(frozen=True)
class Chunk:
    """Consecutive runs of a cell."""

    cell: Cell
    start: int
    n_runs: int


def cell_text(
    problem: Problem,
    digest: str,
    task: Task,
    *,
    learner: str,
    environment: str,
    horizon: int,
    seed: int,
    with_proofs: bool,
) -> str:
    """What is played, as JSON: the same text gives the same runs on every machine."""
    return dumps(
        {
            "version": 1,
            "decided": Spec(problem, task.goal, task.noise, task.delta).text_about(digest),
            "epsilon": str(task.exact_epsilon),
            "sigma": task.sigma,
            "alpha": None if task.alpha is None else str(task.alpha),
            "learner": learner,
            "environment": environment_settings(environment, problem),
            "horizon": horizon,
            "seed": seed,
            "with_proofs": with_proofs,
        }
    )


def environment_settings(text: str, problem: Problem) -> dict[str, Any]:
    """A noise model and its settings from text such as "gaussian:width=0.3".

    Examples
    --------
    >>> environment_settings("mean:n=20", Problem.from_table([[0.5]]))
    {'name': 'mean', 'width': 0.5, 'n': 20}
    """
    name, _, rest = text.partition(":")
    settings: dict[str, Any] = {"width": float(problem.scale) / 2}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        try:
            settings[key] = _READERS[key](value)
        except (KeyError, ValueError):
            raise InvalidValueError(
                f"write an environment as NAME or NAME:width=0.5, with {', '.join(_READERS)}; got {text!r}."
            ) from None
    environments.build(name, problem, problem.targets[0], **settings)  # says now what is wrong
    return {"name": name, **settings}


def play(text: str, payload: bytes, start: int, n_runs: int, engine: str = "cpu") -> bytes:
    """Runs `start` to `start + n_runs - 1` of a cell: a row each, as the bytes of an .npy file."""
    form = json.loads(text)
    spec = read_spec(form["decided"], lambda digest: _problem(digest, payload))
    problem, settings = spec.problem, dict(form["environment"])
    task = Task(form["epsilon"], spec.delta or 0.05, form["sigma"], form["alpha"], spec.goal, spec.noise)
    targets = draw_targets(problem, runs=start + n_runs, seed=form["seed"])[start:]
    name = settings.pop("name")
    played = [environments.build(name, problem, target, **settings) for target in targets]
    found = compare(
        played,
        [form["learner"]],
        task,
        horizon=form["horizon"],
        seed=form["seed"],
        first=start,
        with_proofs=form["with_proofs"],
        jobs=1,
        engine=engine,
    )
    if found.is_interrupted:
        raise KeyboardInterrupt  # a chunk is stored whole or not at all
    buffer = io.BytesIO()
    np.save(buffer, _rows(found, start), allow_pickle=False)
    return buffer.getvalue()


def read_runs(payload: bytes) -> Array:
    """The rows that `play` gave."""
    try:
        return np.asarray(np.load(io.BytesIO(payload), allow_pickle=False))
    except (ValueError, EOFError, OSError) as error:
        raise StorageError(f"a stored result is damaged ({error}); restore a copy of the database.") from error


@lru_cache(maxsize=4)
def _problem(digest: str, payload: bytes) -> Problem:
    return unpack(payload, digest)


def _rows(found: Comparison, start: int) -> Array:
    (outcome,), problem = found.outcomes, found.problem
    evenly = np.geomspace(1, found.horizon, _CURVE)  # on a logarithmic scale
    places = np.unique(np.searchsorted(found.rounds, evenly - 0.5))
    kinds: Any = [
        ("run", "<i8"),
        ("target", "<i8"),
        ("regret", "<f8"),
        ("n_bad", "<i8"),
        ("is_good", "?"),
        ("n_answers", "<i8"),
        ("is_wrong", "?"),
        ("rounds", "<i8", (len(places),)),
        ("regrets", "<f8", (len(places),)),
    ]
    rows = np.zeros(found.n_runs, dtype=kinds)
    rows["run"] = np.arange(start, start + found.n_runs)
    rows["target"] = [problem.targets.position(each.target) for each in found.environments]
    rows["regret"], rows["regrets"] = outcome.regrets[:, -1], outcome.regrets[:, places]
    rows["rounds"] = found.rounds[places]
    rows["n_bad"], rows["is_good"] = outcome.n_bad, outcome.is_good
    rows["n_answers"] = [-1 if proof is None else proof.n_answers for proof in outcome.proofs] or -1
    rows["is_wrong"] = outcome.is_wrong if outcome.proofs else False
    return rows
