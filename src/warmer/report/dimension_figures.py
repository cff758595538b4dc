"""Dimensions as pictures: the paper's Figure 1 for any witness, and the dimension as a step function of epsilon."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from warmer.analysis.witnesses import WitnessValues
from warmer.dimensions import Profile
from warmer.dimensions.dissimilarity.profile import Piece
from warmer.model import Array
from warmer.report.figure_style import COLOURS, INK, PAPER, SHADE, clean, new_figure
from warmer.report.regret_figure import spread
from warmer.report.text import counted

_BLUE, _GREEN, _N_BINS = COLOURS[0], COLOURS[2], 90
_GOAL = r"$\alpha-\epsilon$"


def plot_witness(values: WitnessValues, *, title: str) -> Figure:
    """A witness on a page of its own."""
    figure = new_figure(8, 3.4)
    draw_witness(figure.add_subplot(), values, title=title)
    return figure


def draw_witness(axes: Axes, values: WitnessValues, *, title: str) -> None:
    """Self-evaluations above, forward values below, equal values stacked; the band, the center and alpha marked."""
    band = (values.center - values.tolerance, values.center + values.tolerance)
    everything = np.concatenate([values.self_evaluations, values.forward, [*band, values.alpha]])
    span = float(np.ptp(everything)) or 1.0
    axes.axvspan(*band, color=_BLUE, alpha=0.10, linewidth=0)
    above = _dots(axes, values.self_evaluations, span, bottom=1.0, colour=_GREEN)
    below = _dots(axes, values.forward, span, bottom=0.0, colour=_BLUE)
    _marks(axes, values, span)
    axes.set_xlim(everything.min() - 0.06 * span, everything.max() + 0.06 * span)
    axes.set_ylim(-0.12, 2.0)
    names = (
        f"{counted(values.forward.size, 'forward value')}\n" + r"$\rho(z_i|z_j)$, $i<j$",
        f"{counted(values.self_evaluations.size, 'self-evaluation')}\n" + r"$\rho(z_i|z_i)$",
    )
    axes.set_yticks([below, above], names)
    axes.set_xlabel(r"expected reward $\rho$", fontsize=8.5, color=INK)
    clean(axes, title=title, pad=24)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def stacked(values: Array, *, width: float) -> tuple[Array, Array]:
    """Each value with its height in the pile of those within a width of one another, in rising order.

    Examples
    --------
    >>> [axis.tolist() for axis in stacked(np.array([0.5, 0.0, 0.0]), width=0.1)]
    [[0.0, 0.0, 0.5], [0, 1, 0]]
    """
    ordered = np.sort(values)
    bins = np.floor(ordered / width + 0.5)
    heights = np.arange(ordered.size) - np.searchsorted(bins, bins)
    return ordered, heights


def _dots(axes: Axes, values: Array, span: float, *, bottom: float, colour: str) -> float:
    """Draw a row of piles; return the middle of its height, where its name belongs."""
    if values.size == 0:
        return bottom
    places, heights = stacked(values, width=span / _N_BINS)
    step = min(0.09, 0.78 / max(1, heights.max()))
    # dots that overlap melt into a bar; with edges the last would paint the others white
    edge = 0.4 if step > 0.05 else 0.0
    axes.scatter(places, bottom + step * heights, s=22, color=colour, linewidth=edge, edgecolor=PAPER, zorder=3)
    return float(bottom + step * heights.max() / 2)


def _marks(axes: Axes, values: WitnessValues, span: float) -> None:
    names = {"$c$": values.center, _GOAL: values.alpha - values.epsilon, r"$\alpha$": values.alpha}
    rising = sorted(names, key=names.__getitem__)
    places = spread([names[name] for name in rising], gap=0.09 * span)
    for name, place in zip(rising, places, strict=True):
        axes.axvline(names[name], color=INK, linewidth=0.8, linestyle=":" if name == _GOAL else "-", zorder=1)
        axes.annotate(name, xy=(place, 2.02), ha="center", va="bottom", fontsize=8.5, color=INK, annotation_clip=False)


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
    for row, (colour, words) in enumerate([(COLOURS[0], "dissimilarity dimension"), (COLOURS[4], "monotone version")]):
        place = (0.985, 0.95 - 0.075 * row)
        axes.annotate(words, xy=place, xycoords="axes fraction", ha="right", va="top", fontsize=8.5, color=colour)


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
