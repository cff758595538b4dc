"""What no method can beat: candidates that must be told apart, and how little one answer says about them."""

import math
from typing import Any, NamedTuple

import numpy as np

from warmer.bounds.sample_sizes import (
    many_point_distance,
    many_point_lower_bound,
    two_point_divergence,
    two_point_lower_bound,
)
from warmer.model import Array, Label, Problem
from warmer.model.checks import at_least
from warmer.model.numbers import as_number

__all__ = ["MOST_PAIRED", "ManyTargetsBound", "TwoTargetsBound", "many_targets_bound", "two_targets_bound"]

MOST_PAIRED = 400
"""How many candidates are paired; fewer pairs give a smaller bound, and a true one."""


class TwoTargetsBound(NamedTuple):
    """Two targets without a query that is good under both: whoever is right under both needs that many answers.

    On average, if the first is the truth, under the noisiest answers that sigma allows. Below one answer nothing is
    said: who may err asks now and then only, and guesses otherwise.
    """

    n_answers: int
    truth: Label
    rival: Label


class ManyTargetsBound(NamedTuple):
    """Many targets of which no query serves many: whoever is right under all needs that many answers.

    On average over them as the truth, so under one of them at least, and under the noisiest answers that sigma allows.
    """

    n_answers: int
    n_targets: int


def two_targets_bound(
    problem: Problem, viable: Array, *, alpha: Any, epsilon: float, delta: float, sigma: float
) -> TwoTargetsBound | None:
    """The pair of targets that takes the most answers to tell apart; None if that is less than 1 answer.

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
    >>> two_targets_bound(coin, np.arange(2), alpha=None, epsilon=0.05, delta=0.05, sigma=0.5)
    TwoTargetsBound(n_answers=132, truth='heads', rival='tails')
    """
    if delta >= 0.5:
        return None
    chosen = viable[:MOST_PAIRED]
    rho, good = _values(problem, chosen, alpha, epsilon)
    in_common = good.T.astype(np.float32) @ good.astype(np.float32)
    worst: TwoTargetsBound | None = None
    for truth in range(chosen.size):
        rivals = np.flatnonzero(in_common[truth] == 0)
        if rivals.size == 0:
            continue
        said = two_point_divergence(rho[:, [truth]], rho[:, rivals], sigma=sigma, reward_range=problem.reward_range)
        gaps = said.max(axis=0)  # what the most telling query says against each rival
        place = int(gaps.argmin())
        n_answers = math.floor(two_point_lower_bound(divergence=float(gaps[place]), delta=delta))
        if n_answers > (0 if worst is None else worst.n_answers):
            labels = (problem.targets[int(chosen[k])] for k in (truth, rivals[place]))
            worst = TwoTargetsBound(n_answers, *labels)
    return worst


def many_targets_bound(
    problem: Problem, viable: Array, *, alpha: Any, epsilon: float, delta: float, sigma: float
) -> ManyTargetsBound | None:
    """What all targets together demand, or those of them that share no good query; None if that is less than 1 answer.

    Parameters
    ----------
    problem, viable, alpha, epsilon, delta, sigma
        As for `two_targets_bound`.

    Examples
    --------
    >>> needles = Problem.from_table(np.eye(50))
    >>> many_targets_bound(needles, np.arange(50), alpha=None, epsilon=0.5, delta=0.05, sigma=0.5)
    ManyTargetsBound(n_answers=22, n_targets=50)
    """
    chosen = viable[:MOST_PAIRED]
    rho, good = _values(problem, chosen, alpha, epsilon)
    best: ManyTargetsBound | None = None
    for crowd in (np.arange(chosen.size), _strangers(good)):
        if crowd.size < 2:
            continue
        distance = float(many_point_distance(rho[:, crowd], sigma=sigma, reward_range=problem.reward_range).max())
        guess = float(good[:, crowd].mean(axis=1).max())
        if guess >= 1 - delta or distance == 0:
            continue
        n_answers = math.floor(many_point_lower_bound(guess=guess, distance=distance, delta=delta))
        if n_answers > (0 if best is None else best.n_answers):
            best = ManyTargetsBound(n_answers, int(crowd.size))
    return best


def _values(problem: Problem, chosen: Array, alpha: Any, epsilon: float) -> tuple[Array, Array]:
    """What each legal query earns under each chosen target, and whether that is good."""
    rho = np.asarray(problem.rho[np.ix_(problem.legal_queries, chosen)], dtype=float)
    best = problem.self_evaluations[chosen].astype(float) if alpha is None else float(as_number("alpha", alpha))
    return rho, np.asarray(at_least(rho, best - np.full_like(rho, epsilon), problem.slack))


def _strangers(good: Array) -> Array:
    """Targets taken one by one if they have no good query in common with those taken before."""
    taken, is_used = [], np.zeros(len(good), dtype=bool)
    for target in range(good.shape[1]):
        if not (good[:, target] & is_used).any():
            taken.append(target)
            is_used |= good[:, target]
    return np.array(taken)
