"""What a comparison of learners found: the numbers that tables print and figures draw."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from warmer.analysis.intervals import Interval, clopper_pearson, mean_interval
from warmer.analysis.proofs import Proof
from warmer.environments import TargetEnvironment
from warmer.model import Array, Problem
from warmer.model.checks import check_count, check_finite, check_positive, check_probability

__all__ = ["Band", "Comparison", "Outcome", "Rules"]


@dataclass(frozen=True)
class Rules:
    """What all learners of a comparison play by.

    Parameters
    ----------
    horizon
        Rounds in a run.
    seed
        As in `simulate`.
    epsilon
        Which queries count as bad, which last queries as good, and what a certificate must prove.
    delta
        The probability with which confidence sets may be wrong.
    alpha
        What regret is measured against, and what `LeastSquares` is told; the value of each run's own target where
        none is given.
    sigma
        The noise that learners are told of; that of the environments where none is given.
    """

    horizon: int
    seed: int
    epsilon: float
    delta: float = 0.05
    alpha: float | None = None
    sigma: float | None = None

    def __post_init__(self) -> None:
        check_count("horizon", self.horizon)
        check_count("seed", self.seed, least=0)
        check_positive("epsilon", self.epsilon)
        check_probability("delta", self.delta)
        if self.alpha is not None:
            check_finite("alpha", self.alpha)
        if self.sigma is not None:
            check_positive("sigma", self.sigma)


class Band(NamedTuple):
    """A mean over runs between its two confidence limits, at every kept round."""

    low: Array
    mean: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Outcome:
    """How one learner fared, a row or an entry for each run."""

    learner: str
    regrets: Array
    """The regret so far, runs by the comparison's `rounds`."""
    n_bad: Array
    """How many queries were epsilon-bad."""
    is_good: Array
    """Whether the last query was within epsilon of alpha."""
    proofs: tuple[Proof | None, ...]
    """The first certificate of each run, where one was granted; empty where nobody asked for any."""
    n_wrong_proofs: int
    """How many certificates named a query that falls short by more than epsilon; delta allows a few."""
    example: Array
    """The queries of the first run."""
    steps_per_second: float

    @cached_property
    def regret(self) -> Interval:
        """The mean regret at the horizon, with its 95% interval."""
        return mean_interval(self.regrets[:, -1])

    @cached_property
    def bad(self) -> Interval:
        """The mean number of epsilon-bad queries, with its 95% interval."""
        return mean_interval(self.n_bad)

    @cached_property
    def success(self) -> Interval:
        """How often the last query was good, with its 95% Clopper-Pearson interval."""
        return clopper_pearson(int(self.is_good.sum()), self.is_good.size)

    @cached_property
    def regret_band(self) -> Band:
        """The mean regret so far, with its 95% interval, at every round of the comparison's `rounds`."""
        intervals = [mean_interval(column) for column in self.regrets.T]
        return Band(*(np.array(limits) for limits in zip(*intervals, strict=True)))

    @property
    def n_proven(self) -> int:
        """In how many runs something was proven."""
        return sum(proof is not None for proof in self.proofs)

    @property
    def answers_to_proof(self) -> int | None:
        """After how many answers half of the runs were proven; None where fewer ever were."""
        counts = sorted(proof.n_answers for proof in self.proofs if proof is not None)
        half = -(-len(self.proofs) // 2)
        return counts[half - 1] if 0 < half <= len(counts) else None


@dataclass(frozen=True, eq=False)
class Comparison:
    """The outcomes of several learners, and what made them."""

    environments: tuple[TargetEnvironment, ...]
    """One a run."""
    rules: Rules
    sigma: float
    """The noise that the learners were told of."""
    rounds: Array
    """The rounds at which regret was kept, the last one among them."""
    outcomes: tuple[Outcome, ...]

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
