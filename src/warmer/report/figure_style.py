"""Figures without global state: how they look, and how they reach the disk whole or not at all."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from warmer.learners import CATALOG
from warmer.model.errors import InvalidValueError

FORMATS = (".png", ".pdf", ".svg")
"""What a figure can be saved as."""

_PALETTE = {
    **{"#0072b2": "#5ab4f0", "#d55e00": "#ff8a3d", "#008a5e": "#3ccb96", "#c2478c": "#f58ac2"},
    **{"#a87400": "#f0c040", "#7548b8": "#b79bff", "#1b1b1b": "#f4f4f4", "#0a8ea3": "#4fd6e6"},
    **{"#8c4a3a": "#c99a86", "#76797d": "#9aa0a6", "#5d8a00": "#b5d94c", "#b3123f": "#ff6b7f"},
}
COLOURS = tuple(_PALETTE)
"""Twelve that can be told apart and stand out on white; the first ones after Okabe and Ito."""

_MARKERS = "os^vDPX*<>ph"
_DASHES: tuple[tuple[float, ...], ...] = (
    *((), (5, 1.5), (5, 1.5, 1, 1.5), (2, 1.2), (9, 2), (1, 1.2)),
    *((9, 2, 1, 2), (5, 1.5, 1, 1.5, 1, 1.5), (3, 3), (9, 2, 3, 2), (1, 3), (9, 2, 1, 2, 1, 2)),
)
"""The lengths of ink and gap, in widths of the line; none for a solid line."""

INK = "#333333"
"""The colour of words and lines that are not data."""

FAINT = "#9aa7b0"
"""The colour of lines in the background."""

SHADE = "#eeeeee"
"""The colour of an area about which nothing is known."""

RULE = "#bbbbbb"
"""The colour of axes."""

PAPER = "#ffffff"
"""The colour behind a figure."""

ON_DARK = {**_PALETTE, INK: "#dfe3e6", FAINT: "#76828c", SHADE: "#30363c", RULE: "#5b646d", PAPER: "#1f2327"}
"""What each colour becomes where a reader prefers dark pages."""

_DOTS_PER_INCH = 150
LETTERS_PER_INCH = 10
"""How many letters fit on an inch."""


class LineStyle(NamedTuple):
    """How a learner's line looks; without colours, its dashes and its marker still tell it apart."""

    colour: str
    marker: str
    dashes: tuple[float, ...]


def line_styles(learners: Iterable[str]) -> dict[str, LineStyle]:
    """A style for each learner of a figure: up to twelve share neither colour nor dashes nor marker.

    A learner keeps the style of its place in the catalogue, unless another of the figure has it.

    Examples
    --------
    >>> line_styles(["least-squares"])
    {'least-squares': LineStyle(colour='#0072b2', marker='o', dashes=())}
    """
    places = {name: place for place, name in enumerate(CATALOG)}
    names = sorted(learners, key=lambda name: places.get(name, len(places)))
    styles, size = {}, len(COLOURS)
    for turn, first in enumerate(range(0, len(names), size)):
        free = list(range(size))
        for name in names[first : first + size]:
            wanted = places.get(name, len(places))
            slot = min(free, key=lambda each: (each - wanted) % size)
            free.remove(slot)
            styles[name] = LineStyle(COLOURS[slot], _MARKERS[slot], _DASHES[(slot + turn) % size])
    return styles


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches; eight are 1200 pixels."""
    figure = Figure(figsize=(width, height), dpi=_DOTS_PER_INCH, layout="constrained", facecolor=PAPER)
    FigureCanvasAgg(figure)
    return figure


def clean(axes: Axes, *, title: str, pad: float = 10) -> None:
    """Take away what is not data, and set the title flush left."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(RULE)
    axes.tick_params(colors=INK, labelsize=8, length=3, color=RULE)
    axes.set_title(title, loc="left", fontsize=9.5, color=INK, pad=pad, parse_math=False)


def note(
    axes: Axes, words: str, at: Any, *, offset: tuple[float, float] = (0, 3), colour: str = INK, **look: Any
) -> None:
    """Write words beside a point, some points of a letter away."""
    style = {"fontsize": 8.5, "color": colour, **look}
    axes.annotate(words, xy=at, xytext=offset, textcoords="offset points", **style)


def check_path(path: Path) -> Path:
    """Return the path if a figure can be saved there, or say why not; to be asked before the long work."""
    return check_file(path, noun="figure", suffixes=FORMATS)


def check_file(path: Path, *, noun: str, suffixes: Sequence[str]) -> Path:
    """Return the path if something of that noun can be written there, or say why not."""
    if path.suffix.lower() not in suffixes:
        raise InvalidValueError(f"a {noun}'s name must end in {', '.join(suffixes)}, got {str(path)!r}.")
    if path.is_dir():
        raise InvalidValueError(f"{path} is a folder; give the {noun} a name in it.")
    if not path.parent.is_dir():
        raise InvalidValueError(f"there is no folder {path.parent}; make it first.")
    return path


def save(figure: Figure, path: Path) -> None:
    """Write the figure whole or not at all."""
    check_path(path)
    replace(path, lambda file: figure.savefig(file, format=path.suffix[1:].lower()))


def replace(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    """Let somebody write a file under another name and then rename it; an error or Ctrl-C leaves what was there."""
    part = path.with_name(f".{path.stem}-{secrets.token_hex(4)}{path.suffix}")
    try:
        with part.open("xb") as file:
            write(file)
        part.replace(path)
    except OSError as error:
        raise InvalidValueError(f"{path} cannot be written ({error.strerror}).") from error
    finally:
        part.unlink(missing_ok=True)
