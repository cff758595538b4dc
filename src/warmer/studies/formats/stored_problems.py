"""A problem as bytes and back, exactly: table, labels, costs, forbidden queries, range, fractions."""

import hashlib
import io
import json
import zipfile
from typing import Any

import numpy as np

from warmer.families.continuous import ContinuousFamily
from warmer.model import Label, Labels, Numerators, Problem
from warmer.model.errors import InvalidValueError, StorageError
from warmer.studies.formats.declarations import family_form
from warmer.studies.records.plain import check_labels, dumps, label_of

_MOST_BYTES = 512 * 2**20
"""The largest table that a study keeps a copy of."""

_ARRAYS = ("rho", "is_allowed", "costs", "numerators")


def pack(problem: Problem) -> bytes:
    """The problem as an .npz archive: arrays as they are, everything else as JSON.

    Examples
    --------
    >>> problem = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"])
    >>> unpack(pack(problem)).queries[1], digest_of(unpack(pack(problem))) == digest_of(problem)
    ('right', True)
    """
    if not isinstance(problem, Problem):
        raise InvalidValueError(
            f"a study needs a problem with a table, got {type(problem).__name__}; "
            "a Session can be had for a continuous family."
        )
    if problem.rho.nbytes > _MOST_BYTES:
        raise InvalidValueError(
            f"a study keeps a copy of its table, at most {_MOST_BYTES >> 20} MB; this one has "
            f"{problem.rho.nbytes >> 20}. Store it as float32, or drop candidates that nobody believes in."
        )
    header, arrays = parts(problem)
    buffer = io.BytesIO()
    np.savez(buffer, header=np.frombuffer(header.encode(), dtype=np.uint8), **arrays)
    return buffer.getvalue()


def unpack(payload: bytes, digest: str | None = None) -> Problem:
    """The problem from its bytes; with its digest also whether they are whole."""
    try:
        with np.load(io.BytesIO(payload), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = arrays.pop("header").tobytes().decode()
    except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
        raise StorageError(f"the stored problem is damaged ({error}); restore a copy of the database.") from error
    if digest not in (None, _digest(header, arrays)):
        raise StorageError("the stored problem is not the one the study was made for; restore a copy of the database.")
    return assemble(json.loads(header), arrays)


def digest_of(problem: Problem | ContinuousFamily) -> str:
    """A name for this problem and no other: SHA-256 over everything that it holds."""
    if isinstance(problem, ContinuousFamily):
        return hashlib.sha256(dumps(family_form(problem)).encode()).hexdigest()
    return _digest(*parts(problem))


def assemble(header: dict[str, Any], arrays: dict[str, Any]) -> Problem:
    """A problem from its JSON part and its arrays."""
    rational = None
    if header["denominator"] is not None:
        numerators = arrays["numerators"] if "numerators" in arrays else _large(header["numerators"])
        rational = Numerators(_fixed(numerators), header["denominator"])
    low, high = header["reward_range"]
    return Problem(
        rho=_fixed(arrays["rho"]),
        queries=_labels(header["queries"], arrays["rho"].shape[0], "query"),
        targets=_labels(header["targets"], arrays["rho"].shape[1], "target"),
        is_square=header["is_square"],
        is_allowed=arrays.get("is_allowed"),
        costs=arrays.get("costs"),
        reward_range=(low, high),
        tolerance=header.get("tolerance", 0.0),
        rational=rational,
        parameters=_parameters(header.get("parameters")),
    )


def parts(problem: Problem) -> tuple[str, dict[str, Any]]:
    """The problem's arrays, and everything else as JSON."""
    exact = problem.rational
    is_large = exact is not None and exact.numerators.dtype == object
    header: dict[str, Any] = {
        "queries": _label_forms(problem.queries),
        "targets": _label_forms(problem.targets),
        "is_square": problem.is_square,
        "reward_range": list(problem.reward_range),
        "denominator": None if exact is None else exact.denominator,
        "numerators": exact.numerators.tolist() if is_large and exact is not None else None,
        "dtype": problem.rho.dtype.name,
        "shape": list(problem.rho.shape),
    }
    if problem.tolerance != 0:
        header["tolerance"] = problem.tolerance  # what is new is left out where it is silent: digests must not change
    if problem.parameters is not None:
        header["parameters"] = [_parameter_form(name, values) for name, values in problem.parameters.items()]
    arrays: dict[str, Any] = {"rho": _little(problem.rho)}
    if problem.is_allowed is not None:
        arrays["is_allowed"] = np.asarray(problem.is_allowed)
    if problem.costs is not None:
        arrays["costs"] = _little(problem.costs)
    if exact is not None and not is_large:
        arrays["numerators"] = _little(exact.numerators)
    return dumps(header), arrays


def _digest(header: str, arrays: dict[str, Any]) -> str:
    found = hashlib.sha256(header.encode())
    for name in _ARRAYS:
        if name in arrays:
            found.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return found.hexdigest()


def _label_forms(labels: Labels) -> list[Any] | None:
    """The labels as JSON has them; None where the user gave none."""
    forms = check_labels(labels)
    are_indices = all(type(form) is int and form == place for place, form in enumerate(forms))
    return None if are_indices else forms


def _labels(forms: list[Any] | None, length: int, noun: str) -> Labels:
    names: list[Label] | None = None if forms is None else [label_of(form) for form in forms]
    return Labels(names, length=length, noun=noun)


def _parameter_form(name: str, values: Any) -> list[Any]:
    array = np.asarray(values)
    return [name, array.dtype.str, check_labels(array.tolist())]


def _parameters(forms: list[list[Any]] | None) -> dict[str, Any] | None:
    if forms is None:
        return None
    return {name: _fixed(np.array([label_of(form) for form in values], dtype)) for name, dtype, values in forms}


def _large(rows: list[list[int]]) -> Any:
    return np.array(rows, dtype=object)


def _little(array: Any) -> Any:
    """The same numbers in the byte order of most machines."""
    return np.asarray(array).astype(array.dtype.newbyteorder("<"), copy=False)


def _fixed(array: Any) -> Any:
    array.flags.writeable = False
    return array
