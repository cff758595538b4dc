"""Studies to test with, and what must be true of every database."""

import json
import multiprocessing
from collections import Counter
from typing import Any

import numpy as np

from warmer import Problem, Study, create_study, goals, noise
from warmer.studies.records.events import Answered, Asked, Failed, Released
from warmer.studies.records.ledger import Ledger
from warmer.studies.records.plain import label_of
from warmer.studies.storage import open_database

QUERIES = ["agar", "broth", "starch", "peptone"]
TARGETS = ["lag", "bloom", "crash", "plateau", "drift"]

spawning = multiprocessing.get_context("forkserver")
"""Processes that share nothing with this one, and start quickly."""
spawning.set_forkserver_preload(["tests.studies.victims", "tests.studies.warm"])


def a_problem(**options: Any) -> Problem:
    table = np.random.default_rng(3).integers(-8, 9, (4, 5)) / 8
    return Problem.from_table(table, queries=QUERIES, targets=TARGETS, **options)


def a_study(storage: str, name: str = "yeast", *, seed: int = 0, sigma: float = 0.5) -> Study:
    problem = a_problem()
    goal, known = goals.BestQuery(0.1), noise.SubGaussian(sigma)
    return create_study(name, problem, goal=goal, noise=known, seed=seed, storage=storage)


def rows(storage: str, sql: str) -> list[tuple[Any, ...]]:
    database = open_database(storage)
    try:
        return database.execute(sql)
    finally:
        database.close()


def check_invariants(study: Study, *, choices: bool = True) -> None:
    """The log has no gap and no key twice, the counters agree with it, and the tickets follow from it."""
    events = list(study.log())
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert max(Counter(event.key for event in events).values(), default=1) == 1
    ledger = Ledger()
    for event in events:
        ledger.add(event)
    head = study._log.head()
    assert (head.n_events, head.n_asks) == (len(events), ledger.n_asks)
    asked = {event.body.number for event in events if isinstance(event.body, Asked)}
    assert asked == set(range(1, ledger.n_asks + 1))
    done = {event.body.number for event in events if isinstance(event.body, Answered | Failed | Released)} - {None}
    assert set(ledger.open) == asked - done
    assert {ticket.number: ticket.token for ticket in study.tickets()} == {
        number: body.token for number, body in ledger.open.items()
    }
    if choices:
        assert study.verify() == ledger.n_asks


def label_in(row: tuple[Any, ...]) -> Any:
    return label_of(json.loads(row[0]))
