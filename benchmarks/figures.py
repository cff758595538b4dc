"""Figures of benchmarks: measured points on two logarithmic axes, and the power that fits the larger ones."""

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

FOLDER = "WARMER_FIGURES"
"""The variable that says where figures go; none are drawn where it is not set."""


def exponent(sizes: np.ndarray, seconds: np.ndarray) -> float:
    """The power of the size that fits the upper half of the points: small sizes pay for the call alone.

    Examples
    --------
    >>> sizes = np.array([1.0, 10, 100, 1000])
    >>> round(exponent(sizes, 1e-3 + 2e-6 * sizes**2), 1)
    1.9
    """
    return float(_line(sizes, seconds)[0])


def draw(name: str, curves: Mapping[str, tuple[np.ndarray, np.ndarray]], *, x: str, y: str) -> None:
    """The points of each name, with the line that fits the larger ones; into a file of the figures' folder."""
    if not os.environ.get(FOLDER):
        return
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": name, "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.2, 3.4), layout="constrained")
    for label, (sizes, values) in curves.items():
        power, height = _line(sizes, values)
        fitted, words = sizes[_upper(sizes)], f"{label}: exponent {power:.2f}"
        [shown] = axes.loglog(sizes, values, marker="o", markersize=3, linewidth=0.8, alpha=0.7, label=words)
        axes.loglog(fitted, np.exp(height) * fitted**power, linestyle="--", linewidth=1.6, color=shown.get_color())
    for axis, values in zip((axes.xaxis, axes.yaxis), zip(*curves.values(), strict=True), strict=True):
        if np.ptp(np.log10(np.concatenate(values))) < 1:  # a part of a decade has no power of ten to name
            axis.set_major_formatter("{x:g}")
            axis.set_minor_formatter("{x:g}")
    axes.set(xlabel=x, ylabel=y)
    axes.legend(fontsize="small", frameon=False, title="dashed: the fit", title_fontsize="small")
    axes.grid(alpha=0.3)
    figure.savefig(Path(os.environ[FOLDER]) / f"{name}.svg", metadata={"Date": None})
    pyplot.close(figure)


def _line(sizes: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Slope and height of the line through the logarithms of the larger points."""
    part = _upper(sizes)
    return np.polyfit(np.log(sizes[part]), np.log(seconds[part]), 1)


def _upper(sizes: np.ndarray) -> slice:
    return slice(-max(2, (sizes.size + 1) // 2), None)
