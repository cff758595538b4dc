"""The whole application: every address, and what becomes of errors."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from warmer.model.errors import HypothesisError, InvalidValueError, ProtocolError, StorageError, WarmerError
from warmer.web.api.creation import creation_routes
from warmer.web.api.responses import refusal
from warmer.web.api.routes import api_routes
from warmer.web.guard import Guard, TooLargeError, too_large
from warmer.web.jobs import Jobs
from warmer.web.keys import KeyRing
from warmer.web.library import Library, NoStudyError
from warmer.web.live import Channels
from warmer.web.pages import page_routes
from warmer.web.rendering import asset_routes, page
from warmer.web.tables import Tables

_STATUS: dict[type[Exception], int] = {
    NoStudyError: 404,
    InvalidValueError: 422,
    ProtocolError: 409,
    HypothesisError: 422,
    StorageError: 503,
    WarmerError: 422,
}
LOCAL = ("127.0.0.1", "localhost", "[::1]")
"""The names of this machine on this machine."""


def make_application(
    storage: str, *, token: str, may_write: bool = False, keys: Path | None = None, hosts: Collection[str] = LOCAL
) -> ASGIApp:
    """Pages and interface for the studies of a database, behind a guard.

    Parameters
    ----------
    storage
        The URL of the database.
    token
        The secret of the link.
    may_write
        Whether answers and studies may be recorded; else it only shows.
    keys
        The file of the programs' keys; none may come in where there is no such file.
    hosts
        The names by which the server may be called.

    Examples
    --------
    >>> from starlette.testclient import TestClient
    >>> application = make_application("sqlite:///lab.db", token="secret")
    >>> client = TestClient(application, base_url="http://127.0.0.1")
    >>> client.get("/").status_code, client.get("/health").text
    (401, 'ok')
    """
    library = Library(storage, may_write=may_write)
    channels, tables, jobs = Channels(library), Tables(), Jobs()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        jobs.close()
        library.close()
        tables.close()

    routes = [
        Route("/health", _health),
        *asset_routes(),
        *creation_routes(library, tables, jobs),
        *api_routes(library),
        *page_routes(library, channels, tables),
    ]
    handlers = dict.fromkeys([*_STATUS, HTTPException, TooLargeError], _refused)
    application = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    ring = KeyRing(Path("/nonexistent/keys.json") if keys is None else keys)
    return Guard(application, token=token, keys=ring, hosts=hosts, may_write=may_write)


async def _health(request: Request) -> Response:
    return PlainTextResponse("ok")


async def _refused(request: Request, error: Exception) -> Response:
    """An error in one sentence: as JSON for programs, as a page for people."""
    if isinstance(error, TooLargeError):
        return too_large(error.largest)
    if isinstance(error, HTTPException):
        words = {404: "there is nothing at this address.", 405: "this address does not do that."}
        status, sentence = error.status_code, words.get(error.status_code, str(error.detail))
    else:
        status = next(status for kind, status in _STATUS.items() if isinstance(error, kind))
        sentence = str(error)
    if request.url.path.startswith("/api/"):
        return refusal(error if isinstance(error, WarmerError) else InvalidValueError(sentence), status)
    return page(request, "error.html", status, sentence=sentence[:1].upper() + sentence[1:])
