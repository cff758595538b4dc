"""What goes to the terminal: words and tables to stdout, progress to stderr, or JSON alone."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, RenderableType

from warmer.cli.interrupts import ctrl_c


def show(*parts: RenderableType) -> None:
    """Print words and tables; labels are never read as markup."""
    ctrl_c.has_told = True
    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts:
        console.print(part)


def show_json(form: dict[str, Any]) -> None:
    """Print one JSON object; labels that JSON does not know are written as text."""
    text = json.dumps(form, indent=2, allow_nan=False, default=_plain)
    ctrl_c.has_told = True
    print(text)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar on stderr that vanishes at the end; call what it gives with the steps done since the last call."""
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)


@contextmanager
def closing_in(what: str) -> Iterator[Callable[[int, int], None]]:
    """A line on stderr that tells how far two bounds have closed in, and vanishes at the end."""
    with doing(what) as say:

        def tell(lower: int, upper: int) -> None:
            say(f"{what}: {lower}" if lower == upper else f"{what}: between {lower} and {upper}")

        yield tell


@contextmanager
def doing(what: str = "") -> Iterator[Callable[[str], None]]:
    """A line on stderr that tells what is being done, and vanishes at the end."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what)
        yield lambda words: bar.update(task, description=words)
