"""Regret curves: one line a learner, its 95% interval as a band, its name at the end of the line."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from warmer.analysis import Comparison, RegretBound
from warmer.report.figure_style import COLOURS, INK, clean, new_figure
from warmer.report.wording import short

__all__ = ["draw_regret", "plot_regret"]

_PLATE = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
"""What keeps a name legible on the lines behind it."""

_LEAST_GAP = 0.058
"""How far apart two names stand at least, as a share of the height of the axes."""


def plot_regret(comparison: Comparison) -> Figure:
    """The regret curves of a comparison on a page of their own."""
    figure = new_figure(8, 4.6)
    draw_regret(figure.add_subplot(), comparison)
    return figure


def draw_regret(axes: Axes, comparison: Comparison, ceilings: Sequence[RegretBound] = ()) -> None:
    """Draw mean cumulative regret against rounds, for every learner, and what it cannot exceed as dotted lines."""
    colours = {outcome.learner: COLOURS[k % len(COLOURS)] for k, outcome in enumerate(comparison.outcomes)}
    for outcome in comparison.ranking:
        band, colour = outcome.regret_band, colours[outcome.learner]
        axes.plot(comparison.rounds, band.mean, color=colour, linewidth=1.6, label=outcome.learner)
        if comparison.n_runs > 1:
            axes.fill_between(comparison.rounds, band.low, band.high, color=colour, alpha=0.12, linewidth=0)
    for ceiling in ceilings:
        axes.plot(comparison.rounds, ceiling.values, color=INK, linewidth=1.0, linestyle=(0, (1, 2)))
    _scale(axes, comparison, ceilings)
    _name_ceilings(axes, comparison, ceilings)
    _name_lines(axes, comparison, colours)
    clean(axes, title=_title(comparison))
    axes.set_xlabel("asks", fontsize=8.5, color=INK)


def _scale(axes: Axes, comparison: Comparison, ceilings: Sequence[RegretBound]) -> None:
    """Logarithmic both ways, but linear below one unit of reward, where regret may be nothing."""
    unit = comparison.problem.scale
    lows = [outcome.regret_band.mean.min() for outcome in comparison.outcomes]
    highs = [outcome.regret_band.mean.max() for outcome in comparison.outcomes]
    highs += [ceiling.values.max() for ceiling in ceilings]
    axes.set_yscale("symlog", linthresh=unit, linscale=0.4)
    axes.set_ylim(min(0.0, *lows), max(2 * unit, *highs) * 1.5)
    if comparison.rules.horizon > 1:
        axes.set_xscale("log")
        axes.set_xlim(1, comparison.rules.horizon)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        axis.set_minor_locator(NullLocator())


def _name_ceilings(axes: Axes, comparison: Comparison, ceilings: Sequence[RegretBound]) -> None:
    """Write each bound's name on its line, where the lines are far from the curves."""
    place = comparison.rounds.size // 8
    for ceiling in ceilings:
        at = (comparison.rounds[place], ceiling.values[place])
        axes.annotate(
            ceiling.name,
            at,
            xytext=(0, 3.5),
            textcoords="offset points",
            ha="center",
            fontsize=7,
            color=INK,
            bbox=_PLATE,
        )


def _title(comparison: Comparison) -> str:
    sample = f"mean of {comparison.n_runs} runs and 95% band" if comparison.n_runs > 1 else "one run"
    return f"Regret over {comparison.rules.horizon:,} asks: {sample}"


def _name_lines(axes: Axes, comparison: Comparison, colours: dict[str, str]) -> None:
    """Write each learner's name and regret at the end of its line, moved apart where they would touch."""
    to_axes = axes.transScale + axes.transLimits
    last = comparison.rounds[-1]
    ends = [(last, outcome.regret.estimate) for outcome in comparison.ranking]
    heights = spread([float(height) for _, height in to_axes.transform(ends)], gap=_LEAST_GAP)
    for height, outcome in zip(heights, comparison.ranking, strict=True):
        axes.annotate(
            f"{outcome.learner}  {short(outcome.regret.estimate)}",
            xy=(1.02, height),
            xycoords="axes fraction",
            va="center",
            fontsize=8,
            color=colours[outcome.learner],
        )


def spread(heights: Sequence[float], *, gap: float) -> list[float]:
    """Rising heights, moved as little as keeps neighbours a gap apart: those that touch share their middle.

    Examples
    --------
    >>> spread([0.0, 1.0, 1.0, 5.0], gap=0.5)
    [0.0, 0.75, 1.25, 5.0]
    """
    groups: list[tuple[float, int]] = []
    for height in heights:
        middle, size = height, 1
        while groups and groups[-1][0] + gap * (groups[-1][1] + size) / 2 > middle:
            below, many = groups.pop()
            middle, size = (below * many + middle * size) / (many + size), many + size
        groups.append((middle, size))
    return [middle + gap * (k - (size - 1) / 2) for middle, size in groups for k in range(size)]
