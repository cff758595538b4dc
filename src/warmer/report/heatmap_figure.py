"""Tables as pictures: expected rewards, distances between targets, and the triangle of a witness."""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.colors import LinearSegmentedColormap

from warmer.analysis.clustering import Clustered
from warmer.analysis.witnesses import WitnessValues
from warmer.model import Label
from warmer.report.figure_style import INK, clean
from warmer.report.text import shortened

WARMTH = LinearSegmentedColormap.from_list("warmth", ["#DCE6F0", "#F3F1EC", "#FBDDB0", "#F2A65A", "#E07B39"])
"""Pale blue for cold to orange for hot, light enough to write on."""

CLOSENESS = LinearSegmentedColormap.from_list("distance", ["#D55E00", "#F6C99B", "#F4F1EA", "#C9DCEB", "#7FB2D6"])
"""Orange where two predict nearly the same, blue where one answer tells them apart."""

_MOST_NAMED = 16
_MOST_WRITTEN = 9
_ON_CELLS = "#1C1C1C"
"""The colour of numbers in cells, which are light on every page."""


def draw_heatmap(
    axes: Axes, table: Clustered, *, title: str, colours: LinearSegmentedColormap, low: float | None = None
) -> None:
    """Draw every cell of a table, with the labels of its rows and columns."""
    # square cells, unless that would leave a thin strip
    aspect: Literal["equal", "auto"] = "equal" if 0.5 <= len(table.rows) / len(table.columns) <= 2 else "auto"
    image = axes.imshow(table.values, cmap=colours, vmin=low, interpolation="nearest", aspect=aspect)
    _name(axes, table.rows, table.columns)
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02)
    _finish(axes, bar, title)


def draw_triangle(axes: Axes, values: WitnessValues, *, title: str) -> None:
    """A witness: the diagonal reaches alpha, and all that lies above it is near the center."""
    size = values.self_evaluations.size
    cells = np.full((size, size), np.nan)
    cells[np.diag_indices(size)] = values.self_evaluations
    cells[np.triu_indices(size, 1)] = values.forward
    shown = np.append(cells[~np.isnan(cells)], [values.center, values.alpha])
    image = axes.imshow(cells, cmap=WARMTH, vmin=shown.min(), vmax=shown.max(), interpolation="nearest")
    if size <= _MOST_WRITTEN:
        for row, column in combinations_with_replacement(range(size), 2):
            axes.text(column, row, f"{cells[row, column]:.2g}", ha="center", va="center", fontsize=7.5, color=_ON_CELLS)
    _name(axes, values.queries, values.targets)
    axes.set_xlabel("if this is the target", fontsize=8, color=INK)
    axes.set_ylabel("expected reward of", fontsize=8, color=INK)
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02)
    if values.alpha > values.center:
        bar.set_ticks(
            [values.center, values.alpha], labels=[f"c = {values.center:.3g}", rf"$\alpha$ = {values.alpha:.3g}"]
        )
    _finish(axes, bar, title)


def _name(axes: Axes, rows: Sequence[Label], columns: Sequence[Label]) -> None:
    """Every label, or every so many-th; a dollar in one is a dollar."""
    for labels, set_ticks, turned in ((columns, axes.set_xticks, 90), (rows, axes.set_yticks, 0)):
        named = range(0, len(labels), max(1, -(-len(labels) // _MOST_NAMED)))
        set_ticks(named, [shortened(str(labels[place]), 14) for place in named], rotation=turned, parse_math=False)


def _finish(axes: Axes, bar: Colorbar, title: str) -> None:
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=7, colors=INK, length=0)
    clean(axes, title=title)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=7)
