"""A study or a session as JSON lines that a person can read: how it was set up, then its table, then its log.

The last line counts the events and carries a checksum of all lines before it, so that a torn file is noticed.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from warmer.model.errors import InvalidValueError, WarmerError
from warmer.studies.formats.stored_pools import pack_pool, read_pool
from warmer.studies.formats.stored_problems import digest_of, pack
from warmer.studies.formats.table_lines import read_table
from warmer.studies.records.events import VERSION as EVENT_VERSION
from warmer.studies.records.events import Asked, Event, event_of, read_body, write_body
from warmer.studies.records.history import moment
from warmer.studies.records.ledger import Ledger
from warmer.studies.records.plain import dumps, label_form
from warmer.studies.records.tickets import ticket_of, ticket_row
from warmer.studies.storage import EventRow, StudyRow, TicketRow

VERSION = 1
"""Of the file's form."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Whole:
    """What the lines of a file say."""

    study: StudyRow
    table: list[dict[str, Any]]
    """The lines of what it is about."""
    events: list[EventRow]

    def check_digest(self, digest: str) -> None:
        """Raise unless this is the digest of what it was made for."""
        if json.loads(self.study.spec)["problem"] != digest:
            raise InvalidValueError("the table is not the one that the study was made for; it was changed by hand.")


@dataclass(frozen=True)
class Exported:
    """What a file holds, ready for a database."""

    study: StudyRow
    digest: str
    payload: bytes
    events: list[EventRow]
    tickets: list[tuple[TicketRow, bool]]
    """Every ticket as its last lease left it, and whether it is open."""


def export_lines(study: StudyRow, table: Iterable[dict[str, Any]], events: Iterable[Event]) -> Iterator[str]:
    """The study, a line at a time; `table` are the lines of what it is about."""
    checksum, n_events = hashlib.sha256(), 0
    for form in (_head(study), *table, *map(_event_form, events)):
        line = _on_one_line(json.dumps(form, allow_nan=False, ensure_ascii=False)) + "\n"
        checksum.update(line.encode())
        n_events += "event" in form
        yield line
    yield json.dumps({"end": n_events, "sha256": checksum.hexdigest()}) + "\n"


def read_file(path: str | os.PathLike[str], read: Callable[[Whole], Result]) -> Result:
    """What a file holds, as `read` has it; every error names the file.

    One that was cut off or changed is refused, and so is what a newer warmer wrote.
    """
    file = Path(path)
    try:
        return read(_whole(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise InvalidValueError(f"{file} cannot be read ({error.strerror}); check the path.") from error
    except (UnicodeDecodeError, WarmerError) as error:
        raise InvalidValueError(f"{file}: {error}") from error


def exported(whole: Whole) -> Exported:
    """What a file says, ready for a database."""
    digest, payload = _packed(whole.table)
    whole.check_digest(digest)
    return Exported(whole.study, digest, payload, whole.events, list(_tickets(map(event_of, whole.events))))


def write_whole(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    """Write a file that is there whole or not at all."""
    file = Path(path)
    try:
        with tempfile.NamedTemporaryFile("w", dir=file.parent, suffix=".part", encoding="utf-8", delete=False) as part:
            try:
                part.writelines(lines)
            except BaseException:
                os.unlink(part.name)
                raise
        os.replace(part.name, file)
    except OSError as error:
        raise InvalidValueError(f"{file} cannot be written ({error.strerror}); choose another place.") from error


def _whole(text: str) -> Whole:
    lines = text.splitlines(keepends=True)
    forms = [_parsed(number, line) for number, line in enumerate(lines, start=1)]
    if not forms or forms[0].get("warmer") != "study":
        raise InvalidValueError("this is no exported study and no saved session; its first line must say so.")
    if forms[0]["version"] != VERSION:
        raise InvalidValueError(f"a newer warmer wrote this (form {forms[0]['version']}); upgrade warmer to read it.")
    _check_end(lines, forms)
    rows = [_event_row(form) for form in forms if "event" in form]
    if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
        raise InvalidValueError("the events are not numbered 1, 2, 3, ...; some are missing or out of order.")
    study = StudyRow("", forms[0]["name"], dumps(forms[0]["spec"]), forms[0]["created_at"], 0, 0)
    return Whole(study, [form for form in forms[1:-1] if "event" not in form], rows)


def _packed(lines: list[dict[str, Any]]) -> tuple[str, bytes]:
    """What the study is about, as a database keeps it, and its digest."""
    if lines and "pool" in lines[0]:
        return pack_pool(read_pool(lines))
    problem = read_table(lines)
    return digest_of(problem), pack(problem)


def _on_one_line(text: str) -> str:
    """JSON without the letters that some programs take for the end of a line."""
    return text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _head(study: StudyRow) -> dict[str, Any]:
    created = {"created": moment(study.created_at).isoformat(), "created_at": study.created_at}
    return {"warmer": "study", "version": VERSION, "name": study.name, **created, "spec": json.loads(study.spec)}


def _event_form(event: Event) -> dict[str, Any]:
    """An event on one line: number, what, when and who come first."""
    body = {name: label_form(value) if name == "query" else value for name, value in asdict(event.body).items()}
    who = {"event": event.seq, "kind": event.kind, "time": moment(event.at).isoformat(), "author": event.author}
    return {**who, **body, "at": event.at, "key": event.key}


def _parsed(number: int, line: str) -> dict[str, Any]:
    try:
        form = json.loads(line)
    except json.JSONDecodeError as error:
        raise InvalidValueError(f"line {number} is not whole ({error.msg}); export the study again.") from error
    if not isinstance(form, dict):
        raise InvalidValueError(f"line {number} is no JSON object; export the study again.")
    return form


def _check_end(lines: list[str], forms: list[dict[str, Any]]) -> None:
    end = forms[-1]
    if "end" not in end:
        raise InvalidValueError("the last line is missing, so the file was cut off; export the study again.")
    found = hashlib.sha256("".join(lines[:-1]).encode()).hexdigest()
    if found != end["sha256"]:
        raise InvalidValueError("the lines do not match their checksum: the file was changed or damaged.")


def _event_row(form: dict[str, Any]) -> EventRow:
    """An event of the file as the log has it."""
    outside = {"event", "kind", "time", "author", "at", "key"}
    try:
        inside = {name: value for name, value in form.items() if name not in outside}
        body = read_body(form["kind"], dumps({**inside, "version": EVENT_VERSION}))
        return EventRow(form["event"], form["kind"], form["key"], form["at"], form["author"], write_body(body))
    except (KeyError, TypeError) as error:
        raise InvalidValueError(f"event {form['event']} is not whole ({error}); export the study again.") from error


def _tickets(events: Iterable[Event]) -> Iterator[tuple[TicketRow, bool]]:
    """Every ticket as its last lease left it, and whether it is open."""
    ledger, last = Ledger(), dict[int, TicketRow]()
    for event in events:
        ledger.add(event)
        if isinstance(event.body, Asked):
            until = ticket_of(event.body, event.at, "").leased_until
            last[event.body.number] = ticket_row(event.body, until)
    for number, row in last.items():
        yield row, number in ledger.open
