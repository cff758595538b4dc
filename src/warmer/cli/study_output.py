"""A study as tables of the terminal."""

from collections.abc import Sequence

from rich.table import Table

from warmer.cli.tables import new_table
from warmer.report.study_text import body_in_words, when
from warmer.studies.opening import StudySummary
from warmer.studies.records.events import Event
from warmer.studies.records.history import moment
from warmer.studies.records.tickets import Ticket


def study_table(studies: Sequence[StudySummary]) -> Table:
    """A line per study."""
    table = new_table("study", "created", "last event", "answers", "open tickets", numbers=2)
    for study in studies:
        table.add_row(
            study.name, when(study.created_at), when(study.last_at), f"{study.n_answers:,}", f"{study.n_open:,}"
        )
    return table


def ticket_table(tickets: Sequence[Ticket]) -> Table:
    """A line per ticket."""
    table = new_table("ticket", "query", "worker", "lease until")
    for ticket in tickets:
        until = "no limit" if ticket.leased_until is None else f"{moment(ticket.leased_until):%Y-%m-%d %H:%M:%S}"
        table.add_row(str(ticket.number), str(ticket.query), ticket.worker, until)
    return table


def log_table(events: Sequence[Event]) -> Table:
    """A line per event."""
    table = new_table("event", "time (UTC)", "author", "what")
    for event in events:
        table.add_row(str(event.seq), when(event.at), event.author, body_in_words(event.body))
    return table
