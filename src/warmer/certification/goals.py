r"""What counts as an answer: for every candidate, which answers would be right if it were the truth.

What can be asked and what is to be decided need not be the same things. A goal of your own is a boolean table
(`Accepts`), or a class with the two methods of `Goal`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from warmer.certification.answers import Answers, Groups, Intervals, Relation
from warmer.model import Array, Labels, Problem
from warmer.model.checks import at_most, check_finite, check_positive, lowered
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array, check_scale

__all__ = ["Accepts", "BestAbove", "BestDecision", "BestQuery", "Goal", "ValueOf", "WhichGroup", "WhichTarget"]


@runtime_checkable
class Goal(Protocol):
    """What is to be decided."""

    def answers(self, problem: Problem) -> Answers:
        """The possible answers for a table, and who accepts which."""
        ...

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """What it means that an answer is right, if the table's entries are right up to a tolerance."""
        ...


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
        return f"{answer!r} is within {self.epsilon + 2 * tolerance:g} of the best query"


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
        return f"decision {answer!r} is within {self.epsilon:g} of the best decision"


@dataclass(frozen=True)
class WhichTarget:
    """The true candidate itself.

    Examples
    --------
    >>> WhichTarget().sentence("rain")
    "the true candidate is 'rain'"
    """

    def answers(self, problem: Problem) -> Groups:
        """Every candidate accepts itself alone."""
        return Groups(problem.targets, np.arange(problem.n_targets))

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """Which candidate is the truth."""
        return f"the true candidate is {answer!r}"


@dataclass(frozen=True, eq=False)
class WhichGroup:
    """The group (mechanism, family, "safe" or "unsafe") of the true candidate.

    Parameters
    ----------
    groups
        A name for each candidate, in table order or as a mapping from labels; or the name of one of the problem's
        parameters.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 0.5, 1.0]], targets=["a", "b", "c"])
    >>> answers = WhichGroup({"a": "safe", "b": "safe", "c": "unsafe"}).answers(table)
    >>> answers.names, answers.preferred.tolist()
    (['safe', 'unsafe'], [0, 0, 1])
    """

    groups: Any

    def answers(self, problem: Problem) -> Groups:
        """The groups in the order of their first members."""
        names = _for_each_target(problem, self.groups, "groups")
        places: dict[Any, int] = {}
        codes = np.array([places.setdefault(name, len(places)) for name in names])
        return Groups(list(places), codes)

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """Which group the truth is in."""
        return f"the true candidate belongs to {answer!r}"


@dataclass(frozen=True, eq=False)
class ValueOf:
    """A number known of every candidate (a parameter, a best reward), up to a tolerance.

    Parameters
    ----------
    values
        A number for each candidate, in table order or as a mapping from labels; or the name of one of the problem's
        parameters.
    tolerance
        The answer is an interval of twice this length.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 0.5, 1.0]])
    >>> answers = ValueOf([1.0, 1.5, 9.0], tolerance=0.5).answers(table)
    >>> answers.names[0], answers.accepts(0).tolist()
    ((1.0, 2.0), [True, True, False])
    """

    values: Any
    tolerance: float

    def __post_init__(self) -> None:
        check_positive("tolerance", self.tolerance)

    def answers(self, problem: Problem) -> Intervals:
        """Intervals, accepted by the candidates whose value lies inside."""
        values = as_array("values", list(_for_each_target(problem, self.values, "values")))
        slack = 1e-9 * float(max(1.0, np.abs(values).max()))
        return Intervals(values, np.unique(values), 2 * float(self.tolerance), slack)

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """Where the value lies."""
        name = self.values if isinstance(self.values, str) else "the value"
        return f"{name} lies in [{answer[0]:g}, {answer[1]:g}]"


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
        return _relation([True, False], np.stack([yes, ~no]), preferred)

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """Whether the best is above the threshold."""
        off = self.epsilon + tolerance
        if answer:
            return f"some query is worth more than {self.threshold - off:g}"
        return f"no query is worth more than {self.threshold + off:g}"


@dataclass(frozen=True, eq=False)
class Accepts:
    """A relation of your own: which candidates accept which answers.

    Parameters
    ----------
    table
        Booleans, a row for each answer and a column for each candidate. Every candidate accepts at least one answer;
        the first of them is the one it would give.
    names
        What to call the rows; 0..n-1 where none are given.

    Examples
    --------
    >>> table = Problem.from_table([[0.0, 0.5, 1.0]])
    >>> goal = Accepts([[True, True, False], [False, True, True]], names=["low", "high"])
    >>> goal.answers(table).preferred.tolist()
    [0, 0, 1]
    """

    table: npt.ArrayLike
    names: Iterable[Any] | None = None

    def answers(self, problem: Problem) -> Relation:
        """The rows of the table."""
        table = np.asarray(self.table)
        if table.dtype != np.bool_ or table.ndim != 2 or table.shape[1] != problem.n_targets:
            raise InvalidValueError(
                f"accepts must be booleans with a row for each answer and a column for each of the {problem.n_targets} "
                f"candidates, got an array of {table.dtype} with shape {table.shape}."
            )
        lost = np.flatnonzero(~table.any(axis=0))
        if lost.size:
            raise InvalidValueError(
                f"candidate {problem.targets[lost[0]]!r} accepts no answer; add one that it accepts."
            )
        labels = Labels(self.names, length=len(table), noun="answer")
        return _relation(labels, table, table.argmax(axis=0))

    def sentence(self, answer: Any, *, tolerance: float = 0.0) -> str:
        """That the answer is right."""
        return f"the answer is {answer!r}"


def _relation(names: Sequence[Any], table: Array, preferred: Array) -> Relation:
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


def _for_each_target(problem: Problem, values: Any, noun: str) -> list[Any]:
    """One value for each candidate, from a sequence, a mapping by label, or the name of a parameter."""
    if isinstance(values, str):
        parameters = getattr(problem, "parameters", None) or {}
        if values not in parameters:
            known = ", ".join(map(repr, parameters)) or "none"
            raise InvalidValueError(f"the problem has no parameter {values!r}; it has {known}.")
        return list(parameters[values])
    if isinstance(values, Mapping):
        missing = next((label for label in problem.targets if label not in values), None)
        if missing is not None:
            raise InvalidValueError(f"{noun} must name every candidate; {missing!r} is missing.")
        return [values[label] for label in problem.targets]
    listed = [value.item() if isinstance(value, np.generic) else value for value in values]
    if len(listed) != problem.n_targets:
        raise InvalidValueError(
            f"{noun} must hold one entry for each of the {problem.n_targets} candidates, got {len(listed)}."
        )
    return listed
