"""Everything that a report says of a problem, computed in one go."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from warmer.analysis.budgets.budget import Budget, budget
from warmer.analysis.budgets.trials import MOST_TRUTHS
from warmer.analysis.comparison import compare, draw_targets
from warmer.analysis.evidence_history import EvidenceHistory, simulated_evidence
from warmer.analysis.neighbourhood import Neighbours, neighbours
from warmer.analysis.outcomes import Comparison, RegretBound, regret_bounds
from warmer.analysis.task import Task, check_table, check_task, common_alpha
from warmer.analysis.witnesses import WitnessValues, witness_values
from warmer.dimensions import Bracket, Complexity, DissimilarityWitness, Profile, complexity, dissimilarity_profile
from warmer.model import Problem
from warmer.model.checks import check_count
from warmer.model.time_limit import Clock, interruptible

LEARNERS = (
    *("top-two", "least-squares", "optimistic", "optimistic-paper", "thompson", "information-directed"),
    *("elimination", "ucb1", "uniform"),
)
"""Who plays where nobody is named."""

_LARGE_TABLE = 200_000
"""Entries above which `information-directed`, which reads the whole table at every query, plays only if named."""
_RUNS_PER_BUDGET = 15
_SHORT = 200
"""Answers of the run whose evidence is shown where the time is over."""


@dataclass(frozen=True, eq=False)
class ProblemReport:
    """A problem, its measures, its budget, how learners fare at it, and which targets are alike."""

    problem: Problem
    task: Task
    level: Any
    """The alpha of the measures: that of the task, or what every target can reach."""
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
    evidence: EvidenceHistory
    """One run of the first learner of the budget, with the hardest candidate as the truth."""

    @property
    def unreached(self) -> tuple[str, ...]:
        """What was not computed within the time limit."""
        played = (f"regret of {name}" for name in self.comparison.left_out)
        return (*played, *(f"budget: {name}" for name in self.budget.unreached))


@interruptible()
def analyse_problem(
    problem: Problem,
    task: Task,
    *,
    learners: Sequence[str] | None = None,
    runs: int = 20,
    horizon: int = 1000,
    seed: int = 0,
    time_limit: float | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> ProblemReport:
    """Compute all parts of a report.

    Learners, runs, horizon and seed are those of the comparison, nine learners where none are named; the budget has
    about 15 times as many runs. The time limit is for everything: what was not reached in its share of it is left out,
    and named. `tell` is called with the name of each part before it is computed.

    Examples
    --------
    >>> from warmer.problems import needle
    >>> task = Task(epsilon=0.5, delta=0.05, sigma=0.5)
    >>> report = analyse_problem(needle(n_arms=3), task, learners=["uniform"], runs=2, horizon=20)
    >>> report.complexity.dissimilarity.value, report.budget.trials.n_runs, len(report.neighbours.pairs)
    (3, 30, 3)
    """
    check_table("a report", problem)
    check_task("a report", task)
    problem.check_certifiable(most=0.0)  # the budget needs it, and comes last
    check_count("runs", runs)
    level = _level(problem, task)
    clock = Clock(time_limit)
    tell("profile")
    profile = dissimilarity_profile(problem, alpha=level, time_limit=clock.share(0.2))
    tell("complexity measures")
    half = clock.share(0.5)
    measures = complexity(problem, alpha=level, epsilon=task.epsilon, profile=profile, time_limit=half)
    Clock(None).check()  # Ctrl-C ended a search, and ends the rest
    tell("regret of learners")
    names = quick_learners(LEARNERS, problem) if learners is None else learners
    comparison = _played(problem, task, names, runs=runs, horizon=horizon, seed=seed, time_limit=clock.share(0.5))
    dimension, reason = _dimension_behind_regret(problem, task, profile, horizon)
    tell("budget")
    found = budget(
        problem,
        task,
        runs=max(1, _RUNS_PER_BUDGET * runs // min(MOST_TRUTHS, problem.n_targets)),
        seed=seed,
        dimension=_known_dimension(problem, task, profile, Fraction(3, 4) * task.exact_epsilon),
        time_limit=clock.share(0.8),
    )
    Clock(None).check()
    longest = found.trials.horizon if not clock.has_passed else min(_SHORT, found.trials.horizon)
    assert isinstance(measures.dissimilarity.witness, DissimilarityWitness)
    return ProblemReport(
        problem=problem,
        task=found.task,
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
        evidence=simulated_evidence(
            found.task.environment(problem, found.trials.hardest.target),
            found.trials.learner,
            found.task,
            horizon=longest,
            seed=seed,
        ),
    )


def quick_learners(names: Iterable[str], problem: Problem) -> list[str]:
    """Those of the learners that are quick enough on a table to play where nobody has named them."""
    return [name for name in names if name != "information-directed" or problem.rho.size <= _LARGE_TABLE]


def _level(problem: Problem, task: Task) -> Any:
    """The task's alpha, else the common one, else the least best value, which every target reaches."""
    known = task.on(problem).alpha
    if known is not None:
        return known
    poorest = int(problem.self_evaluations.argmin())
    return problem.entry(int(problem.best_queries[poorest]), poorest)


def _played(problem: Problem, task: Task, names: Sequence[str], *, runs: int, seed: int, **settings: Any) -> Comparison:
    told = task.on(problem)
    truths = draw_targets(problem, runs=runs, seed=seed)
    environments = [told.environment(problem, truth) for truth in truths]
    told = replace(told, epsilon=task.exact_epsilon, alpha=task.alpha)
    comparison = compare(environments, names, told, seed=seed, **settings)
    if comparison.is_interrupted:
        raise KeyboardInterrupt  # a page shows all learners or none
    return comparison


def _known_dimension(problem: Problem, task: Task, profile: Profile, epsilon: Any) -> Bracket | None:
    """The monotone dimension of the guarantees where the profile has it: at one alpha, and of the same alternatives."""
    if task.on(problem).alpha is None or (problem.is_square and problem.is_allowed is not None):
        return None
    found = profile.bracket(epsilon, monotone=True)
    return found if found.is_exact else None


def _dimension_behind_regret(problem: Problem, task: Task, profile: Profile, horizon: int) -> tuple[int, str]:
    """At one over the horizon; where alpha is not known, or time ran out, the number of alternatives will do."""
    known = _known_dimension(problem, task, profile, problem.scale / horizon)
    if known is not None:
        return known.upper, "the monotone one at one over the horizon"
    size = int(min(problem.legal_queries.size, problem.n_targets))
    if task.alpha is None and common_alpha(problem) is None:
        why = "the profile is at one alpha, while the best value differs from truth to truth"
    elif problem.is_square and problem.is_allowed is not None:
        why = "some alternatives are asked about by another query than their own"
    else:
        why = "time ran out before the profile got there"
    return size, f"no sequence is longer than there are queries and targets, and {why}"
