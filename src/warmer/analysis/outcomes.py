"""How learners fared at the same games: who lost how much, and when the answer was certified."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.analysis.run_statistics import (
    Interval,
    Proof,
    bad_queries,
    clopper_pearson,
    cumulative_regret,
    final_values,
    first_proofs,
    mean_interval,
)
from warmer.analysis.task import Task
from warmer.bounds import anytime_error_budget, paper_error_budget, regret_bound
from warmer.certification import Certifier
from warmer.environments import TargetEnvironment
from warmer.model import Array, Learner, Problem, Runs
from warmer.model.checks import SLACK, at_least


@dataclass(frozen=True, eq=False)
class Outcome:
    """How one learner fared, a row or an entry for each run."""

    learner: str
    told: tuple[str, ...]
    """What the learner was told beyond the problem: of "alpha" (the best value of each run's target), "sigma"."""
    regrets: Array
    """The regret so far, runs by the comparison's `rounds`."""
    n_bad: Array
    """How many queries were epsilon-bad."""
    is_good: Array
    """Whether what the run settled on, else its last query, was within epsilon of alpha."""
    proofs: tuple[Proof | None, ...]
    """What each run proved first, None where nothing; empty where no certificates were looked for."""
    is_wrong: Array
    """Whether the certificate gave an answer that the truth does not accept; delta allows a few."""
    example: Array
    """The queries of the first run."""
    steps_per_second: float

    @classmethod
    def of(
        cls, name: str, runs: Runs, task: Task, rounds: Array, seconds: float, certifier: Certifier | None, engine: str
    ) -> "Outcome":
        """Of all runs; where certificates are looked for, of those that had been looked at when Ctrl-C came."""
        proofs = [] if certifier is None else first_proofs(runs, certifier, engine=engine)
        n_runs = len(runs) if certifier is None else len(proofs)
        slack = runs.problem.slack if isinstance(runs.problem, Problem) else SLACK
        alpha = runs.alpha_star if task.level is None else task.level
        is_good = np.asarray(at_least(final_values(runs), alpha - np.full(len(runs), task.epsilon), slack))
        return cls(
            learner=name,
            told=_told(runs.learners[0]),
            regrets=cumulative_regret(runs, alpha=task.level)[:n_runs, rounds - 1],
            n_bad=bad_queries(runs, alpha=task.level, epsilon=task.epsilon)[:n_runs],
            is_good=is_good[:n_runs],
            proofs=tuple(proofs),
            is_wrong=np.zeros(0, dtype=bool) if certifier is None else _are_wrong(certifier, runs.environments, proofs),
            example=runs.queries[0],
            steps_per_second=runs.rewards.size / seconds,
        )

    @classmethod
    def joined(cls, parts: Sequence["Outcome"]) -> "Outcome":
        """The runs of all parts."""
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in ("regrets", "n_bad", "is_good", "is_wrong")
        }
        seconds = sum(part.is_good.size / part.steps_per_second for part in parts)
        proofs, speed = tuple(proof for part in parts for proof in part.proofs), arrays["is_good"].size / seconds
        return replace(parts[0], **arrays, proofs=proofs, steps_per_second=speed)

    @cached_property
    def regret(self) -> Interval:
        """The mean regret at the horizon, with its 95% interval."""
        return Interval(*map(float, mean_interval(self.regrets[:, -1])))

    @cached_property
    def bad(self) -> Interval:
        """The mean number of epsilon-bad queries, with its 95% interval."""
        return Interval(*map(float, mean_interval(self.n_bad)))

    @cached_property
    def success(self) -> Interval:
        """How often the answer was good, with its 95% Clopper-Pearson interval."""
        return clopper_pearson(int(self.is_good.sum()), self.is_good.size)

    @cached_property
    def regret_band(self) -> Any:
        """The mean regret so far with its 95% interval: an `Interval` of arrays, an entry for each of the `rounds`."""
        return mean_interval(self.regrets)

    @property
    def n_wrong_proofs(self) -> int:
        """How many certificates were wrong."""
        return int(self.is_wrong.sum())

    @property
    def n_proven(self) -> int:
        """In how many runs something was certified."""
        return sum(proof is not None for proof in self.proofs)

    def answers_for(self, share: float) -> int | None:
        """After how many answers this share of the runs was certified; None where fewer ever were."""
        counts = sorted(proof.n_answers for proof in self.proofs if proof is not None)
        needed = math.ceil(share * len(self.proofs))
        return counts[needed - 1] if 0 < needed <= len(counts) else None


@dataclass(frozen=True, eq=False)
class Comparison:
    """The outcomes of several learners, and what made them."""

    environments: tuple[TargetEnvironment, ...]
    """One per run."""
    task: Task
    """With the sigma that the learners were told of."""
    horizon: int
    seed: int
    rounds: Array
    """The rounds at which regret was kept, the last one among them."""
    outcomes: tuple[Outcome, ...]
    is_interrupted: bool = False
    """Whether Ctrl-C came before all learners had played all runs."""
    left_out: tuple[str, ...] = ()
    """The learners that did not play all their runs within the time limit."""

    @property
    def problem(self) -> Problem:
        """The problem that was played."""
        problem: Problem = self.environments[0].problem
        return problem

    @property
    def n_runs(self) -> int:
        """How many runs each learner played."""
        return len(self.environments)

    @property
    def ranking(self) -> list[Outcome]:
        """The outcomes, the least mean regret first."""
        return sorted(self.outcomes, key=lambda outcome: outcome.regret.estimate)

    def __getitem__(self, learner: str) -> Outcome:
        return next(outcome for outcome in self.outcomes if outcome.learner == learner)


class RegretBound(NamedTuple):
    """A bound on the regret so far, at every round of a comparison's `rounds`."""

    name: str
    values: Array


def regret_bounds(comparison: Comparison, *, dimension: int) -> list[RegretBound]:
    r"""The regret theorem for Algorithm 1 with the paper's error budget and with the anytime one, and the worst of all.

    The dimension is the monotone one at $\epsilon=1/T$ (times the scale), or more; it is no smaller at fewer rounds.
    """
    problem, task, rounds = comparison.problem, comparison.task, comparison.rounds
    shared: dict[str, Any] = {"n_targets": problem.n_targets, "delta": task.delta}
    anytime = anytime_error_budget(**shared, sigma=min(1.0, task.sigma / problem.scale))

    def bound(error_budget: Callable[[int], float]) -> Array:
        """In the theorem's units, where rewards lie in [-1, 1]."""
        budgets = ((horizon, error_budget(horizon)) for horizon in rounds.tolist())
        return problem.scale * np.array(
            [regret_bound(dimension=dimension, error_budget=budget, horizon=horizon) for horizon, budget in budgets]
        )

    top = float(problem.best_values.max()) if task.level is None else task.level
    return [
        RegretBound("theorem", bound(lambda horizon: paper_error_budget(**shared, horizon=horizon))),
        RegretBound("anytime theorem", bound(lambda horizon: anytime)),
        RegretBound("the worst query always", rounds * (top - float(problem.rho.min()))),
    ]


def _told(learner: Learner[Any]) -> tuple[str, ...]:
    parts = (learner, getattr(learner, "base", learner))
    names = {"alpha": ("alpha",), "sigma": ("sigma", "noise")}
    held = {name for part in parts for name in ("alpha", "sigma", "noise") if getattr(part, name, None) is not None}
    return tuple(told for told, among in names.items() if held.intersection(among))


def _are_wrong(
    certifier: Certifier, environments: Sequence[TargetEnvironment], proofs: Sequence[Proof | None]
) -> Array:
    """Whether the truth does not accept what was proven, for each run."""
    accepts, position = cache(certifier.answers.accepts), certifier.problem.targets.position
    return np.array(
        [
            proof is not None and not accepts(proof.answer)[position(environment.target)]
            for environment, proof in zip(environments, proofs, strict=False)
        ],
        dtype=bool,
    )
