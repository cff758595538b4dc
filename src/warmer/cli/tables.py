"""Results as tables that fit 80 columns."""

import math
import re

from rich.box import SIMPLE_HEAD
from rich.table import Table

from warmer.analysis import Comparison, Interval, Outcome
from warmer.report.text import short

__all__ = ["new_table", "plain", "regret_table"]

_SYMBOLS = {"langle": "<", "rangle": ">", "cdot": "·", "ge": ">=", "le": "<=", "theta": "θ", "epsilon": "ε"}


def new_table(*headings: str, numbers: int = 0) -> Table:
    """An empty table whose last columns, so many, hold numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for place, heading in enumerate(headings):
        is_number = place >= len(headings) - numbers
        table.add_column(heading, justify="right" if is_number else "left", no_wrap=is_number or place == 0)
    return table


def regret_table(comparison: Comparison) -> Table:
    """A line a learner, the least regret first."""
    with_proofs = any(outcome.proofs for outcome in comparison.outcomes)
    last = ("proven after", "proven") if with_proofs else ("last ask good", "asks/s")
    table = new_table("learner", "regret", "95% interval", "bad asks", *last, numbers=5)
    for outcome in comparison.ranking:
        tail = _proof_cells(outcome) if with_proofs else _success_cells(outcome)
        regret, interval = short(outcome.regret.estimate), _limits(outcome.regret)
        table.add_row(outcome.learner, regret, interval, short(outcome.bad.estimate), *tail)
    return table


def plain(text: str) -> str:
    r"""A docstring's line with its formulas as they can stand in a terminal.

    Examples
    --------
    >>> plain(r"Every halfspace $w\cdot x\ge\theta$ of $\mathcal{F}_{N,\epsilon}$.")
    'Every halfspace w·x>=θ of F_(N,ε).'
    """
    return re.sub(r"\$([^$]*)\$", lambda formula: _plain_formula(formula[1]), text)


def _plain_formula(tex: str) -> str:
    bare = tex.replace(r"\mathcal{F}", "F").replace("{", "(").replace("}", ")")
    return re.sub(r"\\([a-z]+) ?", lambda symbol: _SYMBOLS.get(symbol[1], symbol[1]), bare)


def _limits(interval: Interval) -> str:
    return f"{short(interval.low)} to {short(interval.high)}" if math.isfinite(interval.high) else "one run"


def _proof_cells(outcome: Outcome) -> tuple[str, str]:
    median = outcome.answers_to_proof
    return "-" if median is None else f"{median} asks", f"{outcome.n_proven}/{len(outcome.proofs)}"


def _success_cells(outcome: Outcome) -> tuple[str, str]:
    low, rate, high = (f"{100 * share:.0f}" for share in outcome.success)
    thousands = outcome.steps_per_second / 1000
    return f"{rate}% ({low}-{high})", f"{thousands:.3g}k" if thousands < 1000 else f"{thousands:,.0f}k"
