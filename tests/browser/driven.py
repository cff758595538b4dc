"""Chromium driven over a pipe: clicks, keys, pictures, and everything that a page logged; standard library only."""

import base64
import contextlib
import fcntl
import itertools
import json
import os
import select
import signal
import tempfile
import time
from pathlib import Path
from typing import Any, Self

from tests.browser.chromium import NO_BROWSER, find_browser

QUIET = (
    *(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"),
    *("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-proxy-server"),
)
_PATIENCE = 60.0


class Browser:
    """One window. What it is told to do is done when the call returns; what a page logs is kept in `said`."""

    def __init__(self) -> None:
        path = find_browser()
        assert path is not None, NO_BROWSER
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        reads, self._to = os.pipe()
        self._from, writes = os.pipe()
        # the browser reads commands on descriptor 3 and writes answers on 4, so ours must lie above
        high_reads, high_writes = (fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 10) for each in (reads, writes))
        nowhere = os.open(os.devnull, os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, high_reads, 3), (os.POSIX_SPAWN_DUP2, high_writes, 4)]
        actions += [(os.POSIX_SPAWN_DUP2, nowhere, 1), (os.POSIX_SPAWN_DUP2, nowhere, 2)]
        command = [path, *QUIET, f"--user-data-dir={self._folder.name}", "about:blank"]
        self._process = os.posix_spawn(path, command, os.environ, file_actions=actions)
        for each in (reads, writes, high_reads, high_writes, nowhere):
            os.close(each)
        self._numbers, self._came, self._session = itertools.count(1), b"", ""
        self.said: list[str] = []
        pages = [each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page"]
        self._session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(Exception):
            self.call("Browser.close")
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGTERM)
        os.waitpid(self._process, 0)
        for each in (self._to, self._from):
            os.close(each)
        self._folder.cleanup()

    def call(self, method: str, **values: Any) -> dict[str, Any]:
        """Speak the debugging protocol."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": values}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            found = self._read()
            if found.get("id") == number:
                assert "error" not in found, found["error"]
                result: dict[str, Any] = found["result"]
                return result

    def run(self, expression: str) -> Any:
        """What an expression of JavaScript gives on the page."""
        found = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression: str) -> Any:
        """Wait until an expression is true."""
        end = time.monotonic() + _PATIENCE
        while not (found := self.run(expression)):
            assert time.monotonic() < end, f"never came true: {expression}\n{self.run('document.body.innerText')}"
            time.sleep(0.02)
        return found

    def open(self, address: str) -> None:
        """Go to an address, and wait until all of it is there."""
        self.run("window.isOld = true")
        self.call("Page.navigate", url=address)
        self.until("document.readyState == 'complete' && !window.isOld")

    def size(self, width: int, height: int = 900) -> None:
        """Make the window as wide as a desk or a phone."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def dark(self, is_dark: bool) -> None:
        """Prefer dark colours, or light ones."""
        value = "dark" if is_dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def type(self, selector: str, text: str) -> None:
        """Type into a field, in place of what is there."""
        self.run(f"(e => {{ e.focus(); e.select(); }})(document.querySelector({json.dumps(selector)}))")
        self.call("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """Press the mouse on an element."""
        place = self.run(
            f"(e => {{ e.scrollIntoView({{block: 'center', behavior: 'instant'}}); "
            f"const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press a key: Tab, Enter, Space."""
        codes = {"Tab": 9, "Enter": 13, "Space": 32}
        text = {"Enter": "\r", "Space": " "}.get(key, "")
        values = {"key": " " if key == "Space" else key, "code": key, "windowsVirtualKeyCode": codes[key]}
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, modifiers=8 if shift else 0, **values, **more)

    def upload(self, selector: str, *paths: Path) -> None:
        """Choose files in a field."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(path) for path in paths], nodeId=node)

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Take a picture of the page, all of it."""
        found = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))

    def _read(self) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while b"\0" not in self._came:
            assert select.select([self._from], [], [], max(0, end - time.monotonic()))[0], "the browser is silent"
            self._came += os.read(self._from, 1 << 16)
        one, self._came = self._came.split(b"\0", 1)
        message: dict[str, Any] = json.loads(one)
        if message.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            self.said.append(json.dumps(message["params"])[:1000])
        return message
