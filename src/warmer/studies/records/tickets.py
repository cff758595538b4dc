"""A query that somebody has in hand."""

import json
from dataclasses import dataclass

from warmer.model import Label
from warmer.studies.records.events import Asked
from warmer.studies.records.plain import dumps, label_form, label_of
from warmer.studies.storage import TicketRow


@dataclass(frozen=True)
class Ticket:
    """Query `query` was given to `worker` under this number; answer it with `Study.tell`.

    The token says which lease this is: a ticket whose lease ran out is given to somebody else under the same number,
    with another token. An answer that comes late still counts.
    """

    number: int
    query: Label
    worker: str
    attempt: int
    token: str
    leased_until: float | None
    """In seconds since 1970 by the database's clock; None for ever."""
    study: str
    """The study's identity, so that no ticket is answered in another."""


def ticket_of(asked: Asked, at: float, study: str) -> Ticket:
    """The ticket that an event of the log gave out."""
    until = None if asked.lease is None else at + asked.lease
    return Ticket(asked.number, asked.query, asked.worker, asked.attempt, asked.token, until, study)


def ticket_row(asked: Asked, leased_until: float | None) -> TicketRow:
    """The ticket as the table of tickets has it."""
    query = dumps(label_form(asked.query))
    return TicketRow(asked.number, query, asked.as_of, asked.attempt, asked.token, asked.worker, leased_until)


def ticket_from(row: TicketRow, study: str) -> Ticket:
    """The ticket of a row."""
    query = label_of(json.loads(row.query))
    return Ticket(row.number, query, row.worker, row.attempt, row.token, row.leased_until, study)
