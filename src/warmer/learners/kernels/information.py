"""What information-directed sampling weighs: the variance that knowing the best query would explain, a ratio."""

from typing import Any

import numpy as np
from numba import njit

from warmer.certification.kernels import vectors
from warmer.model import Array


@njit(cache=True, error_model="numpy")
def spread(shares: Array, sums: Array) -> tuple[Array, Array]:  # pragma: no cover
    """For each query: its mean, and the variance over groups of its mean given the group."""
    means, variances = np.zeros(sums.shape[1]), np.zeros(sums.shape[1])
    for g in range(shares.size):
        for q in range(means.size):
            means[q] += sums[g, q]
    for g in range(shares.size):
        if shares[g] > 0.0:
            for q in range(means.size):
                difference = sums[g, q] / shares[g] - means[q]
                variances[q] += shares[g] * difference * difference
    return means, variances


@njit(cache=True)
def explained_variances(
    rho: Array, queries: Array, targets: Array, weights: Array, groups: Array, n_groups: int
) -> tuple[Array, Array]:  # pragma: no cover
    """For each query: its posterior mean, and the variance over groups of its mean given the group.

    targets are those with weight; weights and groups run parallel to them, and the weights sum to 1.
    """
    shares, sums = np.zeros(n_groups), np.zeros((n_groups, queries.size))
    for k in range(targets.size):
        shares[groups[k]] += weights[k]
    for q in range(queries.size):
        row = rho[queries[q]]
        for k in range(targets.size):
            sums[groups[k], q] += weights[k] * row[targets[k]]
    return spread(shares, sums)


@njit(cache=True)
def group_sums(
    columns: Array, rows: Array, queries: Array, weights: Array, groups: Array, n_groups: int
) -> tuple[Array, Array]:  # pragma: no cover
    """The total weight of each group, and for each group and query the weighted sum of what its members predict.

    What candidates predict are some rows of a table with a row for each.
    """
    shares, sums = np.zeros(n_groups), np.zeros((n_groups, queries.size))
    for k in range(groups.size):
        weight, ours, row = weights[k], sums[groups[k]], columns[rows[k]]
        shares[groups[k]] += weight
        if queries.size == row.size:  # all of them
            for q in range(row.size):
                ours[q] += weight * row[q]
        else:
            for q in range(queries.size):
                ours[q] += weight * row[queries[q]]
    return shares, sums


@njit(cache=True, error_model="numpy")
def normal_information(explained: Array, noise: Array) -> Array:  # pragma: no cover
    """Half the logarithm of one and the explained variance over that of the noise, for each query."""
    information = np.empty(explained.size)
    for q in range(explained.size):
        information[q] = vectors.log1p(explained[q] / noise[q]) / 2
    return information


@njit(cache=True)
def normal_gains(
    columns: Array, rows: Array, queries: Array, weights: Array, groups: Array, n_groups: int, noise: Array
) -> Array:  # pragma: no cover
    """For each query: what an answer is expected to tell about the group, where the noise has these variances."""
    shares, sums = group_sums(columns, rows, queries, weights, groups, n_groups)
    return normal_information(spread(shares, sums)[1], noise)


@njit(cache=True)
def least_ratio_pair(gaps: Array, variances: Array) -> tuple[int, int, float]:  # pragma: no cover
    """The pair i, j and the probability p of i that minimise (p gap_i + (1-p) gap_j)^2 / (p var_i + (1-p) var_j).

    Every gap and some variance must be positive. A square over a line is convex in p where the variance is positive, so
    its stationary point, if it lies between 0 and 1, is the best for the pair, and else one of the two ends is: those
    are the pairs i, i. The best over distributions is always reached on two points.
    """
    best = np.inf
    first, second, share = 0, 0, 1.0
    for i in range(gaps.size):
        for j in range(i + 1):
            rise = gaps[i] - gaps[j]
            spread = variances[i] - variances[j]
            slope = rise * spread  # 0 also where it is too small for a float
            p = 1.0
            if slope != 0.0:
                p = min(1.0, max(0.0, (spread * gaps[j] - 2.0 * rise * variances[j]) / slope))
            elif gaps[j] < gaps[i] or variances[j] > variances[i]:
                p = 0.0
            gap = p * gaps[i] + (1.0 - p) * gaps[j]
            variance = p * variances[i] + (1.0 - p) * variances[j]
            if variance > 0.0 and gap * gap / variance < best:
                best = gap * gap / variance
                first, second, share = i, j, p
    return first, second, share


@njit(cache=True)
def _entropy(p: float) -> Any:  # pragma: no cover
    """Of a coin, in nats."""
    if p <= 0.0 or p >= 1.0:
        return 0.0
    return -p * vectors.log(p) - (1.0 - p) * vectors.log(1.0 - p)


@njit(cache=True)
def coin_information(shares: Array, sums: Array, low: float, high: float) -> Array:  # pragma: no cover
    """For each query: the mutual information between the group and one toss of a coin with the query's mean."""
    information, total = np.empty(sums.shape[1]), shares.sum()
    for q in range(information.size):
        information[q] = _entropy((sums[:, q].sum() - low * total) / (high - low))
        for g in range(shares.size):
            if shares[g] > 0.0:
                information[q] -= shares[g] * _entropy((sums[g, q] / shares[g] - low) / (high - low))
    return np.maximum(information, 0.0)
