"""The evidence against each candidate over time, and how many candidates remain."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from warmer.analysis import EvidenceHistory
from warmer.report.figure_style import COLOURS, FAINT, INK, clean, new_figure, note
from warmer.report.text import counted, shortened

_LOWEST = -8.0
"""Less evidence than this is drawn as this: such a candidate is far from being ruled out."""

_BELOW_ONE = 0.8
"""Where a logarithmic axis of counts begins: no tick stands below 1."""


def plot_evidence(history: EvidenceHistory) -> Figure:
    """Both pictures on a page of their own, one above the other."""
    figure = new_figure(8, 6.4)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    draw_evidence(above, history, title="Evidence against each candidate")
    above.set_xlabel("")
    draw_possible(below, history, title="Candidates that remain")
    return figure


def draw_evidence(axes: Axes, history: EvidenceHistory, *, title: str) -> None:
    """A line per candidate, which ends at the threshold where it is ruled out; truth and leader stand out."""
    lines = np.maximum(history.log_evidence, _LOWEST)
    for target, line in zip(history.shown.tolist(), lines, strict=True):
        if target not in (history.truth, history.leader):
            axes.plot(history.n_answers, line, color=FAINT, linewidth=0.8, alpha=0.8)
            _mark_end(axes, history, line, FAINT)
    axes.axhline(history.threshold, color=INK, linewidth=1.0, linestyle=(0, (4, 3)))
    note(axes, "ruled out", (1.0, history.threshold), xycoords=("axes fraction", "data"), ha="right", va="bottom")
    for target, words, colour in _highlighted(history):
        line = lines[history.shown.tolist().index(target)]
        axes.plot(history.n_answers, line, color=colour, linewidth=2.0, label=words)
        _mark_end(axes, history, line, colour)
    axes.set_ylabel("log evidence", fontsize=9, color=INK)
    low = float(np.nanmin(lines))
    height = history.threshold - low
    room = 0.06 + 0.09 * len(_highlighted(history))  # for the key
    axes.set_ylim(low - room * height, history.threshold + 0.14 * height)
    legend = axes.legend(loc="lower left", fontsize=8.5, frameon=False, labelcolor="linecolor")
    for text in legend.get_texts():
        text.set_parse_math(False)
    _time_axis(axes, history)
    clean(axes, title=title)


def draw_possible(axes: Axes, history: EvidenceHistory, *, title: str) -> None:
    """The number of remaining candidates as a falling staircase, on a logarithmic scale where they are many."""
    axes.step(history.n_answers, history.n_possible, where="post", color=COLOURS[0], linewidth=1.8)
    axes.plot(history.n_answers[-1:], history.n_possible[-1:], "o", color=COLOURS[0], markersize=4)
    if history.n_possible[0] > 20 and history.n_possible[-1] > 0:
        axes.set_yscale("log")
        axes.set_ylim(bottom=_BELOW_ONE)
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(0, history.n_possible[0] * 1.05)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    end = (history.n_answers[-1], history.n_possible[-1])
    note(axes, f"{int(history.n_possible[-1]):,}", end, offset=(4, 4), colour=COLOURS[0])
    _time_axis(axes, history)
    clean(axes, title=title)


def evidence_in_words(history: EvidenceHistory) -> str:
    """What the pictures show, in one sentence."""
    n, left = int(history.n_answers[-1]), int(history.n_possible[-1])
    who = "" if history.truth is None else f" with {shortened(str(history.label(history.truth)), 60)} as the truth"
    left_words = f"{counted(left, 'candidate')} of {int(history.n_possible[0]):,} remained"
    proven = f"certified: {history.statement}" if history.answer is not None else history.statement
    return f"One run{who}: after {counted(n, 'answer')} {left_words}; {proven}."


def _highlighted(history: EvidenceHistory) -> list[tuple[int, str, str]]:
    leader = shortened(str(history.label(history.leader)), 40)
    if history.truth is None:
        return [(history.leader, f"leader at the end: {leader}", COLOURS[0])]
    truth = shortened(str(history.label(history.truth)), 40)
    if history.truth == history.leader:
        return [(history.truth, f"truth, and leader at the end: {truth}", COLOURS[1])]
    return [
        (history.leader, f"leader at the end: {leader}", COLOURS[0]),
        (history.truth, f"truth: {truth}", COLOURS[1]),
    ]


def _mark_end(axes: Axes, history: EvidenceHistory, line: np.ndarray, colour: str) -> None:
    """A dot where a candidate is ruled out."""
    last = int(np.flatnonzero(~np.isnan(line))[-1])
    if line[last] >= history.threshold:
        axes.plot(history.n_answers[[last]], line[[last]], "o", color=colour, markersize=2.5)


def _time_axis(axes: Axes, history: EvidenceHistory) -> None:
    axes.set_xlim(0, max(1, history.n_answers[-1]) * 1.03)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("answers", fontsize=9, color=INK)
