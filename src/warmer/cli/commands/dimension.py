"""`warmer dimension`: how complex a problem is, as a bracket whose lower end is a witness."""

from collections.abc import Callable, Iterator
from typing import Any

from warmer import dimensions, report
from warmer.analysis.witnesses import witness_values
from warmer.cli import options
from warmer.cli.console import command_clock, doing
from warmer.cli.problem_argument import accuracy, common_alpha_of
from warmer.cli.tables import new_table
from warmer.cli.verbs import Given
from warmer.dimensions import Bracket, Complexity, DissimilarityWitness, converters
from warmer.dimensions.covering import CoverAndPacking
from warmer.model import Problem
from warmer.model.errors import InvalidValueError

_MOST_SHOWN = 40
"""How many elements of a witness are named on the screen; JSON names them all."""

_USES_ALPHA = ("dissimilarity", "all")
_MEASURES: dict[str, tuple[Callable[..., Bracket], tuple[str, ...]]] = {
    "dissimilarity": (dimensions.dissimilarity_dimension, ("alpha", "monotone", "sided")),
    "eluder": (dimensions.eluder_dimension, ("monotone",)),
    "strong-sq": (dimensions.strong_sq_dimension, ()),
    "star": (dimensions.star_number, ("monotone",)),
    "covering": (dimensions.covering_number, ()),
}
"""What computes a measure, and which of its options it takes."""
_CONVERTERS: dict[tuple[str, str], Callable[[Any, Problem], Any]] = {
    ("dissimilarity", "eluder"): converters.eluder_from_dissimilarity,
    ("dissimilarity", "strong-sq"): converters.strong_sq_from_dissimilarity,
    ("strong-sq", "dissimilarity"): converters.dissimilarity_from_strong_sq,
    ("star", "eluder"): converters.eluder_from_star,
}


def dimension(
    given: Given,
    epsilon: options.Epsilon = None,
    alpha: options.Alpha = None,
    measure: options.MeasureName = "dissimilarity",
    monotone: options.Monotone = False,
    sided: options.Sided = "one",
    convert: options.Converted = None,
    gamma: options.Gamma = None,
    time_limit: options.TimeLimit = None,
    figure: options.FigurePath = None,
) -> Any:
    """Compute a complexity measure of a problem exactly.

    The lower bound comes with a witness, which is checked before it is shown. A time limit or Ctrl-C gives the two
    bounds that are proven so far.
    """
    clock = command_clock(time_limit)
    problem, table = given.problem, given.table
    scale = accuracy(table, epsilon)
    _check_options(
        measure, monotone=monotone, sided=sided != "one", alpha=alpha, figure=figure, gamma=gamma, convert=convert
    )
    level = common_alpha_of(table) if alpha is None and measure in _USES_ALPHA else alpha
    if measure == "all":
        with doing() as tell:
            found = dimensions.complexity(
                table, alpha=level, epsilon=scale, gamma=gamma, time_limit=clock.share(1), progress=tell
            )
        return _all_of_them(table, problem, found)
    compute, taken = _MEASURES[measure]
    own = {name: value for name, value in (("alpha", level), ("monotone", monotone), ("sided", sided)) if name in taken}
    title = _title(measure, monotone)
    with doing(title) as tell:

        def progress(lower: int, upper: int) -> None:
            tell(f"{title}: {lower}" if lower == upper else f"{title}: between {lower} and {upper}")

        bracket = compute(table, epsilon=scale, time_limit=clock.share(1), progress=progress, **own)
    if (figure or convert) and bracket.witness is None:
        raise InvalidValueError(f"there is no witness to draw or convert: {bracket.reason}.")
    if figure is not None and isinstance(bracket.witness, DissimilarityWitness):
        caption = f"Dissimilarity dimension of {problem}: {bracket}"
        report.save(report.plot_witness(witness_values(table, bracket.witness), title=caption), figure)
    scales = {"alpha": str(level), "epsilon": str(scale)} if measure == "dissimilarity" else {"epsilon": str(scale)}
    form = {"measure": measure, "monotone": monotone, **scales, **_form(table, bracket), "figure": figure}
    if convert is not None:
        if (measure, convert) not in _CONVERTERS:
            known = ", ".join(f"{before} to {after}" for before, after in _CONVERTERS)
            raise InvalidValueError(f"a {measure} witness cannot be converted to {convert}; possible are {known}.")
        converted = _CONVERTERS[measure, convert](bracket.witness, table)
        form["converted"] = {"measure": convert, **_witness_form(table, converted)}
    return {"source": problem, **form}, *_described(table, problem, bracket, form)


def _check_options(measure: str, **given: Any) -> None:
    for option, takers in (
        ("monotone", ("dissimilarity", "eluder", "star")),
        ("sided", ("dissimilarity",)),
        ("alpha", _USES_ALPHA),
        ("figure", ("dissimilarity",)),
        ("gamma", ("all",)),
        ("convert", ("dissimilarity", "strong-sq", "star")),
    ):
        if given[option] not in (None, False) and measure not in takers:
            raise InvalidValueError(f"--{option} does not apply to {measure}, only to {', '.join(takers)}.")


def _form(problem: Problem, bracket: Bracket) -> dict[str, Any]:
    """The bracket as JSON has it, its witness checked."""
    found = {"lower": bracket.lower, "upper": bracket.upper, "is_exact": bracket.is_exact, "reason": bracket.reason}
    if bracket.witness is None:
        return {**found, "witness": None}
    margin = bracket.witness.check(problem)
    if isinstance(bracket.witness, CoverAndPacking):
        cover, packing = bracket.witness.cover, bracket.witness.packing
        parts = {**_witness_form(problem, cover), "packing": [problem.targets[target] for target in packing.targets]}
    else:
        parts = _witness_form(problem, bracket.witness)
    return {**found, "witness": {"margin": float(margin), **parts}}


def _witness_form(problem: Problem, witness: Any) -> dict[str, Any]:
    read: dict[str, Callable[[Any], Any]] = {
        "epsilon": str,
        "center": str,
        "queries": lambda queries: [problem.queries[query] for query in queries],
        "targets": lambda targets: [problem.targets[target] for target in targets],
        "reference": lambda target: problem.targets[target],
        "pairs": lambda pairs: [[problem.targets[target] for target in pair] for pair in pairs],
    }
    return {name: words(getattr(witness, name)) for name, words in read.items() if hasattr(witness, name)}


def _described(problem: Problem, source: str, bracket: Bracket, form: dict[str, Any]) -> Iterator[str]:
    scale = ", ".join(f"{name} = {form[name]}" for name in ("alpha", "epsilon") if name in form)
    yield f"{_title(form['measure'], form['monotone'])} of {source} at {scale}: {bracket}."
    witness = form["witness"]
    if witness is None:
        return
    what = "Cover" if "packing" in witness else "Witness"
    middle = witness.get("center", "")  # a decimal to six digits, a fraction as it is
    center = f"center {f'{float(middle):.6g}' if '.' in middle else middle}, " if middle else ""
    details = f"{center}epsilon {witness['epsilon']}, margin {witness['margin']:.6g}"
    yield f"{what}, checked ({details}): {_elements(problem, witness)}"
    if "packing" in witness:
        least, apart = len(witness["packing"]), _some(witness["packing"])
        rest = f" From {least} to {bracket.lower} the lower bound rests on the solver." if least < bracket.lower else ""
        yield f"No two of these share a center, so no cover has fewer than {least}: {apart}.{rest}"
    if "converted" in form:
        other = form["converted"]
        name = _title(other["measure"], False).lower().replace("sq", "SQ")
        yield f"Converted to a witness of the {name} (epsilon {other['epsilon']}): {_elements(problem, other)}"
    if form["figure"] is not None:
        yield f"Figure: {form['figure']}"


def _elements(problem: Problem, witness: dict[str, Any]) -> str:
    if not problem.is_square and "queries" in witness and "targets" in witness:
        return _some([f"({q}, {z})" for q, z in zip(witness["queries"], witness["targets"], strict=True)])
    return _some(witness.get("queries") or witness["targets"])


def _some(labels: list[Any]) -> str:
    return ", ".join(map(str, labels[:_MOST_SHOWN])) + (", ..." if len(labels) > _MOST_SHOWN else "")


def _all_of_them(problem: Problem, source: str, found: Complexity) -> Any:
    ends = {name: _form(problem, bracket) for name, bracket in found.brackets.items()}
    for name, game in found.games.items():
        ends[name] = {"lower": game.lower, "upper": game.upper, "is_exact": game.is_exact}
    rows = [{**row._asdict(), **ends[row.measure]} for row in found.rows()]
    form = {"source": source, "alpha": str(found.alpha), "epsilon": str(found.epsilon), "measures": rows}
    table = new_table(("measure", "value", "reason"), found.rows())
    return form, f"{source} at alpha = {found.alpha}, epsilon = {found.epsilon}", "", table


def _title(measure: str, monotone: bool) -> str:
    name = {"strong-sq": "strong SQ dimension", "covering": "covering number", "star": "star number"}.get(
        measure, f"{measure} dimension"
    )
    return f"Monotone {name}" if monotone else name[0].upper() + name[1:]
