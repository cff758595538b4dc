"""What can happen in a study, as values; each is one line of its log.

The JSON form of an event carries the version of its own form, so that a log of today can be read for ever.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from warmer.model import Label
from warmer.model.errors import StorageError
from warmer.studies.records.plain import dumps, label_form, label_of
from warmer.studies.storage import EventRow

VERSION = 1
"""Of the JSON form."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Ticket `number` was given to a worker; a second attempt has the same query and another token."""

    number: int
    query: Label
    attempt: int
    token: str
    worker: str
    lease: float | None
    """Seconds until somebody else may have it; None for ever."""
    as_of: int
    """The last event that the choice of the query knew of."""
    frame: str = ""
    """Where models are chosen: what the point was drawn from, if that was left to chance."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A reward, or the mean of `count`, or a class came for a query; `number` is the ticket it answers, if any."""

    query: Label
    reward: Any
    count: int = 1
    number: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The answer of event `seq` was wrong: this reward takes its place."""

    seq: int
    reward: Any
    reason: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """Event `seq`, an answer, a failure or a correction, does not count."""

    seq: int
    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """An experiment gave no answer."""

    query: Label
    number: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Released:
    """Whoever had ticket `number` gave it back unanswered."""

    query: Label
    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A query cannot be asked from now on."""

    query: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """A query can be asked again."""

    query: Label
    reason: str


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that a person wants to remember."""

    text: str


Body = Asked | Answered | Corrected | Retracted | Failed | Released | Forbidden | Allowed | Noted

_KINDS: dict[str, type[Body]] = {
    kind.__name__.lower(): kind
    for kind in (Asked, Answered, Corrected, Retracted, Failed, Released, Forbidden, Allowed, Noted)
}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in _KINDS.values()}


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the log: its number, when it was written by the database's clock, by whom, and what happened."""

    seq: int
    key: str
    at: float
    author: str
    body: Body

    @property
    def kind(self) -> str:
        """What happened, in one word."""
        return kind_of(self.body)


def kind_of(body: Body) -> str:
    """The word under which an event is stored.

    Examples
    --------
    >>> kind_of(Noted("new batch of agar"))
    'noted'
    """
    return type(body).__name__.lower()


def write_body(body: Body) -> str:
    """The event's own part as JSON.

    Examples
    --------
    >>> write_body(Answered("left", 0.5))
    '{"count": 1, "note": "", "number": null, "query": "left", "reward": 0.5, "version": 1}'
    """
    form: dict[str, Any] = {name: getattr(body, name) for name in _FIELDS[type(body)]}
    if "query" in form:
        form["query"] = label_form(form["query"])
    if not form.get("frame", True):
        del form["frame"]  # what is new is left out where it is silent: a log of before must not change
    return dumps({**form, "version": VERSION})


def read_body(kind: str, text: str) -> Body:
    """The event's own part from its JSON; what a newer version wrote is refused, not guessed.

    Examples
    --------
    >>> read_body("noted", '{"text": "new batch of agar", "version": 1}')
    Noted(text='new batch of agar')
    """
    return _body(kind, _parsed(text))


def forms_of(rows: Sequence[EventRow]) -> list[dict[str, Any]]:
    """The JSON of rows, read in one go, which is several times faster."""
    forms: list[dict[str, Any]] = _parsed(f"[{','.join([row.body for row in rows])}]")
    return forms


def events_of(rows: Sequence[EventRow]) -> list[Event]:
    """Rows of the log as events."""
    return [event_from(row, form) for row, form in zip(rows, forms_of(rows), strict=True)]


def event_from(row: EventRow, form: dict[str, Any]) -> Event:
    """A row of the log as an event, where its JSON was read."""
    return Event(row.seq, row.key, row.at, row.author, _body(row.kind, form))


def query_of(form: dict[str, Any]) -> Label:
    """The label in an event's JSON."""
    query = form["query"]
    return label_of(query) if isinstance(query, dict) else query


def event_of(row: EventRow) -> Event:
    """A row of the log as an event."""
    return events_of([row])[0]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise StorageError(f"the log holds something that is no event ({error}); restore a copy of it.") from error


def _body(kind: str, form: dict[str, Any]) -> Body:
    version = form.pop("version", None)
    if version != VERSION or kind not in _KINDS:
        raise StorageError(
            f"the log holds an event {kind!r} in version {version}, which this warmer cannot read; upgrade warmer."
        )
    if "query" in form:
        form["query"] = query_of(form)
    return _KINDS[kind](**form)
