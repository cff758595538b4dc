"""What happened: the answers of one session, and the arrays of many simulated runs."""

from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np

from warmer.model.contracts import Array, Environment, Learner, TargetedEnvironment
from warmer.model.errors import InvalidValueError, ProtocolError, optional_module
from warmer.model.labels import Label

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: its place in time, the query's label, and the mean reward of `count` repetitions."""

    t: int
    query: Label
    reward: float
    count: int = 1


class History(tuple[Answer, ...]):
    """The answers of a session in the order they came. It holds no target.

    Examples
    --------
    >>> past = History([Answer(1, "left", 0.25), Answer(2, "right", 0.5, count=4)])
    >>> len(past), past[1].query, past.rewards.tolist(), past.counts.tolist()
    (2, 'right', [0.25, 0.5], [1, 4])
    """

    @property
    def queries(self) -> list[Label]:
        """The labels of the queries, in order."""
        return [answer.query for answer in self]

    @property
    def rewards(self) -> Array:
        """The rewards, in order; a mean where an answer stands for several."""
        return np.array([answer.reward for answer in self], dtype=float)

    @property
    def counts(self) -> Array:
        """How many repetitions each answer stands for."""
        return np.array([answer.count for answer in self], dtype=int)

    def to_frame(self) -> "pd.DataFrame":
        """The history as a pandas DataFrame (needs the extra `warmer[tables]`)."""
        pandas = optional_module("pandas", "to_frame", "tables")
        columns = [field.name for field in fields(Answer)]
        frame: pd.DataFrame = pandas.DataFrame([asdict(answer) for answer in self], columns=columns)
        return frame

    @overload
    def __getitem__(self, index: SupportsIndex) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> "History": ...
    def __getitem__(self, index: SupportsIndex | slice) -> "Answer | History":
        return History(super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def __repr__(self) -> str:
        return f"History({len(self)} answers)"


class NoRunError(InvalidValueError, IndexError):
    """A number beyond the last run."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Simulated runs, one row per run, and what made them; `runs[k]` is one of them, `runs[2:5]` are some.

    Run k was played with the seed and the number `first + k` alone. Where runs ended before their horizon, the rest of
    their rows holds -1 for queries (NaN where queries are vectors) and NaN for rewards.
    """

    learner: Any
    """The learner of all runs, or a tuple with one per run."""
    environment: Any
    """The environment of all runs, or a tuple with one per run."""
    horizon: int
    seed: int
    queries: Array
    rewards: Array
    first: int = 0
    recommended: tuple[Any, ...] = ()
    """What a stopping learner settled on in each run, None where it was not done; empty for other learners."""
    proven: tuple[int | None, ...] = ()
    """The answer that each run proved, by index, None where there is none; empty for learners without evidence."""
    is_interrupted: bool = False
    """Whether Ctrl-C or an error came before all runs were played; those that are here were played to their end."""
    caveats: tuple[str, ...] = ()
    """What must be known before these runs are believed, a sentence each: runs that are missing, means that no
    candidate explains."""

    @property
    def problem(self) -> Any:
        """The problem that was played."""
        return (self.learner[0] if isinstance(self.learner, tuple) else self.learner).problem

    @property
    def learners(self) -> tuple[Learner[Any], ...]:
        """The learner of each run."""
        return self.learner if isinstance(self.learner, tuple) else (self.learner,) * len(self)

    @property
    def environments(self) -> tuple[Any, ...]:
        """The environment of each run."""
        return self.environment if isinstance(self.environment, tuple) else (self.environment,) * len(self)

    @property
    def n_answers(self) -> Array:
        """The number of answers in each run: the horizon, or fewer where it ended early."""
        return np.asarray((~np.isnan(self.rewards)).sum(axis=1))

    @property
    def means(self) -> Array:
        """The expected reward of each query made, runs by rounds; NaN after the end of a run."""
        means, several, lengths = np.full(self.rewards.shape, np.nan), self.environments, self.n_answers.tolist()
        is_other = [
            a is not b or m != n for a, b, m, n in zip(several, several[1:], lengths, lengths[1:], strict=False)
        ]
        borders = [0, *(k for k, other in enumerate(is_other, 1) if other), len(self)] if len(self) else []
        for start, end in pairwise(borders):
            asked = self.queries[start:end, : lengths[start]]
            flat = asked.reshape(-1, *asked.shape[2:])
            means[start:end, : lengths[start]] = _with_target(several[start]).expected(flat).reshape(asked.shape[:2])
        return means

    @property
    def alpha_star(self) -> Array:
        r"""$\alpha^*$ of each run: the most that an allowed query earns under its target."""
        several = {id(each): each for each in self.environments}
        known = {key: _with_target(each).alpha_star for key, each in several.items()}
        return np.array([known[id(each)] for each in self.environments])

    def regret(self, alpha: float | None = None) -> Array:
        r"""$\mathrm{Regret}(T,\alpha)=\sum_t(\alpha-\rho(z_t|z^*))$ of each run (Section 2); $\alpha^*$ where None."""
        level = self.alpha_star if alpha is None else alpha
        return np.asarray(self.n_answers * level - np.nansum(self.means, axis=1))

    def __len__(self) -> int:
        return len(self.rewards)

    def __getitem__(self, run: SupportsIndex | slice) -> "Runs":
        if isinstance(run, slice):
            return self._part(self._slice(run))
        try:
            place = range(len(self))[run]
        except IndexError as error:
            raise NoRunError(f"there is no run {run!r}; there are {len(self)}, numbered from 0.") from error
        except TypeError as error:
            raise InvalidValueError(f"runs[...] takes a number or a slice of numbers, got {run!r}.") from error
        one = self._part(slice(place, place + 1))
        return replace(one, learner=self.learners[place], environment=self.environments[place])

    def _slice(self, runs: slice) -> slice:
        try:
            start, stop, step = runs.indices(len(self))
        except (TypeError, ValueError) as error:
            raise InvalidValueError(f"runs[...] takes a number or a slice of numbers, got {runs!r}.") from error
        if step != 1:
            raise InvalidValueError(
                f"runs[...] takes neighbouring runs, since the k-th was played as number first + k; got step {step}."
            )
        return slice(start, max(start, stop))

    def _part(self, part: slice) -> "Runs":
        return replace(
            self,
            learner=_those(self.learner, part),
            environment=_those(self.environment, part),
            queries=self.queries[part],
            rewards=self.rewards[part],
            first=self.first + part.start,
            recommended=self.recommended[part],
            proven=self.proven[part],
        )


def _those(each: Any, part: slice) -> Any:
    """The learners or environments of some runs; of none, one that says what was played."""
    return (each[part] or each[0]) if isinstance(each, tuple) else each


def _with_target(environment: Environment) -> TargetedEnvironment:
    if not isinstance(environment, TargetedEnvironment):
        raise ProtocolError("regret is unknown: this environment has no declared target.")
    return environment
