r"""How many queries will it take? What theorems guarantee, what simulation shows, and what no method beats."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from warmer.analysis.budgets.beside import Beside
from warmer.analysis.budgets.guarantees import Guarantees, violations
from warmer.analysis.budgets.limits import Limits, Need, find_limits, needs
from warmer.analysis.budgets.lower_bounds import (
    ManyTargetsBound,
    TwoTargetsBound,
    many_targets_bound,
    two_targets_bound,
)
from warmer.analysis.budgets.searching import DimensionSearch, search_dimension
from warmer.analysis.budgets.trials import MOST_TRUTHS, Progress, Trials, simulate_candidates, warm_up
from warmer.analysis.task import Task, check_table, check_task
from warmer.certification.noise import Bounded, Coin, SubGaussian
from warmer.dimensions import Bracket
from warmer.learners import Plan
from warmer.model import Array, Label, Problem
from warmer.model.checks import at_least, check_names
from warmer.model.errors import InvalidValueError
from warmer.model.time_limit import Clock, ending_at, interruptible

LEARNERS = ("top-two", "elimination", "uniform")
"""Who is simulated where nobody is named; the first is compared with the limit."""

_SEARCHING, _SIMULATING = 0.2, 0.7
"""Parts of a time limit: for the search for the dimension, and of the rest for the simulation."""


@dataclass(frozen=True, eq=False)
class Budget:
    """Numbers of queries for one task, side by side."""

    problem: Problem
    task: Task
    """As it is on the problem, with the common alpha where there is one."""
    declared_sigma: float | None
    """The sub-Gaussian deviation, if one was declared; more than half the reward range counts as half of it."""
    violations: tuple[Label, ...]
    """The candidates that value another query above their own; where there are any, no theorem applies."""
    dimension: Bracket | None
    r"""$\bar d_\rho(Z,\alpha,\frac34\epsilon)$ of the theorems; None where they do not apply to this goal or noise."""
    theorem: Plan | None
    """Algorithm 2 with the paper's error budget; None where the theorem does not apply."""
    anytime: Plan | None
    """Algorithm 2 with a smaller error budget, which holds at all times and knows sigma."""
    round_robin: int | None
    """Every query in turn until the certificate comes, or so often that the best mean is good enough anyway.

    The certificate at half of delta: with the rest it may be late. None for other goals than a good query."""
    simulated: tuple[Trials, ...]
    """Simulated runs of each learner, stopped by the certificate."""
    limits: Limits
    """What no method beats if a candidate is the truth."""
    hardest: TwoTargetsBound | ManyTargetsBound | None
    """The two or the many candidates that demand the most answers to be told apart; None where no bound is known."""
    unreached: tuple[str, ...] = ()
    """What was not computed within the time limit, or before Ctrl-C: learners, "round robin", "lower bound"."""

    @property
    def trials(self) -> Trials:
        """The runs of the first learner."""
        return self.simulated[0]

    @property
    def needs(self) -> list[Need]:
        """What the hardest candidates and the average take, beside the limit."""
        return needs(self.limits, self.simulated)

    @property
    def lower_bound(self) -> float | None:
        """What no method can beat on average; None where no bound is known."""
        return None if self.hardest is None else self.hardest.n_answers

    @property
    def algorithm(self) -> str:
        """Which search the two theorems speak of."""
        return "Algorithm 1" if self.task.alpha is not None else "Algorithm 3"


def budget(
    problem: Problem,
    task: Task,
    *,
    learners: Sequence[str] = LEARNERS,
    runs: int = 3,
    truths: int = MOST_TRUTHS,
    horizon: int = 10_000,
    seed: int = 0,
    dimension: Bracket | None = None,
    time_limit: float | None = None,
    search_time: float | None = None,
    jobs: int | None = None,
    engine: str = "cpu",
    progress: Progress | None = None,
) -> Budget:
    """Say how many queries a task takes: by theorems, by simulation, and what no method beats.

    Where all targets' best queries earn the same, that is alpha. With an alpha the theorems speak of `LeastSquares`
    inside Algorithm 2; without one of `Optimistic`, and the dimension is the largest at any value the truth can have.
    Ctrl-C ends with the candidates that have been simulated; before the first of them it ends everything.

    Parameters
    ----------
    problem
        The table, declared exact: no row holds for one that may be wrong.
    task
        What is asked for.
    learners, runs, truths, seed
        Who asks in the simulation, how often each candidate is the truth, how many candidates are (a sample where there
        are more), and where chance comes from. The first learner is compared with the limit.
    horizon
        When a simulated run gives up.
    dimension
        The bracket of the dimension, where it is known already; searched for where None.
    time_limit
        Seconds for everything. The theorems take the upper end of what the search has proven by its share of them; a
        learner is judged by the candidates that were simulated in its share; what was not reached is `unreached`.
    search_time
        Seconds after which the search for the dimension ends as soon as everything else has; it goes on beside the
        simulation. Where None, it ends by itself, or, before the simulation, at its share of the time limit.
    jobs, engine
        As for `simulate`.
    progress
        Called now and then with the number of simulated runs since the last call.

    Examples
    --------
    >>> from warmer.problems import needle
    >>> found = budget(needle(n_arms=4), Task(epsilon=0.5, delta=0.05, sigma=0.5), runs=2)
    >>> found.theorem.n_queries, found.anytime.n_queries, found.round_robin, found.trials.quantile(0.5)
    (399965, 13001, 32, 4)
    >>> [(need.who, round(need.limit, 1)) for need in found.needs][-1]
    (None, 1.3)
    """
    check_table("a budget", problem)
    check_task("a budget", task)
    check_names("learners", learners, "top-two")
    problem.check_certifiable(most=0.0)
    clock = Clock(time_limit)
    declared_sigma = float(task.noise.sigmas(problem).max()) if isinstance(task.noise, SubGaussian) else None
    task = task.on(problem)
    viable = _viable(problem, task)
    proven = replace(task, epsilon=task.exact_epsilon, sigma=task.declared_sigma(problem))
    has_theorems = task.is_best_query and proven.sigma is not None
    broken = violations(problem, viable) if has_theorems else viable[:0]
    where: dict[str, Any] = {"jobs": jobs, "engine": engine, "progress": progress}
    settings: dict[str, Any] = {"runs": runs, "truths": truths, "horizon": horizon, "seed": seed, **where}
    unreached: list[str] = []
    level: Any = {"alpha": task.alpha, "epsilon": Fraction(3, 4) * task.exact_epsilon}
    is_searched = dimension is None and has_theorems
    is_beside = is_searched and (time_limit is None or search_time is not None)
    searching = DimensionSearch(problem, **level, at_least=search_time) if is_beside else nullcontext()
    with interruptible(), searching as search, ExitStack() as beside:  # one Ctrl-C ends the search and the simulation
        if time_limit is not None:
            with clock.loading():
                warm_up(problem, task, learners, horizon=horizon, engine=engine)
        if is_searched and not is_beside:
            dimension = search_dimension(problem, Clock(clock.share(_SEARCHING)), **level)
        guarantees = Guarantees(problem, proven, int(viable.size)) if has_theorems else None
        bounded = replace(proven, epsilon=task.exact_epsilon, sigma=task.sigma or proven.sigma)
        has_bounds = task.is_best_query and isinstance(task.noise, SubGaussian | Bounded | Coin)

        def bounds(*ends: Clock) -> tuple[Any, Any, list[str]]:
            late: list[str] = []
            with ending_at(clock, *ends):
                found = _in_time(
                    late, "lower bound", lambda: _hardest(problem, bounded, viable) if has_bounds else None
                )
                return found, _in_time(late, "round robin", lambda: guarantees and guarantees.round_robin()), late

        def limits_of(first: Trials, *ends: Clock, is_stopped: bool = False) -> Limits:
            with ending_at(clock, *ends):
                return find_limits(problem, task, first, is_stopped=is_stopped)

        on_gpu = beside.enter_context(Beside(bounds)) if engine == "cuda" else None  # which leaves the cores to others
        limits_beside: list[Beside[Limits]] = []

        def look(first: Trials) -> None:
            if on_gpu is not None:
                limits_beside.append(beside.enter_context(Beside(lambda end: limits_of(first, end))))

        settings |= {"candidates": viable, "look": look}
        time = Clock(clock.share(_SIMULATING))
        simulated, is_stopped = _simulated(problem, task, learners, time, unreached, **settings)
        if on_gpu is None:
            hardest, round_robin, late = bounds()
            limits = limits_of(simulated[0], is_stopped=is_stopped)
        else:
            hardest, round_robin, late = on_gpu.wait(lambda: (None, None, ["lower bound", "round robin"]))
            limits = limits_beside[0].wait(lambda: limits_of(simulated[0], is_stopped=True))
        unreached += late
        dimension = search.wait() if search is not None else dimension
    theorem = anytime = None
    if guarantees is not None and dimension is not None and not broken.size:
        theorem, anytime = guarantees.theorem(dimension.upper), guarantees.anytime(dimension.upper)
    return Budget(
        problem=problem,
        task=task,
        declared_sigma=declared_sigma,
        violations=tuple(problem.targets[int(target)] for target in broken),
        dimension=dimension if has_theorems else None,
        theorem=theorem,
        anytime=anytime,
        round_robin=round_robin,
        simulated=simulated,
        limits=limits,
        hardest=hardest,
        unreached=tuple(unreached),
    )


def _hardest(problem: Problem, task: Task, viable: Array) -> TwoTargetsBound | ManyTargetsBound | None:
    bounds = two_targets_bound(problem, task, viable), many_targets_bound(problem, task, viable)
    return max([each for each in bounds if each is not None], key=lambda bound: bound.n_answers, default=None)


def _in_time(unreached: list[str], name: str, compute: Callable[[], Any]) -> Any:
    """What it computes; None, and its name among the unreached, where the time is over or Ctrl-C came."""
    try:
        return compute()
    except KeyboardInterrupt:
        unreached.append(name)
        return None


def _simulated(
    problem: Problem,
    task: Task,
    learners: Sequence[str],
    clock: Clock,
    unreached: list[str],
    *,
    look: Callable[[Trials], None],
    **settings: Any,
) -> tuple[tuple[Trials, ...], bool]:
    """The trials of each learner, in equal shares of the time; those that are there after Ctrl-C, and if it came.

    `look` is shown the first as soon as they are there.
    """
    if not learners:
        raise InvalidValueError("a budget needs at least one learner to simulate.")
    found: list[Trials] = []
    is_stopped = False
    names = list(dict.fromkeys(learners))
    for k, learner in enumerate(names):
        mine, is_first = Clock(clock.share(1 / (len(names) - k))), not found
        try:
            found.append(simulate_candidates(problem, task, learner=learner, time_limit=mine.time_limit, **settings))
        except KeyboardInterrupt:
            if not mine.has_passed and not found:
                raise
            unreached.append(learner)
        if is_first and found:
            look(found[0])
        is_stopped = not mine.has_passed and (learner in unreached or found[-1].is_interrupted)
        if is_stopped:
            found[-1] = replace(found[-1], is_interrupted=True)
            unreached += names[k + 1 :]
            break
    if not found:
        raise InvalidValueError(
            f"the runs of not even one candidate ended within the time limit; raise it, lower --runs or --horizon, or "
            f"name a faster learner than {', '.join(names)}."
        )
    return tuple(found), is_stopped


def _viable(problem: Problem, task: Task) -> Array:
    """The targets that can be the truth: all, or those that reach a given alpha."""
    if task.level is None:
        return np.arange(problem.n_targets)
    values = problem.self_evaluations
    viable = np.flatnonzero(at_least(values, task.level, problem.slack))
    if viable.size == 0:
        raise InvalidValueError(
            f"alpha must be reached by some target's own best query; the best is {values.max():g}, got {task.level:g}."
        )
    return viable
