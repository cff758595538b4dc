"""The protocol of a log: one writer, keys that make a retry harmless, tickets with leases."""

import json
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from warmer.model import Label
from warmer.model.errors import ProtocolError
from warmer.model.words import exact
from warmer.studies.records.events import (
    Answered,
    Asked,
    Body,
    Event,
    Failed,
    Released,
    event_of,
    events_of,
    kind_of,
    write_body,
)
from warmer.studies.records.ledger import Entry, read_log
from warmer.studies.records.plain import dumps, label_form, label_of
from warmer.studies.records.tickets import Ticket, ticket_from, ticket_of, ticket_row
from warmer.studies.storage import EventRow, Head, Store, TicketRow, Writer

_TRIES = 3
"""How often queries are chosen while nobody waits, before they are chosen under the lock."""

_QUICK = 0.02
"""Seconds; who chooses faster than this may do it under the lock, for a second turn would cost everybody more."""

_PAGE = 8000
"""How many events of a long log are read at once."""


@dataclass(frozen=True)
class Plan:
    """The next queries, and what their choice knew of."""

    queries: list[Label]
    n_asks: int
    as_of: int
    closed: Collection[Label] = ()
    """Queries that nobody may ask now."""
    frames: Sequence[str] = ()
    """What each query was drawn from, where that is kept."""


class Log:
    """The log of one study.

    Everything that is written carries a key. To say the same thing twice under one key is to say it once: so whoever
    does not know whether a call came through may simply repeat it.
    """

    def __init__(self, store: Store, study: str) -> None:
        self._store, self.study = store, study

    def events(self, after: int = 0, until: int | None = None) -> list[Event]:
        """The log in order."""
        return events_of(self._store.events(self.study, after=after, until=until))

    def start(self) -> tuple[Iterable[Event | Entry], Head, list[Event]]:
        """What a learner needs of a long log: every event but the asking, how far that goes, and the open tickets.

        The tickets may be newer than the events. Whoever goes on with all events after the head has both right.
        """
        head = self.head()
        tickets = [_asking(row) for row in self._store.open_tickets(self.study)]
        return self._read(head.n_events), head, tickets

    def head(self) -> Head:
        """How far the log has come."""
        return self._store.head(self.study)

    def open_tickets(self) -> list[Ticket]:
        """The tickets that are neither answered nor given up."""
        return [ticket_from(row, self.study) for row in self._store.open_tickets(self.study)]

    def record(self, body: Body, *, key: str, author: str) -> Event:
        """Write one event, once; an answer or a failure also closes its ticket."""
        return self._store.safely(lambda: self._record(body, key, author))

    def ask(
        self,
        n: int,
        *,
        key: str,
        author: str,
        lease: float | None,
        choose: Callable[[int], Plan],
        draws: bool = False,
    ) -> list[Ticket]:
        """Give out n tickets: expired ones first, then new ones for queries that `choose` names.

        The choice is made without a lock. If somebody else has asked in the meantime it is made again: under the lock
        where that is quick, and after three tries in vain in any case, so that nobody starves.

        With `draws` it is left to chance, and made under the lock alone, from all that was written before: so what was
        drawn is in the log before anybody sees it, and nobody writes between the draw and its line.
        """

        def drawn() -> list[Ticket]:
            choose(0)  # reads what is new while nobody waits
            tickets = self._give_out(n, key, author, lease, None, choose)
            assert tickets is not None, "under the lock nobody else can ask"
            return tickets

        def once() -> list[Ticket]:
            for is_last in (*[False] * (_TRIES - 1), True):
                start = time.monotonic()
                plan = choose(n)
                again = choose if is_last or time.monotonic() - start < _QUICK else None
                tickets = self._give_out(n, key, author, lease, plan, again)
                if tickets is not None:
                    break
            assert tickets is not None, "under the lock nobody else can ask"
            return tickets

        return self._store.safely(drawn if draws else once)

    def renew(self, ticket: Ticket, lease: float) -> bool:
        """Whether the ticket is still this holder's; its lease then starts again."""

        def once() -> bool:
            with self._store.writing(self.study) as writer:
                return writer.renew(ticket.number, ticket.token, writer.now + lease)

        return self._store.safely(once)

    def _read(self, until: int) -> Iterator[Event | Entry]:
        """A long log for a learner, a page at a time: so the rows of one lie where those of the last one lay."""
        for after in range(0, until, _PAGE):
            yield from read_log(
                self._store.events(self.study, after=after, until=min(after + _PAGE, until), without="asked")
            )

    def _record(self, body: Body, key: str, author: str) -> Event:
        with self._store.writing(self.study) as writer:
            known = writer.find(key)
            if known is not None:
                return _the_same(known, body)
            filled = _with_ticket(writer, body)
            seq = writer.append(kind_of(filled), key=key, author=author, body=write_body(filled))
            if isinstance(filled, Answered | Failed | Released) and filled.number is not None:
                writer.shut(filled.number)
            return Event(seq, key, writer.now, author, filled)

    def _give_out(
        self,
        n: int,
        key: str,
        author: str,
        lease: float | None,
        plan: Plan | None,
        choose_again: Callable[[int], Plan] | None,
    ) -> list[Ticket] | None:
        """The tickets; None where somebody else has asked since the plan was made, and it may not be made again.

        Without a plan it is made now.
        """
        with self._store.writing(self.study) as writer:
            known = [found for place in range(n) if (found := writer.find(f"{key}:{place}"))]
            if known:
                return [self._ticket_of_event(event_of(found)) for found in known]
            if plan is None or plan.n_asks != writer.n_asks:
                if choose_again is None:
                    return None
                is_drawn, plan = plan is None, choose_again(n)
                assert not is_drawn or plan.as_of == writer.n_events, "what is drawn knows the whole log"
            late = writer.expired(n)
            closed = [row for row in late if label_of(json.loads(row.query)) in plan.closed]
            again = [row for row in late if row not in closed]
            for row in closed:
                self._give_up(writer, row)
            asked = [_once_more(row, author, lease) for row in again]
            fresh = list(zip(plan.queries, plan.frames or [""] * len(plan.queries), strict=True))
            asked += [
                Asked(plan.n_asks + place, query, 1, uuid.uuid4().hex, author, lease, plan.as_of, frame)
                for place, (query, frame) in enumerate(fresh[: n - len(again)], start=1)
            ]
            return [self._write(writer, f"{key}:{place}", body) for place, body in enumerate(asked)]

    def _write(self, writer: Writer, key: str, body: Asked) -> Ticket:
        ticket = ticket_of(body, writer.now, self.study)
        writer.issue(ticket_row(body, ticket.leased_until))
        writer.append("asked", key=key, author=body.worker, body=write_body(body))
        return ticket

    def _give_up(self, writer: Writer, row: TicketRow) -> None:
        body = Released(label_of(json.loads(row.query)), row.number, "its lease ran out and the query is forbidden now")
        writer.append("released", key=f"release:{row.token}", author=row.worker, body=write_body(body))
        writer.shut(row.number)

    def _ticket_of_event(self, event: Event) -> Ticket:
        if not isinstance(event.body, Asked):
            raise ProtocolError(f"the key {event.key!r} was used before, for event {event.seq}, which asked nothing.")
        return ticket_of(event.body, event.at, self.study)


def _asking(row: TicketRow) -> Event:
    """The last time that a ticket was given out, as far as a ledger wants to know."""
    asked = Asked(row.number, label_of(json.loads(row.query)), row.attempt, row.token, row.worker, None, row.as_of)
    return Event(0, "", 0.0, row.worker, asked)


def _once_more(row: TicketRow, author: str, lease: float | None) -> Asked:
    query = label_of(json.loads(row.query))
    return Asked(row.number, query, row.attempt + 1, uuid.uuid4().hex, author, lease, row.as_of)


def _with_ticket(writer: Writer, body: Body) -> Body:
    """An answer or a failure that names no ticket belongs to the oldest open one for its query, if there is one."""
    if isinstance(body, Answered | Failed) and body.number is None:
        row = writer.open_ticket(query=dumps(label_form(body.query)))
        return body if row is None else replace(body, number=row.number)
    return body


def _the_same(known: EventRow, body: Body) -> Event:
    """The event that was recorded under this key, if it says the same."""
    event = event_of(known)
    said = event.body
    if isinstance(body, Answered | Failed) and isinstance(said, Answered | Failed) and body.number is None:
        said = replace(said, number=None)
    if said == body:
        return event
    if isinstance(said, Answered):
        raise ProtocolError(
            f"{said.query!r} was answered before with {exact(said.reward)} (event {event.seq}, by {event.author}); "
            f"nothing was changed. If that was wrong, use correct({event.seq}, ...)."
        )
    raise ProtocolError(
        f"the key {event.key!r} was used before, for event {event.seq} ({event.kind}); use another key."
    )
