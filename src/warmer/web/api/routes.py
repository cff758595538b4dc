"""The addresses of the interface, and the document that describes them."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from warmer.studies.formats.json_forms import summary_form
from warmer.web.api.creation import OPERATIONS
from warmer.web.api.fields import read_body, read_query
from warmer.web.api.openapi import Operation, document
from warmer.web.api.responses import answer
from warmer.web.api.verbs import VERBS, Verb
from warmer.web.library import Library, address_of

_STUDIES = Operation("GET", "/studies", "The studies of the database.")
_DESCRIBED = Operation("GET", "/openapi.json", "This document.")


def api_routes(library: Library) -> list[Route]:
    """The routes under `/api/v1`."""
    prefix = "/api/v1"

    async def studies(request: Request) -> Response:
        found = await library.run(library.summaries)
        return answer({"studies": [{**summary_form(each), "address": address_of(each)} for each in found]})

    async def described(request: Request) -> Response:
        verbs = [Operation(verb.method, f"/studies/{{study}}{verb.name}", verb.words, verb.fields) for verb in VERBS]
        return answer(document([_STUDIES, *OPERATIONS, *verbs, _DESCRIBED]))

    return [
        Route(f"{prefix}{_DESCRIBED.path}", described),
        Route(f"{prefix}{_STUDIES.path}", studies),
        *(
            Route(f"{prefix}/studies/{{study}}{verb.name}", _endpoint(library, verb), methods=[verb.method])
            for verb in VERBS
        ),
    ]


def _endpoint(library: Library, verb: Verb) -> Callable[[Request], Awaitable[Response]]:
    async def work(request: Request) -> Response:
        if verb.method == "GET":
            given = read_query(request, verb.fields)
        else:
            given = await read_body(request, verb.fields)
            if any(field.name == "author" for field in verb.fields) and request.state.visitor.name:
                given.setdefault("author", request.state.visitor.name)
        return answer(await library.run(lambda: verb.work(library.desk(request.path_params["study"]), given)))

    return work
