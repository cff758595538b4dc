"""Certificates inside compiled runs: the steps of `certification`, and whether an answer is settled."""

from typing import NamedTuple

import numpy as np
from numba import njit

from warmer.certification.kernels.evidence import weigh
from warmer.certification.kernels.steps import compare, place_bets
from warmer.certification.memory import Batch, Memory
from warmer.estimation.blocks import BLOCK
from warmer.model import Array
from warmer.simulation.engine.forms import RATIO, Watch

# The numbers that a process remembers, by their place: those of `Likelihoods` and of `Betting`, and who remains
LEAST, BEST, TOP, TOTAL, FREE, BY_CANDIDATES, BY_FREE, BY_MIXED, N_ERRORS, N_POSSIBLE = range(10)


class Evidence(NamedTuple):
    """What is remembered of a run: the process, who remains, objectors that are known, and numbers."""

    memory: Memory
    capital: Array
    possible: Array
    objectors: Array
    numbers: Array
    told: Batch


@njit(cache=True)
def blank_evidence(watch: Watch, n_queries: int) -> Evidence:  # pragma: no cover
    """Memory for the evidence."""
    n, kind = watch.preferred.size, watch.table.rho.dtype
    n_blocks = (n + BLOCK - 1) // BLOCK
    memory = Memory(np.empty(n, kind), np.empty(n_blocks, kind), np.empty(n), np.empty(n_queries), np.empty(n_queries))
    told = Batch(np.empty(1, np.int64), np.empty(1), np.ones(1))
    return Evidence(
        memory, np.empty(n), np.empty(n, np.bool_), np.empty(watch.names.size, np.int64), np.empty(10), told
    )


@njit(cache=True)
def restart_watch(watch: Watch, evidence: Evidence) -> int:  # pragma: no cover
    """Every candidate is possible; the answer that is settled already, or -1."""
    memory, capital, possible, objectors, numbers, _ = evidence
    memory.losses[:] = 0
    memory.lows[:] = 0
    memory.counts[:] = 0.0
    memory.sums[:] = 0.0
    capital[:] = 0.0
    possible[:] = True
    objectors[:] = -1
    numbers[:] = 0.0
    numbers[N_POSSIBLE] = possible.size
    table = watch.table
    numbers[TOP], numbers[TOTAL] = weigh(
        memory.weights, memory.losses, memory.lows, table.log_prior, 0.0, _rate(watch, numbers), table.cut
    )
    return settle(watch, evidence)


@njit(cache=True)
def see(watch: Watch, evidence: Evidence, query: int, reward: float) -> int:  # pragma: no cover
    """One more answer; the answer that is settled now, or -1."""
    memory, capital, possible, _, n, told = evidence
    if n[N_POSSIBLE] == 0:
        return -1
    told.queries[0], told.rewards[0] = query, reward
    if watch.process == RATIO:
        _, struck, n[LEAST], n[BEST], n[TOP], n[TOTAL], n[FREE] = compare(
            told,
            watch.table,
            memory,
            possible,
            watch.threshold,
            watch.sigmas,
            watch.share,
            n[LEAST],
            int(n[BEST]),
            n[TOP],
            n[TOTAL],
            n[FREE],
        )
    else:
        found = place_bets(
            told,
            watch.table,
            memory,
            capital,
            possible,
            watch.threshold,
            watch.stakes,
            watch.sigmas,
            n[LEAST],
            int(n[BEST]),
            n[TOP],
            n[TOTAL],
            n[BY_CANDIDATES],
            n[BY_FREE],
            n[BY_MIXED],
            n[N_ERRORS],
        )
        struck = found[1]
        n[LEAST], n[BEST], n[TOP], n[TOTAL] = found[2], found[3], found[4], found[5]
        n[BY_CANDIDATES], n[BY_FREE], n[BY_MIXED], n[N_ERRORS] = found[6], found[7], found[8], found[9]
    if struck == 0:
        return -1
    n[N_POSSIBLE] -= struck
    return settle(watch, evidence)


@njit(cache=True)
def settle(watch: Watch, evidence: Evidence) -> int:  # pragma: no cover
    """The answer that all possible candidates accept, the leader's if it is among several; -1 if there is none."""
    possible, objectors = evidence.possible, evidence.objectors
    if evidence.numbers[N_POSSIBLE] == 0:
        return -1
    if watch.own.size:
        return _own(watch, possible)
    first, wanted = -1, watch.preferred[leader(watch, evidence)]
    for place in range(watch.names.size):
        if objectors[place] >= 0 and possible[objectors[place]]:
            continue
        accepts = watch.accepts[place]
        objector = -1
        for i in range(possible.size):
            if possible[i] and not accepts[i]:
                objector = i
                break
        objectors[place] = objector
        if objector < 0 and (first < 0 or watch.names[place] == wanted):
            first = watch.names[place]
    return first


@njit(cache=True)
def leader(watch: Watch, evidence: Evidence) -> int:  # pragma: no cover
    """The likeliest possible candidate, the lowest-numbered of several; the likeliest of all where none is left."""
    losses, possible, numbers = evidence.memory.losses, evidence.possible, evidence.numbers
    best, least, rate = int(numbers[BEST]), np.inf, _rate(watch, numbers)
    if possible[best] or numbers[N_POSSIBLE] == 0:
        return best
    for i in range(possible.size):
        if possible[i] and rate * losses[i] < least:
            best, least = i, rate * losses[i]
    return best


@njit(cache=True)
def _own(watch: Watch, possible: Array) -> int:  # pragma: no cover
    """The lowest of the candidates' own answers, if all possible candidates accept it."""
    lowest = -1
    for i in range(possible.size):
        if possible[i] and (lowest < 0 or watch.own[i] < lowest):
            lowest = watch.own[i]
    accepts = watch.accepts[lowest]
    for i in range(possible.size):
        if possible[i] and not accepts[i]:
            return -1
    return lowest


@njit(cache=True)
def _rate(watch: Watch, numbers: Array) -> float:  # pragma: no cover
    """What turns losses into log weights."""
    if watch.process == RATIO:
        return 1.0
    scale = (watch.table.high - watch.table.low) / 2
    variance = float((numbers[BY_MIXED] + scale**2 / 4) / (numbers[N_ERRORS] + 1))
    return 1 / (2 * variance)
