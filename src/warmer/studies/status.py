"""Where a study stands."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from warmer.certification import Certificate
from warmer.choice import ChoiceCertificate
from warmer.model import Label
from warmer.model.errors import HypothesisError, ProtocolError
from warmer.studies.records.ledger import Entry
from warmer.studies.records.remarks import remarks_of
from warmer.studies.records.tickets import Ticket
from warmer.studies.standing import Standing, standing_of, unasked_in_words
from warmer.studies.storage import Head
from warmer.studies.verification import Replay
from warmer.studies.view import View


@dataclass(frozen=True)
class StudyCertificate:
    """What the answers prove; true in a condition exactly when something is proven.

    A proof is worth as much as the rule by which answers were left out: so it names those that were retracted or
    corrected, with the reasons, and the tickets that nobody has answered.
    """

    certificate: Certificate | ChoiceCertificate
    remarks: tuple[str, ...]
    """What was changed or failed, and why, a sentence each; none where every answer counts as it was told."""
    retracted: tuple[Entry, ...]
    corrected: tuple[Entry, ...]
    failed: tuple[Entry, ...]
    unanswered: tuple[Ticket, ...]

    @classmethod
    def of(
        cls, certificate: Certificate | ChoiceCertificate, view: Replay, tickets: list[Ticket]
    ) -> "StudyCertificate":
        """A certificate of the session, with what was left out."""
        special = view.ledger.special
        retracted, corrected, failed = (
            tuple(entry for entry in special if entry.standing == kind) for kind in ("retracted", "corrected", "failed")
        )
        return cls(certificate, remarks_of(view.ledger), retracted, corrected, failed, tuple(tickets))

    @property
    def about_noise(self) -> Certificate | None:
        """The certificate, where it rests on what was declared about the noise; None for a choice of models."""
        return self.certificate if isinstance(self.certificate, Certificate) else None

    @property
    def answer(self) -> Any:
        """The proven answer; before, the one that the likeliest candidate would give."""
        return self.certificate.answer

    @property
    def remaining(self) -> Sequence[Label]:
        """The candidates that the data leave possible, the likeliest first."""
        return self.certificate.remaining

    @property
    def objectors(self) -> Sequence[Label]:
        """Those of them that do not accept the answer."""
        return self.certificate.objectors

    @property
    def waiting(self) -> str:
        """Which labels of a choice of models wait for which ticket, and what to do; empty where none do.

        A proof waits for none.
        """
        waiting = getattr(self.certificate, "waiting", None)
        if waiting is None or self.certificate:
            return ""
        ticket = next((ticket for ticket in self.unanswered if ticket.query == waiting.point), None)
        if ticket is None:
            return f"{waiting}, which nobody has in hand: the next ask gives it out"
        return (
            f"{waiting} (ticket {ticket.number}, {ticket.worker}): tell it, or release the ticket so that somebody "
            "else is asked"
        )

    def __bool__(self) -> bool:
        return bool(self.certificate)

    def __str__(self) -> str:
        waiting = [self.waiting] if self.waiting else []
        unanswered = [f"ticket {ticket.number} for {ticket.query!r} is unanswered" for ticket in self.unanswered]
        return "\n".join([str(self.certificate), *self.remarks, *waiting, *unanswered])


@dataclass(frozen=True)
class Status:
    """Where a study stands."""

    name: str
    n_answers: int
    n_unasked: int
    """How many of the answers came to queries that were not open."""
    n_failed: int
    n_retracted: int
    n_corrected: int
    open: tuple[Ticket, ...]
    n_expired: int
    """How many of the open tickets have outlived their lease."""
    closed: tuple[Label, ...]
    """Queries that are not asked now: forbidden, or failing."""
    recommendation: Label
    certificate: StudyCertificate | None
    """What is proven; None where no goal was declared, or the table's tolerance is unknown."""
    last_at: float | None
    """When the last event was written."""
    n_events: int
    standing: Standing | None
    """Who is ruled out and by how much, who objects, what the next query is for, what is odd; None as above."""

    @property
    def remarks(self) -> list[str]:
        """What whoever reads a proof must know beside its own remarks, a sentence for each."""
        return unasked_in_words(self.n_unasked) if self.standing is None else self.standing.remarks

    @classmethod
    def of(cls, name: str, view: View, tickets: list[Ticket], head: Head, last_at: float | None) -> "Status":
        """Add up a view."""
        standings = Counter(entry.standing for entry in view.ledger.special)
        certificate = _certificate(view, tickets)
        expired = [t for t in tickets if t.leased_until is not None and t.leased_until < head.now]
        return cls(
            name=name,
            n_answers=len(view.ledger.entries) - standings["failed"] - standings["retracted"],
            n_unasked=view.ledger.n_unasked,
            n_failed=standings["failed"],
            n_retracted=standings["retracted"],
            n_corrected=standings["corrected"],
            open=tuple(tickets),
            n_expired=len(expired),
            closed=tuple(sorted(view.ledger.closed, key=str)),
            recommendation=view.engine.recommend(),
            certificate=certificate,
            last_at=last_at,
            n_events=view.ledger.seq,
            standing=None if certificate is None else standing_of(view.engine, view.next_query(), view.ledger),
        )


def _certificate(view: View, tickets: list[Ticket]) -> StudyCertificate | None:
    try:
        return StudyCertificate.of(view.engine.certificate(), view, tickets)
    except (HypothesisError, ProtocolError):
        return None
