"""One run on the map of `problems.treasure`: the warmth, the path of the queries, the treasure."""

from dataclasses import dataclass
from itertools import pairwise
from math import isqrt
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from warmer.analysis import Comparison
from warmer.environments import TargetEnvironment
from warmer.model import Array
from warmer.model.errors import InvalidValueError
from warmer.problems.treasure import places
from warmer.report.figure_style import INK, clean, new_figure
from warmer.report.heatmap_figure import WARMTH
from warmer.report.regret_figure import draw_regret


class Visit(NamedTuple):
    """A place of the map, the round in which it was first queried, and the number of queries there."""

    first_round: int
    column: int
    row: int
    n_queries: int


@dataclass(frozen=True, eq=False)
class TreasureRun:
    """The true warmth of every place, rows by columns, the places visited, and where the treasure lay."""

    warmth: Array
    visits: tuple[Visit, ...]
    column: int
    row: int
    n_queries: int


def treasure_run(environment: TargetEnvironment, queries: Array) -> TreasureRun:
    """The run that made these queries, by index, on the square map of `problems.treasure`.

    Examples
    --------
    >>> from warmer import environments, problems
    >>> run = treasure_run(environments.Exact(problems.treasure(side=3), "C2"), np.array([0, 4, 4, 5]))
    >>> run.visits[1], (run.column, run.row), run.warmth.shape
    (Visit(first_round=2, column=1, row=1, n_queries=2), (2, 1), (3, 3))
    """
    problem = environment.problem
    side = isqrt(problem.n_queries)
    if not problem.is_square or side**2 != problem.n_queries:
        raise InvalidValueError(f"a treasure run needs the square map of problems.treasure, got {problem!r}.")
    grid = places(side).tolist()
    asked, first, counts = np.unique(queries, return_index=True, return_counts=True)
    visits = sorted(
        Visit(int(start) + 1, grid[place][0], grid[place][1], int(count))
        for place, start, count in zip(asked, first, counts, strict=True)
    )
    column, row = grid[problem.targets.position(environment.target)]
    return TreasureRun(environment.means.reshape(side, side), tuple(visits), column, row, len(queries))


def plot_treasure(run: TreasureRun, comparison: Comparison, *, title: str) -> Figure:
    """One run on its map, beside the regret of all learners over all runs."""
    figure = new_figure(8, 3.9)
    left, right = figure.subplots(1, 2, width_ratios=(1.24, 1))
    left.set_anchor("N")
    draw_treasure(left, run, title=title)
    draw_regret(right, comparison)
    return figure


def draw_treasure(axes: Axes, run: TreasureRun, *, title: str) -> None:
    """Draw the true warmth as a field, the places in the order they were first asked, and the treasure."""
    axes.imshow(run.warmth, cmap=WARMTH, vmin=-1, vmax=1, interpolation="bicubic", origin="upper", aspect="equal")
    for start, end in pairwise(run.visits):
        _draw_leg(axes, start, end)
    axes.scatter([run.column], [run.row], marker="*", s=420, color="#FFD23F", edgecolor=INK, linewidth=0.9, zorder=3)
    elsewhere = [visit for visit in run.visits if (visit.column, visit.row) != (run.column, run.row)]
    columns, rows = [visit.column for visit in elsewhere], [visit.row for visit in elsewhere]
    axes.scatter(columns, rows, s=110, color="white", edgecolor=INK, linewidth=0.8, zorder=3)
    for visit in run.visits:
        at = (visit.column, visit.row)
        axes.annotate(str(visit.first_round), at, ha="center", va="center_baseline", size=6.5, color=INK, zorder=4)
    clean(axes, title=title)
    axes.spines[:].set_visible(False)
    _mark_grid(axes, run.warmth.shape[0])
    axes.set_xlabel("numbers: queries to a new place; star: the treasure", fontsize=7.5, color=INK)


def _draw_leg(axes: Axes, start: Visit, end: Visit) -> None:
    """A gently bent arrow, so that a leg never hides behind a visit on its way."""
    bend = {"arrowstyle": "-|>,head_length=0.25,head_width=0.12", "connectionstyle": "arc3,rad=-0.15"}
    look = {"color": INK, "linewidth": 0.8, "shrinkA": 5.5, "shrinkB": 6.5, "alpha": 0.85}
    axes.annotate("", (end.column, end.row), (start.column, start.row), arrowprops={**bend, **look}, zorder=2)


def _mark_grid(axes: Axes, side: int) -> None:
    """Letters for columns and numbers for rows, as in the labels of the places."""
    step = 1 if side <= 20 else 5
    ticks = list(range(0, side, step))
    axes.set_xticks(ticks, [chr(ord("A") + tick) if tick < 26 else "" for tick in ticks])
    axes.set_yticks(ticks, [str(tick + 1) for tick in ticks])
    axes.tick_params(length=0, labelsize=7)
