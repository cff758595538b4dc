"""Results as tables that fit 80 columns."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from warmer.analysis import Comparison, Outcome
from warmer.model import Problem
from warmer.report.text import interval_in_words, learner_name, outcome_row, short

_LEAST_NAME, _LEAST_WORDS = 12, 8
"""How narrow a column of names, and one of other words, may become."""


def new_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int = 0) -> Table:
    """A table whose last columns, so many, hold numbers.

    Where it is too wide, names, dates and headings go on in the next line; a number is never cut.
    """
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    lines = list(rows)
    for place, heading in enumerate(headings):
        is_number = place >= len(headings) - numbers
        widest = max((len(row[place]) for row in lines), default=0)
        least = widest if is_number else min(widest, _LEAST_NAME if place == 0 else _LEAST_WORDS)
        table.add_column(heading, justify="right" if is_number else "left", overflow="fold", min_width=least)
    for row in lines:
        table.add_row(*row)
    return table


def size_of(problem: Any) -> str:
    """How large a table is; a family by its name."""
    if not isinstance(problem, Problem):
        return f"{problem!r}"
    return f"{problem.n_queries:,} queries x {problem.n_targets:,} targets"


def regret_table(comparison: Comparison) -> Table:
    """A line per learner, the least regret first."""
    is_certified = any(outcome.proofs for outcome in comparison.outcomes)
    last = ("certified after", "runs") if is_certified else ("last good", "queries/s")
    row = _certified_row if is_certified else _timed_row
    rows = (row(comparison, outcome) for outcome in comparison.ranking)
    return new_table(("learner", "regret", "95% interval", "bad", *last), rows, numbers=5)


def proof_table(comparison: Comparison) -> Table:
    """A line per learner, the one that was certified soonest first."""
    counts = {each: [each.answers_for(share) for share in (0.5, 0.95)] for each in comparison.outcomes}
    soonest = sorted(counts, key=lambda each: [math.inf if count is None else count for count in counts[each]])
    rows = (
        (
            learner_name(comparison, outcome),
            *(f"> {comparison.horizon:,}" if count is None else f"{count:,}" for count in counts[outcome]),
            f"{outcome.n_proven}/{len(outcome.proofs)}",
            f"{outcome.n_wrong_proofs}",
            short(outcome.regret.estimate),
        )
        for outcome in soonest
    )
    return new_table(("learner", "median answers", "95%", "certified", "wrong", "regret"), rows, numbers=5)


def _timed_row(comparison: Comparison, outcome: Outcome) -> tuple[str, ...]:
    thousands = outcome.steps_per_second / 1000
    speed = f"{thousands:.3g}k" if thousands < 1000 else f"{thousands:,.0f}k"
    return *outcome_row(comparison, outcome), speed


def _certified_row(comparison: Comparison, outcome: Outcome) -> tuple[str, ...]:
    median = outcome.answers_for(0.5)
    return (
        learner_name(comparison, outcome),
        short(outcome.regret.estimate),
        interval_in_words(outcome.regret),
        short(outcome.bad.estimate),
        "-" if median is None else f"{median} queries",
        f"{outcome.n_proven}/{len(outcome.proofs)}",
    )
