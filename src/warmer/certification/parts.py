"""Candidates that were ruled out are put aside, so that answers are weighed against the remaining ones alone.

Leaving them out of the numerator of a likelihood ratio only ever makes the evidence smaller.
"""

from dataclasses import replace

from warmer.model import Array, Labels, Problem

_LEAST = 64
_SHARE = 2
_MOST = 1 << 24
"""A table of more than a few dozen candidates is cut when half of them remain, and its part fits into memory."""


def is_worth_it(problem: Problem, n_watched: int, n_possible: int) -> bool:
    """Whether it pays to go on with the remaining candidates alone."""
    return n_watched >= _LEAST and 0 < n_possible * _SHARE <= n_watched and n_possible * problem.n_queries <= _MOST


def part_of(problem: Problem, places: Array) -> Problem:
    """The table of some candidates."""
    rho = problem.rho.take(places, axis=1)
    rho.flags.writeable = False
    return replace(
        problem,
        rho=rho,
        targets=Labels(None, length=places.size, noun="target"),
        is_square=False,
        rational=None,
        parameters={},
    )


def prior_of(log_prior: Array, places: Array) -> Array:
    """The log prior of some candidates; empty, which stands for equal weights, where that of all is."""
    return log_prior[places] if log_prior.size else log_prior
