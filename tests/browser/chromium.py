"""A page in headless Chromium: what it measures there, and a picture of it."""

import html
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import NamedTuple

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
NO_BROWSER = (
    "THE REPORT PAGE WAS NOT LOOKED AT IN A BROWSER: no chromium, chromium-browser or google-chrome works here. "
    "Install one, for instance with 'apt-get install chromium', and run 'pytest tests/browser'."
)
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-proxy-server"),  # no way to the network
    "--enable-logging=stderr",  # what a page logs comes out there
)
# A frame has the width of a phone where a window cannot, and is looked at from outside when all of it is there. It is
# served, because a browser counts what a page fetches over http and not what it reads from files.
PROBE = """<body style="margin:0"><iframe src="page.html" style="width:{width}px;height:{height}px;border:0"></iframe>
<pre hidden></pre><script>onload = () => {{
const page = document.querySelector("iframe").contentWindow, all = name => [...page.document.querySelectorAll(name)];
const sticks_out = element => !element.closest(".scroll") && element.getBoundingClientRect().right > {width} + 0.5;
document.querySelector("pre").textContent = JSON.stringify({{
  width: page.document.documentElement.scrollWidth,
  height: page.document.body.offsetHeight,
  too_wide: all("body *").filter(sticks_out).map(e => e.tagName),
  scrolled: all(".scroll").filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText.slice(0, 40)),
  fetched: page.performance.getEntriesByType("resource").map(e => e.name).filter(name => !name.startsWith("data:")),
  pictures: all("img, svg").map(e => Math.min(e.naturalWidth ?? 1, e.clientWidth, e.clientHeight)),
  headings: all("h1, h2").map(e => e.innerText),
}}); }};</script>"""


class Look(NamedTuple):
    """What a browser made of a page at one width."""

    width: int
    height: int
    too_wide: list[str]
    """Elements that reach beyond the screen."""
    scrolled: list[str]
    """Tables that have to be pushed sideways."""
    fetched: list[str]
    pictures: list[int]
    """The smaller side of each, 0 for one that was not drawn."""
    headings: list[str]
    said: list[str]
    """What the page logged: errors above all."""


@cache
def find_browser() -> str | None:
    """The first browser that can show a page."""
    return next((path for path in map(shutil.which, NAMES) if path is not None and _works(path)), None)


def look(page: Path, *, width: int, height: int = 9000, picture: Path | None = None) -> Look:
    """Render a page in a frame of this width; with a path, also take its picture."""
    with tempfile.TemporaryDirectory() as folder, served(folder) as address:
        shutil.copy(page, Path(folder) / "page.html")
        (Path(folder) / "probe.html").write_text(PROBE.format(width=width, height=height))
        done = _run(folder, "--dump-dom", address, window=(width, height))
        found = re.search(r"<pre hidden[^>]*>(.+?)</pre>", done.stdout, re.DOTALL)
        assert found, f"the browser did not get to the end of {page.name}: {done.stderr[-2000:]}"
        seen = Look(**json.loads(html.unescape(found[1])), said=re.findall(r"CONSOLE.*", done.stderr))
        if picture is not None:
            _run(folder, f"--screenshot={picture.resolve()}", address, window=(width, min(height, seen.height)))
    return seen


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The address of the probe in a folder, while it is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=folder)) as server:
        Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/probe.html"
        finally:
            server.shutdown()


def _run(folder: str, *options: str, window: tuple[int, int]) -> subprocess.CompletedProcess[str]:
    browser = find_browser()
    assert browser is not None, NO_BROWSER
    size = f"--window-size={max(500, window[0])},{window[1]}"  # no window is narrower than 500
    return _start(browser, folder, size, *options)


def _works(browser: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        try:
            return "hello" in _start(browser, folder, "--dump-dom", "data:text/html,<p>hello").stdout
        except (OSError, subprocess.TimeoutExpired):
            return False


def _start(browser: str, folder: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [browser, *QUIET, f"--user-data-dir={folder}/profile", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
