"""A study's parts as JSON has them: what the terminal prints and what the web answers."""

from dataclasses import asdict
from typing import Any

from warmer.studies.opening import StudySummary
from warmer.studies.records.events import Event
from warmer.studies.records.ledger import Entry
from warmer.studies.records.tickets import Ticket
from warmer.studies.standing import NoiseCheck, Standing
from warmer.studies.status import Status, StudyCertificate

_MOST_LABELS = 1000
"""How many candidates a JSON answer names."""


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
        "surprise": entry.surprise,
        "is_odd": entry.is_odd,
        "n_agreeing": entry.n_agreeing,
        "is_unasked": entry.is_unasked,
        "is_repeat": entry.is_repeat,
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
    inner, noise = certificate.certificate, certificate.about_noise
    return {
        "is_proven": bool(certificate),
        "answer": certificate.answer,
        "is_misspecified": inner.is_misspecified,
        "statement": inner.statement,
        "reason": "" if noise is None else noise.reason,
        "conditions": [] if noise is None else list(noise.conditions),
        "caveat": "" if noise is None else noise.doubt,
        "delta": inner.delta,
        "n_remaining": len(certificate.remaining),
        "remaining": list(certificate.remaining[:_MOST_LABELS]),
        "objectors": list(certificate.objectors[:_MOST_LABELS]),
        "remarks": list(certificate.remarks),
        "retracted": [entry_form(entry) for entry in certificate.retracted],
        "corrected": [entry_form(entry) for entry in certificate.corrected],
        "failed": [entry_form(entry) for entry in certificate.failed],
        "unanswered": [ticket.number for ticket in certificate.unanswered],
    }


def status_form(status: Status) -> dict[str, Any]:
    """Where a study stands, as JSON."""
    return {
        "name": status.name,
        "n_events": status.n_events,
        "n_answers": status.n_answers,
        "n_unasked": status.n_unasked,
        "n_failed": status.n_failed,
        "n_retracted": status.n_retracted,
        "n_corrected": status.n_corrected,
        "n_expired": status.n_expired,
        "closed": list(status.closed),
        "last_at": status.last_at,
        "recommendation": status.recommendation,
        "open_tickets": [ticket_form(ticket) for ticket in status.open],
        "certificate": certificate_form(status.certificate),
        "standing": standing_form(status.standing),
    }


def standing_form(standing: Standing | None) -> dict[str, Any] | None:
    """How far a study has come, as JSON; null where it has no goal."""
    if standing is None:
        return None
    noise = None if standing.noise is None else _noise_form(standing.noise)
    words = {"warnings": standing.warnings, "remarks": standing.remarks}
    return {**asdict(standing), "noise": noise, "n_ruled_out": standing.n_ruled_out, **words}


def _noise_form(noise: NoiseCheck) -> dict[str, Any]:
    return asdict(noise) | {name: getattr(noise, name) for name in ("low", "high", "is_contradicted")}
