"""Which certifiers compiled runs know, read into numbers and arrays."""

import math
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from warmer.certification import Certifier
from warmer.certification.answers import Groups, Intervals, Relation
from warmer.certification.bets import BOLDNESS, SETTLED, Bets, RoughCoins, RoughSquares
from warmer.certification.bets import Rule as Stakes
from warmer.certification.likelihoods import FREE, Coins, Squares
from warmer.certification.memory import Table, fixed
from warmer.model import Array
from warmer.simulation.engine.forms import BETS, RATIO, Watch

_MOST = 1 << 24
"""Entries that a table may have, and what is written down of who accepts what: each thread has memory for some."""


_READ: "WeakKeyDictionary[Certifier, Watch | None]" = WeakKeyDictionary()
"""What was read before: a budget plays the same learner against one candidate after another."""


def watch_of(certifier: Any) -> Watch | None:
    """The certifier as compiled runs read it; None where they do not know its noise or its goal."""
    if type(certifier) is not Certifier or not certifier.is_declared:
        return None
    if certifier not in _READ:
        _READ[certifier] = _read(certifier)
    return _READ[certifier]


def _read(certifier: Certifier) -> Watch | None:
    process: Any = certifier.process
    problem = certifier.problem
    kind = {Squares: RATIO, Coins: RATIO, Bets: BETS, RoughSquares: BETS, RoughCoins: BETS}.get(type(process))
    if kind is None or process.table.log_prior.size or problem.n_queries * problem.n_targets > _MOST:
        return None
    read = _read_answers(certifier.answers)
    if read is None:
        return None
    is_bet = kind == BETS
    stakes = Stakes(
        process.is_coin,
        float(process.width) if is_bet else 0.0,
        float(process.tolerance) if is_bet else 0.0,
        BOLDNESS,
        SETTLED,
        float(problem.slack),
    )
    table = process.table
    return Watch(
        process=kind,
        table=Table(fixed(np.ascontiguousarray(table.rho)), fixed(table.log_prior), *map(float, table[2:])),
        **read._asdict(),
        preferred=np.array(certifier.answers.preferred, dtype=np.intp),
        threshold=-math.log(certifier.delta),
        sigmas=np.array(process.sigmas, dtype=float),
        stakes=stakes,
        share=FREE,
    )


class _Read(NamedTuple):
    """What `Watch` says of answers."""

    answers: Array
    accepts: Array
    values: Array
    starts: Array
    ends: Array
    length: float
    own: Array


def _read_answers(answers: Any) -> _Read | None:
    nothing, nobody = np.empty(0), np.empty(0, dtype=np.intp)
    if type(answers) is Relation:
        if len(answers.values) * answers.preferred.size > _MOST:
            return None
        accepts = np.zeros((len(answers.values), answers.preferred.size), dtype=bool)
        for answer in answers.answers.tolist():
            accepts[answer] = answers.accepts(answer)
        return _Read(np.array(answers.answers, dtype=np.intp), accepts, nothing, nothing, nothing, 0.0, nobody)
    none = np.empty((0, 0), dtype=bool)
    if type(answers) is Groups:
        own, ends = np.array(answers.preferred, dtype=np.intp), np.arange(len(answers.names), dtype=float)
        return _Read(nobody, none, own.astype(float), ends, ends, 0.0, own)
    if type(answers) is Intervals:
        values, starts = np.array(answers.values, dtype=float), np.array(answers.starts, dtype=float)
        own = np.asarray(np.searchsorted(starts, values), dtype=np.intp)
        ends, length = starts + answers.length + answers.slack, float(answers.length + answers.slack)
        return _Read(nobody, none, values, starts, ends, length, own)
    return None
