"""Candidates that were ruled out are put aside, so that answers are weighed against the remaining ones alone.

Leaving them out of the numerator of a likelihood ratio only ever makes the evidence smaller.
"""

from dataclasses import replace

import numpy as np

from warmer.estimation import Losses, TableFit
from warmer.model import Array, Labels, Problem

__all__ = ["is_worth_it", "losses_of", "part_of", "prior_of"]

_LEAST = 1024
_SHARE = 3
_MOST = 1 << 24
"""A table of more than a thousand candidates is cut when a third of them remain, and its part fits into memory."""


def is_worth_it(problem: Problem, n_watched: int, n_possible: int) -> bool:
    """Whether it pays to go on with the remaining candidates alone."""
    return n_watched >= _LEAST and 0 < n_possible * _SHARE <= n_watched and n_possible * problem.n_queries <= _MOST


def part_of(problem: Problem, places: Array) -> Problem:
    """The table of some candidates."""
    return replace(
        problem,
        rho=np.ascontiguousarray(problem.rho[:, places]),
        targets=Labels(None, length=places.size, noun="target"),
        is_square=False,
        rational=None,
        parameters={},
    )


def losses_of(part: Problem, losses: Losses, places: Array) -> Losses:
    """The losses of some candidates."""
    return TableFit(part).resumed(losses.excess[places])


def prior_of(log_prior: Array, places: Array) -> Array:
    """The log prior of some candidates; empty, which stands for equal weights, where that of all is."""
    return log_prior[places] if log_prior.size else log_prior
