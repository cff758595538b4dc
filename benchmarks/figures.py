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
    upper = slice(-max(2, (sizes.size + 1) // 2), None)
    return float(np.polyfit(np.log(sizes[upper]), np.log(seconds[upper]), 1)[0])


def draw(name: str, curves: Mapping[str, tuple[np.ndarray, np.ndarray]], *, x: str, y: str) -> None:
    """One curve for each name, with its exponent; into a file of the figures' folder."""
    if not os.environ.get(FOLDER):
        return
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": name, "svg.fonttype": "none"})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.2, 3.4), layout="constrained")
    for label, (sizes, values) in curves.items():
        axes.loglog(sizes, values, marker="o", markersize=3, label=f"{label}: exponent {exponent(sizes, values):.2f}")
    axes.set(xlabel=x, ylabel=y)
    axes.legend(fontsize="small", frameon=False)
    axes.grid(alpha=0.3)
    figure.savefig(Path(os.environ[FOLDER]) / f"{name}.svg", metadata={"Date": None})
    pyplot.close(figure)
