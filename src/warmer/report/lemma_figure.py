"""The proof that bad queries are few, as a picture of one run."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from warmer.claims.lemma_check import Interval, LemmaCheck
from warmer.report.figure_style import COLOURS, INK, RULE, clean, new_figure

_GOOD, _BAD, _CLIQUE = COLOURS[2], COLOURS[1], COLOURS[0]


def plot_lemma(proof: LemmaCheck, *, title: str) -> Figure:
    """The values of a run among the intervals of the proof, beside the graph of the fullest interval."""
    figure = new_figure(8, 3.8)
    left, right = figure.subplots(1, 2, width_ratios=(1.9, 1))
    draw_intervals(left, proof, title=title)
    fullest = max(proof.intervals, key=lambda interval: interval.rounds.size, default=None)
    draw_graph(right, fullest)
    return figure


def draw_intervals(axes: Axes, proof: LemmaCheck, *, title: str) -> None:
    """Each round's value; the intervals as stripes, each with how many rounds it holds and may hold."""
    alpha, epsilon, _, _ = proof.constants
    rounds, is_bad = np.arange(1, proof.values.size + 1), np.zeros(proof.values.size, dtype=bool)
    for number, interval in enumerate(proof.intervals):
        axes.axhspan(interval.low, interval.high, color=_BAD, alpha=0.05 if number % 2 else 0.11, linewidth=0)
        is_bad[interval.rounds - 1] = True
        if interval.rounds.size:
            words = f"{interval.rounds.size} of at most {interval.most_rounds:,.0f}"
            axes.annotate(
                words, (1.01, interval.center), xycoords=("axes fraction", "data"), va="center", fontsize=7, color=_BAD
            )
    axes.scatter(rounds[~is_bad], proof.values[~is_bad], s=9, color=_GOOD, linewidth=0, zorder=3)
    axes.scatter(rounds[is_bad], proof.values[is_bad], s=13, color=_BAD, linewidth=0, zorder=3)
    axes.axhline(alpha, color=INK, linewidth=0.8)
    axes.axhline(alpha - epsilon, color=INK, linewidth=0.8, linestyle=":")
    lowest = min([float(proof.values.min()), alpha - epsilon, *(x.low for x in proof.intervals if x.rounds.size)])
    span = max(alpha, float(proof.values.max())) - lowest or 1.0
    axes.set_ylim(lowest - 0.05 * span, max(alpha, float(proof.values.max())) + 0.05 * span)
    axes.set_yticks([alpha - epsilon, alpha], [r"$\alpha-\epsilon$", r"$\alpha$"])
    axes.set_xlabel("round", fontsize=8.5, color=INK)
    clean(axes, title=title)


def draw_graph(axes: Axes, interval: Interval | None) -> None:
    """The rounds of an interval on a circle, joined where the later predicts the earlier; a largest clique marked."""
    n_rounds = 0 if interval is None else interval.rounds.size
    angles = np.pi / 2 - 2 * np.pi * np.arange(n_rounds) / max(1, n_rounds)
    places = np.column_stack([np.cos(angles), np.sin(angles)])
    words = "No bad query"
    if interval is not None and n_rounds:
        pairs = np.argwhere(np.triu(interval.edges))
        members = np.searchsorted(interval.rounds, interval.clique)
        is_member = np.isin(np.arange(n_rounds), members)
        is_inside = is_member[pairs].all(axis=1) if pairs.size else np.zeros(0, dtype=bool)
        axes.add_collection(LineCollection(list(places[pairs[~is_inside]]), colors=RULE, linewidths=0.5))
        axes.add_collection(LineCollection(list(places[pairs[is_inside]]), colors=_CLIQUE, linewidths=1.2))
        axes.scatter(places[~is_member, 0], places[~is_member, 1], s=14, color=_BAD, linewidth=0, zorder=3)
        axes.scatter(places[is_member, 0], places[is_member, 1], s=22, color=_CLIQUE, linewidth=0, zorder=4)
        words = f"Fullest interval: {interval.n_edges:,} edges,\nlargest clique {len(interval.clique)}"
    axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal", xticks=[], yticks=[])
    clean(axes, title=words)
    axes.spines[:].set_visible(False)
