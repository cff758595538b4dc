"""The list of studies: where each stands, found by a word, in any order."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from warmer.model.errors import WarmerError
from warmer.studies.opening import ChoosesModelsError, StudySummary
from warmer.web.library import Library, address_of
from warmer.web.live import Channels
from warmer.web.rendering import html, page, turned

_PER_PAGE = 50

SORTS: dict[str, tuple[str, Callable[[StudySummary], Any]]] = {
    "activity": ("last activity", lambda each: -(each.last_at or each.created_at)),
    "name": ("name", lambda each: each.name.casefold()),
    "answers": ("answers", lambda each: -each.n_answers),
    "tickets": ("open tickets", lambda each: (-each.n_overdue, -each.n_open)),
    "created": ("newest", lambda each: -each.created_at),
}
"""The orders, by the word in the address."""


class Conclusion(NamedTuple):
    """What a study says so far."""

    recommendation: str
    verdict: str
    """proven, open or contradicted."""


class Line(NamedTuple):
    """A study in the list."""

    study: StudySummary
    address: str
    conclusion: Conclusion | None
    """None while it is being worked out."""


class Shelf:
    """Knows what each study concludes, at its latest known length; works it out in the background, once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._known: dict[str, tuple[int, Conclusion]] = {}
        self.n_done = 0
        """How many conclusions were worked out so far."""
        self._wanted: list[StudySummary] = []
        self._lock = threading.Lock()
        self._is_working = False

    def __len__(self) -> int:
        return len(self._known)

    def lines(self, studies: list[StudySummary]) -> list[Line]:
        """The studies with what they conclude, as far as that is known; the rest is started."""
        known = {each.id: self._conclusion(each) for each in studies}
        missing = [each for each in studies if known[each.id] is None]
        with self._lock:
            self._wanted = missing
            if missing and not self._is_working:
                self._is_working = True
                self._library.later(self._work)
        return [Line(each, address_of(each), known[each.id]) for each in studies]

    def _conclusion(self, study: StudySummary) -> Conclusion | None:
        length, found = self._known.get(study.id, (-1, None))
        return found if length == study.n_events else None

    def _work(self) -> None:
        """One study, and then the next in its turn, so that nobody else waits for all of them."""
        with self._lock:
            if not self._wanted:
                self._is_working = False
                return
            study = self._wanted.pop(0)
        self._known[study.id] = (study.n_events, self._concluded(study))
        self.n_done += 1
        self._library.later(self._work)

    def _concluded(self, study: StudySummary) -> Conclusion:
        try:
            status = self._library.desk(address_of(study)).study.status()
        except ChoosesModelsError:
            found = self._library.choice(address_of(study)).certificate
            return Conclusion(str(found.answer), "proven" if found else "open")
        except WarmerError as error:
            return Conclusion(str(error), "unreadable")
        if status.certificate is None:
            return Conclusion(str(status.recommendation), "open")
        is_wrong = status.certificate.certificate.is_misspecified
        verdict = "proven" if status.certificate else "contradicted" if is_wrong else "open"
        return Conclusion("" if is_wrong else str(status.certificate.answer), verdict)


def overview_routes(library: Library, channels: Channels) -> list[Route]:
    """The list, and its news."""
    shelf = Shelf(library)

    def found(request: Request) -> dict[str, Any]:
        given = request.query_params
        words, sort = given.get("search", "")[:200], given.get("sort", "activity")
        sort = sort if sort in SORTS else "activity"
        wanted = [each for each in library.summaries() if words.casefold() in each.name.casefold()]
        values = turned(request, sorted(wanted, key=SORTS[sort][1]), _PER_PAGE)
        return {**values, "lines": shelf.lines(values["shown"]), "search": words, "sort": sort}

    def version() -> str:
        return f"{sum(each.n_events for each in library.summaries())}-{len(library.summaries())}-{shelf.n_done}"

    async def overview(request: Request) -> Response:
        return page(
            request,
            "overview.html",
            sorts={name: label for name, (label, _) in SORTS.items()},
            storage=library.storage.rpartition("@")[2],
            version=await library.run(version),
            **await library.run(found, request),
        )

    async def live(request: Request) -> Response:
        given = [request.query_params.get(name) for name in ("search", "sort", "page")]
        return channels.stream(
            request, f"overview {given}", version, lambda: html("overview_parts.html", **found(request))
        )

    return [Route("/", overview), Route("/live", live)]
