"""One pass over predicted classes, written as whole numbers: a row for each point, a column for each model.

`costs[prediction, column]` is the loss of a prediction for each kind of label; an empty table stands for 0 where the
prediction is the label and 1 elsewhere. `lowest[model's prediction, leader's prediction]` and `reach` bound the
difference of two losses; empty tables stand for -1 and 1 wherever the predictions differ.
"""

import numpy as np
from numba import njit

from warmer.model import Array


@njit(cache=True)
def contrast(
    codes: Array, is_open: Array, leader: int, lowest: Array, reach: Array
) -> tuple[Array, Array, Array, Array]:  # pragma: no cover
    """For each model, over the open points: how many may differ from the leader, and lowest, reach and reach^2 there.

    The lowest differences and the squares are summed, of the reach it is the greatest.
    """
    n_points, n_models = codes.shape
    counts, lows = np.zeros(n_models, np.int64), np.zeros(n_models)
    reaches, squares = np.zeros(n_models), np.zeros(n_models)
    is_plain = lowest.size == 0
    for point in range(n_points):
        if not is_open[point]:
            continue
        mine = codes[point, leader]
        if is_plain:
            for model in range(n_models):
                counts[model] += codes[point, model] != mine
            continue
        for model in range(n_models):
            other = codes[point, model]
            if reach[other, mine] > 0:
                counts[model] += 1
                lows[model] += lowest[other, mine]
                reaches[model] = max(reaches[model], reach[other, mine])
                squares[model] += reach[other, mine] ** 2
    if is_plain:
        for model in range(n_models):
            lows[model] = -counts[model]
            reaches[model] = 1.0 if counts[model] else 0.0
            squares[model] = counts[model]
    return counts, lows, reaches, squares


@njit(cache=True)
def scores(codes: Array, leader: int, weights: Array, order: Array, reach: Array) -> Array:  # pragma: no cover
    """For each point, the weight of the first model of the order that differs there from the leader; 0 if none does."""
    found = np.zeros(codes.shape[0], np.int64)
    is_plain = reach.size == 0
    for point in range(codes.shape[0]):
        mine = codes[point, leader]
        for model in order:
            other = codes[point, model]
            if other != mine and (is_plain or reach[other, mine] > 0):
                found[point] = weights[model]
                break
    return found


@njit(cache=True)
def masses(codes: Array, leader: int, scores: Array, reach: Array) -> Array:  # pragma: no cover
    """For each model, the sum of the scores of the points where it differs from the leader."""
    found = np.zeros(codes.shape[1], np.int64)
    is_plain = reach.size == 0
    for point in range(codes.shape[0]):
        score, mine = scores[point], codes[point, leader]
        if score > 0:
            for model in range(codes.shape[1]):
                other = codes[point, model]
                found[model] += score * (other != mine if is_plain else reach[other, mine] > 0)
    return found


@njit(cache=True)
def expected_losses(
    codes: Array, points: Array, weights: Array, sharpness: float, costs: Array, columns: Array
) -> tuple[Array, Array]:  # pragma: no cover
    """Sums over the points of each model's expected loss if labels are drawn from the weighted vote, and its spread.

    The chance of a class is its share of the vote to the power `sharpness`, up to a factor. columns[code] is the
    column of costs for a label, or -1 where the prediction cannot be a label. The spread is 1 - sum of squared shares.
    """
    n_models = codes.shape[1]
    totals, spreads = np.zeros(n_models), np.zeros(points.size)
    shares, chances = np.zeros(columns.size), np.zeros(columns.size)
    losses, is_seen = np.zeros(columns.size), np.zeros(columns.size, np.bool_)
    by_column = np.zeros(costs.shape[1])
    is_voter = weights > 1e-6 * weights.max()
    for place in range(points.size):
        row = codes[points[place]]
        for model in range(n_models):
            if is_voter[model]:
                shares[row[model]] += weights[model]
        mass = total = square = 0.0
        by_column[:] = 0.0
        for model in range(n_models):
            code = row[model]
            share = shares[code]
            if share > 0:
                shares[code] = 0.0
                total += share
                square += share * share
                if columns[code] >= 0:
                    chances[code] = share if sharpness == 1.0 else share**sharpness
                    mass += chances[code]
                    if by_column.size:
                        by_column[columns[code]] += chances[code]
        spreads[place] = 1.0 - square / (total * total)
        scale = 1.0 / max(mass, 1e-300)
        for model in range(n_models):
            code = row[model]
            if not is_seen[code]:
                is_seen[code] = True
                losses[code] = 1.0 - chances[code] * scale
                if by_column.size:
                    losses[code] = 0.0
                    for column in range(by_column.size):
                        losses[code] += by_column[column] * costs[code, column] * scale
            totals[model] += losses[code]
        for model in range(n_models):
            chances[row[model]] = 0.0
            is_seen[row[model]] = False
    return totals, spreads
