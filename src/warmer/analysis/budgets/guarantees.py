"""How many queries are enough for a task, by three proofs."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.analysis.task import Task
from warmer.bounds import anytime_error_budget, pac_candidates, pac_repeats, paper_error_budget
from warmer.bounds.sample_sizes import every_query_answers, in_turn_answers, sharper_pac_horizon
from warmer.certification.likelihoods import FREE
from warmer.learners import PAC, LeastSquares, Optimistic, Plan
from warmer.model import Array, Problem
from warmer.model.checks import at_most
from warmer.model.time_limit import Clock


@dataclass(frozen=True)
class Guarantees:
    """Three ways to fulfil a task with the probability it asks for."""

    problem: Problem
    task: Task
    """As it is on the problem."""
    n_viable: int
    """How many targets can be the truth."""

    def theorem(self, dimension: int) -> Plan:
        r"""The coloured count of bad queries and $C=128\ln(2T|Z|/\delta)$, four times that with optimism."""
        n_targets, times = (self.problem.n_targets, 4) if self.task.alpha is None else (self.n_viable, 1)
        shared: dict[str, Any] = {"delta": self.task.delta / 2, "scale": self.problem.scale}

        def error_budget(horizon: int) -> float:
            return times * paper_error_budget(n_targets=n_targets, horizon=horizon, **shared)

        return self._plan(sigma=self.problem.scale, dimension=dimension, error_budget=error_budget)

    def anytime(self, dimension: int) -> Plan:
        """The same count, and an error budget that holds at all times and knows sigma."""
        task, problem = self.task, self.problem
        top = float(problem.self_evaluations.max()) if task.level is None else task.level
        horizon = sharper_pac_horizon(
            dimension=dimension,
            epsilon=task.epsilon,
            error_budget=self._anytime_budget(),
            reach=top - problem.reward_range[0],
            scale=problem.scale,
        )
        return self._plan(sigma=task.sigma, horizon=horizon)

    def round_robin(self) -> int:
        """No dimension: each query equally often, with the certificate or with the best mean, whichever is sooner.

        That the certificate comes in time is one event, that what it says is right another: each gets half of delta.
        """
        delta = self.task.delta / 2
        shared: dict[str, Any] = {"n_queries": int(self.problem.legal_queries.size), "sigma": self.task.sigma}
        by_means = every_query_answers(epsilon=self.task.epsilon, delta=delta, **shared)
        separation = _separation(self.problem, self.task.epsilon)
        if math.isinf(separation):
            return 0  # nobody ever objects: any candidate's best query is good enough
        kept = (1 - FREE) * delta  # so much of the evidence speaks for candidates, the rest for none of them
        return min(
            by_means, in_turn_answers(n_targets=self.problem.n_targets, separation=separation, delta=kept, **shared)
        )

    def _anytime_budget(self) -> float:
        delta, sigma = self.task.delta / 2, self.task.sigma
        if self.task.alpha is not None:
            return anytime_error_budget(n_targets=self.n_viable, delta=delta, sigma=sigma)
        return Optimistic(self.problem, delta=delta / 2, sigma=sigma).error_budget(horizon=1, delta=delta)

    def _plan(
        self,
        *,
        sigma: float,
        dimension: int | None = None,
        error_budget: Callable[[int], float] | None = None,
        horizon: int | None = None,
    ) -> Plan:
        epsilon, delta, level = self.task.epsilon, self.task.delta, self.task.level
        search = Optimistic(self.problem) if level is None else LeastSquares(self.problem, alpha=level)
        repeats = pac_repeats(epsilon=epsilon, delta=delta, n_candidates=pac_candidates(delta=delta), sigma=sigma)
        return PAC(
            search,
            epsilon=epsilon,
            delta=delta,
            dimension=dimension,
            error_budget=error_budget,
            horizon=horizon,
            n_repeats=repeats,
        ).plan


def violations(problem: Problem, viable: Array) -> Array:
    r"""The targets that value another query above their own: the paper assumes $\rho(z|z)\ge\rho(q|z)$."""
    return np.asarray(viable[~problem.valid_targets[viable]])


def _separation(problem: Problem, epsilon: float) -> float:
    """The least squared distance, over all queries, of a target from one to whose best query it objects."""
    rho = np.asarray(problem.rho[problem.legal_queries], dtype=float)
    best, least = rho.max(axis=0), math.inf
    for truth in range(problem.n_targets):
        Clock(None).check()
        gaps = best - rho[rho[:, truth].argmax()]
        objecting = np.asarray(~at_most(gaps, np.full_like(gaps, epsilon), problem.slack))
        if objecting.any():
            least = min(least, float(((rho[:, objecting] - rho[:, [truth]]) ** 2).sum(axis=0).min()))
    return least
