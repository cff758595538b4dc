"""A query that somebody has in hand."""

from dataclasses import dataclass

from warmer.model import Label
from warmer.studies.events import Asked

__all__ = ["Ticket"]


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
