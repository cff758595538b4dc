"""Histories against the truth: regret, bad queries, and the two properties that the theorems rest on."""

from typing import Any, cast

import numpy as np

from warmer.analysis.intervals import Interval, clopper_pearson
from warmer.model import Array, EstimatingLearner, Runs
from warmer.model.checks import at_least, check_positive
from warmer.model.errors import ProtocolError

__all__ = [
    "bad_queries",
    "cumulative_regret",
    "estimates",
    "estimation_errors",
    "has_large_self_evaluations",
    "success_rate",
]


def cumulative_regret(runs: Runs, *, alpha: float) -> Array:
    r"""$\mathrm{Regret}(t,\alpha)$ for every $t$, runs by horizon (Section 2)."""
    return np.cumsum(alpha - runs.means, axis=1)


def bad_queries(runs: Runs, *, alpha: float, epsilon: float) -> Array:
    r"""How many queries of each run were $\epsilon$-bad: $\rho(z_t|z^*)<\alpha-\epsilon$, strictly (Section 3)."""
    level = alpha - check_positive("epsilon", epsilon)
    return np.asarray((~at_least(runs.means, level, runs.problem.slack)).sum(axis=1))


def success_rate(runs: Runs, *, alpha: float, epsilon: float, confidence: float = 0.95) -> Interval:
    r"""How often the last query was within $\epsilon$ of $\alpha$, with its Clopper-Pearson interval."""
    level = alpha - check_positive("epsilon", epsilon)
    good = at_least(runs.means[:, -1], level, runs.problem.slack)
    return clopper_pearson(int(good.sum()), good.size, confidence=confidence)


def estimates(runs: Runs) -> Array:
    """The target that stood behind each query, runs by horizon.

    In a square problem with every query allowed it is the query itself; elsewhere the learner is told its own
    history again and asked for its estimate, which only learners that have one can give. Where a query is asked
    again although the new estimate's best query is another, as by a session that asks thrice, the old estimate stands.
    """
    if runs.problem.is_square and runs.problem.is_allowed is None:
        return runs.queries
    if not hasattr(runs.learner, "estimate"):
        raise ProtocolError(
            f"{type(runs.learner).__name__} queries without a target in mind; "
            "this statistic needs LeastSquares, Optimistic or another learner with an estimate."
        )
    pairs = zip(runs.queries, runs.rewards, strict=True)
    return np.array([_replayed(cast(EstimatingLearner[Any], runs.learner), *run) for run in pairs])


def estimation_errors(runs: Runs) -> Array:
    r"""$\sum_{i<t}(\rho(z_i|z_t)-\rho(z_i|z^*))^2$ for every $t$, runs by horizon (Definition 3).

    A run has decaying estimation error with constant $C$ if no entry of its row exceeds $C$.
    """
    rho, queries, means, targets = runs.problem.rho, runs.queries, runs.means, estimates(runs)
    errors = np.empty(queries.shape)
    for run in range(queries.shape[0]):
        asked, place = np.unique(queries[run], return_inverse=True)
        truth = np.empty(asked.size)
        truth[place] = means[run]
        counts = np.zeros(asked.size)
        for t, target in enumerate(targets[run]):
            errors[run, t] = counts @ (rho[asked, target] - truth) ** 2
            counts[place[t]] += 1
    return errors


def has_large_self_evaluations(runs: Runs, *, alpha: float) -> Array:
    r"""Whether each run only asked $z_t$ with $\rho(z_t|z_t)\ge\alpha$ (Definition 2)."""
    values = runs.problem.rho[runs.queries, estimates(runs)]
    return np.asarray(at_least(values, alpha, runs.problem.slack).all(axis=1))


def _replayed(learner: EstimatingLearner[Any], queries: Array, rewards: Array) -> list[int]:
    state = learner.init(np.random.default_rng(0))
    best = learner.problem.best_queries
    targets: list[int] = []
    before = None
    for query, reward in zip(queries.tolist(), rewards.tolist(), strict=True):
        target = learner.estimate(state)
        targets.append(targets[-1] if query == before != best[target] else target)
        before = query
        state = learner.tell(state, query, reward)
    return targets
