"""Regret curves: one line per learner, its 95% interval as a band, its name at the end of the line."""

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from warmer.analysis import Comparison, Outcome, RegretBound
from warmer.report.figure_style import INK, LETTERS_PER_INCH, PAPER, LineStyle, clean, line_styles, new_figure, note
from warmer.report.text import TOLD, counted, learner_name, short, told_in_words

_PLATE = {"boxstyle": "square,pad=0.1", "facecolor": PAPER, "edgecolor": "none", "alpha": 0.8}
"""What keeps a name legible on the lines behind it."""

_MARKER_SPACING = 0.22
"""How far apart the markers of a line are, as a share of the diagonal of the axes."""

_FAR = 10
"""How many times the largest regret a bound may be and still be drawn; farther ones would flatten every curve."""

_NARROW = 5.0
"""Inches below which names stand below the axes."""

_LEAST_GAP = 0.058
"""How far apart two names stand at least, as a share of the height of the axes."""


def plot_regret(comparison: Comparison) -> Figure:
    """The regret curves of a comparison on a page of their own."""
    figure = new_figure(8, 4.6)
    draw_regret(figure.add_subplot(), comparison)
    return figure


def draw_regret(axes: Axes, comparison: Comparison, regret_bounds: Sequence[RegretBound] = ()) -> None:
    """Draw mean cumulative regret against the number of queries for every learner; bounds near it as dotted lines."""
    highest = max(outcome.regret_band.estimate[-1] for outcome in comparison.outcomes)
    regret_bounds = [
        bound for bound in regret_bounds if bound.values[-1] <= _FAR * max(highest, comparison.problem.scale)
    ]
    shade = min(0.12, 0.6 / len(comparison.outcomes))  # many bands on each other hide the lines
    styles = line_styles(outcome.learner for outcome in comparison.outcomes)
    for place, outcome in enumerate(comparison.ranking):
        band, style = outcome.regret_band, styles[outcome.learner]
        start = _MARKER_SPACING * (place + 1) / (len(comparison.outcomes) + 1)  # no marker covers another
        axes.plot(
            comparison.rounds, band.estimate, label=outcome.learner, markevery=(start, _MARKER_SPACING), **_look(style)
        )
        if comparison.n_runs > 1:
            axes.fill_between(comparison.rounds, band.low, band.high, color=style.colour, alpha=shade, linewidth=0)
    for bound in regret_bounds:
        axes.plot(comparison.rounds, bound.values, color=INK, linewidth=1.0, linestyle=(0, (1, 2)))
    _scale(axes, comparison, regret_bounds)
    place = comparison.rounds.size // 8  # where the bounds are far from the curves
    for bound in regret_bounds:
        at = (comparison.rounds[place], bound.values[place])
        note(axes, bound.name, at, offset=(0, 3.5), ha="center", fontsize=7, bbox=_PLATE)
    is_narrow = axes.figure.bbox.width / axes.figure.dpi < _NARROW
    (_name_below if is_narrow else _name_lines)(axes, comparison, styles)
    sample = f"mean of {comparison.n_runs} runs and 95% band" if comparison.n_runs > 1 else "one run"
    clean(axes, title=f"Regret over {counted(comparison.horizon, 'query', 'queries')}: {sample}")
    told = textwrap.fill(told_in_words(comparison), round(LETTERS_PER_INCH * axes.figure.bbox.width / axes.figure.dpi))
    axes.set_xlabel(f"queries\n{told}".rstrip(), fontsize=8, color=INK, parse_math=False)


def _scale(axes: Axes, comparison: Comparison, regret_bounds: Sequence[RegretBound]) -> None:
    """Logarithmic both ways, but linear below one unit of reward, where regret may be nothing."""
    unit = comparison.problem.scale
    lows = [outcome.regret_band.estimate.min() for outcome in comparison.outcomes]
    highs = [outcome.regret_band.estimate.max() for outcome in comparison.outcomes]
    highs += [bound.values.max() for bound in regret_bounds]
    axes.set_yscale("symlog", linthresh=unit, linscale=0.4)
    axes.set_ylim(min(0.0, *lows), max(2 * unit, *highs) * 1.5)
    if comparison.horizon > 1:
        axes.set_xscale("log")
        axes.set_xlim(1, comparison.horizon)
    top = axes.get_ylim()[1]
    axes.set_yticks([0.0, *(10.0**k for k in range(-12, 13) if unit <= 10.0**k <= top)])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        axis.set_minor_locator(NullLocator())


def _name_lines(axes: Axes, comparison: Comparison, styles: dict[str, LineStyle]) -> None:
    """Write each learner's name and regret at the end of its line with a sample of it, moved apart where they touch."""
    to_axes = axes.transScale + axes.transLimits
    last = comparison.rounds[-1]
    ends = [(last, outcome.regret.estimate) for outcome in comparison.ranking]
    heights = spread([float(height) for _, height in to_axes.transform(ends)], gap=_LEAST_GAP)
    for height, outcome in zip(heights, comparison.ranking, strict=True):
        name, look = _line_name(comparison, outcome), _look(styles[outcome.learner])
        axes.plot([1.02, 1.09], [height] * 2, transform=axes.transAxes, clip_on=False, markevery=[0], **look)
        axes.annotate(name, (1.11, height), xycoords="axes fraction", va="center", fontsize=8, color=INK)


def _name_below(axes: Axes, comparison: Comparison, styles: dict[str, LineStyle]) -> None:
    """The same below the axes, where there is no room beside them."""
    lines = [Line2D([], [], **_look(styles[outcome.learner])) for outcome in comparison.ranking]
    names = [_line_name(comparison, outcome) for outcome in comparison.ranking]
    axes.figure.legend(lines, names, loc="outside lower left", fontsize=8, frameon=False, labelcolor=INK)


def _line_name(comparison: Comparison, outcome: Outcome) -> str:
    return f"{learner_name(comparison, outcome, mark=TOLD)}  {short(outcome.regret.estimate)}"


def _look(style: LineStyle) -> dict[str, Any]:
    line = (0, style.dashes) if style.dashes else "-"
    return {"color": style.colour, "linestyle": line, "linewidth": 1.5, "marker": style.marker, "markersize": 4.5}


def spread(heights: Sequence[float], *, gap: float) -> list[float]:
    """Rising heights, moved as little as keeps neighbours a gap apart: those that touch share their middle.

    Examples
    --------
    >>> spread([0.0, 1.0, 1.0, 5.0], gap=0.5)
    [0.0, 0.75, 1.25, 5.0]
    """
    steps = gap * np.arange(len(heights))
    moved = scipy.optimize.isotonic_regression(np.subtract(heights, steps)).x + steps
    return [float(height) for height in moved]
