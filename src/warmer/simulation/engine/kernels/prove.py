"""Whole runs of learners that ask for the sake of a proof, compiled: the arithmetic of `learners.proving`."""

from typing import Any

import numpy as np
from numba import njit

from warmer.certification.answers import LEAST_LEAD
from warmer.certification.kernels.evidence import draw, likely
from warmer.certification.kernels.leading import leading_group, likeliest_choices
from warmer.certification.weights import MOST_LIKELY, N_DRAWN
from warmer.learners.kernels.information import coin_information, normal_information, spread
from warmer.learners.proving import N_ANSWERS
from warmer.model import Array
from warmer.simulation.engine.forms import TOP_TWO, Answering, Begun, Proof, Watch
from warmer.simulation.engine.kernels.answers import answer
from warmer.simulation.engine.kernels.borrowing import borrowed
from warmer.simulation.engine.kernels.philox import uniform
from warmer.simulation.engine.kernels.play import counters_of
from warmer.simulation.engine.kernels.watching import (
    BEST,
    CUT,
    LEAST,
    N_POSSIBLE,
    N_WATCHED,
    Evidence,
    leader,
    memory_of,
    rate_of,
    restart_watch,
    see,
    variance_of,
)
from warmer.simulation.streams import ENVIRONMENT, LEARNER


@njit(cache=True, nogil=True)
def prove(
    proof: Proof,
    answering: Answering,
    watch: Watch,
    begun: Begun,
    evidence: Evidence,
    key: Array,
    first: int,
    queries: Array,
    rewards: Array,
    lengths: Array,
    settled: Array,
    leaders: Array,
    n_played: Array,
    stop: Array,
) -> None:  # pragma: no cover
    """As `play.play`. Where no candidate is left at the end of a run, it settled on -2."""
    opening = np.full(1, -1)
    for k in range(lengths.size):
        settled[k] = restart_watch(evidence, begun)
        counters = counters_of(first + k)
        length = _run(
            proof,
            answering,
            watch,
            evidence,
            key,
            counters,
            queries[k],
            rewards[k],
            settled[k:],
            opening,
            n_played,
            stop,
        )
        if length < 0:
            return
        leaders[k] = leader(watch, evidence)
        if evidence.numbers[N_POSSIBLE] == 0:
            settled[k] = -2
        lengths[k] = length


@njit(cache=True)
def _run(
    proof: Proof,
    answering: Answering,
    watch: Watch,
    evidence: Evidence,
    key: Array,
    counters: Array,
    queries: Array,
    rewards: Array,
    settled: Array,
    opening: Array,
    n_played: Array,
    stop: Array,
) -> int:  # pragma: no cover
    """Play one run until it is settled or at its end; its length, or -1 where it was stopped."""
    proof, answering, watch, evidence = borrowed((proof, answering, watch, evidence))
    key, counters, queries, rewards = borrowed((key, counters, queries, rewards))
    settled, opening, n_played, stop = borrowed((settled, opening, n_played, stop))
    model, means, low, high, width, n_draws, strategy = answering
    kind, columns, legal, costs, variances, _, is_coin, is_ending = proof
    accepts, values, starts, ends, preferred = watch.accepts, watch.values, watch.starts, watch.ends, watch.preferred
    weights, possible, places, numbers = evidence.weights, evidence.possible, evidence.places, evidence.numbers
    is_relation = values.size == 0
    mine, theirs, n_drawn = np.empty(4, np.uint64), np.empty(4, np.uint64), 0
    my_counter, their_counter = counters[LEARNER], counters[ENVIRONMENT]
    for t in range(rewards.size):
        if stop[0]:
            return -1
        if settled[0] >= 0 or numbers[N_POSSIBLE] == 0:
            if is_ending:
                return t
            query = _recommended(proof, watch, evidence, settled[0])
        else:
            chance, n = uniform(key, my_counter, mine, n_drawn), int(numbers[N_WATCHED])
            n_drawn += 1
            if t == 0 and opening[0] >= 0:
                query = opening[0]
            else:
                found, shares = draw(weights[:n], possible[:n], MOST_LIKELY, N_DRAWN, chance)
                if found.size == 0:  # the heaviest of all was ruled out
                    found, shares = _likely(watch, evidence, possible[:n])
                    chance = uniform(key, my_counter, mine, n_drawn)
                    n_drawn += 1
                    picked, shares = draw(shares, np.ones(found.size, np.bool_), MOST_LIKELY, N_DRAWN, chance)
                    found = found[picked]
                targets = places[found]
                groups, likeliest = likeliest_choices(preferred[targets], shares, N_ANSWERS)
                if kind == TOP_TWO:
                    accepted = np.empty((likeliest.size, targets.size), np.bool_)
                    for a in range(likeliest.size):
                        if is_relation:
                            _accepting(accepts[likeliest[a]], targets, accepted[a])
                        else:
                            _inside(values, starts[likeliest[a]], ends[likeliest[a]], targets, accepted[a])
                    groups = leading_group(accepted, groups, shares, 0.0 if is_relation else LEAST_LEAD)[0]
                if not groups.any():
                    targets, shares, groups = _objectors(watch, evidence)
                variance = 0.0 if variances.size else variance_of(numbers, high - low)
                query = _most_telling(
                    columns, legal, costs, variances, variance, is_coin, low, high, targets, shares, groups
                )
                if t == 0 and columns.shape[0] <= MOST_LIKELY:  # no chance in it: all runs open so
                    opening[0] = query
        reward = answer(model, means[query], low, high, width, n_draws, strategy, t, key, their_counter, theirs)
        queries[t], rewards[t] = query, reward
        settled[0] = see(watch, evidence, query, reward, settled[0])
        n_played[0] += 1
    return rewards.size


@njit(cache=True)
def _recommended(proof: Proof, watch: Watch, evidence: Evidence, settled: int) -> int:  # pragma: no cover
    """What `Certifier.recommended_query` says."""
    likeliest = leader(watch, evidence)
    if proof.best.size:
        return int(proof.best[likeliest])
    return settled if settled >= 0 else int(watch.preferred[likeliest])


@njit(cache=True)
def _most_telling(
    columns: Array,
    legal: Array,
    costs: Array,
    variances: Array,
    variance: float,
    is_coin: bool,
    low: float,
    high: float,
    targets: Array,
    weights: Array,
    groups: Array,
) -> int:  # pragma: no cover
    """The allowed query whose answer is expected to say most about the group, per cost."""
    n_groups = groups.max() + 1
    shares, sums = np.zeros(n_groups), np.zeros((n_groups, legal.size))
    for k in range(targets.size):  # as `group_sums` has it, in the same order
        shares[groups[k]] += weights[k]
        ours, row, weight = sums[groups[k]], columns[targets[k]], weights[k]
        for q in range(ours.size):
            ours[q] += weight * row[q]
    if is_coin:
        gains = coin_information(shares, sums, low, high)
    else:
        explained = spread(shares, sums)[1]
        gains = normal_information(explained, variances if variances.size else np.full(legal.size, variance))
    return int(legal[(gains / costs if costs.size else gains).argmax()])


@njit(cache=True)
def _accepting(accepts: Array, targets: Array, accepted: Array) -> None:  # pragma: no cover
    """Which of some candidates accept an answer, written into `accepted`."""
    for k in range(targets.size):
        accepted[k] = accepts[targets[k]]


@njit(cache=True)
def _inside(values: Array, start: float, end: float, targets: Array, accepted: Array) -> None:  # pragma: no cover
    """Which of some candidates have a value between two ends, written into `accepted`."""
    for k in range(targets.size):
        accepted[k] = start <= values[targets[k]] <= end


@njit(cache=True)
def _objectors(watch: Watch, evidence: Evidence) -> Any:  # pragma: no cover
    """The likely ones among those who object to the leader's answer, each half its share, and last the leader; and
    their groups.
    """
    n, best = int(evidence.numbers[N_WATCHED]), leader(watch, evidence)
    targets, possible, among, wanted = (
        evidence.places[:n],
        evidence.possible,
        np.empty(n, np.bool_),
        watch.preferred[best],
    )
    if watch.values.size:
        _inside(watch.values, watch.starts[wanted], watch.ends[wanted], targets, among)
    else:
        _accepting(watch.accepts[wanted], targets, among)
    for i in range(n):
        among[i] = possible[i] and not among[i]
    found, weights = _likely(watch, evidence, among)
    n = found.size
    both, shares, groups = np.full(n + 1, best), np.full(n + 1, 0.5), np.zeros(n + 1, np.int64)
    for k in range(n):
        both[k], shares[k] = targets[found[k]], weights[k] / 2
    groups[n] = 1
    return both, shares, groups


@njit(cache=True)
def _likely(watch: Watch, evidence: Evidence, among: Array) -> Any:  # pragma: no cover
    """Those of some candidates that have noticeable weight, and their weights, which sum to 1."""
    numbers, memory = evidence.numbers, memory_of(evidence)
    least = numbers[LEAST]
    if not among[int(numbers[BEST])]:
        least = np.inf
        for i in range(among.size):
            if among[i]:
                least = min(least, float(memory.losses[i]))
    return likely(
        memory.losses, memory.lows, watch.table.log_prior, among, least, rate_of(watch, numbers), numbers[CUT]
    )
