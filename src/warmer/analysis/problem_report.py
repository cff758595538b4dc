"""Everything that a report says of a problem, computed in one go."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.analysis.budgets.budget import Budget, budget
from warmer.analysis.ceilings import RegretBound, regret_bounds
from warmer.analysis.comparison import compare, draw_targets
from warmer.analysis.goal import Goal, common_alpha, met
from warmer.analysis.neighbourhood import Neighbours, neighbours
from warmer.analysis.outcomes import Comparison, Rules
from warmer.analysis.witnesses import WitnessValues, witness_values
from warmer.dimensions import Complexity, DissimilarityWitness, Profile, complexity, dissimilarity_profile
from warmer.environments import TruncatedGaussian
from warmer.model import Problem
from warmer.model.checks import check_count
from warmer.model.errors import ProtocolError
from warmer.model.numbers import as_number

__all__ = ["PLAYERS", "ProblemReport", "analyse_problem"]

PLAYERS = (
    "least-squares",
    "optimistic",
    "optimistic-paper",
    "thompson",
    "information-directed",
    "elimination",
    "ucb1",
    "uniform",
)
"""The learners and rivals of a report; `information-directed` only where the table is small."""

_LARGE_TABLE = 200_000
_RUNS_A_BUDGET = 50


@dataclass(frozen=True, eq=False)
class ProblemReport:
    """A problem, its measures, its budget, how learners fare at it, and which targets are alike."""

    problem: Problem
    goal: Goal
    level: Any
    """The alpha of the measures: that of the goal, or what every target can reach."""
    complexity: Complexity
    witness: WitnessValues
    """The values of a longest sequence for the dissimilarity dimension."""
    profile: Profile
    budget: Budget
    comparison: Comparison
    dimension: int
    """Behind the regret theorems: the monotone dimension at one over the horizon, or more."""
    dimension_reason: str
    """What that dimension is, and why it may be more than the profile shows."""
    regret_bounds: tuple[RegretBound, ...]
    neighbours: Neighbours


def analyse_problem(
    problem: Problem,
    goal: Goal,
    *,
    learners: Sequence[str] | None = None,
    runs: int = 20,
    horizon: int = 1000,
    seed: int = 0,
    time_limit: float | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> ProblemReport:
    """Compute all parts of a report.

    Parameters
    ----------
    problem
        The table.
    goal
        Accuracy, confidence, noise, and an alpha where one is known.
    learners
        Who plays; `PLAYERS` where None.
    runs, horizon, seed
        Of the comparison of learners; the budget has about 50 times as many runs.
    time_limit
        Seconds for measures, profile and dimensions together; simulation is not counted.
    tell
        Called with the name of each part before it is computed.

    Examples
    --------
    >>> from warmer.problems import needle
    >>> goal = Goal(epsilon=0.5, delta=0.05, sigma=0.5)
    >>> dossier = analyse_problem(needle(n_arms=3), goal, learners=["uniform"], runs=2, horizon=20)
    >>> dossier.complexity.dissimilarity.value, dossier.budget.trials.n_runs, len(dossier.neighbours.pairs)
    (3, 99, 3)
    """
    check_count("runs", runs)
    level = _level(problem, goal)
    share = None if time_limit is None else time_limit / 4
    tell("complexity measures")
    measures = complexity(
        problem, alpha=level, epsilon=goal.epsilon, time_limit=None if time_limit is None else time_limit / 2
    )
    tell("profile")
    profile = dissimilarity_profile(problem, alpha=level, time_limit=share)
    tell("regret of learners")
    comparison = _played(problem, met(problem, goal), learners, runs=runs, horizon=horizon, seed=seed)
    dimension, reason = _dimension_behind_regret(problem, goal, profile, horizon)
    tell("budget")
    n_truths = min(200, problem.n_targets)
    found = budget(problem, goal, runs=max(1, _RUNS_A_BUDGET * runs // n_truths), seed=seed, time_limit=share)
    assert isinstance(measures.dissimilarity.witness, DissimilarityWitness)
    return ProblemReport(
        problem=problem,
        goal=found.goal,
        level=level,
        complexity=measures,
        witness=witness_values(problem, measures.dissimilarity.witness),
        profile=profile,
        budget=found,
        comparison=comparison,
        dimension=dimension,
        dimension_reason=reason,
        regret_bounds=tuple(regret_bounds(comparison, dimension=dimension)),
        neighbours=neighbours(problem),
    )


def _level(problem: Problem, goal: Goal) -> Any:
    """The goal's alpha, else the common one, else the least best value, which every target reaches."""
    if goal.alpha is not None:
        return goal.alpha
    common = common_alpha(problem)
    if common is not None:
        return common
    poorest = int(problem.self_evaluations.argmin())
    return problem.entry(int(problem.best_queries[poorest]), poorest)


def _played(
    problem: Problem, goal: Goal, learners: Sequence[str] | None, *, runs: int, horizon: int, seed: int
) -> Comparison:
    names = PLAYERS if learners is None else learners
    if learners is None and problem.rho.size > _LARGE_TABLE:
        names = [name for name in names if name != "information-directed"]
    alpha = None if goal.alpha is None else float(as_number("alpha", goal.alpha))
    truths = draw_targets(problem, runs=runs, seed=seed)
    keepers = [TruncatedGaussian(problem, truth, sigma=goal.sigma) for truth in truths]
    rules = Rules(horizon=horizon, seed=seed, epsilon=goal.epsilon, delta=goal.delta, alpha=alpha, sigma=goal.sigma)
    return compare(keepers, list(names), rules)


def _dimension_behind_regret(problem: Problem, goal: Goal, profile: Profile, horizon: int) -> tuple[int, str]:
    """At one over the horizon; where alpha is not known, or time ran out, the number of alternatives will do."""
    size = int(min(problem.legal_queries.size, problem.n_targets))
    most = "no sequence is longer than there are queries and targets"
    if goal.alpha is None and common_alpha(problem) is None:
        return size, f"{most}, and the profile is at one alpha, while the best value differs from truth to truth"
    try:
        return max(1, profile(problem.scale / horizon, monotone=True)), "the monotone one at one over the horizon"
    except ProtocolError:
        return max(1, size, int(np.asarray(profile.size))), f"{most}, and time ran out before the profile got there"
