"""What a study was set up with, as JSON and back."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np

from warmer import estimation, learners
from warmer.certification import goals, noise
from warmer.model import Problem, RoundLearner
from warmer.model.checks import check_count
from warmer.model.errors import InvalidValueError, StorageError
from warmer.studies.records.plain import dumps, label_form, label_of
from warmer.studies.session import Session

__all__ = ["Spec", "read_spec"]

VERSION = 1
"""Of the JSON form."""

_LONGEST_UNIT = 20

_DECLARED = ("goal", "noise", "delta", "prior", "tolerance", "learner", "seed", "unit")


@dataclass(frozen=True, eq=False)
class Spec:
    """What a study was set up with: it never changes.

    Examples
    --------
    >>> from warmer import goals, noise
    >>> table = Problem.from_table([[0.0, 1.0]])
    >>> text = Spec(table, "d", goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.5), seed=7).text
    >>> read_spec(text, lambda digest: table).noise
    SubGaussian(sigma=0.5)
    """

    problem: Problem
    digest: str
    """Of the problem."""
    goal: Any = None
    noise: Any = None
    delta: float | None = None
    prior: Any = None
    tolerance: float | None = None
    learner: Any = None
    """Who chooses the queries; `TopTwo` where None."""
    seed: int = 0
    unit: str | None = None
    """What rewards are measured in, for people."""

    def __post_init__(self) -> None:
        check_count("seed", self.seed, least=0)
        if self.unit is not None and not (0 < len(self.unit) <= _LONGEST_UNIT and self.unit.isprintable()):
            raise InvalidValueError(f"a unit has 1 to {_LONGEST_UNIT} printable characters, got {self.unit!r}.")
        learner = self.learner
        if learner is not None and getattr(learner, "problem", None) is not self.problem:
            raise InvalidValueError("the learner must be made for the problem of the study.")
        if isinstance(learner, RoundLearner) and learner.counts_rounds:
            raise InvalidValueError(
                f"{type(learner).__name__} counts rounds, and a study has several queries under way; use TopTwo, which "
                "learns from any data."
            )

    def session(self) -> Session:
        """A session that was set up in the same way, before the first answer."""
        given = {name: getattr(self, name) for name in ("goal", "noise", "delta", "prior", "tolerance", "seed")}
        return Session(self.problem if self.learner is None else self.learner, **given)

    @property
    def text(self) -> str:
        """As JSON; what was not declared is left out."""
        forms = {name: _form(name, getattr(self, name)) for name in _DECLARED if getattr(self, name) is not None}
        return dumps({"version": VERSION, "problem": self.digest, **forms})


def read_spec(text: str, problem_of: Callable[[str], Problem]) -> Spec:
    """A specification from its JSON; `problem_of` gives the problem with a digest."""
    form = json.loads(text)
    if form["version"] != VERSION:
        raise StorageError(
            f"the study was set up by a newer warmer (form {form['version']}); upgrade warmer to open it."
        )
    problem = problem_of(form["problem"])
    return Spec(problem, form["problem"], **{name: _value(form[name], problem) for name in _DECLARED if name in form})


def _form(name: str, value: Any) -> Any:
    """A value of the library as JSON has it: its class and what it was made with, without the problem."""
    if isinstance(value, Problem):
        return _PROBLEM
    if is_dataclass(value) and not isinstance(value, type):
        return _object_form(name, value)
    if isinstance(value, Mapping):
        return {"mapping": [[_form(name, key), _form(name, entry)] for key, entry in value.items()]}
    if hasattr(value, "index") and hasattr(value, "to_numpy"):
        raise InvalidValueError(
            f"a study keeps its {name} as plain numbers; give lists or arrays, and names beside them, "
            f"not a {type(value).__name__}."
        )
    if isinstance(value, np.ndarray | np.generic):
        return _form(name, value.tolist())
    if isinstance(value, list):
        return [_form(name, entry) for entry in value]
    if value is None:
        return None
    try:
        return label_form(value)
    except InvalidValueError:
        raise InvalidValueError(f"a study keeps its {name} as text, and cannot keep {value!r} in it.") from None


def _object_form(name: str, value: Any) -> dict[str, Any]:
    if _classes().get(type(value).__name__) is not type(value):
        raise InvalidValueError(
            f"a study must be able to make its {name} again on another machine, and knows only those of warmer; "
            f"got {type(value).__name__}."
        )
    given = {field.name: _form(field.name, getattr(value, field.name)) for field in fields(value) if field.init}
    return {"kind": type(value).__name__, **{key: form for key, form in given.items() if form is not _PROBLEM}}


def _value(form: Any, problem: Problem) -> Any:
    if isinstance(form, list):
        return [_value(entry, problem) for entry in form]
    if not isinstance(form, dict):
        return form
    if "mapping" in form:
        return {_value(key, problem): _value(entry, problem) for key, entry in form["mapping"]}
    if "kind" not in form:
        return label_of(form)
    kind = _classes().get(form["kind"])
    if kind is None:
        raise StorageError(
            f"the study was set up with {form['kind']}, which this warmer does not know; upgrade warmer."
        )
    given = {key: _value(entry, problem) for key, entry in form.items() if key != "kind"}
    needs_problem = any(field.name == "problem" for field in fields(kind))
    return kind(problem, **given) if needs_problem else kind(**given)


_PROBLEM: Any = object()
"""Stands where the problem stood."""


@cache
def _classes() -> dict[str, Any]:
    """Everything that a study may be set up with, by name."""
    found = [getattr(room, name) for room in (estimation, learners, goals, noise) for name in room.__all__]
    return {kind.__name__: kind for kind in found if isinstance(kind, type) and is_dataclass(kind)}
