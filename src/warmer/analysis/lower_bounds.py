"""What no method can beat: two candidates that must be told apart, and how little one answer says about them."""

import math
from typing import Any, NamedTuple

import numpy as np

from warmer.bounds import two_point_divergence, two_point_lower_bound
from warmer.dimensions import as_number
from warmer.model import Array, Label, Problem, at_least

__all__ = ["Dilemma", "hardest_dilemma"]

_MOST_TARGETS = 400
"""How many candidates are paired; fewer pairs give a smaller bound, and a true one."""


class Dilemma(NamedTuple):
    """Two targets without a query that is good under both: whoever is right under both needs that many answers.

    On average, if the first is the truth, under the noisiest answers that sigma allows. (One answer where even a single
    one can tell them apart: without any, nobody is right under both.)
    """

    n_answers: int
    truth: Label
    rival: Label


def hardest_dilemma(
    problem: Problem, viable: Array, *, alpha: Any, epsilon: float, delta: float, sigma: float
) -> Dilemma | None:
    """The pair of targets that takes the most answers to tell apart; None where every two have a good query in common.

    Parameters
    ----------
    problem
        The table.
    viable
        The indices of the targets that can be the truth; of more than 400 the first 400 are paired.
    alpha
        A query is good under a target if it earns at least alpha - epsilon; with None, its own best less epsilon.
    epsilon, delta, sigma
        The accuracy, the probability of missing it, and the noise.

    Examples
    --------
    >>> coin = Problem.from_table([[0.1, 0.0], [0.0, 0.1]], targets=["heads", "tails"])
    >>> hardest_dilemma(coin, np.arange(2), alpha=None, epsilon=0.05, delta=0.05, sigma=0.5)
    Dilemma(n_answers=132, truth='heads', rival='tails')
    """
    if delta >= 0.5:
        return None
    chosen = viable[:_MOST_TARGETS]
    rho = np.asarray(problem.rho[np.ix_(problem.legal_queries, chosen)], dtype=float)
    best = problem.self_evaluations[chosen].astype(float) if alpha is None else float(as_number("alpha", alpha))
    good = at_least(rho, best - np.full_like(rho, epsilon), problem.slack)
    in_common = good.T.astype(np.float32) @ good.astype(np.float32)
    worst: Dilemma | None = None
    for truth in range(chosen.size):
        rivals = np.flatnonzero(in_common[truth] == 0)
        if rivals.size == 0:
            continue
        said = two_point_divergence(rho[:, [truth]], rho[:, rivals], sigma=sigma, reward_range=problem.reward_range)
        gaps = said.max(axis=0)  # what the most telling query says against each rival
        place = int(gaps.argmin())
        n_answers = max(1, math.floor(two_point_lower_bound(divergence=float(gaps[place]), delta=delta)))
        if worst is None or n_answers > worst.n_answers:
            labels = (problem.targets[int(chosen[k])] for k in (truth, rivals[place]))
            worst = Dilemma(n_answers, *labels)
    return worst
