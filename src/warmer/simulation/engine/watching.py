"""Which certifiers compiled runs know, read into numbers and arrays."""

import math
from typing import Any

import numpy as np

from warmer.certification import Certifier
from warmer.certification.answers import Groups, Intervals, Relation
from warmer.certification.bets import BOLDNESS, SETTLED, Bets, RoughCoins, RoughSquares
from warmer.certification.bets import Rule as Stakes
from warmer.certification.likelihoods import FREE, Coins, Squares
from warmer.certification.memory import Table
from warmer.certification.parts import is_worth_it
from warmer.model import Array
from warmer.simulation.engine.forms import BETS, NOTHING, RATIO, Rule, Watch
from warmer.simulation.engine.rules import fixed

_MOST_ACCEPTS = 1 << 24
"""Entries up to which it is written down who accepts what."""


def watch_of(certifier: Any) -> Watch | None:
    """The certifier as compiled runs read it; None where they do not know its noise or its goal.

    Nor where candidates that were ruled out would be put aside on the way: on all but small tables.
    """
    if type(certifier) is not Certifier or not certifier.is_declared:
        return None
    process: Any = certifier.process
    answers, problem = certifier.answers, certifier.problem
    kind = {Squares: RATIO, Coins: RATIO, Bets: BETS, RoughSquares: BETS, RoughCoins: BETS}.get(type(process))
    n = problem.n_targets
    if kind is None or process.table.log_prior.size or is_worth_it(problem, n, 1):
        return None
    read = _read_answers(answers)
    if read is None or read[0].size * n > _MOST_ACCEPTS:
        return None
    names, own = read
    is_bet = kind == BETS
    stakes = Stakes(
        process.is_coin,
        float(process.width) if is_bet else 0.0,
        float(process.tolerance) if is_bet else 0.0,
        BOLDNESS,
        SETTLED,
        float(problem.slack),
    )
    return Watch(
        process=kind,
        table=_plain(process.table),
        accepts=np.array([answers.accepts(answer) for answer in names.tolist()]),
        names=names,
        own=own,
        preferred=np.array(answers.preferred, dtype=np.intp),
        threshold=-math.log(certifier.delta),
        sigmas=np.array(process.sigmas, dtype=float),
        stakes=stakes,
        share=FREE,
    )


def nobody(rule: Rule) -> Watch:
    """Nothing is watched."""
    nowhere = np.empty(0, dtype=np.intp)
    return Watch(
        process=NOTHING,
        table=_plain(Table(rule.rho[:0], np.empty(0), 0.0, 0.0, 0.0, 0.0)),
        accepts=np.empty((0, 0), dtype=bool),
        names=nowhere,
        own=nowhere,
        preferred=nowhere,
        threshold=0.0,
        sigmas=np.empty(0),
        stakes=Stakes(False, 0.0, 0.0, 0.0, 0.0, 0.0),
        share=0.0,
    )


def _plain(table: Table) -> Table:
    """With numbers and arrays of one type, so that one compiled form serves all."""
    return Table(fixed(table.rho), fixed(table.log_prior), *map(float, table[2:]))


def _read_answers(answers: Any) -> tuple[Array, Array] | None:
    """The answers by index; and the one that each candidate would settle on by itself, where that is the rule."""
    if type(answers) is Relation:
        return np.asarray(answers.answers, dtype=np.intp), np.empty(0, dtype=np.intp)
    if type(answers) is Groups:
        return np.arange(len(answers.names)), np.asarray(answers.preferred, dtype=np.intp)
    if type(answers) is Intervals:
        return np.arange(answers.starts.size), np.asarray(np.searchsorted(answers.starts, answers.values))
    return None
