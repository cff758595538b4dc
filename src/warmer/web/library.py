"""The studies of one database, as many as are looked at kept open, and the threads that read them."""

import asyncio
import contextlib
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from starlette.requests import Request

from warmer.choice import ChoiceCertificate, Standing
from warmer.choice.certificate import bounds_in_words, outward
from warmer.choice.draws import FORETOLD
from warmer.model.errors import WarmerError
from warmer.studies import Study, list_studies, open_study
from warmer.studies.opening import StudySummary, open_choice_study
from warmer.studies.records.tickets import Ticket
from warmer.web.snapshot import Desk

_MOST_OPEN = 64
_THREADS = 4
_FRESH = 0.5
"""Seconds for which a list of studies is good."""

_PLAIN = re.compile(r"(?!\.+$)[\w .,+=@()-]{1,200}")
_IDENTITY = re.compile(r"[0-9a-f]{32}")

Result = TypeVar("Result")


class NoStudyError(WarmerError):
    """An address that names no study."""


class ChoiceSummary(NamedTuple):
    """Where a study stands in which people label points to choose a model."""

    name: str
    certificate: ChoiceCertificate
    standings: list[Standing]
    labels_left: tuple[int, int]
    """Between which numbers of labels it will probably take."""
    tickets: tuple[Ticket, ...]
    bounds: str
    """What the intervals of the standings promise."""
    foretold: str
    """A warning where draws come from a seed."""
    between: list[tuple[str, str]]
    """The intervals themselves, as they are shown."""
    waiting: str
    """Which labels wait for which ticket, and what to do; empty where all count."""


class Library:
    """Finds studies by address and keeps them open; everything that touches the database runs in its threads."""

    def __init__(self, storage: str, *, may_write: bool) -> None:
        self.storage, self.may_write = storage, may_write
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="study")
        self._slow = ThreadPoolExecutor(1, thread_name_prefix="forecast")
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Desk] = OrderedDict()
        self._listed: tuple[float, list[StudySummary]] = (-1.0, [])

    async def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do something that reads or writes, beside the loop that serves."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)

    def summaries(self) -> list[StudySummary]:
        """Every study, as it was half a second ago at the most."""
        at, found = self._listed
        if time.monotonic() - at > _FRESH:
            found = list_studies(storage=self.storage)
            self._listed = (time.monotonic(), found)
        return found

    def forget_list(self) -> None:
        """Something was created: look again."""
        self._listed = (-1.0, [])

    def desk(self, address: str) -> Desk:
        """The study at an address, with what is known about it."""
        with self._lock:
            if address in self._open:
                self._open.move_to_end(address)
                return self._open[address]
        desk = Desk(open_study(self._named(address), storage=self.storage, read_only=not self.may_write))
        with self._lock:
            kept = self._open.setdefault(address, desk)
            while len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)  # closed when nobody reads it any more
        return kept

    async def study(self, request: Request) -> Study:
        """The study that a request's address names."""
        return (await self.run(self.desk, request.path_params["study"])).study

    def choice(self, address: str) -> ChoiceSummary:
        """Where a study of models stands, at an address whose desk is refused because it chooses models."""
        with open_choice_study(self._named(address), storage=self.storage, read_only=True) as study:
            choice = study.choice
            certificate = study.certificate()
            return ChoiceSummary(
                study.name,
                choice.certificate(),
                choice.standings,
                choice.labels_left_range,
                certificate.unanswered,
                bounds_in_words(n_agreed=choice.n_agreed, n_points=len(choice.points), delta=choice.delta),
                "" if choice.seed is None else FORETOLD,
                [outward(each.low, each.high, scale=choice.loss.scale) for each in choice.standings],
                certificate.waiting,
            )

    def later(self, work: Callable[[], object], *, slow: bool = False) -> None:
        """Do something when a thread is free, the slow things one by one; nothing where the end has come."""
        with contextlib.suppress(RuntimeError):
            (self._slow if slow else self._pool).submit(work)

    def forecast_later(self, desk: Desk) -> None:
        """Work out how far a study has to go, when a thread is free; one at a time."""
        name = desk.study.name
        self.later(
            lambda: desk.work_out_forecast(lambda: open_study(name, storage=self.storage, read_only=True)), slow=True
        )

    def close(self) -> None:
        """Let the threads end; a connection is closed when nobody can be using it any more."""
        for pool in (self._slow, self._pool):
            pool.shutdown(wait=True, cancel_futures=True)
        self._open.clear()

    def _named(self, address: str) -> str:
        name = self._name(address)
        if name is None:
            self.forget_list()  # it may have been created this moment
            name = self._name(address)
        if name is None:
            raise NoStudyError(f"there is no study {address[:200]!r} here.")
        return name

    def _name(self, address: str) -> str | None:
        return next((each.name for each in self.summaries() if address in (each.id, address_of(each))), None)


def address_of(study: StudySummary | Study) -> str:
    """What stands for a study in an address: its name, or its identity where the name would be misread.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> [address_of(SimpleNamespace(name=name, id="f" * 32)) for name in ("Agar 7", "../etc", "a/b")]
    ['Agar 7', 'ffffffffffffffffffffffffffffffff', 'ffffffffffffffffffffffffffffffff']
    """
    is_plain = _PLAIN.fullmatch(study.name) and not _IDENTITY.fullmatch(study.name)
    return study.name if is_plain and study.name == study.name.strip() else study.id
