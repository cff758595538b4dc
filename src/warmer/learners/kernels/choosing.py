"""What an answer to each query is expected to tell, from the weights of all candidates in one call."""

import numpy as np
from numba import njit

from warmer.certification.kernels.evidence import draw
from warmer.certification.kernels.leading import apart_by_values
from warmer.certification.weights import MOST_LIKELY, N_DRAWN
from warmer.learners.kernels.information import normal_gains
from warmer.model import Array


@njit(cache=True)
def expected_gains(
    weights: Array,
    possible: Array,
    places: Array,
    columns: Array,
    preferred: Array,
    values: Array,
    limits: Array,
    queries: Array,
    noise: Array,
    n_most: int,
    start: float,
) -> Array:  # pragma: no cover
    """For each query: what an answer is expected to tell about who accepts the leading answer; an empty array where all
    drawn candidates accept it. The first arguments are those of `certification.state.Watched`; the noise has these
    variances.
    """
    found, shares = draw(weights, possible, MOST_LIKELY, N_DRAWN, start)
    targets = places[found] if places.size else found
    groups, n_groups = apart_by_values(preferred, values, limits, targets, shares, n_most)
    if n_groups == 1:
        return np.empty(0)
    return normal_gains(columns, targets, queries, shares, groups, n_groups, noise)
