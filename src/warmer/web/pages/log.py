"""Everything that happened, the latest first: filtered, and read a stretch at a time however long it is."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from warmer.report.study_text import body_in_words
from warmer.studies import Study
from warmer.studies.records.events import Event
from warmer.web.library import Library, address_of
from warmer.web.rendering import page

KINDS = ("asked", "answered", "corrected", "retracted", "failed", "released", "forbidden", "allowed", "noted")
_PER_PAGE = 100
_STRETCH = 2000
_MOST_READ = 20_000
"""Events that are read for one page; where fewer than a page of them match, the next page goes on."""


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
