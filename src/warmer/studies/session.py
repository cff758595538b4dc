"""Ask and tell for people: one learner, its state, and what has happened, in the user's own labels."""

import math
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from warmer.analysis import Certificate, certify
from warmer.estimation import LossBall, Losses, TableFit, fit_of, misfit
from warmer.model import Answer, History, Label, Learner, Problem, StoppingLearner
from warmer.model.checks import check_count, check_learner, check_positive, check_probability
from warmer.model.errors import InvalidValueError, ProtocolError

__all__ = ["Session"]

_MOST_REPETITIONS = 10**15
"""More than a double can count one by one is no count of experiments."""


class Session:
    """A conversation with a learner: it says what to ask, is told what came, and knows what has been proven.

    Parameters
    ----------
    learner
        Who chooses the queries.
    seed
        Where a learner that draws lots takes them from.
    delta
        The probability with which confidence sets may be wrong, unless a call says otherwise.
    sigma
        The noise of one answer is sigma-sub-Gaussian; half the length of the reward range, which is always true, where
        nothing is declared. A smaller true value rules targets out sooner.

    A learner that keeps a confidence set of its own (`Optimistic`, `Elimination`) lends its delta and sigma where none
    are given here.

    Examples
    --------
    >>> from warmer import LeastSquares
    >>> problem = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
    >>> session = Session(LeastSquares(problem, alpha=0.7), seed=0)
    >>> session.ask()
    'right'
    >>> session.tell("right", 0.25)
    >>> session.tell("left", 0.875, count=40)
    >>> session.recommend(), session.confidence_set(delta=0.05), session.misspecified
    ('left', ['sun'], False)
    >>> bool(session.certificate(epsilon=0.1, delta=0.05))
    True
    """

    def __init__(
        self, learner: Learner[Any], *, seed: int = 0, delta: float | None = None, sigma: float | None = None
    ) -> None:
        check_learner("a session", learner)
        self.learner = learner
        own_delta = getattr(learner, "delta", None)
        own_sigma = None if own_delta is None else getattr(learner, "sigma", None)
        self.delta = check_probability("delta", delta if delta is not None else own_delta or 0.05)
        self.sigma = self.problem.sigma(own_sigma if sigma is None else sigma)
        self._rng = np.random.default_rng(check_count("seed", seed, least=0))
        self._state = learner.init(self._rng)
        self._pending: int | None = None
        self._answers: list[Answer] = []
        self._fit = fit_of(self.problem)
        self._fitted = self._fit.start()
        self._n_fitted = 0
        self._proven: int | None = None

    @property
    def problem(self) -> Any:
        """The problem or family that the learner was made for."""
        return self.learner.problem

    @property
    def history(self) -> History:
        """The answers so far, in the order they came."""
        return History(self._answers)

    @property
    def cost(self) -> float:
        """What the answers so far have cost; one a repetition where the problem declares no costs."""
        costs, position = getattr(self.problem, "costs", None), self.problem.queries.position
        return float(sum(a.count * (1.0 if costs is None else costs[position(a.query)]) for a in self._answers))

    def ask(self) -> Any:
        """The label of the query to make next; the same one until something is told."""
        if self._pending is None:
            self._pending = self.learner.ask(self._state, self._rng)
        return self.problem.queries[self._pending]

    def tell(self, query: Label, reward: float, *, count: int = 1) -> None:
        """Record a reward, or the mean of `count` rewards, for a query by label or index.

        The query need not be the one that was asked for, and may be told again. An answer that failed (None, NaN, a
        number outside the reward range) raises `InvalidValueError` and changes nothing.
        """
        position = self.problem.queries.position(query)
        label = self.problem.queries[position]
        value = self._checked(label, reward)
        check_count("count", count, most=_MOST_REPETITIONS)
        self._state = self.learner.tell(self._state, position, value, count)
        self._answers.append(Answer(len(self._answers) + 1, label, value, count))
        self._pending = self._proven = None

    @property
    def is_done(self) -> bool:
        """Whether the learner has asked enough; one that never stops by itself is never done."""
        return isinstance(self.learner, StoppingLearner) and self.learner.is_done(self._state)

    def recommend(self) -> Any:
        """What the learner settled on, if it is done; else the best query of the candidate that fits best.

        Where a certificate has just proven another query, on these same answers, it is that one.
        """
        return self.problem.queries[self._recommended()]

    def confidence_set(self, delta: float | None = None) -> list[Label]:
        """The targets still possible: it contains the truth, at all times, with probability 1-delta."""
        table = self._table()
        inside = self._ball(delta).mask(self._up_to_date())
        return [table.targets[k] for k in np.flatnonzero(inside).tolist()]

    def certificate(self, epsilon: float, delta: float | None = None) -> Certificate:
        """Whether the recommendation is within epsilon of the best with probability 1-delta, or who objects.

        If the candidates still possible object to it but all agree on another query, that one is proven, and
        recommended until something is told. Answers that reject every candidate prove nothing.
        """
        check_positive("epsilon", epsilon)
        table, ball = self._table(), self._ball(delta)
        losses: Losses = self._up_to_date()
        certificate = certify(
            table,
            losses.excess,
            limit=ball.limit(losses),
            recommended=self._recommended(),
            epsilon=epsilon,
            delta=self.delta if delta is None else delta,
        )
        if certificate and self.misspecified:
            return replace(certificate, is_proven=False, is_misspecified=True)
        self._proven = table.queries.position(certificate.query) if certificate else None
        return certificate

    @property
    def misspecified(self) -> bool:
        """Whether the answers reject every candidate, wrongly with probability at most delta over all time.

        A learner whose own confidence set has run empty is believed too, at its own delta.
        """
        if hasattr(self.learner, "is_misspecified") and self.learner.is_misspecified(self._state):
            return True
        table = self._table()
        counts, sums = np.zeros(table.n_queries), np.zeros(table.n_queries)
        for answer in self._answers:
            position = table.queries.position(answer.query)
            counts[position] += answer.count
            sums[position] += answer.count * answer.reward
        means = sums / np.maximum(counts, 1)
        evidence = misfit(table, counts, means, sigma=self.sigma)
        return bool(evidence.min() >= math.log(1 / self.delta))

    def __repr__(self) -> str:
        return f"Session({type(self.learner).__name__}, {len(self._answers)} answers)"

    def _checked(self, label: Label, reward: Any) -> float:
        low, high = self.problem.reward_range
        try:
            value = float(reward) if isinstance(reward, Real) else math.nan
        except OverflowError:
            value = math.inf
        if not low <= value <= high:
            raise InvalidValueError(
                f"the answer to {label!r} must be a number in [{low:g}, {high:g}], got {reward!r}; "
                "nothing was recorded, tell it again when it is known."
            )
        return value

    def _table(self) -> Problem:
        if not isinstance(self.problem, Problem):
            raise ProtocolError(
                f"{type(self.problem).__name__} is a continuum of targets; confidence sets, certificates and the test "
                "for misspecification need a finite table of candidates."
            )
        return self.problem

    def _up_to_date(self) -> Any:
        """The fit to all answers, brought up to date only when somebody looks."""
        for answer in self._answers[self._n_fitted :]:
            position = self.problem.queries.position(answer.query)
            self._fitted = self._fit.update(self._fitted, position, answer.reward, answer.count)
        self._n_fitted = len(self._answers)
        return self._fitted

    def _ball(self, delta: float | None) -> LossBall:
        self._table().check_certifiable(most=0.0)
        return TableFit(self._table()).anytime_ball(delta=self.delta if delta is None else delta, sigma=self.sigma)

    def _recommended(self) -> Any:
        if isinstance(self.learner, StoppingLearner) and self.learner.is_done(self._state):
            return self.learner.recommend(self._state)
        if self._proven is not None:
            return self._proven
        return self._fit.best_query(self._fit.estimate(self._up_to_date()))
