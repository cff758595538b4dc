"""What happened: the log, filtered and read a stretch at a time however long it is, and what can be taken home.

That is the answers as CSV, the whole study as JSON lines, and a report that needs nothing but itself.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from warmer.report import study_page
from warmer.report.study_text import body_in_words
from warmer.studies import Study
from warmer.studies.records.events import Event
from warmer.studies.records.history import history_rows
from warmer.web.library import Library, address_of
from warmer.web.rendering import page

KINDS = ("asked", "answered", "corrected", "retracted", "failed", "released", "forbidden", "allowed", "noted")
_PER_PAGE = 100
_STRETCH = 2000
_MOST_READ = 20_000
"""Events that are read for one page; where fewer than a page of them match, the next page goes on."""
_ROWS = 1000
_COMMAND = ("=", "+", "-", "@", "\t", "\r")
"""Text that begins like this is run as a formula by spreadsheets."""


def log_routes(library: Library) -> list[Route]:
    """The log of a study."""

    async def log(request: Request) -> Response:
        given = request.query_params
        kind = given.get("kind", "") if given.get("kind") in KINDS else ""
        words = given.get("search", "")[:200]
        before = given.get("before", "")
        study = await library.study(request)
        last = await library.run(lambda: study.n_events)
        end = min(last, int(before) - 1) if before.isdecimal() and len(before) < 16 else last
        events, read_to = await library.run(read_back, study, end, kind, words)
        return page(
            request,
            "log.html",
            study=study,
            address=address_of(study),
            lines=[(event, body_in_words(event.body)) for event in events],
            kinds=KINDS,
            kind=kind,
            search=words,
            n_events=last,
            before=before,
            older=read_to + 1 if read_to > 0 else None,
        )

    return [Route("/studies/{study}/log", log)]


def read_back(study: Study, end: int, kind: str, words: str) -> tuple[list[Event], int]:
    """The last events up to `end` that match, the latest first; and the event before which to go on, 0 at the end."""
    found: list[Event] = []
    position = end
    while position > 0 and end - position < _MOST_READ:
        start = max(0, position - (_PER_PAGE if not (kind or words) else _STRETCH))
        for event in reversed(list(study.log(after=start, until=position))):
            if (not kind or event.kind == kind) and _matches(event, words):
                found.append(event)
                if len(found) == _PER_PAGE:
                    return found, event.seq - 1
        position = start
    return found, position


def _matches(event: Event, words: str) -> bool:
    return not words or words.casefold() in f"{event.author} {body_in_words(event.body)}".casefold()


def download_routes(library: Library) -> list[Route]:
    """The files of a study."""
    files: dict[str, tuple[Callable[[Study], Iterator[str]], str, str]] = {
        "answers.csv": (csv_lines, " answers.csv", "text/csv; charset=utf-8"),
        "study.jsonl": (Study.export_lines, ".jsonl", "application/x-ndjson"),
        "report.html": (lambda study: iter([study_page(study)]), ".html", "text/html; charset=utf-8"),
    }

    async def download(request: Request) -> Response:
        content, ending, media_type = files[request.url.path.rpartition("/")[2]]
        study = await library.study(request)
        return _download(await library.run(content, study), f"{study.name}{ending}", media_type)

    return [Route(f"/studies/{{study}}/{name}", download) for name in files]


def csv_lines(study: Study) -> Iterator[str]:
    """The answers as CSV, some at a time."""
    entries = study.entries()
    for start in range(0, max(1, len(entries)), _ROWS):
        file = io.StringIO()
        rows = history_rows(entries[start : start + _ROWS])
        names = ["seq", "at", "query", "reward", "count", "ticket", "standing", "told", "author", "note", "reason"]
        writer = csv.DictWriter(file, names)
        if start == 0:
            writer.writeheader()
        writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
        yield file.getvalue()


def _harmless(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(_COMMAND) else value


def _download(content: Iterator[str], name: str, media_type: str) -> Response:
    plain = re.sub(r"[^\w .-]", "_", name, flags=re.ASCII)
    headers = {"content-disposition": f'attachment; filename="{plain}"'}
    return StreamingResponse(content, media_type=media_type, headers=headers)
