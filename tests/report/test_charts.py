"""Small figures: what stands on their axes is where it stands, and can be read."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warmer.report.markup.charts import Chart, scatter_chart, staircase_chart

SIZES = [(620.0, 260.0), (340.0, 240.0)]


def check_axes(chart: Chart) -> None:
    """No two ticks say the same or stand on each other, and there is room for them."""
    for ticks in (chart.x_ticks, chart.y_ticks):
        assert len({tick.text for tick in ticks}) == len(ticks)
    heights = sorted(tick.at for tick in chart.y_ticks)
    assert all(above - below >= 12 for below, above in pairwise(heights))
    assert sum(7 * len(tick.text) for tick in chart.x_ticks) <= chart.right - chart.left
    assert all(8 + 7 * len(tick.text) <= chart.left for tick in chart.y_ticks)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("most", "texts"),
    [
        (1, ["0", "1"]),
        (2, ["0", "1", "2"]),
        (3, ["0", "1", "2", "3"]),
        (11, ["0", "5", "10", "11"]),
        (20, ["0", "5", "10", "15", "20"]),
        (90, ["0", "10", "90"]),
        (1_500_000, ["0", "10", "100", "1,000", "10,000", "100,000", "1,500,000"]),
    ],
)
def test_the_axis_of_a_count_has_whole_numbers_each_once(
    most: int, texts: list[str], size: tuple[float, float]
) -> None:
    chart = staircase_chart([(0, most), (1, 1)], end=3, width=size[0], height=size[1])
    assert [tick.text for tick in chart.y_ticks] == texts
    check_axes(chart)


@given(most=st.integers(1, 10**7), end=st.integers(0, 10**7), size=st.sampled_from(SIZES))
def test_every_tick_of_a_staircase_stands_where_its_number_belongs(
    most: int, end: int, size: tuple[float, float]
) -> None:
    chart = staircase_chart([(0, most)], end=end, width=size[0], height=size[1])
    check_axes(chart)
    for tick in chart.x_ticks:
        assert tick.at == pytest.approx(chart.x(int(tick.text.replace(",", "")) / max(1, end)))
    for tick in chart.y_ticks:
        # a staircase that begins at the count of the tick begins at its height
        count = int(tick.text.replace(",", ""))
        beside = staircase_chart([(0, most), (0, count)], end=end, width=size[0], height=size[1])
        assert float(beside.path.split("V")[1].split("H")[0]) == pytest.approx(tick.at, abs=0.051)


@given(
    low=st.floats(-1e6, 1e6),
    length=st.floats(1e-3, 1e6),
    scale=st.sampled_from([1e-9, 1.0, 1e6]),
    size=st.sampled_from(SIZES),
)
def test_every_tick_of_a_scatter_says_its_place_exactly(
    low: float, length: float, scale: float, size: tuple[float, float]
) -> None:
    span = (low * scale, (low + length) * scale)
    chart = scatter_chart([(span[0], span[1], 1.0, "", False)], span=span, width=size[0], height=size[1])
    for tick in chart.x_ticks:
        assert tick.at == pytest.approx(chart.x((float(tick.text) - span[0]) / (span[1] - span[0])), abs=1e-3)
    for tick in chart.y_ticks:
        assert tick.at == pytest.approx(chart.y((float(tick.text) - span[0]) / (span[1] - span[0])), abs=1e-3)
    assert len(chart.y_ticks) >= 2
    assert len({tick.text for tick in chart.y_ticks}) == len(chart.y_ticks)
    assert sum(7 * len(tick.text) for tick in chart.x_ticks) <= chart.right - chart.left


def test_answers_that_differ_in_the_seventh_digit_have_ticks_that_differ() -> None:
    chart = scatter_chart([(1e6, 1e6 + 10, 1, "", False)], span=(1e6, 1e6 + 10), width=620, height=260)
    assert [tick.text for tick in chart.y_ticks][:3] == ["1000000", "1000002", "1000004"]
