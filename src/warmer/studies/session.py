"""Ask and tell for people: one learner, its state, and what has happened, in the user's own labels."""

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from warmer.certification import Certificate, Goal, certifier_for
from warmer.certification.goals import WhichTarget
from warmer.certification.noise import Noise
from warmer.estimation import fit_of
from warmer.families.continuous import ContinuousFamily
from warmer.learners import TopTwo
from warmer.model import Answer, BatchLearner, History, Label, Learner, Problem, RoundLearner, StoppingLearner
from warmer.model.checks import check_count, check_learner
from warmer.model.contracts import CertifyingLearner
from warmer.model.errors import InvalidValueError, ProtocolError

__all__ = ["Session"]

_MOST_REPETITIONS = 10**15
"""More than a double can count one by one is no count of experiments."""


class Session:
    """A conversation: it says what to ask, is told what came, and knows what has been proven.

    Parameters
    ----------
    problem
        The table of candidates, or a class of them; `TopTwo` then chooses the queries. Or a learner of your choice.
    goal
        What is to be decided. A learner that proves brings its own.
    noise
        What is declared about the noise; the reward range alone where None. What a learner believes about the noise is
        no declaration.
    delta
        The probability with which anything said to be proven or ruled out may be wrong, over all time.
    prior
        Weights of the candidates.
    tolerance
        How wrong the table's entries may be; what the problem declares where None.
    seed
        Where a learner that draws lots takes them from.

    Examples
    --------
    >>> from warmer import goals, noise
    >>> problem = Problem.from_table([[0.1, 0.9], [0.7, 0.3]], queries=["left", "right"], targets=["rain", "sun"])
    >>> session = Session(problem, goal=goals.BestQuery(0.1), noise=noise.SubGaussian(0.5))
    >>> session.ask()
    'left'
    >>> session.tell("left", 0.875, count=4)
    >>> session.recommend(), session.remaining, session.is_misspecified
    ('left', ['sun'], False)
    >>> session.certificate().statement
    "'left' is within 0.1 of the best query"
    """

    def __init__(
        self,
        problem: Problem | ContinuousFamily | Learner[Any],
        *,
        goal: Goal | None = None,
        noise: Any = None,
        delta: float | None = None,
        prior: Any = None,
        tolerance: float | None = None,
        seed: int = 0,
    ) -> None:
        self._seed = check_count("seed", seed, least=0)
        declared = {"noise": noise, "prior": prior, "tolerance": tolerance}
        self.learner = _learner_for(problem, goal, delta=delta, **declared)
        self._has_goal = goal is not None or isinstance(self.learner, CertifyingLearner)
        self._certifier = self._made_certifier(goal, delta, declared)
        self._state = self.learner.init(self._chance(0))
        self._n_asks = 0
        self._pending: list[Any] = []
        self._answers: list[Answer] = []
        self._cost = 0.0
        self._own: Any = None
        self._fit: Any = None
        if self._certifier is None:
            self._fit = fit_of(self.problem)
            self._own = self._fit.start()
        elif not self._is_shared:
            self._own = self._certifier.start()

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
        """What the answers so far have cost; 1 per repetition where the problem declares no costs."""
        return self._cost

    @property
    def pending(self) -> list[Any]:
        """The queries that were asked for and not yet answered, the oldest first."""
        return [self.problem.queries[query] for query in self._pending]

    def ask(self, n: int | None = None) -> Any:
        """The label of the query to make next; a list of n labels where a number is given.

        Each call asks for more: queries that are under way count as if their expected answers had come. A learner whose
        guarantee counts rounds (`PAC`) has one query at a time, and repeats it until it is answered.
        """
        if n is None:
            return self.problem.queries[self._asked()]
        if check_count("n", n) > 1 and self._counts_rounds:
            raise ProtocolError(
                f"{type(self.learner).__name__} counts rounds, so it asks one query at a time; ask() without a number."
            )
        return [self.problem.queries[self._asked()] for _ in range(n)]

    def tell(self, query: Label, reward: float, *, count: int = 1) -> None:
        """Record a reward, or the mean of `count` rewards, for a query by label or index.

        The query need not be one that was asked for, unless the learner's guarantee counts rounds. An answer that
        failed (None, NaN, a number outside the reward range) raises `InvalidValueError` and changes nothing.
        """
        position = self.problem.queries.position(query)
        label = self.problem.queries[position]
        check_count("count", count, most=_MOST_REPETITIONS)
        value = self.check_answer(label, reward, count)
        place = next((k for k, asked in enumerate(self._pending) if np.array_equal(asked, position)), None)
        if place is None and self._counts_rounds:
            raise ProtocolError(
                f"{type(self.learner).__name__} counts rounds, so it learns only from answers to its own questions, "
                f"and {label!r} was not asked for; ask() first. TopTwo learns from any data."
            )
        self._state = self.learner.tell(self._state, position, value, count)
        if self._certifier is None:
            self._own = self._fit.update(self._own, position, value, count)
        elif not self._is_shared:
            self._own = self._certifier.update(self._own, position, value, count)
        self._answers.append(Answer(len(self._answers) + 1, label, value, count))
        costs = getattr(self.problem, "costs", None)
        self._cost += count * (1.0 if costs is None else float(costs[position]))
        if place is not None:
            del self._pending[place]

    def check_answer(self, query: Label, reward: Any, count: int = 1) -> float:
        """The reward as a number, or `InvalidValueError` where it cannot be an answer to this query."""
        position = self.problem.queries.position(query)
        label = self.problem.queries[position]
        low, high = self.problem.reward_range
        try:
            value = float(reward) if isinstance(reward, Real) else math.nan
        except OverflowError:
            value = math.inf
        noise = None if self._certifier is None else self._certifier.noise
        if math.isfinite(value) and isinstance(noise, Noise):
            noise.check(self.problem, position, value, count)
        elif not low <= value <= high:
            raise InvalidValueError(
                f"the answer to {label!r} must be a number in [{low:g}, {high:g}], got {reward!r}; "
                "nothing was recorded, tell it again when it is known."
            )
        return value

    @property
    def is_done(self) -> bool:
        """Whether the learner has asked enough; one that never stops by itself is never done."""
        return isinstance(self.learner, StoppingLearner) and self.learner.is_done(self._state)

    def recommend(self) -> Any:
        """The query to settle on: the learner's, if it is done; else the best of the likeliest remaining candidate."""
        return self.problem.queries[self._recommended()]

    @property
    def remaining(self) -> Sequence[Label]:
        """The candidates still possible: they include the truth, at all times, with probability 1-delta."""
        if not isinstance(self.problem, Problem):
            raise ProtocolError(
                f"{type(self.problem).__name__} has infinitely many targets; certificate().intervals says what is "
                "known of each query."
            )
        self._certifier_or_error().check_declared()
        table = self.problem
        return [table.targets[k] for k in np.flatnonzero(self._evidence.possible).tolist()]

    @property
    def is_misspecified(self) -> bool:
        """Whether the data contradict every candidate, wrongly with probability at most delta over all time."""
        return bool(self._certifier_or_error().is_misspecified(self._evidence))

    def certificate(self, goal: Goal | None = None) -> Certificate:
        """Whether the goal, or another one, is proven; and if not, which remaining candidates object."""
        certifier = self._certifier_or_error()
        if goal is None and not self._has_goal:
            raise ProtocolError(
                "say what is to be decided: Session(..., goal=goals.BestQuery(0.05)), or certificate(goal)."
            )
        certificate: Certificate = certifier.certificate(self._evidence, goal)
        return certificate

    def __repr__(self) -> str:
        return f"Session({type(self.learner).__name__}, {len(self._answers)} answers)"

    def _asked(self) -> Any:
        if self._counts_rounds and self._pending:
            return self._pending[0]
        rng = self._chance(1, self._n_asks)
        if self._pending and isinstance(self.learner, BatchLearner):
            query = self.learner.ask_beside(self._state, rng, tuple(self._pending))
        else:
            query = self.learner.ask(self._state, rng)
        self._n_asks += 1
        self._pending.append(query)
        return query

    def _chance(self, *key: int) -> np.random.Generator:
        """Ask number n always draws the same lots, whatever came before: a replay needs the answers alone."""
        return np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=key))

    @property
    def _counts_rounds(self) -> bool:
        return isinstance(self.learner, RoundLearner) and self.learner.counts_rounds

    @property
    def _is_shared(self) -> bool:
        """Whether the learner itself keeps the evidence that this session goes by."""
        return isinstance(self.learner, CertifyingLearner) and self.learner.certifier is self._certifier

    @property
    def _evidence(self) -> Any:
        if isinstance(self.learner, CertifyingLearner) and self._is_shared:
            return self.learner.evidence(self._state)
        return self._own

    def _made_certifier(self, goal: Goal | None, delta: float | None, declared: dict[str, Any]) -> Any:
        """The learner's own where nothing else is declared; none for a class without a table and without a goal."""
        is_new = goal is not None or delta is not None or any(value is not None for value in declared.values())
        if isinstance(self.learner, CertifyingLearner) and (not is_new or self.learner.certifier.goal is goal):
            return self.learner.certifier
        if goal is None and not isinstance(self.problem, Problem):
            return None
        return certifier_for(
            self.problem, WhichTarget() if goal is None else goal, delta=0.05 if delta is None else delta, **declared
        )

    def _certifier_or_error(self) -> Any:
        if self._certifier is None:
            raise ProtocolError(
                f"{type(self.problem).__name__} has infinitely many targets; say what is to be decided: "
                "Session(..., goal=goals.BestQuery(0.05))."
            )
        return self._certifier

    def _recommended(self) -> Any:
        if isinstance(self.learner, StoppingLearner) and self.learner.is_done(self._state):
            return self.learner.recommend(self._state)
        if self._certifier is None:
            return self.problem.best_query(self._fit.estimate(self._own))
        return self._certifier.recommended_query(self._evidence)


def _learner_for(problem: Any, goal: Goal | None, *, delta: float | None, **declared: Any) -> Learner[Any]:
    if not isinstance(problem, Problem | ContinuousFamily):
        check_learner("a session", problem)
        learner: Learner[Any] = problem
        return learner
    if goal is None:
        raise InvalidValueError(
            "a session with a problem needs to know what is to be decided: goal=goals.BestQuery(0.05)."
        )
    return TopTwo(problem, goal, delta=0.05 if delta is None else delta, **declared)
