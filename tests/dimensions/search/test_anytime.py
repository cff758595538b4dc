"""The search that all measures share: ends, reasons, progress, and how it stops."""

import time

import pytest

from warmer.dimensions.search.anytime import Anytime
from warmer.model import Problem
from warmer.model.errors import InvalidValueError
from warmer.model.time_limit import OutOfTime


def test_ends_only_close_in_and_each_change_is_told_once() -> None:
    told: list[tuple[int, int]] = []
    search = Anytime(None, lambda *ends: told.append(ends), upper=9, reason="all alternatives used")
    search.lower = 1
    with search.running():
        for lower, upper in ((1, 9), (3, 9), (2, 9), (3, 12), (3, 5), (4, 2), (4, 4)):
            search.move(lower=lower, upper=upper)
    assert told == [(1, 9), (3, 9), (3, 5), (4, 4)]
    bracket = search.bracket(None)
    assert (bracket.value, bracket.reason) == (4, "exhausted search")


@pytest.mark.parametrize(
    ("event", "stopped"), [(OutOfTime, "time limit"), (KeyboardInterrupt, "interrupted")], ids=["time", "Ctrl-C"]
)
def test_a_stop_ends_the_block_and_begins_the_reason(event: type[BaseException], stopped: str) -> None:
    told: list[tuple[int, int]] = []
    search = Anytime(None, lambda *ends: told.append(ends), upper=9, reason="all actions used")
    search.lower = 1
    with search.running():
        raise event
    search.move(upper=7, reason="colouring bound")
    assert told == []
    assert str(search.bracket(None)) == f"between 1 and 7 ({stopped}; upper bound: colouring bound)"


def test_other_errors_pass_through() -> None:
    with pytest.raises(ZeroDivisionError), Anytime(None, upper=1, reason="").running():
        raise ZeroDivisionError


def test_a_search_that_was_stopped_with_both_ends_equal_is_exact_for_the_reason_of_its_upper_end() -> None:
    search = Anytime(None, upper=2, reason="all alternatives used")
    search.lower = 2
    with search.running():
        raise OutOfTime
    assert (search.bracket(None).value, search.bracket(None).reason) == (2, "all alternatives used")


def test_a_rehearsal_is_off_the_clock_and_is_done_once() -> None:
    calls = []

    def slow(problem: Problem, *, epsilon: float) -> None:
        calls.append((problem.is_square, problem.rational is None, epsilon))
        time.sleep(0.05)

    table = Problem.from_table([[0.5, 0.25]])
    Anytime(None, upper=1, reason="").rehearse(slow, table, epsilon=0.5)
    assert calls == []
    for _ in range(2):
        search = Anytime(0.01, upper=1, reason="")
        search.rehearse(slow, table, epsilon=0.5)
    assert calls == [(False, True, 0.5)]
    with pytest.raises(InvalidValueError, match="time_limit must be greater than 0"):
        Anytime(0, upper=1, reason="")
