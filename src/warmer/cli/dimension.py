"""`warmer dimension`: how complex a problem is, as a bracket whose lower end is a witness."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.padding import Padding

from warmer import dimensions
from warmer.analysis import witness_values
from warmer.cli.console import closing_in, doing, show, show_json
from warmer.cli.figures import check_figure, write_witness
from warmer.cli.options import (
    MEASURES,
    AsJSON,
    FigurePath,
    Gamma,
    Level,
    MeasureName,
    Monotone,
    Resolution,
    RewardRange,
    Sided,
    Source,
    Square,
    TimeLimit,
)
from warmer.cli.problem_argument import find_problem
from warmer.cli.tables import new_table
from warmer.dimensions import Bracket, Complexity, DissimilarityWitness
from warmer.dimensions.covering import CoverAndPacking
from warmer.model import Problem
from warmer.model.errors import InvalidValueError

__all__ = ["common_level", "dimension"]

USES_ALPHA = ("dissimilarity", "all")
"""The measures that depend on an optimality level."""

_MOST_SHOWN = 40
"""How many elements of a witness are named on the screen; JSON names them all."""


def dimension(
    problem: Source,
    epsilon: Resolution,
    alpha: Level = None,
    measure: MeasureName = "dissimilarity",
    monotone: Monotone = False,
    sided: Sided = "one",
    gamma: Gamma = None,
    time_limit: TimeLimit = None,
    square: Square = None,
    reward_range: RewardRange = None,
    figure: FigurePath = None,
    as_json: AsJSON = False,
) -> None:
    """Compute a complexity measure exactly, with a witness that is checked before it is shown.

    A time limit or Ctrl-C gives the two ends that are proven so far.
    """
    table = find_problem(problem, square, reward_range)
    level = alpha if alpha is not None or measure not in USES_ALPHA else common_level(table)
    _check_options(measure, monotone=monotone, sided=sided, alpha=alpha, figure=figure, gamma=gamma)
    check_figure(figure)
    if measure == "all":
        with doing() as tell:
            found = dimensions.complexity(
                table, alpha=level, epsilon=epsilon, gamma=gamma, time_limit=time_limit, progress=tell
            )
        _tell_all(table, problem, found, as_json)
        return
    with closing_in(_title(measure, monotone)) as progress:
        shared = {"epsilon": epsilon, "time_limit": time_limit}
        bracket = _compute(
            table, measure, alpha=level, monotone=monotone, sided=sided, progress=progress, shared=shared
        )
    if figure is not None and bracket.witness is None:
        raise InvalidValueError(f"there is no witness to draw: {bracket.reason}.")
    if figure is not None and isinstance(bracket.witness, DissimilarityWitness):
        words = f"Dissimilarity dimension of {problem}: {bracket}"
        write_witness(figure, witness_values(table, bracket.witness), title=words)
    scale = {"alpha": str(level), "epsilon": epsilon} if measure == "dissimilarity" else {"epsilon": epsilon}
    form = {"measure": measure, "monotone": monotone, **scale, **_form(table, bracket), "figure": figure}
    if as_json:
        show_json({"source": problem, **form})
    else:
        _describe(table, problem, bracket, form)


def common_level(problem: Problem) -> Any:
    """What every target's best query earns, exactly where the table is exact; to be chosen where they differ."""
    least, most = problem.self_evaluations.min(), problem.self_evaluations.max()
    if least != most:
        raise InvalidValueError(
            f"the targets' best values range from {least:g} to {most:g}: say with --alpha from which value on an "
            "answer is good."
        )
    return problem.entry(int(problem.best_queries[0]), 0)


def _check_options(
    measure: str, *, monotone: bool, sided: str, alpha: str | None, figure: Path | None, gamma: float | None
) -> None:
    if measure not in MEASURES:
        raise InvalidValueError(f"there is no measure {measure!r}; choose one of {', '.join(MEASURES)}.")
    for option, is_given, takers in (
        ("--monotone", monotone, ("dissimilarity", "eluder")),
        ("--sided", sided != "one", ("dissimilarity",)),
        ("--alpha", alpha is not None, USES_ALPHA),
        ("--figure", figure is not None, ("dissimilarity",)),
        ("--gamma", gamma is not None, ("all",)),
    ):
        if is_given and measure not in takers:
            raise InvalidValueError(f"{option} has no meaning for {measure}; it is for {' and '.join(takers)}.")


def _compute(
    problem: Problem,
    measure: str,
    *,
    alpha: Any,
    monotone: bool,
    sided: Any,
    progress: Callable[[int, int], None],
    shared: dict[str, Any],
) -> Bracket:
    if measure == "eluder":
        return dimensions.eluder_dimension(problem, monotone=monotone, progress=progress, **shared)
    if measure == "strong-sq":
        return dimensions.strong_sq_dimension(problem, progress=progress, **shared)
    if measure == "covering":
        return dimensions.covering_number(problem, progress=progress, **shared)
    return dimensions.dissimilarity_dimension(
        problem, alpha=alpha, monotone=monotone, sided=sided, progress=progress, **shared
    )


def _form(problem: Problem, bracket: Bracket) -> dict[str, Any]:
    """The bracket as JSON has it, its witness checked."""
    found = {"lower": bracket.lower, "upper": bracket.upper, "is_exact": bracket.is_exact, "reason": bracket.reason}
    if bracket.witness is None:
        return {**found, "witness": None}
    margin = bracket.witness.check(problem)
    packing = bracket.witness.packing if isinstance(bracket.witness, CoverAndPacking) else None
    witness: Any = bracket.witness.cover if isinstance(bracket.witness, CoverAndPacking) else bracket.witness
    read: dict[str, Callable[[Any], Any]] = {
        "center": str,
        "queries": lambda queries: [problem.queries[query] for query in queries],
        "targets": lambda targets: [problem.targets[target] for target in targets],
        "pairs": lambda pairs: [[problem.targets[target] for target in pair] for pair in pairs],
    }
    parts = {name: words(getattr(witness, name)) for name, words in read.items() if hasattr(witness, name)}
    if packing is not None:
        parts["packing"] = read["targets"](packing.targets)
    return {**found, "witness": {"margin": float(margin), "epsilon": str(witness.epsilon), **parts}}


def _describe(problem: Problem, source: str, bracket: Bracket, form: dict[str, Any]) -> None:
    scale = ", ".join(f"{name} = {form[name]}" for name in ("alpha", "epsilon") if name in form)
    show(f"{_title(form['measure'], form['monotone'])} of {source} at {scale}: {bracket}.")
    witness = form["witness"]
    if witness is None:
        return
    listed = witness.get("queries") or witness["targets"]
    if not problem.is_square and "queries" in witness and "targets" in witness:
        listed = [f"({q}, {z})" for q, z in zip(witness["queries"], witness["targets"], strict=True)]
    extra = f"center {witness['center']}, " if "center" in witness else ""
    what = "Cover" if "packing" in witness else "Witness"
    show(f"{what}, checked ({extra}epsilon {witness['epsilon']}, margin {witness['margin']:.6g}): {_some(listed)}")
    if "packing" in witness:
        least, apart = len(witness["packing"]), _some(witness["packing"])
        rest = f" From {least} to {bracket.lower} the lower end rests on the solver." if least < bracket.lower else ""
        show(f"No two of these share a center, so no cover has fewer than {least}: {apart}.{rest}")
    if form["figure"] is not None:
        show(f"Figure: {form['figure']}")


def _some(labels: list[Any]) -> str:
    return ", ".join(map(str, labels[:_MOST_SHOWN])) + (", ..." if len(labels) > _MOST_SHOWN else "")


def _tell_all(problem: Problem, source: str, found: Complexity, as_json: bool) -> None:
    if as_json:
        ends = {name: _form(problem, bracket) for name, bracket in found.brackets.items()}
        for name, game in found.games.items():
            ends[name] = {"lower": game.lower, "upper": game.upper, "is_exact": game.is_exact}
        rows = [{**row._asdict(), **ends[row.measure]} for row in found.rows()]
        show_json({"source": source, "alpha": str(found.alpha), "epsilon": str(found.epsilon), "measures": rows})
        return
    table = new_table("measure", "value", "why")
    for row in found.rows():
        table.add_row(*row)
    show(f"{source} at alpha = {found.alpha}, epsilon = {found.epsilon}", Padding(table, (1, 0, 0, 0)))


def _title(measure: str, monotone: bool) -> str:
    name = {"strong-sq": "strong SQ dimension", "covering": "covering number"}.get(measure, f"{measure} dimension")
    return f"Monotone {name}" if monotone else name[0].upper() + name[1:]
