"""What learners remember, read into the arrays that compiled runs start from."""

from typing import Any

import numpy as np

from warmer.certification import Certifier
from warmer.certification.bets import Betting
from warmer.certification.memory import fixed
from warmer.certification.state import Evidence
from warmer.model import Array
from warmer.simulation.engine.forms import (
    DISTANCE_BALL,
    DRAWN,
    INDEX,
    LEAST_LOSS,
    LIFTED,
    LOSS_BALL,
    SURVIVORS,
    Begun,
    Memory,
    Rule,
)


def begun_of(certifier: Certifier, state: Evidence) -> Begun:
    """The evidence so far."""
    process = state.process
    watching: Any = certifier.process if state.part is None else state.part.process
    possible = state.possible if state.part is None else state.part.possible
    places = np.arange(possible.size) if state.part is None else state.part.places
    is_bet = isinstance(process, Betting)
    by_kind = (0.0, *process[-4:]) if is_bet else (process.free, 0.0, 0.0, 0.0, 0.0)
    numbers = process.least, process.best, process.top, process.total, *by_kind
    watched = state.n_possible, places.size, watching.table.cut, state.part is not None
    return Begun(
        **{name: fixed(values) for name, values in process.memory._asdict().items()},
        capital=fixed(process.capital if is_bet else np.zeros(places.size)),
        possible=fixed(possible),
        places=_whole(places),
        numbers=_real((*numbers, *watched)),
        settled=-1 if state.settled is None else int(state.settled),
    )


def memory_of(rule: Rule, problem: Any, state: Any) -> Memory:
    """What a learner with this rule remembers."""
    nothing, unasked = rule.start[:0], np.zeros(len(problem.queries))
    losses, distances, alive, counts, sums = None, None, np.empty(0, dtype=bool), unasked, unasked
    if rule.kind in (LEAST_LOSS, LOSS_BALL, DRAWN):
        losses = state
    elif rule.kind == DISTANCE_BALL:
        losses, counts, distances = state.losses, state.counts, state.distances
    elif rule.kind == SURVIVORS:
        losses, alive, counts = state
    elif rule.kind == INDEX:
        counts, sums = state
    elif rule.kind >= LIFTED:
        counts, sums = state.tally
    n_holders = np.bincount(rule.best[: alive.size][alive], minlength=unasked.size)
    return Memory(
        excess=fixed(nothing if losses is None else losses.excess),
        lows=fixed(nothing if losses is None else losses.lows),
        distances=fixed(nothing if distances is None else distances.excess),
        distance_lows=fixed(nothing if distances is None else distances.lows),
        standing=_whole(np.argsort(~alive, kind="stable")),
        holders=_whole(n_holders),
        counts=_real(counts),
        sums=_real(sums),
        averages=_real(sums / np.maximum(counts, 1)),
        indices=_real(unasked),
        least=_real([0.0 if each is None else each.least for each in (losses, distances)]),
        places=_whole([0 if losses is None else losses.best, alive.sum()]),
    )


def _real(values: Any) -> Array:
    return fixed(np.asarray(values, dtype=float))


def _whole(values: Any) -> Array:
    return fixed(np.asarray(values, dtype=np.int64))
