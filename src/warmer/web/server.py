"""Starting the server: a socket on this machine, one link, and the browser where there is one."""

import contextlib
import os
import secrets
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import uvicorn

from warmer.model.errors import InvalidValueError
from warmer.studies.storage import Store, open_database
from warmer.web.application import make_application

_TRIES = 20
"""Ports that are tried one after the other where none was asked for."""


def serve(
    storage: str,
    *,
    port: int | None = None,
    may_write: bool = False,
    keys: Path | None = None,
    opens_browser: bool = True,
) -> None:
    """Serve the studies of a database on this machine until Ctrl-C.

    The database is created where it is to be written and there is none; the port is 8765, or the next free one, where
    none is given. The other parameters are those of `make_application`.
    """
    database = open_database(storage, must_exist=not may_write, read_only=not may_write)
    Store(database).close()
    bound, token = _bound(port), secrets.token_urlsafe(24)
    application = make_application(storage, token=token, may_write=may_write, keys=keys)
    link = f"http://127.0.0.1:{bound.getsockname()[1]}/?token={token}"
    kind = "Pages that show and record" if may_write else "Pages that only show (--write lets them record)"
    print(f"{kind}: {database.dialect.name}\n{link}\nCtrl-C ends it.", flush=True)
    if opens_browser:
        threading.Timer(0.5, _open, (link,)).start()
    configuration = uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,  # streams would keep it alive for ever
        ws="none",
    )
    with bound, contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how it ends
        uvicorn.Server(configuration).run(sockets=[bound])


def _bound(port: int | None) -> socket.socket:
    ports = range(8765, 8765 + _TRIES) if port is None else [port]
    for each in ports:
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform != "win32":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(("127.0.0.1", each))
        except (OSError, OverflowError):
            found.close()
            continue
        found.listen(2048)
        return found
    raise InvalidValueError(f"port {ports[0]} is taken, or may not be used; choose another one with --port.")


def _open(link: str) -> None:
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return  # a terminal's browser would take the screen
    try:
        webbrowser.get()
    except webbrowser.Error:
        return  # no browser here; the link is on the screen
    webbrowser.open(link)
