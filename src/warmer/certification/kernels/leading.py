"""Which answer leads among some candidates, and who is to be told apart: those who accept it, and the others."""

import numpy as np
from numba import njit

from warmer.model import Array

_MOST_COUNTED = 1024
"""Whole numbers that lie within so many are ranked without sorting."""


@njit(cache=True)
def apart_by_values(
    preferred: Array, values: Array, limits: Array, targets: Array, weights: Array, n_most: int
) -> tuple[Array, int]:  # pragma: no cover
    """Some candidates in groups as `leading_group` has them, where each accepts what it values at least at its limit.

    Values have a row for each candidate.
    """
    numbers, likeliest = likeliest_choices(preferred[targets], weights, n_most)
    accepted = np.empty((likeliest.size, targets.size), np.bool_)
    for k in range(targets.size):
        ours, limit = values[targets[k]], limits[targets[k]]
        for a in range(likeliest.size):
            accepted[a, k] = ours[likeliest[a]] >= limit
    return leading_group(accepted, numbers, weights, 0.0)


@njit(cache=True)
def apart_by_groups(preferred: Array, weights: Array) -> tuple[Array, int]:  # pragma: no cover
    """The same where each accepts what it prefers alone: the heaviest choice leads."""
    numbers, likeliest = likeliest_choices(preferred, weights, 1)
    return leading_group((preferred == likeliest[0]).reshape(1, -1), numbers, weights, 0.0)


@njit(cache=True)
def leading_group(
    accepted: Array, numbers: Array, weights: Array, least_lead: float
) -> tuple[Array, int]:  # pragma: no cover
    """Group 0 of those who accept the leading answer, the one with the largest weight behind it; the others by their
    own numbers, counted from 1. And how many groups that makes at most. All by their numbers while less weight than
    `least_lead` is behind it.

    A row of `accepted` for each answer that may lead, a column for each candidate.
    """
    lead, most = 0, -1.0
    for a in range(len(accepted)):
        mass = 0.0
        for k in range(weights.size):
            mass += weights[k] if accepted[a, k] else 0.0
        if mass > most:
            lead, most = a, mass
    if most < least_lead:
        return numbers, numbers.max() + 1
    groups, n = np.zeros(weights.size, dtype=np.int64), 1
    for k in range(weights.size):
        if not accepted[lead, k]:
            groups[k] = numbers[k] + 1
            n = max(n, groups[k] + 1)
    return groups, n


@njit(cache=True)
def likeliest_choices(preferred: Array, weights: Array, n_most: int) -> tuple[Array, Array]:  # pragma: no cover
    """The answers that candidates would give, numbered from 0 in their order; and those of the largest total weight,
    the heaviest first, at most so many.
    """
    numbers, choices = _numbered(preferred)
    masses = np.zeros(choices.size)
    for k in range(numbers.size):
        masses[numbers[k]] += weights[k]
    heaviest = np.empty(min(n_most, choices.size), dtype=preferred.dtype)
    for k in range(heaviest.size):
        best = masses.argmax()
        heaviest[k] = choices[best]
        masses[best] = -1.0
    return numbers, heaviest


@njit(cache=True)
def _numbered(values: Array) -> tuple[Array, Array]:  # pragma: no cover
    """For each of some whole numbers, none negative, its rank among those that differ; and these, in order."""
    numbers, choices, n = np.empty(values.size, np.int64), values.copy(), 0
    lowest = values.min()
    span = values.max() - lowest + 1
    if span > _MOST_COUNTED:
        order = np.argsort(values)
        for k in range(order.size):
            if k > 0 and values[order[k]] != choices[n]:
                n += 1
            choices[n] = values[order[k]]
            numbers[order[k]] = n
        return numbers, choices[: n + 1]
    ranks = np.full(span, -1)
    for k in range(values.size):
        ranks[values[k] - lowest] = 0
    for value in range(span):
        if ranks[value] == 0:
            ranks[value] = n
            choices[n] = value + lowest
            n += 1
    for k in range(values.size):
        numbers[k] = ranks[values[k] - lowest]
    return numbers, choices[:n]
