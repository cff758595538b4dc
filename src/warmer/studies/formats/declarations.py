"""Goals, noise models, learners and families as JSON has them, and back."""

from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np

from warmer import estimation, families, learners
from warmer.certification import goals, noise
from warmer.families.continuous import ContinuousFamily
from warmer.model import Problem
from warmer.model.errors import InvalidValueError, StorageError
from warmer.studies.records.plain import label_form, label_of


def form_of(name: str, value: Any) -> Any:
    """A value of the library as JSON has it: its class and what it was made with, without the problem.

    Examples
    --------
    >>> form_of("goal", goals.BestQuery(0.05))
    {'kind': 'BestQuery', 'epsilon': 0.05}
    """
    if isinstance(value, Problem | ContinuousFamily):
        return _PROBLEM
    if isinstance(value, families.Link):
        return {"link": _link_name(value)}
    if is_dataclass(value) and not isinstance(value, type):
        return _object_form(name, value)
    if isinstance(value, Mapping):
        return {"mapping": [[form_of(name, key), form_of(name, entry)] for key, entry in value.items()]}
    if hasattr(value, "index") and hasattr(value, "to_numpy"):
        raise InvalidValueError(
            f"a study keeps its {name} as plain numbers; give lists or arrays, and names beside them, "
            f"not a {type(value).__name__}."
        )
    if isinstance(value, np.ndarray | np.generic):
        return form_of(name, value.tolist())
    if isinstance(value, list):
        return [form_of(name, entry) for entry in value]
    if value is None:
        return None
    try:
        return label_form(value)
    except InvalidValueError:
        raise InvalidValueError(f"a study keeps its {name} as text, and cannot keep {value!r} in it.") from None


def family_form(family: ContinuousFamily) -> dict[str, Any]:
    """A class of targets as JSON has it.

    Examples
    --------
    >>> form = family_form(families.KArms(2))
    >>> form["kind"], form["n_arms"], value_of(form)
    ('KArms', 2, KArms(2))
    """
    return _object_form("family", family)


def value_of(form: Any, problem: Any = None) -> Any:
    """The value back from its JSON; what needs a problem is made for this one."""
    if isinstance(form, list):
        return [value_of(entry, problem) for entry in form]
    if not isinstance(form, dict):
        return form
    if "mapping" in form:
        return {value_of(key, problem): value_of(entry, problem) for key, entry in form["mapping"]}
    if "kind" not in form:
        return getattr(families, form["link"]) if "link" in form else label_of(form)
    kind = _class(form["kind"])
    if kind is None:
        raise StorageError(
            f"the study was set up with {form['kind']}, which this warmer does not know; upgrade warmer."
        )
    given = {key: value_of(entry, problem) for key, entry in form.items() if key != "kind"}
    needs_problem = any(field.name == "problem" for field in fields(kind))
    return kind(problem, **given) if needs_problem else kind(**given)


def _object_form(name: str, value: Any) -> dict[str, Any]:
    if _class(type(value).__name__) is not type(value):
        raise InvalidValueError(
            f"a study must be able to make its {name} again on another machine, and knows only those of warmer; "
            f"got {type(value).__name__}."
        )
    given = {field.name: form_of(field.name, getattr(value, field.name)) for field in _spoken(value)}
    return {"kind": type(value).__name__, **{key: form for key, form in given.items() if form is not _PROBLEM}}


def _spoken(value: Any) -> list[Field[Any]]:
    """What a value was made with; without what is younger than the form and was not said (`is_silent`)."""
    given = [field for field in fields(value) if field.init]
    return [each for each in given if not each.metadata.get("is_silent") or getattr(value, each.name) is not None]


def _link_name(link: families.Link) -> str:
    for name in ("logistic", "probit"):
        if getattr(families, name) is link:
            return name
    raise InvalidValueError(f"a study keeps its link by name, logistic or probit, and cannot keep {link!r}.")


_PROBLEM: Any = object()
"""Stands where the problem stood."""


@cache
def _class(name: str) -> Any:
    """What a study may be set up with, by its name; None where there is no such thing."""
    for room in (estimation, families, learners, goals, noise):
        if name in room.__all__:
            kind = getattr(room, name)
            return kind if isinstance(kind, type) and is_dataclass(kind) else None
    return None
