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
    """A version, and the page's moving parts in it, as they are sent to everybody who watches."""

    version: str
    message: bytes


class Channel:
    """Watches one thing while anybody listens; what it shows is rendered once for all of them."""

    def __init__(
        self,
        library: Library,
        version: Callable[[], str],
        render: Callable[[], str],
        when_left: Callable[[], object] = lambda: None,
    ) -> None:
        self._library, self._version, self._render, self._when_left = library, version, render, when_left
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
                yield news.message
        finally:
            self._listeners -= 1
            if self._listeners == 0 and self._task is not None:
                self._task.cancel()
                self._task = None
                self._when_left()

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
                    message = f"id: {version}\nevent: parts\ndata: {json.dumps(parts)}\n\n".encode()
                    async with self._changed:
                        self._news = News(version, message)
                        self._changed.notify_all()
            await asyncio.sleep(max(_PAUSE, time.monotonic() - start))


class Channels:
    """The channels in use, by what they show; one that nobody listens to any more is forgotten."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._channels: dict[str, Channel] = {}

    def __len__(self) -> int:
        return len(self._channels)

    def stream(
        self, request: Request, name: str, version: Callable[[], str], render: Callable[[], str]
    ) -> StreamingResponse:
        """A stream of what a page shows; it starts where the page is, or where a broken stream ended."""
        if name not in self._channels:
            self._channels[name] = Channel(self._library, version, render, lambda: self._channels.pop(name, None))
        channel = self._channels[name]
        known = request.headers.get("last-event-id") or request.query_params.get("version", "")
        return StreamingResponse(
            channel.listen(known), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )
