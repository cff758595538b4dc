"""The distances between targets as a small map."""

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from warmer.analysis.neighbourhood import Neighbours
from warmer.report.figure_style import INK, clean
from warmer.report.text import shortened

MOST_TARGETS = 60
"""How many targets a map can show."""

_MOST_NAMED = 16
_CLOSE_TO_FAR = LinearSegmentedColormap.from_list("distance", ["#D55E00", "#F6C99B", "#F4F1EA", "#C9DCEB", "#7FB2D6"])


def draw_distances(axes: Axes, near: Neighbours, *, title: str) -> None:
    """Orange where two targets predict nearly the same, blue where one answer tells them apart."""
    image = axes.imshow(near.distances, cmap=_CLOSE_TO_FAR, vmin=0, interpolation="nearest")
    named = range(0, len(near.labels), -(-len(near.labels) // _MOST_NAMED))
    names = [shortened(str(near.labels[target]), 14) for target in named]
    axes.set_xticks(named, names, rotation=90, parse_math=False)  # a dollar in a label is a dollar
    axes.set_yticks(named, names, parse_math=False)
    figure = axes.figure
    bar = figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=7, colors=INK, length=0)
    clean(axes, title=title)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=7)
