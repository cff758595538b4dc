"""The one place where something becomes proven: every candidate that the data leave possible accepts one answer."""

import math
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.certification.answers import Answers
from warmer.certification.certificate import Certificate
from warmer.certification.goals import Goal, preferred_queries
from warmer.certification.noise import Bounded, Process, evidence_process
from warmer.certification.weights import Weights
from warmer.model import Array, Problem, Selection
from warmer.model.checks import check_finite, check_probability
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array

__all__ = ["Certifier", "Evidence"]


class Evidence(NamedTuple):
    """The e-processes of all candidates, which of them are still possible, and the answer that is settled, if any."""

    process: Any
    possible: Array
    n_possible: int
    n_answers: int
    watched: Array
    """Objectors that are known."""
    settled: int | None


@dataclass(frozen=True, eq=False)
class Certifier:
    r"""Keeps the evidence against each candidate, and says when the goal is settled.

    A candidate is ruled out, for good, when the evidence against it reaches $1/\delta$. By Ville's inequality the
    truth is ever ruled out with probability at most $\delta$, however the queries are chosen; only the truth has to
    survive, so nothing is paid for the number of candidates. An answer that all remaining candidates accept is proven.
    When none remains, the data contradict every candidate, and nothing is proven.

    Parameters
    ----------
    problem
        The table.
    goal
        What is to be decided.
    noise
        What is declared about the noise; the reward range alone where None.
    delta
        The probability with which the truth may ever be ruled out.
    prior
        Weights of the candidates, which sharpen the evidence where they are good and never cost validity; equal ones
        where None.
    tolerance
        Every entry of the table may be wrong by this much; what the problem declares where None.

    Examples
    --------
    >>> from warmer.certification.goals import BestQuery
    >>> from warmer.certification.noise import SubGaussian
    >>> table = Problem.from_table([[1.0, 0.0], [0.0, 1.0]], queries=["a", "b"], targets=["rain", "sun"])
    >>> certifier = Certifier(table, BestQuery(0.1), noise=SubGaussian(0.5))
    >>> state = certifier.update(certifier.start(), query=0, reward=0.75)
    >>> print(certifier.certificate(state))
    not yet proven: 1 of 2 remaining candidates object to 'a'
    >>> print(certifier.certificate(certifier.update(state, query=1, reward=-0.25, count=2)))
    proven: 'a' is within 0.1 of the best query, with probability at least 0.95; all remaining candidates agree (1 left)
    """

    problem: Problem
    goal: Goal
    _: KW_ONLY
    noise: Any = None
    delta: float = 0.05
    prior: Any = None
    tolerance: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise InvalidValueError(
                f"evidence against candidates needs a finite table of them, got {type(self.problem).__name__}."
            )
        if not isinstance(self.goal, Goal) or isinstance(self.goal, type):
            raise InvalidValueError(f"goal must be a goal such as goals.BestQuery(0.05), got {self.goal!r}.")
        check_probability("delta", self.delta)
        _ = self.process, self.answers  # raise for what does not fit the table

    def start(self) -> Evidence:
        """Every candidate is possible."""
        n = self.problem.n_targets
        watched, process = self.answers.watch(), self.process.start()
        possible = np.ones(n, dtype=bool)
        settled = self._settled(self.answers, watched, possible, self.process.weights(process))
        return Evidence(process, possible, n, 0, watched, settled)

    def update(self, state: Evidence, query: int, reward: float, count: int = 1) -> Evidence:
        """One more answer, or the mean of `count` of them; it may reuse the memory of the given state."""
        process = self.process.update(state.process, query, reward, count)
        struck = self.process.rule_out(process, state.possible, -math.log(self.delta))
        settled = state.settled
        if struck:
            settled = self._settled(self.answers, state.watched, state.possible, self.process.weights(process))
        return Evidence(process, state.possible, state.n_possible - struck, state.n_answers + 1, state.watched, settled)

    def is_settled(self, state: Evidence) -> bool:
        """Whether an answer is proven."""
        return state.settled is not None and self._is_declared

    def is_misspecified(self, state: Evidence) -> bool:
        """Whether the data contradict every candidate."""
        return state.n_possible == 0

    def leader(self, state: Evidence) -> int:
        """The likeliest of the remaining candidates."""
        return self.process.weights(state.process).leader(state.possible)

    def answer(self, state: Evidence) -> int:
        """The proven answer; before, the one that the leader would give."""
        return int(self.answers.preferred[self.leader(state)]) if state.settled is None else state.settled

    def recommended_query(self, state: Evidence) -> int:
        """The answer where the goal is a query; else the best allowed query of the leader."""
        if self.answers.names is self.problem.queries:
            return self.answer(state)
        return int(preferred_queries(self.problem, np.array([self.leader(state)]))[0])

    def certificate(self, state: Evidence, goal: Goal | None = None) -> Certificate:
        """Whether the goal is decided, and if not, who objects; or the same for another goal."""
        self.check_declared()
        answers = self.answers if goal is None else goal.answers(self.problem)
        goal = self.goal if goal is None else goal
        weights, settled = self.process.weights(state.process), state.settled
        if answers is not self.answers:
            settled = self._settled(answers, answers.watch(), state.possible, weights)
        answer = int(answers.preferred[weights.leader(state.possible)]) if settled is None else settled
        objecting = np.flatnonzero(state.possible & ~answers.accepts(answer))
        remaining = np.flatnonzero(state.possible)
        name = answers.names[answer]
        targets = self.problem.targets
        return Certificate(
            answer=name if state.n_possible else None,
            is_proven=settled is not None,
            delta=self.delta,
            remaining=Selection(targets, remaining, weights.behind(remaining)),
            objectors=Selection(targets, objecting, weights.behind(objecting)),
            statement=goal.sentence(name, tolerance=self._tolerance),
        )

    def check_declared(self) -> None:
        """Raise `HypothesisError` where nobody has declared how wrong the table may be."""
        if self.tolerance is None:
            self.problem.check_certifiable()

    @cached_property
    def process(self) -> Process[Any]:
        """The e-processes of all candidates."""
        noise = Bounded() if self.noise is None else self.noise
        return evidence_process(noise, self.problem, self._log_prior, self._tolerance)

    @cached_property
    def answers(self) -> Answers:
        """The goal, read for this table."""
        return self.goal.answers(self.problem)

    @property
    def _is_declared(self) -> bool:
        return self.tolerance is not None or self.problem.tolerance is not None

    @cached_property
    def _tolerance(self) -> float:
        tolerance = self.problem.tolerance if self.tolerance is None else self.tolerance
        if tolerance is None:
            return 0.0
        if check_finite("tolerance", tolerance) < 0:
            raise InvalidValueError(f"tolerance must be at least 0, got {tolerance:g}.")
        return float(tolerance)

    @cached_property
    def _log_prior(self) -> Array:
        if self.prior is None:
            return np.empty(0)
        prior = as_array("prior", self.prior)
        if prior.shape != (self.problem.n_targets,) or (prior < 0).any() or not prior.any():
            raise InvalidValueError(
                f"prior must hold a weight of at least 0 for each of the {self.problem.n_targets} candidates, not all "
                f"0, got shape {prior.shape}."
            )
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(prior / prior.sum()))

    def _settled(self, answers: Answers, watched: Array, possible: Array, weights: Weights) -> int | None:
        if not possible.any():
            return None
        return answers.settled(watched, possible, int(answers.preferred[weights.leader(possible)]))
