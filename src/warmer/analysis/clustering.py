"""Tables with rows and columns in the order of a hierarchical clustering, so that what is alike stands together."""

from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import pdist, squareform

from warmer.analysis.neighbourhood import Neighbours
from warmer.model import Array, Label, Problem

MOST_SHOWN = 200
"""How many rows or columns are ordered; a picture of more shows nothing."""


class Clustered(NamedTuple):
    """A table, and the labels of its rows and columns, in the order of a clustering."""

    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    values: Array


def clustered_table(problem: Problem) -> Clustered | None:
    """The expected rewards, with alike queries and alike targets side by side; None where they are too many.

    Examples
    --------
    >>> weather = Problem.from_table([[0.0, 1.0, 0.125]], targets=["rain", "sun", "hail"])
    >>> clustered_table(weather).columns
    ('sun', 'hail', 'rain')
    """
    if max(problem.n_queries, problem.n_targets) > MOST_SHOWN:
        return None
    rho = np.asarray(problem.rho[:, :], dtype=float)
    rows, columns = (leaf_order(squareform(pdist(side, "chebyshev"))) for side in (rho, rho.T))
    return Clustered(
        tuple(problem.queries[k] for k in rows), tuple(problem.targets[k] for k in columns), rho[np.ix_(rows, columns)]
    )


def clustered_distances(near: Neighbours) -> Clustered | None:
    """The distances between all targets, with near ones side by side; None where they are too many, or one."""
    if not 1 < near.n_targets <= MOST_SHOWN:
        return None
    order = leaf_order(near.distances)
    labels = tuple(near.labels[k] for k in order)
    return Clustered(labels, labels, near.distances[np.ix_(order, order)])


def leaf_order(distances: Array) -> list[int]:
    """The leaves of the tree of average linkage, turned so that neighbours are as near as the tree allows.

    Examples
    --------
    >>> leaf_order(np.abs(np.subtract.outer([0, 9, 1, 8], [0, 9, 1, 8])))
    [0, 2, 3, 1]
    """
    if len(distances) < 2:
        return list(range(len(distances)))
    tree = linkage(squareform(distances, checks=False), "average", optimal_ordering=True)
    found: list[int] = leaves_list(tree).tolist()
    return found
