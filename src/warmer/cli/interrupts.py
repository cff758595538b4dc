"""Ctrl-C: every command hears it at once, tells what is finished, and has ended a second later."""

import os
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from traceback import walk_tb
from typing import Any

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C has ended."""

UNFINISHED = "interrupted before the end; no file was left half-written."
PARTLY = "interrupted before the end; what is printed was finished by then."

_UNSEEN, _SEEN = 0.5, 0.8
"""Seconds after which `KeyboardInterrupt` breaks off what no clock has told of it, and what gathers the finished."""
_END = 0.95
"""Seconds after which the process ends as it is; compiled code and the compiler may not let it end otherwise."""
_TELLING = 3.0
"""Seconds more where it has begun to tell what is finished."""


_STRAGGLING = 0.05
"""Seconds that each thread has to end in when the command has ended."""


class CtrlC:
    """Whether it has come, and what has been told since."""

    def __init__(self) -> None:
        self.began: float | None = None
        """When the command began to load; None where nobody said."""
        self.has_come = False
        self.has_begun = False
        """Whether everything is loaded: an import that is broken off may raise anything."""
        self.has_told = False
        self.has_broken_off = False
        """Whether `KeyboardInterrupt` was raised: what it broke off may have made another error of it."""
        self._is_seen = self._breaks_off = self._has_said = False
        self._has_ended = threading.Event()
        self._turn = threading.RLock()

    @contextmanager
    def heard(self) -> Iterator[None]:
        """A block in which the first Ctrl-C is only noted, for clocks to see; one that nobody sees ends the process."""
        self.began = time.monotonic()
        is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if not is_default or threading.current_thread() is not threading.main_thread():
            yield  # somebody else handles it
            return
        self.has_come = self.has_begun = self.has_told = self.has_broken_off = False
        self._is_seen = self._breaks_off = self._has_said = False
        self._has_ended.clear()
        ear, mouth = socket.socketpair()
        mouth.setblocking(False)
        with ear, mouth:
            before = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
            signal.signal(signal.SIGINT, self._hear)
            hook, sys.unraisablehook = sys.unraisablehook, _all_but_interrupts
            show, warnings.showwarning = warnings.showwarning, self._unless_broken_off(warnings.showwarning)
            watcher = threading.Thread(target=self._watch, args=(ear,), daemon=True)
            watcher.start()
            try:
                yield
            finally:
                with self._turn:
                    self._has_ended.set()
                signal.signal(signal.SIGINT, signal.default_int_handler)
                signal.set_wakeup_fd(before)
                sys.unraisablehook, warnings.showwarning = hook, show
                mouth.close()
                watcher.join()

    @contextmanager
    def recognised(self) -> Iterator[None]:
        """A block in which a Ctrl-C is one again where compiled code, or what was being loaded, made an error of it."""
        try:
            yield
        except Exception as error:
            if self._became(error):
                raise KeyboardInterrupt from error
            raise

    def _became(self, error: BaseException) -> bool:
        if isinstance(error.__cause__, KeyboardInterrupt):
            return True
        is_of_loading = any(frame.f_code.co_name == "<module>" for frame, _ in walk_tb(error.__traceback__))
        is_of_its_cause = error.__cause__ is not None and self._became(error.__cause__)
        return self.has_broken_off and (is_of_loading or is_of_its_cause)

    def look(self) -> bool:
        """Whether it has come, for a computation that will end then."""
        self._is_seen = self.has_come
        return self.has_come

    def say(self) -> None:
        """Tell, once, that the end was not reached."""
        with self._turn:
            if not self._has_said:
                self._has_said = True
                with suppress(OSError):  # nowhere left to complain
                    print(PARTLY if self.has_told else UNFINISHED, file=sys.stderr, flush=True)

    def _hear(self, number: int, frame: Any) -> None:
        if self._has_said or self._has_ended.is_set():
            return
        if self._breaks_off:
            self.has_broken_off = True
            raise KeyboardInterrupt
        self.has_come, self._breaks_off = True, self.has_begun

    def _unless_broken_off(self, show: Callable[..., None]) -> Callable[..., None]:
        """Show warnings, but not those of a library that cannot find its own half-loaded parts."""

        def shown(*warning: Any, **more: Any) -> None:
            if not self.has_broken_off:
                show(*warning, **more)

        return shown

    def _watch(self, ear: socket.socket) -> None:
        """In a thread of its own: the main one hears nothing before compiled code comes back."""
        while received := ear.recv(1):
            if received[0] == signal.SIGINT:
                self.has_come = True
                self._see_it_end()
                return

    def _see_it_end(self) -> None:
        if self._has_ended.wait(_UNSEEN) or (self._is_seen and self._has_ended.wait(_SEEN - _UNSEEN)):
            return
        with self._turn:
            if self.has_begun and not self.has_told and not self._has_said and not self._has_ended.is_set():
                self._breaks_off = True
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        if self._has_ended.wait(_END - (_SEEN if self._is_seen else _UNSEEN)):
            return
        if self.has_told and self._has_ended.wait(_TELLING):
            return
        with self._turn:
            if self._has_ended.is_set():
                return
            processes = sys.modules.get("multiprocessing.process")
            for child in processes.active_children() if processes is not None else ():
                child.terminate()
            if not self._has_said:
                os.write(2, f"{PARTLY if self.has_told else UNFINISHED}\n".encode())
            os._exit(INTERRUPTED)


def leave(code: int) -> None:
    """End the process at once if Python's own end would wait: for a thread that is still compiling, or for a GPU that
    hands back piece by piece what the end of the process hands back anyway.
    """
    daemons = [thread for thread in threading.enumerate() if thread.daemon]
    for thread in daemons:
        thread.join(_STRAGGLING)
    if "cupy" in sys.modules or any(thread.is_alive() for thread in daemons):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _all_but_interrupts(lost: Any) -> None:
    """Say what was lost in a callback or a destructor, unless it is Ctrl-C: then the process ends all the same."""
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


ctrl_c = CtrlC()
"""That of this process."""
