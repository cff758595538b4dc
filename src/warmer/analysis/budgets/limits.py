"""How far from the best possible: what no method beats if a candidate is the truth, beside what learners need."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warmer.analysis.budgets.trials import Trials
from warmer.analysis.task import Task
from warmer.bounds import characteristic_time
from warmer.bounds.characteristic_times import binary_divergence
from warmer.certification.noise import Bounded, BoundedNoise, Coin, SubGaussian
from warmer.model import Array, Label, Problem
from warmer.model.errors import HypothesisError

_N_HARDEST, _N_SPREAD = 5, 15
"""How many of the hardest truths have their limits worked out, and how many others for the average."""


@dataclass(frozen=True, eq=False)
class Limits:
    """The limits of some truths, in answers, and in money where the problem has costs."""

    places: Array
    """Which truths of the trials: the hardest first, then those of the average."""
    answers: Array
    """For each of them; NaN where time ran out."""
    costs: Array | None
    average: Array
    """Which truths stand for all in an average, by their place among those of the trials."""
    is_exact: bool
    """Whether the limit holds at this delta: where each candidate has one right answer. Else only for small delta."""
    reason: str = ""
    """Why there are none, where there are none."""


@dataclass(frozen=True)
class Need:
    """What one candidate, or the average of several, takes: answers or money."""

    who: Label | None
    """None for the average."""
    n_candidates: int
    is_money: bool
    limit: float | None
    """None where it is not known."""
    means: tuple[float | None, ...]
    """What each learner needs on average; None where a run was cut off."""

    @property
    def ratio(self) -> float | None:
        """What the first learner needs over the limit."""
        return self.means[0] / self.limit if self.means[0] is not None and self.limit else None


def find_limits(problem: Problem, task: Task, trials: Trials, *, is_stopped: bool = False) -> Limits:
    r"""The limits of the hardest truths and of an evenly spread sample.

    $T^*\mathrm{kl}(\delta,1-\delta)$ answers on average where each candidate has one right answer, else
    $T^*\ln(1/\delta)$, which holds in the limit of small $\delta$. Ctrl-C, or the end of the time, ends with those
    that are worked out; where it has come already (`is_stopped`), with none.

    Examples
    --------
    >>> from warmer import goals
    >>> from warmer.analysis.budgets import simulate_candidates
    >>> table, task = Problem.from_table([[0.5, -0.5]]), Task(0.1, sigma=0.5, goal=goals.WhichTarget())
    >>> found = find_limits(table, task, simulate_candidates(table, task, runs=1))
    >>> found.answers.round(2).tolist(), found.is_exact
    ([1.32, 1.32], True)
    """
    n = len(trials.truths)
    means = trials.n_answers.mean(axis=1)
    hardest = np.argsort(-means, kind="stable")[:_N_HARDEST]
    average = np.unique(np.linspace(0, n - 1, min(n, _N_SPREAD)).round().astype(int))
    places = np.concatenate([hardest, np.setdiff1d(average, hardest)])
    answers, costs = (np.full(places.size, np.nan) for _ in range(2))
    noise = _hardest_noise(task)
    has_one_answer = task.goal.answers(problem).is_partition
    factor = binary_divergence(task.delta) if has_one_answer else math.log(1 / task.delta)
    reason = "" if noise is not None else "no limit is known for this noise"
    try:
        for k, place in enumerate(places.tolist() if noise is not None and not is_stopped else []):
            target, shared = trials.truths[place], {"goal": task.goal, "noise": noise}
            try:
                found = characteristic_time(problem, target, **shared, costs=np.ones(problem.n_queries))
            except HypothesisError as error:  # no number of answers would do
                reason = str(error)
                continue
            answers[k] = factor * found.lower
            if problem.costs is not None and (problem.costs[problem.legal_queries] > 0).all():
                costs[k] = factor * characteristic_time(problem, target, **shared).lower
    except KeyboardInterrupt:
        pass
    return Limits(places, answers, None if problem.costs is None else costs, average, has_one_answer, reason)


def needs(limits: Limits, trials: Sequence[Trials]) -> list[Need]:
    """The hardest truths and the average: what learners need beside the limit, in answers and then in money."""
    found = []
    for is_money in (False, True):
        values = limits.costs if is_money else limits.answers
        if values is None:
            continue
        known = dict(zip(limits.places.tolist(), values.tolist(), strict=True))
        counts = [each.costs if is_money else each.n_answers for each in trials]
        hardest = limits.places[: min(_N_HARDEST, len(trials[0].truths))].tolist()
        found += [_need(trials[0].truths[place], [place], is_money, known, counts) for place in hardest]
        some = [place for place in limits.average.tolist() if not math.isnan(known[place])]
        found.append(_need(None, some or list(range(len(trials[0].truths))), is_money, known, counts))
    return found


def _need(
    who: Label | None, places: list[int], is_money: bool, known: dict[int, float], counts: Sequence[Array | None]
) -> Need:
    limit = float(np.mean([known.get(place, math.nan) for place in places]))
    means = []
    for each in counts:
        is_there = each is not None and max(places) < len(each)
        mean = float(np.mean(each[places])) if each is not None and is_there else math.inf
        means.append(mean if math.isfinite(mean) else None)
    return Need(who, len(places), is_money, None if math.isnan(limit) else limit, tuple(means))


def _hardest_noise(task: Task) -> SubGaussian | Coin | None:
    """The noise of simulated answers; what is not declared makes no method faster."""
    if isinstance(task.noise, Coin) or (isinstance(task.noise, Bounded) and task.sigma is None):
        return Coin()
    if isinstance(task.noise, BoundedNoise) or task.sigma is None:
        return None
    return SubGaussian(task.sigma)
