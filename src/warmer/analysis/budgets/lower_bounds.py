"""What no method can beat: candidates that must be told apart, and how little one answer says about them."""

from typing import NamedTuple

import numpy as np

from warmer.analysis.task import Task
from warmer.bounds.characteristic_times import binary_divergence
from warmer.bounds.sample_sizes import (
    many_point_distance,
    many_point_lower_bound,
    two_point_divergence,
    two_point_lower_bound,
)
from warmer.model import Array, Label, Problem
from warmer.model.checks import SLACK, at_least
from warmer.model.time_limit import Clock

MOST_PAIRED = 400
"""How many candidates are paired; fewer pairs give a smaller bound, and a true one."""


class TwoTargetsBound(NamedTuple):
    """Two targets without a query that is good under both: whoever is right under both needs that many answers.

    On average, if the first is the truth, under the noisiest answers that sigma allows.
    """

    n_answers: float
    truth: Label
    rival: Label


class ManyTargetsBound(NamedTuple):
    """Many targets of which no query serves many: whoever is right under all needs that many answers.

    On average over them as the truth, so under one of them at least, and under the noisiest answers that sigma allows.
    """

    n_answers: float
    n_targets: int


def two_targets_bound(problem: Problem, task: Task, viable: Array) -> TwoTargetsBound | None:
    r"""The pair of targets that takes the most answers to tell apart; None where every two have a good query in common.

    A method that answers without asking says the same under both, and is right under one of them at most; so it asks
    with probability $1-2\delta$ at least, which is the bound where one answer may tell the two apart for certain.

    Parameters
    ----------
    problem
        The table.
    task
        A query is good under a target if it earns at least alpha - epsilon; without an alpha, the target's best less
        epsilon.
    viable
        The indices of the targets that can be the truth; of more than 400 the first 400 are paired.

    Examples
    --------
    >>> coin = Problem.from_table([[0.1, 0.0], [0.0, 0.1]], targets=["heads", "tails"])
    >>> bound = two_targets_bound(coin, Task(epsilon=0.05, sigma=0.5), np.arange(2))
    >>> round(bound.n_answers), bound.truth, bound.rival
    (132, 'heads', 'tails')
    """
    if task.delta >= 0.5:
        return None
    chosen = viable[:MOST_PAIRED]
    rho, good = _values(problem, task, chosen)
    in_common = good.T.astype(np.float32) @ good.astype(np.float32)
    worst: TwoTargetsBound | None = None
    for truth in range(chosen.size):
        Clock(None).check()
        rivals = np.flatnonzero(in_common[truth] == 0)
        least_gaps = _least_divergences(problem, task, rho[:, [truth]], rho[:, rivals])
        if rivals.size == 0 or (worst and binary_divergence(task.delta) <= worst.n_answers * least_gaps.min()):
            continue  # nobody to be told apart from, or nobody who demands more than those before
        enough = _divergences(problem, task, rho[:, [truth]], rho[:, rivals[[least_gaps.argmin()]]])
        rivals = rivals[least_gaps <= enough]  # others are farther away than this one
        gaps = _divergences(problem, task, rho[:, [truth]], rho[:, rivals])
        place = int(gaps.argmin())
        n_answers = max(1 - 2 * task.delta, two_point_lower_bound(divergence=float(gaps[place]), delta=task.delta))
        if worst is None or n_answers > worst.n_answers:
            labels = (problem.targets[int(chosen[k])] for k in (truth, rivals[place]))
            worst = TwoTargetsBound(n_answers, *labels)
    return worst


def many_targets_bound(problem: Problem, task: Task, viable: Array) -> ManyTargetsBound | None:
    """What all targets together demand, or those of them that share no good query; None where a guess may do.

    Parameters are those of `two_targets_bound`.

    Examples
    --------
    >>> needles = Problem.from_table(np.eye(50))
    >>> bound = many_targets_bound(needles, Task(epsilon=0.5, sigma=0.5), np.arange(50))
    >>> round(bound.n_answers, 1), bound.n_targets
    (22.1, 50)
    """
    chosen = viable[:MOST_PAIRED]
    rho, good = _values(problem, task, chosen)
    best: ManyTargetsBound | None = None
    for targets in (np.arange(chosen.size), _without_common_query(good)):
        if targets.size < 2:
            continue
        distance = many_point_distance(rho[:, targets], sigma=task.sigma, reward_range=problem.reward_range).max()
        guess = float(good[:, targets].mean(axis=1).max())
        if guess >= 1 - task.delta or distance == 0:
            continue
        n_answers = many_point_lower_bound(guess=guess, distance=float(distance), delta=task.delta)
        if best is None or n_answers > best.n_answers:
            best = ManyTargetsBound(n_answers, int(targets.size))
    return best


def _values(problem: Problem, task: Task, chosen: Array) -> tuple[Array, Array]:
    """What each legal query earns under each chosen target, and whether that is good."""
    rho = np.asarray(problem.rho[np.ix_(problem.legal_queries, chosen)], dtype=float)
    best = rho.max(axis=0) if task.level is None else task.level
    return rho, np.asarray(at_least(rho, best - np.full_like(rho, task.epsilon), problem.slack))


def _divergences(problem: Problem, task: Task, truth: Array, rivals: Array) -> Array:
    """What the most telling query says for the truth against each rival, from their columns of the table."""
    said = two_point_divergence(truth, rivals, sigma=task.sigma, reward_range=problem.reward_range)
    return np.asarray(said.max(axis=0))


def _least_divergences(problem: Problem, task: Task, truth: Array, rivals: Array) -> Array:
    """A lower bound on `_divergences` by Pinsker's inequality; infinite where one answer may tell the two apart."""
    (low, high), half = problem.reward_range, min(task.sigma, problem.scale)
    apart = np.abs(np.clip(rivals, low, high) - np.clip(truth, low, high)).max(axis=0)
    gap = np.minimum(apart, 2 * half) / half
    return np.where(apart <= 2 * half, (1 - SLACK) * gap**2 / 2, np.inf)


def _without_common_query(good: Array) -> Array:
    """Targets taken one by one if they have no good query in common with those taken before."""
    taken, is_used = [], np.zeros(len(good), dtype=bool)
    for target in range(good.shape[1]):
        if not (good[:, target] & is_used).any():
            taken.append(target)
            is_used |= good[:, target]
    return np.array(taken)
