"""Figures without global state: how they look, and how they reach the disk whole or not at all."""

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from warmer.learners import CATALOG
from warmer.model.errors import InvalidValueError

FORMATS = (".png", ".pdf", ".svg")
"""What a figure can be saved as."""

COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A7A7A", "#1B1B1B"),
    *("#332288", "#882255", "#999933", "#8C564B", "#AA4499", "#117733", "#DDAA77", "#6699CC"),
    *("#004488", "#BB5566", "#44BB99", "#EE8866", "#AAAA00", "#77AADD", "#994455", "#6D4C9F"),
)
"""Okabe and Ito's palette, which colour-blind people can tell apart, with grey for yellow; then more of Paul Tol."""

_MARKERS = "os^vDPX*"

INK = "#333333"
"""The colour of words and lines that are not data."""

_DOTS_PER_INCH = 150


class LineStyle(NamedTuple):
    """How a learner's line looks in every figure; in grey, its marker, the fill and the dashes still tell it apart."""

    colour: str
    marker: str
    face: str
    line: str | tuple[int, tuple[float, ...]]


def line_style(learner: str) -> LineStyle:
    """The style of a learner of the catalogue: eight solid lines with full markers, eight dashed, eight dash-dotted.

    Examples
    --------
    >>> line_style("least-squares")
    LineStyle(colour='#0072B2', marker='o', face='#0072B2', line='-')
    """
    place = list(CATALOG).index(learner) if learner in CATALOG else len(COLOURS) - 1
    colour, (group, shape) = COLOURS[place], divmod(place, len(_MARKERS))
    face, line = ((colour, "-"), ("white", (0, (5, 1.5))), ("#CCCCCC", (0, (5, 1.5, 1, 1.5))))[group]
    return LineStyle(colour, _MARKERS[shape], face, line)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches; eight are 1200 pixels."""
    figure = Figure(figsize=(width, height), dpi=_DOTS_PER_INCH, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def clean(axes: Axes, *, title: str, pad: float = 10) -> None:
    """Take away what is not data, and set the title flush left."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color("#BBBBBB")
    axes.tick_params(colors=INK, labelsize=8, length=3, color="#BBBBBB")
    axes.set_title(title, loc="left", fontsize=9.5, color=INK, pad=pad, parse_math=False)


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
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise InvalidValueError(f"{path} cannot be written ({error.strerror}).") from error
    try:
        with os.fdopen(handle, "wb") as file:
            write(file)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except OSError as error:
        raise InvalidValueError(f"{path} cannot be written ({error.strerror}).") from error
    finally:
        Path(name).unlink(missing_ok=True)


def _umask() -> int:
    """The process's mask for new files, which mkstemp ignores."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
