"""Certificates inside compiled runs: the steps of `certification`, and whether an answer is settled.

As in `certification.parts`, candidates that were ruled out are put aside when enough of them were: the first so many
entries of each array are then those of the candidates that are still watched.

What is called at each answer is inlined: the compiler then sees that arrays are borrowed (`borrowing`), and counts none
of them.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from warmer.certification.kernels.evidence import weigh
from warmer.certification.kernels.steps import compare, place_bets
from warmer.certification.memory import Batch, Memory, Table
from warmer.certification.parts import LEAST as FEWEST
from warmer.certification.parts import MOST, SHARE
from warmer.estimation.blocks import BLOCK
from warmer.model import Array
from warmer.simulation.engine.forms import RATIO, Begun, Watch

LEAST, BEST, TOP, TOTAL, FREE, BY_CANDIDATES, BY_FREE, BY_MIXED, N_ERRORS, N_POSSIBLE, N_WATCHED, CUT, N_CUTS = range(
    13
)
"""The numbers that are remembered, by their place: those of `Likelihoods` and of `Betting`, and who is watched."""


class Evidence(NamedTuple):
    """What is remembered of a run, in memory that the next run uses again."""

    losses: Array
    lows: Array
    weights: Array
    counts: Array
    sums: Array
    capital: Array
    possible: Array
    places: Array
    """Which candidates are watched."""
    objectors: Array
    """For each answer the first remaining candidate that objects to it, or one before."""
    numbers: Array
    whole: Array
    """The table of all candidates."""
    rows: Array
    """Rows of the table of those watched, once some were put aside."""
    fresh: Array
    """After how many cuts each of these rows was written."""
    told: Batch


@njit(cache=True)
def blank_evidence(watch: Watch, n_queries: int) -> Evidence:  # pragma: no cover
    """Memory for the evidence."""
    rho = watch.table.rho
    n, kind = watch.preferred.size, rho.dtype
    return Evidence(
        np.empty(n, kind),
        np.empty((n + BLOCK - 1) // BLOCK, kind),
        np.empty(n),
        np.empty(n_queries),
        np.empty(n_queries),
        np.empty(n),
        np.empty(n, np.bool_),
        np.empty(n, np.int64),
        np.empty(watch.answers.size, np.int64),
        np.empty(13),
        rho,
        np.empty((n_queries if n >= FEWEST else 0, n // SHARE), kind),
        np.empty(n_queries, np.int64),
        Batch(np.empty(1, np.int64), np.empty(1), np.ones(1)),
    )


@njit(cache=True)
def restart_watch(evidence: Evidence, begun: Begun) -> int:  # pragma: no cover
    """Go on from the evidence that has begun; the answer that is settled already, or -1."""
    n = begun.places.size
    evidence.losses[:n] = begun.losses
    evidence.lows[: begun.lows.size] = begun.lows
    evidence.weights[:n] = begun.weights
    evidence.counts[:] = begun.counts
    evidence.sums[:] = begun.sums
    evidence.capital[:n] = begun.capital
    evidence.possible[:n] = begun.possible
    evidence.places[:n] = begun.places
    evidence.numbers[:] = begun.numbers
    evidence.objectors[:] = 0
    evidence.fresh[:] = 0
    return begun.settled


@njit(cache=True, forceinline=True)
def see(watch: Watch, evidence: Evidence, query: int, reward: float, settled: int) -> int:  # pragma: no cover
    """One more answer; the answer that is settled now, or -1."""
    n, told, count = evidence.numbers, evidence.told, int(evidence.numbers[N_WATCHED])
    told.queries[0], told.rewards[0] = query, reward
    table, memory, possible = _table(watch, evidence, query), memory_of(evidence), evidence.possible[:count]
    if watch.process == RATIO:
        _, struck, n[LEAST], n[BEST], n[TOP], n[TOTAL], n[FREE] = compare(
            told,
            table,
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
            table,
            memory,
            evidence.capital[:count],
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
        return settled
    n[N_POSSIBLE] -= struck
    settled = settle(watch, evidence)
    _reduce(watch, evidence)
    return settled


@njit(cache=True, forceinline=True)
def memory_of(evidence: Evidence) -> Memory:  # pragma: no cover
    """What the steps write on: the candidates that are watched."""
    n = int(evidence.numbers[N_WATCHED])
    n_blocks = (n + BLOCK - 1) // BLOCK
    return Memory(evidence.losses[:n], evidence.lows[:n_blocks], evidence.weights[:n], evidence.counts, evidence.sums)


@njit(cache=True, forceinline=True)
def _table(watch: Watch, evidence: Evidence, query: int) -> Table:  # pragma: no cover
    """What the steps read: the row of one query is that of the candidates that are watched."""
    numbers, whole, rows, places = evidence.numbers, evidence.whole, evidence.rows, evidence.places
    n, rho = int(numbers[N_WATCHED]), whole
    if n < places.size:
        rho = rows
        if evidence.fresh[query] != numbers[N_CUTS]:
            evidence.fresh[query] = int(numbers[N_CUTS])
            for i in range(n):
                rows[query, i] = whole[query, places[i]]
    table = watch.table
    return Table(rho, table.log_prior, table.low, table.high, numbers[CUT], table.log_n)


@njit(cache=True, forceinline=True)
def _reduce(watch: Watch, evidence: Evidence) -> None:  # pragma: no cover
    """Watch the remaining candidates alone, where that pays."""
    numbers = evidence.numbers
    n_watched, n_possible = int(numbers[N_WATCHED]), int(numbers[N_POSSIBLE])
    is_small = n_possible * evidence.counts.size <= MOST
    if n_watched < FEWEST or n_possible == 0 or n_possible * SHARE > n_watched or not is_small:
        return
    losses, capital, places, n = evidence.losses, evidence.capital, evidence.places, 0
    for i in range(n_watched):
        if evidence.possible[i]:
            losses[n], capital[n], places[n] = losses[i], capital[i], places[i]
            n += 1
    evidence.possible[:n] = True
    evidence.objectors[:] = 0
    for b in range((n + BLOCK - 1) // BLOCK):
        evidence.lows[b] = losses[b * BLOCK : min((b + 1) * BLOCK, n)].min()
    best = losses[:n].argmin()
    numbers[LEAST], numbers[BEST], numbers[N_WATCHED] = losses[best], best, n
    numbers[CUT] = math.log(n) + 3
    numbers[N_CUTS] += 1
    _weigh(watch, evidence)


@njit(cache=True)
def _weigh(watch: Watch, evidence: Evidence) -> None:  # pragma: no cover
    numbers, memory = evidence.numbers, memory_of(evidence)
    numbers[TOP], numbers[TOTAL] = weigh(
        memory.weights,
        memory.losses,
        memory.lows,
        watch.table.log_prior,
        numbers[LEAST],
        rate_of(watch, numbers),
        numbers[CUT],
    )


@njit(cache=True, forceinline=True)
def settle(watch: Watch, evidence: Evidence) -> int:  # pragma: no cover
    """The answer that all possible candidates accept, the leader's if it is among several; -1 if there is none."""
    if evidence.numbers[N_POSSIBLE] == 0:
        return -1
    n = int(evidence.numbers[N_WATCHED])
    possible, places, objectors = evidence.possible[:n], evidence.places, evidence.objectors
    if watch.values.size:
        return _narrow(watch.values, watch.own, watch.length, possible, places)
    first, wanted, answers, accepts = -1, watch.preferred[leader(watch, evidence)], watch.answers, watch.accepts
    for k in range(objectors.size):
        answer, i = answers[k], objectors[k]
        while i < n and (accepts[answer, places[i]] or not possible[i]):
            i += 1
        objectors[k] = i
        if i == n and (first < 0 or answer == wanted):
            first = answer
    return first


@njit(cache=True)
def _narrow(values: Array, own: Array, length: float, possible: Array, places: Array) -> int:  # pragma: no cover
    """The answer that starts with the least value of those possible, if the largest is not too far from it."""
    least, most, answer = np.inf, -np.inf, -1
    for i in range(possible.size):
        if possible[i]:
            value = values[places[i]]
            most = max(most, value)
            if value < least:
                least, answer = value, own[places[i]]
    return answer if most - least <= length else -1


@njit(cache=True, forceinline=True)
def leader(watch: Watch, evidence: Evidence) -> int:  # pragma: no cover
    """The likeliest possible candidate, the lowest-numbered of several; the likeliest of all where none is left."""
    losses, possible, numbers = evidence.losses, evidence.possible, evidence.numbers
    best, least, rate = int(numbers[BEST]), np.inf, rate_of(watch, numbers)
    if not possible[best] and numbers[N_POSSIBLE] > 0:
        for i in range(int(numbers[N_WATCHED])):
            if possible[i] and rate * losses[i] < least:
                best, least = i, rate * losses[i]
    return int(evidence.places[best])


@njit(cache=True, forceinline=True)
def rate_of(watch: Watch, numbers: Array) -> float:  # pragma: no cover
    """What turns losses into log weights."""
    return 1.0 if watch.process == RATIO else 1 / (2 * variance_of(numbers, watch.table.high - watch.table.low))


@njit(cache=True)
def variance_of(numbers: Array, length: float) -> float:  # pragma: no cover
    """That of the forecast errors, where rewards come from a range of this length."""
    return float((numbers[BY_MIXED] + (length / 2) ** 2 / 4) / (numbers[N_ERRORS] + 1))
