"""`warmer profile`: the dissimilarity dimension at every epsilon at once."""

import math
from typing import Any

from rich.table import Table

from warmer import dimensions, report
from warmer.cli.console import command_clock, doing
from warmer.cli.options import Alpha, FigurePath, TimeLimit
from warmer.cli.problem_argument import common_alpha_of
from warmer.cli.tables import new_table
from warmer.cli.verbs import Given
from warmer.dimensions.dissimilarity.profile import Piece


def profile(given: Given, alpha: Alpha = None, time_limit: TimeLimit = None, figure: FigurePath = None) -> Any:
    """Show the dissimilarity dimension at every scale epsilon.

    It is an exact step function; the plain and the monotone dimension are shown.
    """
    clock = command_clock(time_limit)
    problem, level = given.problem, common_alpha_of(given.table) if alpha is None else alpha
    with doing() as tell:
        found = dimensions.dissimilarity_profile(
            given.table,
            alpha=level,
            time_limit=clock.share(1),
            progress=lambda length, above: tell(f"sequences of length {length}; decided for epsilon > {above:.4g}"),
        )
    if figure is not None:
        title = f"Dissimilarity dimension of {problem}, alpha = {level}"
        report.save(report.plot_profile(found, title=title), figure)
    plain, monotone = found.pieces(), found.pieces(monotone=True)
    form = {
        "source": problem,
        "alpha": str(level),
        "is_exact": found.is_exact,
        "undecided_to": found.undecided_to,
        "pieces": [_form(piece) for piece in plain],
        "monotone": [_form(piece) for piece in monotone],
        "figure": figure,
    }
    words = "" if found.is_exact else f" The search was not finished for epsilon up to {found.undecided_to:g}."
    return (
        form,
        f"Dissimilarity dimension of {problem} at alpha = {level}. Where two rows meet, the larger value holds.{words}",
        "",
        _steps("dimension", plain),
        "",
        "The monotone dimension is the largest value at any scale of at least epsilon:",
        "",
        _steps("monotone", monotone),
        *([] if figure is None else [f"Figure: {figure}"]),
    )


def _steps(name: str, pieces: list[Piece]) -> Table:
    rows = (
        (f"{piece.low:.6g}", "" if math.isinf(piece.high) else f"{piece.high:.6g}", str(piece.value))
        for piece in pieces
    )
    return new_table(("epsilon from", "to", name), rows, numbers=3)


def _form(piece: Piece) -> dict[str, Any]:
    return {"low": piece.low, "high": None if math.isinf(piece.high) else piece.high, "value": piece.value}
