"""A problem as JSON lines that a person can read: what holds for all of it, then a line for each query.

A class of targets without a table is one line.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from warmer.families.continuous import ContinuousFamily
from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.studies.formats.declarations import family_form, value_of
from warmer.studies.formats.stored_problems import assemble, parts


def table_lines(problem: Problem | ContinuousFamily) -> Iterator[dict[str, Any]]:
    """The problem, a JSON object at a time; numbers are written so that they come back exactly.

    Examples
    --------
    >>> problem = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
    >>> lines = list(table_lines(problem))
    >>> lines[1]
    {'query': 'left', 'means': [0.1, 0.9]}
    >>> read_table(lines).rho.tolist()
    [[0.1, 0.9], [0.7, 0.3]]
    """
    if isinstance(problem, ContinuousFamily):
        yield {"family": family_form(problem)}
        return
    text, arrays = parts(problem)
    header = json.loads(text)
    queries = header.pop("queries") or range(problem.n_queries)
    numerators = header.pop("numerators") or arrays.get("numerators")
    yield {"table": header}
    for place, query in enumerate(queries):
        line: dict[str, Any] = {"query": query, "means": arrays["rho"][place].tolist()}
        if numerators is not None:
            line["numerators"] = [int(entry) for entry in numerators[place]]
        if "costs" in arrays:
            line["cost"] = float(arrays["costs"][place])
        if "is_allowed" in arrays:
            line["is_allowed"] = bool(arrays["is_allowed"][place])
        yield line


def read_table(lines: Sequence[dict[str, Any]]) -> Any:
    """The problem, or the class of targets, from its lines."""
    header, *rows = lines
    try:
        if "family" in header:
            return value_of(header["family"])
        form = {**header["table"], "queries": [row["query"] for row in rows]}
        arrays = {"rho": np.array([row["means"] for row in rows], dtype=form["dtype"])}
        if arrays["rho"].shape != tuple(form["shape"]):
            raise InvalidValueError(f"the table has shape {arrays['rho'].shape}, and should have {form['shape']}.")
        if form["denominator"] is not None:
            arrays["numerators"] = _whole([row["numerators"] for row in rows])
        for key, name, dtype in (("cost", "costs", float), ("is_allowed", "is_allowed", bool)):
            if key in rows[0]:
                arrays[name] = np.array([row[key] for row in rows], dtype=dtype)
        return assemble(form, arrays)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InvalidValueError(f"the table is not whole ({error!r}); export the study again.") from error


def _whole(rows: list[list[int]]) -> Any:
    """Integers in 64 bits where they fit, else Python's own."""
    values = np.array(rows, dtype=object)
    fits = max(abs(entry) for entry in values.flat) <= np.iinfo(np.int64).max
    return values.astype(np.int64) if fits else values
