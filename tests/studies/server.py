"""A private PostgreSQL for the tests; `python -m tests.studies.server` says in one line whether there is one.

It listens on a socket in a folder of its own and nowhere else, and is gone when the tests end.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ABSENT = "PostgreSQL is not here: its tests were left out (Debian: apt-get install postgresql)."


def binaries() -> Path | None:
    """The folder with initdb and pg_ctl, if there is one."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "pg_ctl").exists()), None)


class Server:
    """A server with its data in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        home = binaries()
        assert home is not None, ABSENT
        self._home = home
        self._as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.getuid() == 0 else []
        if self._as_user:
            shutil.chown(folder, "postgres", "postgres")
        options = ["-U", "postgres", "-A", "trust", "-N", "--locale=C.UTF-8", "-E", "UTF8"]
        self._run("initdb", "-D", str(folder / "data"), *options)

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.folder}"

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses=''"
        self._run(
            "pg_ctl", "-D", str(self.folder / "data"), "-w", "-l", str(self.folder / "log"), "-o", options, "start"
        )

    def stop(self, how: str = "immediate") -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", how, "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, str(self._home / program), *arguments]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd="/", check=False
        )
        assert done.returncode == 0, done.stderr.decode()


@contextmanager
def running() -> Iterator[Server]:
    """A server for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = Server(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()


if __name__ == "__main__":
    here = binaries()
    print(here or ABSENT, file=sys.stdout if here else sys.stderr)
    sys.exit(0 if here else 1)
