"""A log as one process sees it: the events so far, added up and told to a learner."""

import threading
from collections.abc import Iterable
from typing import Any

from warmer.model import Label
from warmer.model.errors import ProtocolError
from warmer.studies.choosing import learner_among, next_queries, open_again
from warmer.studies.engine import Engine
from warmer.studies.records.events import Event
from warmer.studies.records.ledger import Ledger
from warmer.studies.records.log import Plan
from warmer.studies.spec import Spec


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
                engine, self._engine = self._engine, None  # one whose learner breaks off is not gone on with
                engine.tell([move])
                self._engine = engine

    @property
    def engine(self) -> Engine:
        """The learner, told everything that counts."""
        if self._engine is None:
            self._engine = Engine.replayed(self._spec, self.ledger)
        return self._engine

    @property
    def open_again(self) -> Label | None:
        """The oldest open query that may be asked now, if there is one."""
        return open_again(self._spec, self.ledger)

    def next_query(self, *, is_alone: bool = False) -> int | None:
        """What would be asked next, by index; None where nothing is gained by it, or everything is forbidden.

        Whoever works alone is asked the oldest open query again.
        """
        if self.engine.is_at_rest:
            return None
        try:
            query = self.open_again if is_alone else None
            if query is None:
                [query] = next_queries(self.engine, self.ledger, 1)
        except ProtocolError:
            return None
        return int(self._spec.problem.queries.position(query))

    @property
    def chooser(self) -> Any:
        """The learner, choosing among the queries that may be asked now."""
        return learner_among(self.engine, self.ledger)

    def plan(self, n: int) -> Plan:
        """The next n queries."""
        queries = next_queries(self.engine, self.ledger, n)
        return Plan(queries, self.ledger.n_asks, self.ledger.seq, frozenset(self.ledger.forbidden))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, lock=threading.RLock())
