"""Whether a log could have been written: every query is chosen again from what was known then."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from warmer.model.errors import CertificateError
from warmer.studies.choice_view import ChoiceView
from warmer.studies.records.events import Asked, Event
from warmer.studies.records.ledger import Ledger
from warmer.studies.records.log import Plan


class Replay(Protocol):
    """What a log amounts to, and what is chosen next."""

    @property
    def ledger(self) -> Ledger:
        """The log, added up."""
        ...

    @property
    def lock(self) -> AbstractContextManager[bool]:
        """Held while anybody looks."""
        ...

    def add(self, events: Iterable[Event]) -> None:
        """Go on with the next events."""
        ...

    def plan(self, n: int) -> Plan:
        """The next n queries."""
        ...


def verify_choices(events: Sequence[Event], view: Replay) -> int:
    """How many queries were chosen as the answers before them demand; raises at the first that was not.

    `view` is what replays the log: it has seen nothing yet.
    """
    n_checked = n_read = 0
    asked = [event for event in events if isinstance(event.body, Asked) and event.body.attempt == 1]
    by_number = {event.body.number: event for event in asked if isinstance(event.body, Asked)}
    for number in sorted(by_number):
        event = by_number[number]
        assert isinstance(event.body, Asked)
        if event.body.as_of < view.ledger.seq:
            raise CertificateError(f"ticket {number} claims to know less than the one before it.")
        view.add(events[n_read : event.body.as_of])
        n_read = event.body.as_of
        chosen = view.plan(number - view.ledger.n_asks).queries[-1]
        if chosen != event.body.query:
            raise CertificateError(
                f"ticket {number} (event {event.seq}) asked {event.body.query!r}, but the answers before it give "
                f"{chosen!r}: the log was written by another learner or another version, or was changed."
            )
        n_checked += 1
    return n_checked


def verify_draws(events: Sequence[Event], view: ChoiceView) -> int:
    """How many points could have been drawn when the log says that they were; raises at the first that could not.

    `view` is what replays the log: it has seen nothing yet.
    """
    n_checked = 0
    for event in events:
        asked = event.body
        if isinstance(asked, Asked) and asked.attempt == 1:
            if not view.could_ask(asked):
                raise CertificateError(
                    f"ticket {asked.number} (event {event.seq}) asked for {asked.query!r}, which could not be drawn "
                    "then as it says: the log was written by another version, or was changed."
                )
            n_checked += 1
        view.add([event])
    return n_checked
