"""What happened: the answers of one session, and the arrays of many simulated runs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from warmer.model.contracts import Array, Environment, Learner
from warmer.model.errors import ProtocolError, missing_extra
from warmer.model.labels import Label

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Answer", "History", "Runs"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its place in time, the query's label, and the mean reward of `count` repetitions."""

    t: int
    query: Label
    reward: float
    count: int = 1


class History(Sequence[Answer]):
    """The answers of a session in the order they came. It holds no target.

    Examples
    --------
    >>> past = History([Answer(1, "left", 0.25), Answer(2, "right", 0.5, count=4)])
    >>> len(past), past[1].query, past.rewards.tolist(), past.counts.tolist()
    (2, 'right', [0.25, 0.5], [1, 4])
    """

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = tuple(answers)

    @property
    def queries(self) -> list[Label]:
        """The labels of the queries, in order."""
        return [answer.query for answer in self._answers]

    @property
    def rewards(self) -> Array:
        """The rewards, in order; a mean where an answer stands for several."""
        return np.array([answer.reward for answer in self._answers], dtype=float)

    @property
    def counts(self) -> Array:
        """How many repetitions each answer stands for."""
        return np.array([answer.count for answer in self._answers], dtype=int)

    def to_frame(self) -> "pd.DataFrame":
        """The history as a pandas DataFrame (needs the extra `warmer[tables]`)."""
        try:
            import pandas as pd
        except ImportError as error:
            raise missing_extra("to_frame", "tables") from error
        return pd.DataFrame([asdict(answer) for answer in self._answers], columns=[f.name for f in fields(Answer)])

    @overload
    def __getitem__(self, index: int) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> "History": ...
    def __getitem__(self, index: int | slice) -> "Answer | History":
        return History(self._answers[index]) if isinstance(index, slice) else self._answers[index]

    def __len__(self) -> int:
        return len(self._answers)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self._answers)

    def __repr__(self) -> str:
        return f"History({len(self)} answers)"


@dataclass(frozen=True, eq=False)
class Runs:
    """Simulated runs, a row a run, and the five things that made them."""

    learner: Learner[Any]
    environment: Environment
    horizon: int
    seed: int
    queries: Array
    rewards: Array

    @property
    def problem(self) -> Any:
        """The problem that was played."""
        return self.learner.problem

    @property
    def means(self) -> Array:
        """The expected reward of each query made, runs by horizon; only the keeper of a target can tell."""
        expected = getattr(self.environment, "expected", None)
        if expected is None:
            raise ProtocolError("this environment keeps no target (a plain function, say), so nobody knows the regret.")
        return np.asarray(expected(self.queries), dtype=float)

    def regret(self, alpha: float) -> Array:
        r"""$\mathrm{Regret}(T,\alpha)=\sum_t(\alpha-\rho(z_t|z^*))$ of each run (Section 2)."""
        return self.horizon * alpha - np.asarray(self.means.sum(axis=1))
