"""Goals that speak of what queries and decisions are worth."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer.certification.answers import Groups, Relation
from warmer.model import Array, Labels, Problem
from warmer.model.checks import at_most, check_finite, check_positive, lowered
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array, check_scale
from warmer.model.words import by_the_table, exact, exact_sum


@dataclass(frozen=True)
class BestQuery:
    """A query within epsilon of the best allowed query.

    Examples
    --------
    >>> table = Problem.from_table([[1.0, 0.0], [0.0, 1.0], [0.75, 0.75]])
    >>> answers = BestQuery(0.25).answers(table)
    >>> answers.accepts(2).tolist(), answers.preferred.tolist()
    ([True, True], [0, 1])
    >>> BestQuery(0.25).sentence("x")
    "'x' is within 0.25 of the best query"
    """

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", float(check_scale("epsilon", self.epsilon)))

    def answers(self, problem: Problem) -> Relation:
        """Queries, accepted by the candidates that value them within epsilon of their best allowed query."""
        return Relation(
            problem.queries,
            preferred_queries(problem),
            problem.rho,
            np.asarray(lowered(problem.best_values - self.epsilon, problem.slack)),
            problem.legal_queries,
        )

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """That the query is good enough."""
        within = exact_sum(self.epsilon, tolerance, tolerance)
        return f"{answer!r} is within {within} of the best query{by_the_table(self.epsilon, tolerance)}"


@dataclass(frozen=True, eq=False)
class BestDecision:
    """A decision within epsilon of the best, where what is chosen is not what is asked.

    Parameters
    ----------
    values
        A table with a row for each decision and a column for each candidate: what the decision is worth if the
        candidate is the truth. A pandas DataFrame's index names the decisions.
    epsilon
        How far below the best is good enough.
    decisions
        Names for the rows; 0..n-1 where none are given.

    Examples
    --------
    >>> table = Problem.from_table([[0.5, -0.5]], targets=["rain", "sun"])
    >>> goal = BestDecision([[1.0, 0.25], [0.0, 0.75]], 0.125, decisions=["umbrella", "hat"])
    >>> answers = goal.answers(table)
    >>> [answers.names[k] for k in answers.preferred]
    ['umbrella', 'hat']
    """

    values: Any
    epsilon: float
    decisions: Iterable[Any] | None = None

    def __post_init__(self) -> None:
        check_positive("epsilon", self.epsilon)

    def answers(self, problem: Problem) -> Relation:
        """Decisions, accepted by the candidates that value them within epsilon of their best."""
        table = as_array("values", self.values)
        if table.ndim != 2 or table.shape[1] != problem.n_targets or not len(table):
            raise InvalidValueError(
                f"values must have a row for each decision and a column for each of the {problem.n_targets} "
                f"candidates, got shape {table.shape}."
            )
        names = getattr(self.values, "index", None) if self.decisions is None else self.decisions
        names = None if callable(names) else names  # a list's index is a method
        labels = Labels(names, length=len(table), noun="decision")
        limits = np.asarray(lowered(table.max(axis=0) - self.epsilon))
        return Relation(labels, table.argmax(axis=0), table, limits, np.arange(len(table)))

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """That the decision is good enough."""
        return f"decision {answer!r} is within {exact(float(self.epsilon))} of the best decision"


@dataclass(frozen=True)
class BestAbove:
    """Whether the best allowed query is worth more than a threshold: yes or no.

    Parameters
    ----------
    threshold
        The level to compare with.
    epsilon
        Where the best is within epsilon of the threshold, either answer is right.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 0.5, 1.0]])
    >>> answers = BestAbove(0.5, epsilon=0.25).answers(table)
    >>> answers.accepts(0).tolist(), answers.accepts(1).tolist()
    ([False, True, True], [True, True, False])
    """

    threshold: float
    epsilon: float = 0.0

    def __post_init__(self) -> None:
        check_finite("threshold", self.threshold)
        if check_finite("epsilon", self.epsilon) < 0:
            raise InvalidValueError(f"epsilon must be at least 0, got {self.epsilon:g}.")

    def answers(self, problem: Problem) -> Groups | Relation:
        """Yes (answer 0) and no (answer 1)."""
        yes, is_above, no = (
            ~np.asarray(at_most(problem.best_values, self.threshold + off, problem.slack))
            for off in (-self.epsilon, 0.0, self.epsilon)
        )
        preferred = np.where(is_above, 0, 1)
        if self.epsilon == 0:
            return Groups([True, False], preferred)
        return relation([True, False], np.stack([yes, ~no]), preferred)

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """Whether the best is above the threshold."""
        who, sign = ("some", -1) if answer else ("no", 1)
        asked = exact_sum(self.threshold, sign * self.epsilon)
        level = exact_sum(self.threshold, sign * self.epsilon, sign * tolerance)
        return f"{who} query is worth more than {level}{by_the_table(asked, tolerance)}"


def relation(names: Sequence[Any], table: Array, preferred: Array) -> Relation:
    """The relation of a boolean table."""
    return Relation(names, preferred, table.astype(np.int8), np.full(table.shape[1], 0.5), np.arange(len(table)))


def preferred_queries(problem: Problem, targets: Array | None = None) -> Array:
    """The query that stands for each candidate; the best allowed one where that values another above its own."""
    preferred = problem.best_queries if targets is None else problem.best_queries[targets]
    is_valid = problem.valid_targets if targets is None else problem.valid_targets[targets]
    wrong = np.flatnonzero(~is_valid)
    if wrong.size:
        legal = problem.legal_queries
        preferred = preferred.copy()
        columns = wrong if targets is None else targets[wrong]
        preferred[wrong] = legal[problem.rho[np.ix_(legal, columns)].argmax(axis=0)]
    return np.asarray(preferred)
