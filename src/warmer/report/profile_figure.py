"""The dimension as a step function of epsilon."""

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from warmer.dimensions import Piece, Profile
from warmer.report.figure_style import COLOURS, INK, SHADE, clean, new_figure


def plot_profile(profile: Profile, *, title: str) -> Figure:
    """A profile on a page of its own."""
    figure = new_figure(8, 4.2)
    draw_profile(figure.add_subplot(), profile, title=title)
    return figure


def draw_profile(axes: Axes, profile: Profile, *, title: str) -> None:
    """The plain dimension as a line with its single points as dots, the monotone one as a shadow above it."""
    ends = profile.breakpoints or [1.0]
    left, right = min(ends) / 2, max(ends) * 2
    _steps(axes, profile.pieces(monotone=True), (left, right), colour=COLOURS[4], width=5.0, alpha=0.45)
    _steps(axes, profile.pieces(), (left, right), colour=COLOURS[0], width=1.8, alpha=1.0)
    if not profile.is_exact:
        axes.axvspan(left, profile.undecided_to, color=SHADE, linewidth=0)
        axes.annotate("not decided in time", xy=(0.02, 0.04), xycoords="axes fraction", fontsize=8.5, color=INK)
    axes.set_xscale("log")
    axes.set_xlim(left, right)
    highest = max(piece.value for piece in profile.pieces())
    # room for the key above the steps, and below a line at 0
    axes.set_ylim(0 if highest else -0.08, max(1, highest) * 1.3 + 0.3)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    if right < 1000 * left:  # so few powers of ten that the numbers between are wanted
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(r"$\epsilon$", fontsize=9, color=INK)
    clean(axes, title=title)
    _key(axes)


def _steps(
    axes: Axes, pieces: Sequence[Piece], ends: tuple[float, float], *, colour: str, width: float, alpha: float
) -> None:
    places, heights = [], []
    for low, high, value in pieces:
        if low == high:
            axes.plot([low], [value], "o", color=colour, markersize=max(4.0, width), alpha=alpha, zorder=4)
            continue
        places += [max(low, ends[0]), ends[1] if math.isinf(high) else high]
        heights += [value, value]
    axes.plot(places, heights, color=colour, linewidth=width, alpha=alpha, solid_joinstyle="miter")


def _key(axes: Axes) -> None:
    for row, (colour, words) in enumerate([(COLOURS[0], "dissimilarity dimension"), (COLOURS[4], "monotone version")]):
        place = (0.985, 0.95 - 0.075 * row)
        axes.annotate(words, xy=place, xycoords="axes fraction", ha="right", va="top", fontsize=8.5, color=colour)
