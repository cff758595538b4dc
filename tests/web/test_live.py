"""News reach who watches, and nobody else is bothered."""

import asyncio
import json
import time
from pathlib import Path
from types import SimpleNamespace

from warmer import open_study
from warmer.web.library import Library
from warmer.web.live import Channel, Channels
from warmer.web.pages.overview import Shelf


def listening(storage: str, heard: list, known: str = ""):
    """A listener in a loop of its own, which gets what two tells from elsewhere make of a page."""

    async def story() -> None:
        library = Library(storage, may_write=False)
        desk = await library.run(library.desk, "weather")
        rendered = []
        channel = Channel(
            library, lambda: str(desk.study.n_events), lambda: rendered.append(1) or f"<p>{desk.study.n_events}"
        )
        streams = [channel.listen(known) for _ in range(3)]
        for stream in streams:
            assert await anext(stream) == b"retry: 1000\n\n"
        for reward in (0.5, 0.25):
            coming = [asyncio.create_task(anext(stream)) for stream in streams]
            await asyncio.sleep(0)
            if not heard and known == "":
                heard.append([await each for each in coming])
                coming = [asyncio.create_task(anext(stream)) for stream in streams]
            await asyncio.to_thread(tell, storage, reward)
            heard.append([await each for each in coming])
        for stream in streams:
            await stream.aclose()
        heard.append((len(rendered), channel._task))
        library.close()

    asyncio.run(story())


def tell(storage: str, reward: float) -> None:
    with open_study("weather", storage=storage) as study:
        study.tell("left", reward)


def test_everybody_who_watches_hears_of_every_answer_and_it_is_rendered_once(storage: str, tmp_path: Path):
    heard: list = []
    listening(storage, heard)
    *news, (n_rendered, task) = heard
    for version, lines in enumerate(news):
        expected = f"id: {version}\nevent: parts\ndata: {json.dumps(f'<p>{version}')}\n\n".encode()
        assert lines == [expected] * 3
    assert n_rendered == 3
    assert task is None


def test_who_comes_back_hears_only_what_is_new(storage: str):
    heard: list = []
    listening(storage, heard, known="0")
    assert [lines[0].split(b"\n")[0] for lines in heard[:-1]] == [b"id: 1", b"id: 2"]


def test_what_nobody_watches_any_more_is_forgotten(storage: str):
    async def story() -> None:
        library = Library(storage, may_write=False)
        channels = Channels(library)
        request = SimpleNamespace(headers={}, query_params={})
        for number in range(20):
            response = channels.stream(request, f"overview {number}", lambda: "1", lambda: "<p>")
            stream = aiter(response.body_iterator)
            assert await anext(stream) == b"retry: 1000\n\n"
            assert (await anext(stream)).startswith(b"id: 1\n")
            assert len(channels) == 1
            await stream.aclose()
        assert len(channels) == 0
        library.close()

    asyncio.run(story())


def test_of_each_study_only_the_latest_conclusion_is_kept(storage: str):
    library = Library(storage, may_write=False)
    shelf = Shelf(library)
    for number in range(1, 4):
        tell(storage, 0.9)
        library.forget_list()
        while shelf.lines(library.summaries())[0].conclusion is None:
            time.sleep(0.01)
        assert shelf.n_done >= number
    assert len(shelf) == 1
    library.close()
