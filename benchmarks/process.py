"""A benchmark in a process of its own: what it printed, how far it is, and its end when its time is over."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

_STEP = 1.0
"""Seconds between two looks."""
_LINE = 30.0
"""Seconds between two lines where nobody watches a bar."""
_FAREWELL = 20.0
"""Seconds in which a process that is interrupted may tidy up: stop its servers, remove its files."""
_COMPLAINT = 20
"""Lines of what it had to complain about."""


class Done(NamedTuple):
    """How a process ended."""

    printed: str
    failure: str
    """Empty where all went well."""
    complaint: str


def run(command: Sequence[str], *, env: Mapping[str, str], name: str, expected: float, most: float) -> Done:
    """Run a command that should take so many minutes, and may take at most so many."""
    with tempfile.TemporaryDirectory() as folder:
        printed, complained = Path(folder, "out"), Path(folder, "err")
        with (
            printed.open("w") as out,
            complained.open("w") as err,
            subprocess.Popen(command, env=env, stdout=out, stderr=err, start_new_session=True) as running,
        ):
            is_late = not _watched(running, name, expected, most)
        failure = f"FAILED, ended after {most:.0f} minutes" if is_late else "FAILED" if running.returncode else ""
        complaint = "\n".join(complained.read_text().splitlines()[-_COMPLAINT:])
        return Done(printed.read_text(), failure, complaint)


def _watched(running: subprocess.Popen[bytes], name: str, expected: float, most: float) -> bool:
    """Whether it ended within its minutes; it has ended in any case, also when this program is interrupted."""
    console, start, lines = Console(stderr=True), time.monotonic(), 0
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    try:
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
            bar = progress.add_task(f"{name}, about {expected:.1f} minutes", total=60 * expected)
            while running.poll() is None:
                passed = time.monotonic() - start
                if passed > 60 * most:
                    return False
                progress.update(bar, completed=min(passed, 60 * expected))
                if not console.is_terminal and passed > _LINE * (lines + 1):
                    lines += 1
                    console.print(f"  {name}: {passed / 60:.1f} of about {expected:.1f} minutes", highlight=False)
                _wait(running, _STEP)
        return True
    finally:
        _end(running)


def _wait(running: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        running.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def _end(running: subprocess.Popen[bytes]) -> None:
    """Interrupt it and all that it started; end it where that does not help."""
    for number in (signal.SIGINT, signal.SIGKILL):
        if running.poll() is None:
            os.killpg(running.pid, number)
            _wait(running, _FAREWELL)
