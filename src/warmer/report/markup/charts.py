"""Small figures as plain SVG: where every line and mark lies. A template draws them in the colours of the page."""

import math
from collections.abc import Sequence
from typing import NamedTuple

_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 14.0, 12.0, 38.0


class Tick(NamedTuple):
    """A place on an axis and what stands there."""

    at: float
    text: str


class Mark(NamedTuple):
    """A dot, with the line that joins it to what was expected."""

    x: float
    y: float
    radius: float
    expected: float
    words: str
    is_odd: bool


class Chart(NamedTuple):
    """A figure, in the units of its own view box."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    path: str = ""
    marks: Sequence[Mark] = ()

    def x(self, share: float) -> float:
        """The place at this share of the way from left to right."""
        return self.left + (self.right - self.left) * share

    def y(self, share: float) -> float:
        """The place at this share of the way from the bottom up."""
        return self.bottom - (self.bottom - self.top) * share


def staircase_chart(steps: Sequence[tuple[float, float]], *, end: float, width: float, height: float) -> Chart:
    """A quantity that changes at some times and holds in between; on a logarithmic scale where it is large.

    The steps are times, ascending from 0, and the value from each on; the last one holds until the end.

    Examples
    --------
    >>> staircase_chart([(0, 4), (3, 1)], end=6, width=300, height=150).path
    'M46 12H166V87H286'
    """
    chart = _empty(width, height)
    end = max(1.0, end)
    most = max(value for _, value in steps)
    is_log = most > 20
    places = [0.0, *(float(10**k) for k in range(12) if 1 < 10**k <= most * 1.2)] if is_log else _nice(0, most)
    top_value = most if is_log else max(most, places[-1])
    scale = (lambda value: math.log10(max(value, 0) + 1)) if is_log else (lambda value: value)
    span = scale(top_value) or 1.0
    corners = [(_short(chart.x(time / end)), _short(chart.y(scale(value) / span))) for time, value in steps]
    path = f"M{' '.join(corners[0])}" + "".join(f"H{x}V{y}" for x, y in corners[1:]) + f"H{_short(chart.right)}"
    heights = [value for value in dict.fromkeys([*places, float(most)]) if value >= 0]
    return chart._replace(
        x_ticks=[Tick(chart.x(time / end), f"{time:,.0f}") for time in _nice(0, end) if time == round(time)],
        y_ticks=[Tick(chart.y(scale(value) / span), f"{value:,.0f}") for value in heights],
        path=path,
    )


def scatter_chart(
    points: Sequence[tuple[float, float, float, str, bool]], *, span: tuple[float, float], width: float, height: float
) -> Chart:
    """What was expected against what came; on the diagonal both agree.

    The points are expected and observed values, a weight that sizes the dot, words for it, and whether it is odd; the
    span is the least and the greatest value on both axes.

    Examples
    --------
    >>> chart = scatter_chart([(0.5, 0.75, 1, "left", False)], span=(0, 1), width=300, height=300)
    >>> [(mark.x, mark.y, mark.expected) for mark in chart.marks]
    [(166.0, 74.5, 137.0)]
    """
    chart = _empty(width, height)
    low, high = span

    def share(value: float) -> float:
        return (value - low) / ((high - low) or 1.0)

    marks = []
    for expected, observed, weight, words, is_odd in points:
        x, y, radius = chart.x(share(expected)), chart.y(share(observed)), min(9.0, 2.5 + math.sqrt(weight))
        marks.append(Mark(x, y, radius, chart.y(share(expected)), words, is_odd))
    places = [value for value in _nice(low, high) if low <= value <= high]
    ends = [f"{_short(chart.x(share(end)))} {_short(chart.y(share(end)))}" for end in span]
    return chart._replace(
        x_ticks=[Tick(chart.x(share(value)), f"{value:g}") for value in places],
        y_ticks=[Tick(chart.y(share(value)), f"{value:g}") for value in places],
        path=f"M{ends[0]}L{ends[1]}",
        marks=marks,
    )


def _empty(width: float, height: float) -> Chart:
    return Chart(width, height, _LEFT, width - _RIGHT, _TOP, height - _BOTTOM, [], [])


def _nice(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from one end to the other, at most six."""
    if not high > low:
        return [low]
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 12) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _short(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
