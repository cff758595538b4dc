"""Pieces of a page: every word escaped, every picture inside it."""

import base64
import io
import textwrap
from collections.abc import Callable, Sequence
from html import escape

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.text import Text

from warmer.report.figure_style import new_figure

__all__ = ["facts", "paragraph", "picture", "section", "table"]

Drawing = Callable[[Axes], None]

_LETTERS_AN_INCH = 10
"""How many letters of a title stand on an inch."""


def paragraph(text: str) -> str:
    """Words as a paragraph.

    Examples
    --------
    >>> paragraph("a < b")
    '<p>a &lt; b</p>'
    """
    return f"<p>{escape(text)}</p>"


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """A few numbers that matter most, each under what it is."""
    return "\n".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in pairs)


def section(name: str, title: str, *parts: str) -> str:
    """A headed part of the page."""
    body = "\n".join(parts)
    return f'<section id="{escape(name)}">\n<h2>{escape(title)}</h2>\n{body}\n</section>'


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()) -> str:
    """A table whose columns at these places hold numbers."""
    kinds = [' class="number"' if place in numbers else "" for place in range(len(headings))]
    head = "".join(f"<th{kind}>{escape(word)}</th>" for kind, word in zip(kinds, headings, strict=True))
    body = "\n".join(
        "<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def picture(
    draw: Drawing, *, alternative: str, caption: str, wide: tuple[float, float], narrow: tuple[float, float]
) -> str:
    """A figure drawn twice, for a desk and for a phone, so that its words stay legible on both."""
    kind = ' class="small"' if wide[0] < 7 else ""
    return (
        f"<figure{kind}><picture>"
        f'<source media="(max-width: 40rem)" srcset="{_inline(draw, *narrow)}">'
        f'<img src="{_inline(draw, *wide)}" alt="{escape(alternative)}">'
        f"</picture><figcaption>{escape(caption)}</figcaption></figure>"
    )


def _inline(draw: Drawing, width: float, height: float) -> str:
    """A drawing as a data address; its letters are outlines, so it needs no fonts."""
    figure = new_figure(width, height)
    axes = figure.add_subplot()
    draw(axes)
    _fold_title(axes, width)
    file = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "warmer"}):  # the same numbers give the same page
        figure.savefig(file, format="svg", metadata={"Date": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(file.getvalue()).decode()}"


def _fold_title(axes: Axes, width: float) -> None:
    """Break a title that is wider than its figure."""
    title = axes.get_title(loc="left")
    for text in axes.findobj(Text):
        if isinstance(text, Text) and title and text.get_text() == title:
            text.set_text(textwrap.fill(title, round(_LETTERS_AN_INCH * width)))
