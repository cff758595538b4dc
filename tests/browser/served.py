"""A server on a database, in a process of its own."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def served(url: str, *options: str) -> Iterator[str]:
    """The link of a server on a database."""
    command = [sys.executable, "-m", "warmer", "serve", "--storage", url, "--port", "0", "--no-browser", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            server.stdout.readline()
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
            _, said = server.communicate(timeout=60)
    assert said == ""
