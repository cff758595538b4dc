"""A study as one process sees it: the log so far, added up and told to a learner."""

import threading
from collections.abc import Iterable
from typing import Any

from warmer.model.errors import ProtocolError
from warmer.studies.engine import Engine
from warmer.studies.records.events import Event
from warmer.studies.records.ledger import Ledger
from warmer.studies.records.log import Plan
from warmer.studies.spec import Spec

__all__ = ["View"]


class View:
    """Ledger and learner after some event; it only goes forward, and starts again where the past was changed."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self.lock = threading.RLock()
        self.ledger = Ledger()
        self._engine: Engine | None = Engine(spec)

    def start(self, ledger: Ledger) -> None:
        """Begin with a ledger instead of with nothing."""
        self.ledger, self._engine = ledger, None

    def add(self, events: Iterable[Event]) -> None:
        """Go on with the next events."""
        for event in events:
            if self.ledger.add(event):
                self._engine = None
            elif self._engine is not None and (move := self.ledger.move(event.seq)) is not None:
                self._engine.tell([move])

    @property
    def engine(self) -> Engine:
        """The learner, told everything that counts."""
        if self._engine is None:
            self._engine = Engine.replayed(self._spec, self.ledger)
        return self._engine

    @property
    def next_query(self) -> int | None:
        """What would be asked next, by index; None where nothing need be asked, or everything is forbidden."""
        if self.engine.is_settled:
            return None
        try:
            [query] = self.engine.next_queries(self.ledger, 1)
        except ProtocolError:
            return None
        return self._spec.problem.queries.position(query)

    @property
    def chooser(self) -> Any:
        """The learner, choosing among the queries that may be asked now."""
        return self.engine.chooser(self.ledger)

    def plan(self, n: int) -> Plan:
        """The next n queries."""
        queries = self.engine.next_queries(self.ledger, n)
        return Plan(queries, self.ledger.n_asks, self.ledger.seq, frozenset(self.ledger.forbidden))
