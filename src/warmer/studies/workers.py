"""Experiments done by functions: threads that ask, do, tell, and keep their leases."""

import threading
from collections.abc import Callable
from typing import Any

from warmer.model.errors import ProtocolError, StorageError
from warmer.studies.records.tickets import Ticket


class Crew:
    """Workers in one process on one study.

    A worker that dies leaves a ticket whose lease runs out: somebody else repeats that one experiment.
    """

    def __init__(
        self, study: Any, function: Callable[[Any], float], *, name: str, lease: float, answers: int, most_failures: int
    ) -> None:
        self._study, self._function = study, function
        self._name, self._lease = name, lease
        self._most_failures = most_failures
        self._left = answers
        self._failures = 0
        self._error: BaseException | None = None
        self._held: dict[str, Ticket] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def work(self, n_workers: int) -> int:
        """Work until there is nothing left to do; how many answers were told."""
        wanted = self._left
        renewal = threading.Thread(target=self._keep_leases, daemon=True)
        threads = [threading.Thread(target=self._work, args=(f"{self._name}/{k}",)) for k in range(n_workers)]
        for thread in (renewal, *threads):
            thread.start()
        try:
            for thread in threads:
                thread.join()
        finally:
            self._stop.set()
            for thread in (renewal, *threads):
                thread.join()
        if self._error is not None:
            raise self._error
        return wanted - self._left

    def _work(self, worker: str) -> None:
        try:
            while self._may_go_on():
                self._one_round(worker)
        except BaseException as error:
            self._error = self._error or error
            self._stop.set()

    def _may_go_on(self) -> bool:
        if self._stop.is_set() or self._study.is_settled:
            return False
        if reason := self._study.hindrance:
            raise ProtocolError(
                f"nothing more is asked, since no answer can prove anything as it was declared: {reason}. "
                "All answers so far are kept."
            )
        with self._lock:
            self._left -= 1
            return self._left >= 0 or self._give_back()

    def _give_back(self) -> bool:
        self._left += 1
        return False

    def _one_round(self, worker: str) -> None:
        [ticket] = self._study.ask(worker=worker, lease=self._lease)
        self._held[ticket.token] = ticket
        try:
            reward = self._function(ticket.query)
        except Exception as error:
            self._note_failure(ticket, worker, error)
        else:
            self._study.tell(ticket, reward, author=worker)
            self._failures = 0
        finally:
            del self._held[ticket.token]

    def _note_failure(self, ticket: Ticket, worker: str, error: Exception) -> None:
        words = f"{type(error).__name__}: {error}"
        self._study.fail(ticket, reason=words, author=worker)
        with self._lock:
            self._give_back()
            self._failures += 1
        if self._failures >= self._most_failures:
            raise ProtocolError(
                f"{self._failures} experiments failed one after the other, the last with {words}."
            ) from error

    def _keep_leases(self) -> None:
        """Renew at a third of the lease, so that two renewals may be late before anybody else is given the ticket."""
        while not self._stop.wait(self._lease / 3):
            for ticket in list(self._held.values()):
                try:
                    self._study.renew(ticket, lease=self._lease)
                except StorageError:
                    continue  # the answer will still be kept
