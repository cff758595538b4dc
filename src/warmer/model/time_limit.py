"""When a search must stop: at a time limit, or at Ctrl-C."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from warmer.model.checks import check_positive

_LEAST = 1e-6
"""Seconds that a share has at least, since a time limit is positive."""
_BLOCK = 1 << 20
"""Entries of a table that are handled between two looks at the clock."""


class OutOfTime(Exception):  # noqa: N818 - an event, as KeyboardInterrupt is
    """The time limit has passed in the middle of something; it never leaves this package."""


class _CtrlC:
    """Who says whether it has come; None where nobody holds it back."""

    has_come: Callable[[], bool] | None = None


@contextmanager
def listening(has_come: Callable[[], bool]) -> Iterator[None]:
    """Within the block, whoever looks at a clock asks this whether Ctrl-C has come; signals are the caller's affair."""
    before, _CtrlC.has_come = _CtrlC.has_come, has_come
    try:
        yield
    finally:
        _CtrlC.has_come = before


class _Ending(threading.local):
    """The clocks whose end is like a Ctrl-C, for the thread that says so."""

    clocks: tuple["Clock", ...] = ()


_ending = _Ending()


@contextmanager
def ending_at(*clocks: "Clock") -> Iterator[None]:
    """Within the block the end of a clock's time is like a Ctrl-C: what this thread does ends with what is finished.

    Examples
    --------
    >>> from contextlib import suppress
    >>> with suppress(KeyboardInterrupt), ending_at(Clock(1e-9)):
    ...     Clock(None).check()
    ...     print("there is time")
    """
    before, _ending.clocks = _ending.clocks, (*_ending.clocks, *clocks)
    try:
        yield
    finally:
        _ending.clocks = before


@contextmanager
def interruptible() -> Iterator[None]:
    """Hold Ctrl-C back until a clock is looked at; a second one gets through at once.

    Compiled code, and the compiler, cannot be stopped in their middle. What comes within a block inside another counts
    for both, so that one Ctrl-C ends a series of searches. Whoever handles interrupts otherwise goes on doing so.
    """
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if _CtrlC.has_come or not is_default or threading.current_thread() is not threading.main_thread():
        yield
        return
    come: list[int] = []

    def hold(number: int, frame: Any) -> None:
        come.append(number)
        if len(come) > 1:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, hold)
    try:
        with listening(lambda: bool(come)):
            yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass
class Clock:
    """A time limit in seconds from the start, or none; to look at it is also to hear of a Ctrl-C."""

    time_limit: float | None
    start: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            self.time_limit = check_positive("time_limit", self.time_limit)

    @property
    def deadline(self) -> float | None:
        """The value of `time.monotonic()` at which to stop, or None where there is no limit."""
        return None if self.time_limit is None else self.start + self.time_limit

    @property
    def left(self) -> float | None:
        """The seconds that remain, or None where there is no limit."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    @contextmanager
    def loading(self) -> Iterator[None]:
        """A block that loads or compiles: it counts up to half of the limit, so that time is left to compute."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.excuse(time.monotonic() - began)

    def excuse(self, seconds: float) -> None:
        """Do not count this time, as far as it is more than half of the limit.

        Examples
        --------
        >>> clock = Clock(8.0, start=time.monotonic() - 10.0)
        >>> clock.has_passed
        True
        >>> clock.excuse(10.0)
        >>> round(clock.left)
        4
        """
        if self.time_limit is not None:
            self.start += max(0.0, seconds - self.time_limit / 2)

    @property
    def has_passed(self) -> bool:
        """Whether the time limit has passed, whatever else has come."""
        return self.left is not None and self.left <= 0

    def share(self, part: float) -> float | None:
        """A part of the seconds that remain, as the time limit of somebody else; None where there is no limit."""
        return None if self.left is None else max(_LEAST, part * self.left)

    @property
    def is_over(self) -> bool:
        """Whether the time limit has passed; raises `KeyboardInterrupt` if a Ctrl-C was held back."""
        if (_CtrlC.has_come is not None and _CtrlC.has_come()) or any(clock.has_passed for clock in _ending.clocks):
            raise KeyboardInterrupt
        return self.has_passed

    def check(self) -> None:
        """Raise `OutOfTime` if the time limit has passed."""
        if self.is_over:
            raise OutOfTime

    def blocks(self, n_rows: int, width: int) -> Iterator[slice]:
        """Slices of rows, short enough that the clock is looked at often; raises `OutOfTime` between two."""
        n_together = max(1, _BLOCK // max(1, width))
        for start in range(0, n_rows, n_together):
            self.check()
            yield slice(start, min(start + n_together, n_rows))
