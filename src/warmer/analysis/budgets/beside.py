"""What is computed in a thread of its own, beside the simulation."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from warmer.model.time_limit import Clock

T = TypeVar("T")

_LOOK = 0.05
"""Seconds between two looks at Ctrl-C."""
_GRACE = 0.4
"""Seconds to end in after Ctrl-C; what is still compiling is left behind."""
_OVER = 1e-9
"""A time limit that has passed."""


class Beside(Generic[T]):
    """A computation that goes on within a block, at whose end it stops: its clock has passed then.

    Examples
    --------
    >>> with Beside(lambda clock: 6 * 7) as product:
    ...     product.wait(lambda: 0)
    42
    """

    def __init__(self, compute: Callable[[Clock], T]) -> None:
        self.clock = Clock(None)
        self._compute = compute
        self._found: list[T] = []
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def wait(self, otherwise: Callable[[], T]) -> T:
        """The result; the other one after a Ctrl-C that did not end it in time."""
        try:
            while self._thread.is_alive():
                Clock(None).check()
                self._thread.join(_LOOK)
        except KeyboardInterrupt:  # the thread hears it too
            self._thread.join(_GRACE)
        if self._failure is not None:
            raise self._failure
        return self._found[0] if self._found else otherwise()

    def __enter__(self) -> "Beside[T]":
        return self

    def __exit__(self, *_: object) -> None:
        self.clock.time_limit = _OVER

    def _work(self) -> None:
        try:
            self._found.append(self._compute(self.clock))
        except BaseException as error:  # it is raised again where it is waited for
            self._failure = error
