"""Where a study stands, as tables and bars that fit 80 columns."""

import math
from collections.abc import Sequence

from rich.table import Table

from warmer.cli.tables import new_table
from warmer.report.study_text import factor
from warmer.report.text import shortened
from warmer.studies.records.history import moment
from warmer.studies.records.tickets import Ticket
from warmer.studies.standing import Candidate, Standing

_BAR = 40


def ticket_table(tickets: Sequence[Ticket]) -> Table:
    """A line per ticket."""

    def until(ticket: Ticket) -> str:
        return "no limit" if ticket.leased_until is None else f"{moment(ticket.leased_until):%Y-%m-%d %H:%M:%S}"

    rows = ((str(each.number), str(each.query), each.worker, until(each)) for each in tickets)
    return new_table(("ticket", "query", "worker", "lease until"), rows)


def standing_picture(standing: Standing) -> list[str]:
    """The evidence against the leading candidates as bars: a full one is ruled out.

    Examples
    --------
    >>> sun, rain = Candidate("sun", 0.9, 0.5, True, "left", False), Candidate("rain", 0.1, 4.5, True, "right", True)
    >>> for line in standing_picture(Standing(2, 2, 1, "left", 20.0, (sun, rain), None, None, (), ())):
    ...     print(line)
    Evidence against each candidate; ruled out at 20x.
    sun   leads   |                                        |  0.50x
    rain  objects |####################                    |   4.5x
    """
    names = [shortened(str(each.target), 24) for each in standing.candidates]
    width = max(map(len, names), default=0)
    lines = [f"Evidence against each candidate; ruled out at {factor(standing.threshold)}."]
    for place, (name, each) in enumerate(zip(names, standing.candidates, strict=True)):
        bar = "#" * round(_BAR * _share(each, standing.threshold))
        lines.append(f"{name:<{width}}  {_role(each, place):<7} |{bar:<{_BAR}}| {factor(each.evidence):>6}")
    others = standing.n_candidates - len(standing.candidates)
    return [*lines, *([f"and {others:,} more"] if others > 0 else [])]


def _share(candidate: Candidate, threshold: float) -> float:
    """How much of the way to being ruled out, on the scale of logarithms."""
    if not candidate.is_possible:
        return 1.0
    return min(max(math.log(max(candidate.evidence or 1.0, 1.0)) / math.log(threshold), 0.0), 0.99)


def _role(candidate: Candidate, place: int) -> str:
    if not candidate.is_possible:
        return "out"
    return "objects" if candidate.objects else "leads" if place == 0 else "agrees"
