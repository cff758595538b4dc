"""Tables of the terminal: names and dates may go on in the next line, counts are never cut."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tests.cli.conftest import Command
from warmer import Problem, create_study, goals
from warmer.cli.tables import new_table

NAME = "a-study-with-quite-a-long-name-that-fills-the-line-to-the-very-end-of-it"
DATES = ("2026-11-19 21:43", "2026-11-19 21:44")
HEADINGS = ("study", "created", "last event", "answers", "open tickets")


def printed(table: object, width: int = 80) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width, highlight=False, markup=False).print(table, crop=False)
    return file.getvalue().splitlines()


@given(
    st.lists(
        st.tuples(st.text("ab -", min_size=1, max_size=200), st.integers(0, 10**9), st.integers(0, 10**6)), min_size=1
    ),
    st.sampled_from([30, 60, 80, 120]),
)
def test_counts_are_never_cut_however_long_the_names_are(rows: list[tuple[str, int, int]], width: int) -> None:
    cells = [(name, *DATES, f"{answers:,}", f"{tickets:,}") for name, answers, tickets in rows]
    text = "\n".join(printed(new_table(HEADINGS, cells, numbers=2), width))
    assert "…" not in text
    for _, answers, tickets in rows:
        assert f"{answers:,}" in text.split()
        assert f"{tickets:,}" in text.split()


def test_a_name_too_long_for_its_column_goes_on_in_the_next_line() -> None:
    lines = printed(new_table(HEADINGS, [(NAME, *DATES, "1,100", "12")], numbers=2))
    assert max(map(len, lines)) <= 80
    assert "".join(line.split(" ")[0] for line in lines[2:]) == NAME
    assert lines[2].split()[1:] == [*" ".join(DATES).split(), "1,100", "12"]


@pytest.mark.parametrize("n_open", [9, 12])
def test_a_list_of_studies_shows_its_counts_where_a_name_fills_the_line(
    warmer: Command, monkeypatch: pytest.MonkeyPatch, n_open: int
) -> None:
    monkeypatch.delenv("WARMER_STORAGE", raising=False)
    with create_study(NAME, Problem.from_table([[0.0, 1.0]]), goal=goals.WhichTarget()) as study:
        study.tell(0, 0.5)
        study.ask(n_open)
    out = warmer("study", "list").out
    counts = next(line for line in out.splitlines() if line.startswith("a-study")).split()[-2:]
    assert counts == ["1", f"{n_open}"]
    assert "…" not in out
