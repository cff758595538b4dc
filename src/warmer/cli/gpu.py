"""The driver of a GPU takes a while to start: it does so while Python loads everything else."""

import ctypes
import sys
import threading
from contextlib import suppress

_DRIVERS = {"win32": "nvcuda.dll"}
_DRIVER = "libcuda.so.1"
_TURN = 5e-4
"""Seconds that a thread computes while another wants to feed the GPU; Python's own are ten times as long."""


def start_driver() -> threading.Thread:
    """Start the driver and the context of the first GPU, in a thread of its own; who wants them says what is wrong."""
    sys.setswitchinterval(_TURN)

    def start() -> None:
        with suppress(OSError, AttributeError):  # there is no driver, or a very old one
            driver = ctypes.CDLL(_DRIVERS.get(sys.platform, _DRIVER))
            if driver.cuInit(0) == 0:
                driver.cuDevicePrimaryCtxRetain(ctypes.byref(ctypes.c_void_p()), 0)

    thread = threading.Thread(target=start, daemon=True)
    thread.start()
    return thread
