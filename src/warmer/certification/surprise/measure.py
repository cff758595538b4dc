r"""Answers that no remaining candidate explains.

The surprise of an answer is the largest of its p-values under the candidates still possible (`tails`). While the truth
is one of them, which fails with probability at most $\delta$ over all time, the surprise is at least the truth's own
p-value: so it falls to $p$ or below with probability at most $p$, however late it is looked at again. Answer $i$ is
odd where its surprise is at most $\text{FALSE_ALARMS}/(i(i+1))$: these limits sum to `FALSE_ALARMS`, which bounds the
probability that any honest answer of a whole study is ever called odd.

With noise of unknown deviation the other residuals say what is usual, and they change with time: the limit of an
answer that is looked at when $k-1$ others have followed is divided by $k(k+1)$.
"""

from typing import Any

import numpy as np

from warmer.certification import kernels
from warmer.certification.certifier import Certifier
from warmer.certification.noise import Bounded, BoundedNoise, Coin, Gaussian, SubGaussian, Told
from warmer.certification.state import Evidence
from warmer.certification.surprise.audit import FALSE_ALARMS
from warmer.certification.surprise.tails import student_tail
from warmer.model import Array
from warmer.model.readings import Readings

_JUDGED = (type(None), Bounded, BoundedNoise, Coin, Gaussian, SubGaussian)
_MOST_COMPARED = 1_000_000
"""So many residuals are worked out at once."""
_FEW = 8
"""So many answers to one query are compared with all candidates one by one; for more, the candidates are sorted."""


def can_surprise(certifier: Any) -> bool:
    """Whether the declaration says how far an answer may lie from its mean; an e-process of the user's own does not."""
    return isinstance(certifier, Certifier) and isinstance(certifier.noise, _JUDGED)


def odd_limits(certifier: Certifier, n_answers: int, places: Array) -> Array:
    """The surprise at which each of some answers, numbered from 0, is odd after so many.

    Examples
    --------
    >>> from warmer.certification.goals import WhichTarget
    >>> from warmer.model import Problem
    >>> certifier = Certifier(Problem.from_table([[0.0, 1.0]]), WhichTarget())
    >>> odd_limits(certifier, 3, np.arange(3)).round(4).tolist()
    [0.025, 0.0083, 0.0042]
    """
    limits = FALSE_ALARMS / ((places + 1.0) * (places + 2.0))
    if isinstance(certifier.noise, Gaussian):
        looks = n_answers - places
        limits = limits / (looks * (looks + 1.0))
    return np.asarray(limits)


def surprises(certifier: Certifier, state: Evidence, readings: Readings, places: Array) -> Array:
    """The surprise of some of the answers, numbered from 0; under the likeliest candidate alone where none remains.

    Examples
    --------
    >>> from warmer.certification.goals import WhichTarget
    >>> from warmer.certification.noise import SubGaussian
    >>> from warmer.model import Problem
    >>> table = Problem.from_table([[0.0, 0.5], [0.5, 0.5]])
    >>> certifier, readings = Certifier(table, WhichTarget(), noise=SubGaussian(0.1)), Readings(2)
    >>> readings.add(0, 0.1), readings.add(1, 0.9)
    (None, None)
    >>> surprises(certifier, certifier.start(), readings, np.arange(2)).round(4).tolist()
    [1.0, 0.0007]
    """
    noise = Bounded() if certifier.noise is None else certifier.noise
    possible = _standing(certifier, state)
    queries, rewards, counts = readings.told(places)
    if isinstance(noise, Gaussian):
        rounded = 0.0 if noise.resolution is None else noise.resolution / 2
        return _student(certifier, possible, readings, (queries, rewards, counts), certifier.margin + rounded)
    found = np.ones(queries.size)
    for query, own in _by_query(queries):
        told = Told(rewards[own], counts[own])
        sides = [
            noise.tail(certifier.problem, query, told, means, certifier.margin)
            for means in _around(certifier.problem.rho[query], possible, told.rewards)
        ]
        found[own] = np.maximum(*sides)
    return found


def predictions(certifier: Certifier, state: Evidence, readings: Readings, places: Array) -> Array:
    """For some of the answers the nearest reward that a candidate still possible expects."""
    queries, rewards, _ = readings.told(places)
    possible, found = _standing(certifier, state), np.empty(queries.size)
    for query, own in _by_query(queries):
        below, above = _around(certifier.problem.rho[query], possible, rewards[own])
        found[own] = np.where(rewards[own] - below <= above - rewards[own], below, above)
    return found


def _standing(certifier: Certifier, state: Evidence) -> Array:
    if state.n_possible:
        return state.possible
    alone = np.zeros(state.possible.size, dtype=bool)
    alone[certifier.leader(state)] = True
    return alone


def _by_query(queries: Array) -> list[tuple[int, Array]]:
    """Each query that was asked, and the places of its answers."""
    if queries.size == 1:
        return [(int(queries[0]), np.zeros(1, dtype=np.intp))]
    order = np.argsort(queries, kind="stable")
    asked, starts = np.unique(queries[order], return_index=True)
    return list(zip(asked.tolist(), np.split(order, starts)[1:], strict=True))


def _around(row: Array, possible: Array, rewards: Array) -> tuple[Array, Array]:
    """The candidates' predictions next to each reward, below and above; the same one where there is but one side."""
    if rewards.size <= _FEW:
        pairs = [kernels.nearest.around(row, possible, float(reward)) for reward in rewards]
        below, above = (np.array(side) for side in zip(*pairs, strict=True))
    else:
        values = np.sort(np.asarray(row, dtype=float)[possible])
        place = np.searchsorted(values, rewards)
        above = np.append(values, np.inf)[place]
        below = np.where(above == rewards, rewards, np.append(-np.inf, values)[place])
    return np.where(np.isfinite(below), below, above), np.where(np.isfinite(above), above, below)


def _student(
    certifier: Certifier, possible: Array, readings: Readings, told: tuple[Array, Array, Array], tolerance: float
) -> Array:
    r"""For noise of unknown deviation: each squared residual against all others, under the kindest candidate.

    Where entries may be wrong by a tolerance $\gamma$ the root of the others' sum is at most $\gamma\sqrt C$ larger,
    with $C$ the number of repetitions (the triangle inequality). A reading that was rounded is a number within half a
    unit of it: half the resolution is such a tolerance.
    """
    rho, places = certifier.problem.rho, np.flatnonzero(possible)
    losses, repeats = readings.losses(rho, places), readings.weights.sum()
    queries, rewards, counts = told
    ratios = np.empty(queries.size)
    for query, own in _by_query(queries):
        row = np.asarray(rho[query], dtype=float)[places]
        for some in np.array_split(own, 1 + own.size * places.size // _MOST_COMPARED):
            count, away = counts[some, None], np.abs(rewards[some, None] - row)
            rest = np.sqrt(np.maximum(losses - count * away**2, 0.0)) + tolerance * np.sqrt(repeats - count)
            squared = count * np.maximum(away - tolerance, 0.0) ** 2
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios[some] = np.where(squared > 0, squared / rest**2, 0.0).min(axis=1)
    return student_tail(ratios, len(readings) - 1)
