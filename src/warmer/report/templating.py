"""Pages from templates: every value is escaped, and every picture is inside the page."""

import base64
import io
import re
import textwrap
from collections.abc import Callable
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.text import Text

from warmer.report.figure_style import LETTERS_PER_INCH, ON_DARK, new_figure
from warmer.report.markup.templates_of import templates_of

Size = tuple[float, float]


class Picture(NamedTuple):
    """A figure drawn twice, as data addresses: for a desk and for a phone, so that its words stay legible on both."""

    wide: str
    narrow: str
    is_small: bool


def render(template: str, **values: Any) -> str:
    """A page of `report/templates` with these values, all of them escaped.

    Examples
    --------
    >>> render("parts.html").strip()
    ''
    """
    return templates_of("warmer.report").get_template(template).render(values)


def picture(draw: Callable[..., None], *shown: Any, wide: Size, narrow: Size, **look: Any) -> Picture:
    """What `draw(axes, ...)` draws, as a picture of these two sizes in inches; its letters are outlines."""
    addresses = []
    for width, height in (wide, narrow):
        figure = new_figure(width, height)
        axes = figure.add_subplot()
        draw(axes, *shown, **look)
        _fold_title(axes, width)
        file = io.StringIO()
        with mpl.rc_context({"svg.hashsalt": "warmer"}):  # the same numbers give the same page
            figure.savefig(file, format="svg", metadata={"Date": None}, transparent=True)
        drawing = themed(file.getvalue())
        addresses.append(f"data:image/svg+xml;base64,{base64.b64encode(drawing.encode()).decode()}")
    return Picture(addresses[0], addresses[1], is_small=wide[0] < 7)


def themed(drawing: str) -> str:
    """A drawing whose colours follow what the reader prefers, dark or light.

    Examples
    --------
    >>> themed('<svg><style type="text/css"></style><path style="fill: #333333"/></svg>')[-42:]
    '<path style="fill: var(--c333333)"/></svg>'
    """
    light, dark = (
        "".join(f"--c{name[1:]}:{colour};" for name, colour in each)
        for each in (((name, name) for name in ON_DARK), ON_DARK.items())
    )
    rules = f"svg{{{light}}}@media (prefers-color-scheme: dark){{svg{{{dark}}}}}"
    named = re.sub(rf": #({'|'.join(colour[1:] for colour in ON_DARK)})\b", r": var(--c\1)", drawing)
    return named.replace('<style type="text/css">', f'<style type="text/css">{rules}', 1)


def _fold_title(axes: Axes, width: float) -> None:
    """Break a title that is wider than its figure."""
    title = axes.get_title(loc="left")
    for text in axes.findobj(Text):
        if isinstance(text, Text) and title and text.get_text() == title:
            text.set_text(textwrap.fill(title, round(LETTERS_PER_INCH * width)))
