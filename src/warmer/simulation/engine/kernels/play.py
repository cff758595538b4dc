"""Whole runs, compiled: the loop of `simulation.plain` over rules and noise models that are known by number.

A run borrows its arrays and takes them out of their tuples before its first round: else each use of one would be
counted, and cost more than the round.
"""

from typing import Any

import numpy as np
from numba import njit

from warmer.estimation.kernels.losses import add_squares, draw_by_weight, top_within
from warmer.estimation.table_fit import NEGLIGIBLE
from warmer.model import Array
from warmer.simulation.engine.forms import (
    ANY,
    DISTANCE_BALL,
    DRAWN,
    INDEX,
    LEAST_LOSS,
    LOSS_BALL,
    SURVIVORS,
    Answering,
    Memory,
    Rule,
    Watch,
)
from warmer.simulation.engine.kernels.answers import answer
from warmer.simulation.engine.kernels.borrowing import borrowed
from warmer.simulation.engine.kernels.philox import uniform
from warmer.simulation.engine.kernels.rules import (
    best_arm,
    copied,
    double_logs,
    largest_index,
    least_asked,
    measure,
    restart,
    strike,
)
from warmer.simulation.engine.kernels.watching import N_POSSIBLE, leader, restart_watch, see
from warmer.simulation.streams import ENVIRONMENT, LEARNER


@njit(cache=True, nogil=True)
def play(
    rule: Rule,
    answering: Answering,
    watch: Watch | None,
    start: Memory,
    begun: Any,
    evidence: Any,
    key: Array,
    first: int,
    queries: Array,
    rewards: Array,
    lengths: Array,
    settled: Array,
    leaders: Array,
    n_played: Array,
    stop: Array,
    is_recorded: bool,
) -> None:  # pragma: no cover
    """Play runs number `first` and following into the rows of the arrays, until all are played or `stop` is set.

    Every run starts from what the learner remembers, and from the evidence that has begun where that is watched;
    `evidence` is memory for it. The length of a run is written when it is over, and what it settled on, -1 if nothing;
    `n_played` counts rounds as they go. Where nobody reads the records, a run that leaves no candidate is not played
    further: it settles nothing.
    """
    memory = copied(start)
    logs = double_logs(start.counts.sum(), rewards.shape[1] if rule.kind == INDEX else 0)
    for k in range(lengths.size):
        restart(memory, start)
        counters = counters_of(first + k)
        settled[k] = -1
        if watch is not None:
            settled[k] = restart_watch(evidence, begun)
        length = _run(
            rule,
            answering,
            watch,
            memory,
            evidence,
            logs,
            key,
            counters,
            queries[k],
            rewards[k],
            settled[k:],
            n_played,
            stop,
            is_recorded,
        )
        if length < 0:
            return
        if watch is not None:
            leaders[k] = leader(watch, evidence)
        lengths[k] = length


@njit(cache=True)
def counters_of(run: int) -> Array:  # pragma: no cover
    """Where the streams of a run begin: a row for its learner, and one for its environment."""
    counters = np.zeros((2, 4), np.uint64)
    counters[LEARNER, 1], counters[ENVIRONMENT, 1] = LEARNER, ENVIRONMENT
    counters[:, 2] = run
    return counters


@njit(cache=True)
def _run(
    rule: Rule,
    answering: Answering,
    watch: Watch | None,
    memory: Memory,
    evidence: Any,
    logs: Array,
    key: Array,
    counters: Array,
    queries: Array,
    rewards: Array,
    settled: Array,
    n_played: Array,
    stop: Array,
    is_recorded: bool,
) -> int:  # pragma: no cover
    """Play one run until it is settled or at its end; its length, or -1 where it was stopped."""
    # `watch` and `evidence` keep their names: Numba leaves out what `is None` rules out of arguments alone
    rule, answering, memory, watching, noted = borrowed((rule, answering, memory, watch, evidence))
    key, counters, queries, rewards = borrowed((key, counters, queries, rewards))
    settled, n_played, stop = borrowed((settled, n_played, stop))
    kind, rho, best, _, values, tops, legal, radius, scale, lowest, highest, log_arms = rule
    model, means, low, high, width, n_draws, strategy = answering
    excess, lows, distances, distance_lows, standing, holders, counts, sums, averages, indices, least, places = memory
    mine, theirs = np.empty(4, np.uint64), np.empty(4, np.uint64)
    my_counter, their_counter = counters[LEARNER], counters[ENVIRONMENT]
    for t in range(rewards.size):
        if stop[0]:
            return -1
        if settled[0] >= 0:
            return t
        chance = uniform(key, my_counter, mine, t) if kind in (ANY, DRAWN) else 0.0
        if kind == LEAST_LOSS:
            query = best[places[0]]
        elif kind == LOSS_BALL:
            query = best[top_within(excess, lows, values, tops, least[0] + radius)]
        elif kind == DISTANCE_BALL:
            query = best[top_within(distances, distance_lows, values, tops, radius)]
        elif kind == DRAWN:
            query = best[draw_by_weight(excess, lows, least[0], scale, NEGLIGIBLE, chance)]
        elif kind == SURVIVORS:
            query = least_asked(holders, counts)
        elif kind == ANY:
            query = legal[int(chance * legal.size)]
        elif kind == INDEX:
            query = largest_index(legal, counts, averages, indices, radius, logs[t])
        else:
            query = best_arm(kind, counts, sums, lowest, highest, radius, scale, log_arms)
        reward = answer(model, means[query], low, high, width, n_draws, strategy, t, key, their_counter, theirs)
        queries[t], rewards[t] = query, reward
        counts[query] += 1
        sums[query] += reward
        averages[query] = sums[query] / counts[query]
        if LEAST_LOSS <= kind <= SURVIVORS:
            before = places[0]
            least[0], places[0] = add_squares(excess, lows, rho[query], reward, 1.0, least[0])
            if kind == DISTANCE_BALL:
                measure(rho, counts, distances, distance_lows, least, query, before, places[0])
            elif kind == SURVIVORS:
                places[1] = strike(excess, standing, holders, best, places[1], least[0] + radius)
        if watch is not None:
            settled[0] = see(watching, noted, query, reward, settled[0])
            if not is_recorded and noted.numbers[N_POSSIBLE] == 0:
                return rewards.size
        n_played[0] += 1
    return rewards.size
