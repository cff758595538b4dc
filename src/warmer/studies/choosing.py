"""Which queries come next: those that a learner chooses among the open ones, beside those that are under way."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from warmer.model import Array, BatchLearner, Label, Labels, Problem
from warmer.model.errors import InvalidValueError, ProtocolError, calling, giver_of
from warmer.simulation.players import own_within
from warmer.studies.engine import Engine
from warmer.studies.records.ledger import Ledger
from warmer.studies.spec import Spec


def next_queries(engine: Engine, ledger: Ledger, n: int) -> list[Label]:
    """The next n queries, as if those that are pending had been answered as expected."""
    position, legal = engine.problem.queries.position, open_queries(engine.spec, ledger)
    pending = [position(query) for query in ledger.pending]
    labels = []
    for number in range(ledger.n_asks, ledger.n_asks + n):
        pending.append(_next(engine, number, tuple(pending), legal))
        labels.append(engine.spec.label(engine.problem.queries[pending[-1]]))
    return labels


def open_again(spec: Spec, ledger: Ledger) -> Label | None:
    """The oldest open query that may be asked now, which whoever works alone is to answer first; None without one."""
    if not ledger.open:
        return None
    position, legal = spec.problem.queries.position, open_queries(spec, ledger)
    return next((query for query in ledger.pending if legal is None or position(query) in legal), None)


def learner_among(engine: Engine, ledger: Ledger) -> Any:
    """The learner, choosing among the queries that may be asked now."""
    legal = open_queries(engine.spec, ledger)
    return engine.learner if legal is None else _among(engine.learner, legal)


def open_queries(spec: Spec, ledger: Ledger) -> Array | None:
    """The queries that may be asked now; None where that is all of them.

    A learner whose guarantee counts rounds, and one that chooses among infinitely many queries, goes its own way.
    """
    queries = spec.problem.queries
    if spec.counts_rounds or not isinstance(queries, Labels):
        return None
    for closed in (ledger.closed, ledger.forbidden):  # where all that is left fails, a failing one is tried again
        if not closed:
            return None
        mask = np.ones(len(queries), dtype=bool)
        mask[[queries.position(query) for query in closed]] = False
        if isinstance(spec.problem, Problem) and spec.problem.is_allowed is not None:
            mask &= spec.problem.is_allowed
        if mask.any():
            return np.flatnonzero(mask)
    raise ProtocolError("every query is forbidden; allow one to go on.")


def check_closable(spec: Spec) -> None:
    """Raise where no query can be closed."""
    if spec.counts_rounds:
        raise ProtocolError(
            f"{type(spec.chooser).__name__} counts rounds, and its guarantee needs every query that it asks; declare "
            "forbidden queries with the problem, or use TopTwo."
        )
    if not isinstance(spec.problem.queries, Labels):
        raise InvalidValueError(
            f"{type(spec.problem).__name__} has infinitely many queries, so that closing one changes nothing."
        )


def _next(engine: Engine, number: int, pending: Sequence[Any], legal: Array | None) -> Any:
    state, rng = engine.state, engine.chance(1, number)
    learner = engine.learner if legal is None else _among(engine.learner, legal)
    if pending and isinstance(learner, BatchLearner):
        method, ask = "ask_beside", partial(learner.ask_beside, state, rng, pending)
    else:
        method, ask = "ask", partial(learner.ask, state, rng)
    with calling(learner, method):
        query = ask()
    query = engine.spec.legal_queries.read(query, giver_of(next(own_within(learner), learner), method))
    if legal is not None and query not in legal:
        return int(rng.choice(legal))  # a learner that reads more of its problem than which queries are legal
    return query


def _among(learner: Any, legal: Array) -> Any:
    """The learner, choosing among these queries alone; what it has proven so far is still about all of them."""
    if "problem" not in vars(learner) or not isinstance(learner.problem, Problem):
        return learner  # one around another, or for a class without a table: it cannot be told
    mask = np.zeros(learner.problem.n_queries, dtype=bool)
    mask[legal] = True
    copied = copy.copy(learner)  # with what it has worked out about the whole problem
    object.__setattr__(copied, "problem", replace(learner.problem, is_allowed=mask))
    return copied
