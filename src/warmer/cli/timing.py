"""When a command began: its time limit counts from there, loading included."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warmer.model.time_limit import Clock


class _Command:
    """When the one of this process began to load; None where nobody said."""

    began: float | None = None


@contextmanager
def counted() -> Iterator[None]:
    """A block in which a command is loaded and run."""
    _Command.began = time.monotonic()
    try:
        yield
    finally:
        _Command.began = None


def command_clock(time_limit: float | None) -> "Clock":
    """The clock of a command. Loading counts, up to half of the limit: so a short one leaves time to compute."""
    from warmer.model.time_limit import Clock  # loads what is slow to load

    now = time.monotonic()
    clock = Clock(time_limit, start=now if _Command.began is None else _Command.began)
    clock.excuse(now - clock.start)
    return clock
