"""How many queries are enough for a goal, by three proofs."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.analysis.goal import Goal
from warmer.bounds import (
    anytime_error_budget,
    anytime_radius,
    pac_candidates,
    pac_horizon,
    pac_repeats,
    paper_error_budget,
)
from warmer.bounds.budgets import loss_ball_error_budget
from warmer.bounds.sample_sizes import every_query_answers, in_turn_answers, sharper_pac_horizon
from warmer.learners import Plan
from warmer.model import Problem
from warmer.model.checks import at_most
from warmer.model.numbers import as_number

__all__ = ["Guarantees"]


@dataclass(frozen=True)
class Guarantees:
    """The three ways to promise a goal with the probability it asks for."""

    problem: Problem
    goal: Goal
    """As `met` by the problem."""
    dimension: int
    n_viable: int

    def paper(self) -> Plan:
        r"""The printed $64d^{5/2}C/\epsilon^2$ and $C=128\ln(2T|Z|/\delta)$, four times that with optimism."""
        scale, delta = self.problem.scale, self.goal.delta / 2
        n_targets, times = (self.problem.n_targets, 4) if self.goal.alpha is None else (self.n_viable, 1)

        def error_budget(horizon: int) -> float:
            return times * paper_error_budget(n_targets=n_targets, horizon=horizon, delta=delta, scale=scale)

        horizon = pac_horizon(
            dimension=self.dimension, epsilon=self.goal.epsilon, error_budget=error_budget, scale=scale
        )
        return self._plan(horizon, sigma=scale)

    def sharper(self) -> Plan:
        """The repaired count of bad queries, and an error budget that holds at all times and knows sigma."""
        low, top = self.problem.reward_range[0], float(self.problem.self_evaluations.max())
        level = top if self.goal.alpha is None else float(as_number("alpha", self.goal.alpha))
        horizon = sharper_pac_horizon(
            dimension=self.dimension,
            epsilon=self.goal.epsilon,
            error_budget=self._anytime_budget(self.goal.delta / 2),
            reach=level - low,
            scale=self.problem.scale,
        )
        return self._plan(horizon, sigma=self.goal.sigma)

    def in_turn(self) -> int:
        """No dimension: each query equally often, with the certificate or with the best mean, whichever is sooner.

        That the certificate comes in time is one event, that what it says is right another: each gets half of delta.
        """
        shared: dict[str, Any] = {
            "n_queries": int(self.problem.legal_queries.size),
            "delta": self.goal.delta / 2,
            "sigma": self.goal.sigma,
        }
        by_means = every_query_answers(epsilon=self.goal.epsilon, **shared)
        separation = _separation(self.problem, self.goal.epsilon)
        if math.isinf(separation):
            return 0  # nobody ever objects: any candidate's best query is good enough
        return min(by_means, in_turn_answers(n_targets=self.problem.n_targets, separation=separation, **shared))

    def _anytime_budget(self, delta: float) -> float:
        if self.goal.alpha is not None:
            return anytime_error_budget(n_targets=self.n_viable, delta=delta, sigma=self.goal.sigma)
        n_targets = self.problem.n_targets
        radius = anytime_radius(n_targets=n_targets, delta=delta / 2, sigma=self.goal.sigma)
        return loss_ball_error_budget(n_targets=n_targets, radius=radius, delta=delta / 2, sigma=self.goal.sigma)

    def _plan(self, horizon: int, *, sigma: float) -> Plan:
        epsilon, delta = self.goal.epsilon, self.goal.delta
        n_candidates = pac_candidates(delta=delta)
        return Plan(
            horizon, n_candidates, pac_repeats(epsilon=epsilon, delta=delta, n_candidates=n_candidates, sigma=sigma)
        )


def _separation(problem: Problem, epsilon: float) -> float:
    """The least squared distance, over all queries, of a target from one to whose best query it objects."""
    rho = np.asarray(problem.rho[problem.legal_queries], dtype=float)
    least = math.inf
    for truth in range(problem.n_targets):
        gaps = problem.self_evaluations - problem.rho[problem.best_queries[truth]]
        objecting = np.asarray(~at_most(gaps, epsilon, problem.slack))
        if objecting.any():
            least = min(least, float(((rho[:, objecting] - rho[:, [truth]]) ** 2).sum(axis=0).min()))
    return least
