"""`warmer problems`: the catalogue, or one problem of it."""

from typing import Annotated, Any

import typer

from warmer.cli.formulas import plain
from warmer.cli.json_output import problem_form
from warmer.cli.options import RewardRange, Square
from warmer.cli.problem_argument import find_problem
from warmer.cli.tables import new_table
from warmer.model import Labels, Problem
from warmer.model.words import exact
from warmer.problems.catalog import CATALOG, Entry
from warmer.report.text import short


def problems(
    problem: Annotated[
        str | None, typer.Argument(metavar="[PROBLEM]", help="NAME, NAME:key=value,..., or a file.")
    ] = None,
    square: Square = None,
    reward_range: RewardRange = None,
) -> Any:
    """List the problems that can be built by name, or show one."""
    return _catalogue() if problem is None else _one(problem, find_problem(problem, square, reward_range))


def _catalogue() -> Any:
    entries = [(entry, find_problem(name)) for name, entry in CATALOG.items()]
    rows = ((entry.name, plain(entry.description), _size(built)) for entry, built in entries)
    return (
        {"problems": [_entry_form(entry, built) for entry, built in entries]},
        new_table(("name", "what it is", "size"), rows, numbers=1),
        "",
        "Sizes are queries x targets with default parameters. To change a parameter write NAME:key=value,..., such as "
        "treasure:side=9; `warmer problems NAME` lists the parameters of a problem.",
    )


def _one(source: str, built: Problem) -> Any:
    entry = CATALOG.get(source.partition(":")[0])
    form = _entry_form(entry, built) if entry else problem_form(built)
    form = {"problem": source, **form, "queries": _ends(built.queries), "targets": _ends(built.targets)}
    (low, high), values = built.reward_range, built.self_evaluations
    kind = "each alternative is a query and a target" if built.is_square else "queries x targets"
    given = ", ".join(f"{key}={value}" for key, value in entry.parameters.items()) if entry else ""
    rows = {
        "what it is": plain(entry.description) if entry else "",
        "size": f"{_size(built)} ({kind})",
        "rewards": f"{exact(low)} to {exact(high)}{', kept exactly as fractions' if built.rational else ''}",
        "best values": f"{short(float(values.min()))} to {short(float(values.max()))} over the targets",
        "queries": _listed(built.queries),
        "targets": _listed(built.targets),
        "parameters": f"{given} (defaults)" if entry else "",
    }
    return form, new_table(("", source), ((name, words) for name, words in rows.items() if words))


def _entry_form(entry: Entry, built: Problem) -> dict[str, Any]:
    parameters = {key: value if isinstance(value, int) else str(value) for key, value in entry.parameters.items()}
    return {
        "name": entry.name,
        "description": plain(entry.description),
        "parameters": parameters,
        **problem_form(built),
    }


def _size(problem: Problem) -> str:
    return f"{problem.n_queries:,} x {problem.n_targets:,}"


def _ends(labels: Labels) -> dict[str, Any]:
    return {"count": len(labels), "first": list(labels[:3]), "last": labels[-1]}


def _listed(labels: Labels) -> str:
    shown = [str(label) for label in labels[:3]]
    return "; ".join(shown if len(labels) <= 3 else [*shown, "...", str(labels[-1])])
