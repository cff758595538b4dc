"""A study in words and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from warmer.cli.tables import new_table
from warmer.report.text import counted, short
from warmer.studies.opening import StudySummary
from warmer.studies.records.events import (
    Answered,
    Asked,
    Body,
    Corrected,
    Event,
    Failed,
    Noted,
    Released,
    Retracted,
)
from warmer.studies.records.history import moment
from warmer.studies.records.ledger import Entry
from warmer.studies.records.tickets import Ticket
from warmer.studies.status import Status, StudyCertificate

__all__ = [
    "certificate_form",
    "entry_form",
    "entry_in_words",
    "event_form",
    "log_table",
    "status_form",
    "status_in_words",
    "study_table",
    "summary_form",
    "ticket_form",
    "ticket_table",
]

_MOST_LABELS = 1000
"""How many candidates a JSON answer names."""


def when(at: float | None) -> str:
    """A time in words, to the minute, in UTC.

    Examples
    --------
    >>> when(0.0), when(None)
    ('1970-01-01 00:00', '-')
    """
    return "-" if at is None else f"{moment(at):%Y-%m-%d %H:%M}"


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


def body_in_words(body: Body) -> str:
    """What happened, in one line.

    Examples
    --------
    >>> body_in_words(Answered("agar", 0.5, number=3)), body_in_words(Retracted(7, "no agar"))
    ("answered 'agar': 0.500 (ticket 3)", 'retracted event 7: no agar')
    """
    match body:
        case Asked():
            again = f", attempt {body.attempt}" if body.attempt > 1 else ""
            return f"asked {body.query!r} (ticket {body.number}{again})"
        case Answered():
            mean = f", mean of {body.count}" if body.count > 1 else ""
            note = f": {body.note}" if body.note else ""
            return f"answered {body.query!r}: {short(body.reward)}{mean}{_ticket(body.number)}{note}"
        case Corrected():
            return f"corrected event {body.seq} to {short(body.reward)}: {body.reason}"
        case Retracted():
            return f"retracted event {body.seq}: {body.reason}"
        case Failed():
            return f"failed {body.query!r}{_ticket(body.number)}: {body.reason}"
        case Released():
            return f"released {body.query!r}{_ticket(body.number)}" + (f": {body.reason}" if body.reason else "")
        case Noted():
            return f"note: {body.text}"
        case _:
            return f"{type(body).__name__.lower()} {body.query!r}" + (f": {body.reason}" if body.reason else "")


def entry_in_words(entry: Entry) -> str:
    """An answer or a failure, and whether it counts."""
    mean = f", mean of {entry.count}" if entry.count > 1 else ""
    value = "failed" if entry.reward is None else f"{short(entry.reward)}{mean}"
    return f"event {entry.seq}: {entry.query!r} {value}{_ticket(entry.number)}, {entry.standing}"


def status_in_words(status: Status) -> list[str]:
    """Where a study stands, a sentence at a time."""
    others = [
        *([f"{status.n_corrected} corrected"] if status.n_corrected else []),
        *([f"{status.n_retracted} retracted"] if status.n_retracted else []),
        *([counted(status.n_failed, "failed experiment")] if status.n_failed else []),
    ]
    told = counted(status.n_answers, "answer") + (f" ({', '.join(others)})" if others else "")
    stale = f", {status.n_expired} expired" if status.n_expired else ""
    lines = [f"{told}; {counted(len(status.open), 'open ticket')}{stale}; last event {when(status.last_at)} UTC."]
    if status.closed:
        lines.append(f"Not asked now (forbidden or failing): {', '.join(map(repr, status.closed))}.")
    lines.append(f"Best query so far: {status.recommendation!r}.")
    if status.certificate is not None:
        lines += str(status.certificate).splitlines()
    return lines


def ticket_form(ticket: Ticket) -> dict[str, Any]:
    """A ticket as JSON."""
    return asdict(ticket) | {"query": ticket.query}


def entry_form(entry: Entry) -> dict[str, Any]:
    """An answer or a failure as JSON."""
    return {
        "event": entry.seq,
        "at": entry.at,
        "author": entry.author,
        "query": entry.query,
        "reward": entry.reward,
        "count": entry.count,
        "ticket": entry.number,
        "note": entry.note,
        "told": entry.told,
        "standing": entry.standing,
        "reason": None if entry.retraction is None else entry.retraction.reason,
    }


def event_form(event: Event) -> dict[str, Any]:
    """An event as JSON."""
    head = {"event": event.seq, "kind": event.kind, "at": event.at, "author": event.author, "key": event.key}
    return {**head, **asdict(event.body)}


def summary_form(study: StudySummary) -> dict[str, Any]:
    """A study of a list as JSON."""
    return asdict(study)


def certificate_form(certificate: StudyCertificate | None) -> dict[str, Any] | None:
    """A certificate as JSON; null where there can be none."""
    if certificate is None:
        return None
    inner = certificate.certificate
    return {
        "is_proven": bool(certificate),
        "answer": certificate.answer,
        "statement": inner.statement,
        "delta": inner.delta,
        "n_remaining": len(certificate.remaining),
        "remaining": list(certificate.remaining[:_MOST_LABELS]),
        "objectors": list(certificate.objectors[:_MOST_LABELS]),
        "retracted": [entry_form(entry) for entry in certificate.retracted],
        "failed": [entry_form(entry) for entry in certificate.failed],
        "unanswered": [ticket.number for ticket in certificate.unanswered],
    }


def status_form(status: Status) -> dict[str, Any]:
    """Where a study stands, as JSON."""
    return {
        "name": status.name,
        "n_events": status.n_events,
        "n_answers": status.n_answers,
        "n_failed": status.n_failed,
        "n_retracted": status.n_retracted,
        "n_corrected": status.n_corrected,
        "n_expired": status.n_expired,
        "closed": list(status.closed),
        "last_at": status.last_at,
        "recommendation": status.recommendation,
        "open_tickets": [ticket_form(ticket) for ticket in status.open],
        "certificate": certificate_form(status.certificate),
    }


def _ticket(number: int | None) -> str:
    return "" if number is None else f" (ticket {number})"
