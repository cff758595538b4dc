"""The command line: it parses, calls and renders."""

import gc
import signal
import sys
from collections.abc import Sequence

from warmer.cli.gpu import start_driver, wants_gpu
from warmer.cli.interrupts import INTERRUPTED, ctrl_c, leave

__all__ = ["main"]

_TURN = 5e-4
"""Seconds that a thread computes while another wants to feed a GPU; Python's own are ten times as long."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line, that of this process where None, and return its exit code.

    0; 1 if `verify` finds something unexpected; 2 for an error; 130 for Ctrl-C; 141, as for other tools, if the reader
    of a pipe left.
    """
    is_on_gpu = arguments is None and wants_gpu(sys.argv[1:])
    try:
        with ctrl_c.heard():
            if arguments is None:
                gc.disable()  # until everything is loaded
                if is_on_gpu:
                    start_driver()
                    sys.setswitchinterval(_TURN)
            from warmer.cli.app import run  # may take a second, in which Ctrl-C is heard already

            code = run(sys.argv[1:] if arguments is None else list(arguments), is_alone=arguments is None)
    except KeyboardInterrupt:  # at the very end
        ctrl_c.say()
        code = INTERRUPTED
    if arguments is None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is Python's own end
        gc.freeze()  # in which nobody need look for garbage
        if code == INTERRUPTED or is_on_gpu:
            leave(code)
    return code
