"""What is computed in a thread of its own while a GPU simulates; elsewhere the simulation has all cores."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def begun(compute: Callable[[], T], *, is_beside: bool) -> Callable[[], T]:
    """Begin to compute, and return what waits for the result; where nothing is beside, what computes it when called.

    Examples
    --------
    >>> result = begun(lambda: 6 * 7, is_beside=True)
    >>> result()
    42
    """
    if not is_beside:
        return compute
    found: Future[T] = Future()

    def work() -> None:
        try:
            found.set_result(compute())
        except BaseException as error:  # it is raised again where it is waited for
            found.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return found.result
