"""Small figures as plain SVG: where every line and mark lies. A template draws them in the colours of the page."""

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from warmer.model.words import exact

_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 14.0, 12.0, 38.0
_LETTER, _GAP = 7.0, 16.0
"""How wide a digit of a tick is, and how far apart two ticks must be to be read."""


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


def staircase_chart(steps: Sequence[tuple[int, int]], *, end: int, width: float, height: float) -> Chart:
    """A count that changes at some times and holds in between; on a logarithmic scale where it is large.

    The steps are times, ascending from 0, and the count from each on; the last one holds until the end. Ticks are whole
    numbers, as counts and their times are.

    Examples
    --------
    >>> staircase_chart([(0, 4), (3, 1)], end=6, width=300, height=150).path
    'M46 12H166V87H286'
    """
    most, end = max(value for _, value in steps), max(1, end)
    is_log = most > 20
    chart = _empty(width, height, [f"{most:,}"])

    def scale(value: float) -> float:
        return math.log10(value + 1) if is_log else value

    span = scale(most) or 1.0
    between = [10**k for k in range(1, 16)] if is_log else [int(value) for value in _nice(0, most, is_whole=True)]
    room = chart.y(0) - _GAP, chart.y(1) + _GAP
    heights = [0, *(value for value in between if room[1] <= chart.y(scale(value) / span) <= room[0]), most]
    times = [int(time) for time in _nice(0, end, is_whole=True)]
    corners = [(_short(chart.x(time / end)), _short(chart.y(scale(value) / span))) for time, value in steps]
    path = f"M{' '.join(corners[0])}" + "".join(f"H{x}V{y}" for x, y in corners[1:]) + f"H{_short(chart.right)}"
    return chart._replace(
        x_ticks=_apart(chart, [Tick(chart.x(time / end), f"{time:,}") for time in times]),
        y_ticks=[Tick(chart.y(scale(value) / span), f"{value:,}") for value in dict.fromkeys(heights)],
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
    low, high = span
    ticks = {exact(float(value)): float(value) for value in _nice(low, high)}
    chart = _empty(width, height, ticks)

    def share(value: float) -> float:
        return (value - low) / ((high - low) or 1.0)

    marks = []
    for expected, observed, weight, words, is_odd in points:
        x, y, radius = chart.x(share(expected)), chart.y(share(observed)), min(9.0, 2.5 + math.sqrt(weight))
        marks.append(Mark(x, y, radius, chart.y(share(expected)), words, is_odd))
    ends = [f"{_short(chart.x(share(end)))} {_short(chart.y(share(end)))}" for end in span]
    return chart._replace(
        x_ticks=_apart(chart, [Tick(chart.x(share(value)), words) for words, value in ticks.items()]),
        y_ticks=[Tick(chart.y(share(value)), words) for words, value in ticks.items()],
        path=f"M{ends[0]}L{ends[1]}",
        marks=marks,
    )


def _empty(width: float, height: float, y_ticks: Iterable[str]) -> Chart:
    """Room on the left for the longest of these words."""
    left = max(_LEFT, _RIGHT + _LETTER * max(map(len, y_ticks), default=0))
    return Chart(width, height, left, width - _RIGHT, _TOP, height - _BOTTOM, [], [])


def _nice(low: float, high: float, *, is_whole: bool = False, most: int = 5) -> list[Decimal]:
    """Round numbers between two others, at most six, as exactly as they are written; only whole ones if wanted."""
    if not high > low:
        return [Decimal(repr(low))]
    raw = (high - low) / most
    power = Decimal(10) ** math.floor(math.log10(raw))
    factors = [Decimal(factor) for factor in ("1", "2", "2.5", "5", "10")]
    steps = [max(power, Decimal(1)) * factor for factor in factors] if is_whole else [power * each for each in factors]
    fit = (step for step in steps if float(step) >= raw * 0.999)
    step = next(step for step in fit if not is_whole or step == step.to_integral_value())
    first, last = math.ceil(low / float(step) - 1e-9), math.floor(high / float(step) + 1e-9)
    return [value for k in range(first, last + 1) if low <= float(value := k * step) <= high]


def _apart(chart: Chart, ticks: list[Tick]) -> list[Tick]:
    """As many of these ticks below a chart as can stand beside each other."""
    room = (chart.right - chart.left) / _LETTER
    fewer = (ticks[::step] for step in range(1, len(ticks)))
    return next((some for some in fewer if sum(len(tick.text) + 1 for tick in some) <= room), ticks[:1])


def _short(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
