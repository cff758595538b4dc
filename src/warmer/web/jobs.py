"""Long computations beside the pages: one at a time, with progress, and cancelled at a word."""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from warmer.model.errors import InvalidValueError, ProtocolError, WarmerError

_MOST_KEPT = 100
_MOST_WAITING = 8


class CancelledError(Exception):
    """Somebody does not want to know any more."""


class Job:
    """A computation: waiting, running, done, refused or cancelled."""

    def __init__(self, total: int) -> None:
        self.id = secrets.token_hex(8)
        self.total, self.done = max(1, total), 0
        self.state = "waiting"
        self.result: Any = None
        """What it found; where it was refused, why."""
        self._is_cancelled = threading.Event()

    def step(self, amount: int = 1) -> None:
        """Some of the work is done; where it was cancelled, this ends it."""
        self.done = min(self.total, self.done + amount)
        if self._is_cancelled.is_set():
            raise CancelledError

    def cancel(self) -> None:
        """End it at its next step."""
        self._is_cancelled.set()

    def run(self, work: Callable[["Job"], Any]) -> None:
        """Do the work, and keep what comes of it."""
        try:
            self.step(0)
            self.state = "running"
            self.result, self.state = work(self), "done"
        except CancelledError:
            self.state = "cancelled"
        except WarmerError as error:
            self.result, self.state = str(error), "refused"
        except MemoryError:
            self.result, self.state = "this needs more memory than there is.", "refused"

    def form(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"job": self.id, "state": self.state, "share": self.done / self.total, "result": self.result}


class Jobs:
    """The last computations that were asked for."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="job")
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()

    def start(self, total: int, work: Callable[[Job], Any]) -> Job:
        """Let something be computed when its turn comes."""
        job = Job(total)
        with self._lock:
            waiting = [each for each in self._jobs.values() if each.state in ("waiting", "running")]
            if len(waiting) >= _MOST_WAITING:
                raise ProtocolError("too much is being computed already; wait, or cancel something.")
            self._jobs[job.id] = job
            while len(self._jobs) > _MOST_KEPT:
                self._jobs.popitem(last=False)[1].cancel()
        self._pool.submit(job.run, work)
        return job

    def find(self, identity: str) -> Job:
        """A computation that was asked for before."""
        with self._lock:
            if identity not in self._jobs:
                raise InvalidValueError("there is no such computation any more.")
            return self._jobs[identity]

    def close(self) -> None:
        """Cancel everything."""
        for job in list(self._jobs.values()):
            job.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)
