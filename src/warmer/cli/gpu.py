"""The driver of a GPU takes a while to start: it does so while Python loads everything else."""

import ctypes
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

_DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
_AT_HOME = ("budget", "simulate")
"""The commands that play on the GPU in their own process."""


def wants_gpu(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for runs on a GPU in this process.

    Examples
    --------
    >>> wants_gpu(["budget", "treasure", "--engine", "cuda"]), wants_gpu(["budget", "cuda"])
    (True, False)
    """
    is_named = "--engine=cuda" in arguments or ("--engine", "cuda") in pairwise(arguments)
    return is_named and arguments[0] in _AT_HOME


def start_driver() -> threading.Thread:
    """Start the driver and the context of the first GPU, in a thread of its own; who wants them says what is wrong."""

    def start() -> None:
        with suppress(OSError, AttributeError):  # there is no driver, or a very old one
            driver = ctypes.CDLL(_DRIVER)
            if driver.cuInit(0) == 0:
                driver.cuDevicePrimaryCtxRetain(ctypes.byref(ctypes.c_void_p()), 0)

    thread = threading.Thread(target=start, daemon=True)
    thread.start()
    return thread
