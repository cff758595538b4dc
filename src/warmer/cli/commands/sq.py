"""`warmer sq`: a general statistical query, answered by two correlational ones."""

from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from warmer import environments
from warmer.cli.options import EnvironmentName, SampleSize, Seed, StrategyName, Width
from warmer.cli.problem_argument import noise_settings
from warmer.environments import CorrelationalOracle, StatisticalOracle, split_query
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_number
from warmer.problems.cell_files import read_lines

_SIGNS = ("target", "positive", "negative")


def sq(
    points: Annotated[
        Path,
        typer.Argument(
            metavar="POINTS",
            help="CSV, a row for each point x, with the columns target (the label of x), positive and negative (the "
            "query's value if the label is 1 and if it is -1), all -1 or 1, and weight (optional: the probability of "
            "x).",
        ),
    ],
    environment: EnvironmentName = None,
    width: Width = None,
    n: SampleSize = None,
    strategy: StrategyName = None,
    seed: Seed = 0,
) -> Any:
    """Answer a statistical query with correlational ones.

    A statistical query is the mean of a function of a point and its label. It is split into a constant and two
    correlations with the target; if each of those is off by at most tau, so is the answer.
    """
    environment, columns = environment or "exact", _read(points)
    settings = noise_settings(environment, 1.0, width=width, n=n, strategy=strategy)
    model = partial(environments.build, environment, **settings)
    oracle = CorrelationalOracle(columns["target"], columns.get("weight"), environment=model)
    query = columns["positive"], columns["negative"]
    answer = StatisticalOracle(oracle).respond(*query, np.random.default_rng(seed))
    truth = StatisticalOracle(CorrelationalOracle(columns["target"], columns.get("weight"))).respond(
        *query, np.random.default_rng(0)
    )
    constant, first, second = split_query(*query, oracle.weights)
    split = {"constant": constant, "first": first, "second": second}
    asked = "no correlation is needed" if (first != second).all() else "the mean of two correlations"
    return (
        {"points": points, "environment": environment, "answer": answer, "truth": truth, **split},
        f"{points}, {first.size} points. Answer: {answer:.6g} (true value {truth:.6g}; noise model of a correlation: "
        f"{environment}). Constant part: {constant:.6g}; the rest is {answer - constant:.6g}, {asked}.",
    )


def _read(path: Path) -> dict[str, Any]:
    """The columns of the file, signs and weights as numbers."""
    try:
        lines = read_lines(path)
    except InvalidValueError as error:
        raise InvalidValueError(f"{path}: {error}") from error
    names = lines[0].cells if lines else []
    rows = [dict(zip_longest(names, line.number_texts(), fillvalue="")) for line in lines[1:]]
    missing = [name for name in _SIGNS if name not in names]
    if missing or not rows:
        what = f"the column {missing[0]} is missing" if missing else "there are no points"
        raise InvalidValueError(f"{path}: {what}; the columns are target, positive, negative and, optionally, weight.")
    found: dict[str, Any] = {}
    for name in (*_SIGNS, *(["weight"] if "weight" in names else [])):
        cells = [as_number(f"{path}, line {line}, {name}", row[name]) for line, row in enumerate(rows, 2)]
        found[name] = cells if name == "weight" else [float(cell) for cell in cells]
    return found
