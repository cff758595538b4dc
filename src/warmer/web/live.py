"""News as they happen: one look at the database for everybody who watches the same study."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import StreamingResponse

from warmer.web.library import Library

_PAUSE = 0.25
"""Seconds between two looks at the database."""

_SILENCE = 15.0
"""Seconds after which a line is sent that says nothing, so that a dead connection is noticed."""


class News(NamedTuple):
    """A version, and the page's moving parts in it."""

    version: str
    parts: str


class Channel:
    """Watches one thing while anybody listens; what it shows is rendered once for all of them."""

    def __init__(self, library: Library, version: Callable[[], str], render: Callable[[], str]) -> None:
        self._library, self._version, self._render = library, version, render
        self._news: News | None = None
        self._listeners = 0
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Condition()

    async def listen(self, known: str) -> AsyncIterator[bytes]:
        """Server-sent events: the parts, whenever their version is another than the one that is known."""
        self._listeners += 1
        if self._task is None:
            self._task = asyncio.create_task(self._watch())
        try:
            yield b"retry: 1000\n\n"
            while True:
                news = await self._next(known)
                if news is None:
                    yield b": still here\n\n"
                    continue
                known = news.version
                yield f"id: {known}\nevent: parts\ndata: {json.dumps(news.parts)}\n\n".encode()
        finally:
            self._listeners -= 1
            if self._listeners == 0 and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _next(self, known: str) -> News | None:
        async with self._changed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_SILENCE):
                    await self._changed.wait_for(lambda: self._news is not None and self._news.version != known)
                    return self._news
        return None

    async def _watch(self) -> None:
        while True:
            start = time.monotonic()
            with contextlib.suppress(Exception):  # a database that is away for a moment; the next look may succeed
                version = await self._library.run(self._version)
                if self._news is None or version != self._news.version:
                    parts = await self._library.run(self._render)
                    async with self._changed:
                        self._news = News(version, parts)
                        self._changed.notify_all()
            await asyncio.sleep(max(_PAUSE, time.monotonic() - start))


class Channels:
    """The channels in use, by what they show."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._channels: dict[str, Channel] = {}

    def stream(
        self, request: Request, name: str, version: Callable[[], str], render: Callable[[], str]
    ) -> StreamingResponse:
        """A stream of what a page shows; it starts where the page is, or where a broken stream ended."""
        channel = self._channels.setdefault(name, Channel(self._library, version, render))
        known = request.headers.get("last-event-id") or request.query_params.get("version", "")
        return StreamingResponse(
            channel.listen(known), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )
