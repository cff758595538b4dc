"""What goes to the terminal: words and tables to stdout, progress to stderr, or JSON alone."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType

from warmer.cli.interrupts import ctrl_c
from warmer.model.time_limit import Clock


def show(*parts: RenderableType) -> None:
    """Print words and tables; labels are never read as markup."""
    ctrl_c.has_told = True
    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts:
        console.print(part, crop=False)  # a number at the right end of a table is never cut off


def show_json(form: dict[str, Any]) -> None:
    """Print one JSON object; labels that JSON does not know are written as text."""
    text = json.dumps(form, indent=2, allow_nan=False, default=_plain)
    ctrl_c.has_told = True
    print(text)


def show_result(as_json: bool, form: dict[str, Any], *parts: RenderableType) -> None:
    """Print what was found, as JSON or in words."""
    if as_json:
        show_json(form)
    else:
        show(*parts)


def written(page: str, path: Path) -> str:
    """What to say of a page that was written."""
    return f"Wrote {path} ({len(page.encode()) / 1024:,.0f} kB, self-contained)"


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


def command_clock(time_limit: float | None) -> Clock:
    """The clock of a command. Loading counts, up to half of the limit: so a short one leaves time to compute."""
    now, (began, ctrl_c.began) = time.monotonic(), (ctrl_c.began, None)
    clock = Clock(time_limit, start=now if began is None else began)
    clock.excuse(now - clock.start)
    return clock


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on stderr that vanishes at the end; call what it gives with the steps done since the last call."""
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


@contextmanager
def doing(what: str = "") -> Iterator[Callable[[str], None]]:
    """A line on stderr that tells what is being done, and vanishes at the end."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what)
        yield lambda words: bar.update(task, description=words)
