"""The one place where something becomes proven of a class without a table."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import KW_ONLY, dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from warmer.certification.certificate import Certificate
from warmer.certification.continuous.questions import Model, Question, Verdict
from warmer.certification.goals import Goal
from warmer.model.checks import check_probability
from warmer.model.words import certainty

__all__ = ["FamilyCertificate", "FamilyCertifier", "Known"]


class Known(NamedTuple):
    """The answers as the model remembers them, and what they prove."""

    data: Any
    n_answers: int
    verdict: Verdict
    is_refuted: bool

    @property
    def settled(self) -> Any:
        """The proven answer, None if there is none."""
        return self.verdict.settled


class Late(Sequence[Any]):
    """A sequence that is worked out when it is first looked at."""

    def __init__(self, work: Callable[[], Sequence[Any]]) -> None:
        self._work = work

    def __getitem__(self, place: Any) -> Any:
        return self._items[place]

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)

    @cached_property
    def _items(self) -> Sequence[Any]:
        return self._work()


@dataclass(frozen=True)
class FamilyCertificate(Certificate):
    """A certificate where there is no table; `remaining` and `objectors` are queries.

    The objectors are the queries that leave the answer open: those that may still be better by more than epsilon, for
    a best query. They are worked out when they are looked at, and so are the intervals.
    """

    known: Callable[[], Mapping[Any, tuple[float, float]]]

    @cached_property
    def intervals(self) -> Mapping[Any, tuple[float, float]]:
        """Where the mean of each query lies, all of them at all times; none where queries cannot be listed."""
        return self.known()

    @property
    def _is_contradicted(self) -> bool:
        return self.answer is None

    @property
    def _contradiction(self) -> str:
        return "the data contradict the whole class; check what was declared of it, and the noise"

    @property
    def _proof(self) -> str:
        return f"{self.statement}, with probability at least {certainty(self.delta)}"

    @property
    def _objection(self) -> str:
        return f"{self.answer!r} leads, and {len(self.objectors)} queries leave it open"


@dataclass(frozen=True, eq=False)
class FamilyCertifier:
    r"""Keeps what the answers say about a class without a table, and says when the goal is settled.

    It has the face of `Certifier`. What is proven is wrong with probability at most $\delta$, at whatever time one
    looks and however the queries were chosen (docs/evidence.md); for each goal on its own.

    Parameters
    ----------
    problem
        The class: K arms, or a linear one.
    model
        What it remembers and what it can prove; `certifier_for` finds it.
    goal
        What is to be decided.
    noise
        What is declared about the noise; the reward range alone where None.
    delta
        The probability with which a proof may be wrong.

    Examples
    --------
    >>> from warmer.certification import certifier_for
    >>> from warmer.certification.goals import BestQuery
    >>> from warmer.certification.noise import Coin
    >>> from warmer.families import KArms
    >>> certifier = certifier_for(KArms(2, labels=["A", "B"], reward_range=(0, 1)), BestQuery(0.1), noise=Coin())
    >>> state = certifier.update(certifier.start(), 0, 0.75, count=40)
    >>> print(certifier.certificate(state))
    not yet proven: 'A' leads, and 1 queries leave it open
    >>> print(certifier.certificate(certifier.update(state, 1, 0.25, count=40)))
    proven: 'A' is within 0.1 of the best query, with probability at least 0.95
    """

    problem: Any
    model: Model
    goal: Goal
    _: KW_ONLY
    noise: Any = None
    delta: float = 0.05

    def __post_init__(self) -> None:
        check_probability("delta", self.delta)
        _ = self.question  # raises for what does not fit the class

    @cached_property
    def question(self) -> Question:
        """The goal, read for this class."""
        return self.model.question(self.goal)

    def start(self) -> Known:
        """Nothing is known."""
        return self._judged(self.model.start(), 0)

    def update(self, state: Known, query: Any, reward: float, count: int = 1) -> Known:
        """One more answer, or the mean of `count` of them; what was proven stays proven."""
        data = self.model.update(state.data, query, reward, count)
        if state.settled is not None:
            return state._replace(data=data, n_answers=state.n_answers + 1)
        return self._judged(data, state.n_answers + 1, state.is_refuted)

    def replay(self, state: Known, queries: Sequence[Any], rewards: Sequence[float], counts: Sequence[int]) -> Known:
        """Many answers, in order."""
        for query, reward, count in zip(queries, rewards, counts, strict=True):
            state = self.update(state, query, reward, count)
        return state

    def is_settled(self, state: Known) -> bool:
        """Whether an answer is proven."""
        return state.settled is not None

    def is_misspecified(self, state: Known) -> bool:
        """Whether the data contradict the whole class."""
        return state.is_refuted

    def answer(self, state: Known) -> Any:
        """The proven answer; before, the one that looks right."""
        return state.verdict.answer

    def recommended_query(self, state: Known) -> Any:
        """The answer where the goal is a query; else the query that looks best."""
        return self.answer(state) if self.question.is_query else self.model.leader(state.data)

    def most_telling(self, state: Known, rng: np.random.Generator, pending: Sequence[Any] = ()) -> Any:
        """The query to make next; pending ones count as if their expected answers had come.

        Should these settle the goal, it asks what tells most about what is open now.
        """
        data, verdict = state.data, state.verdict
        if pending:
            data = self.model.imagined(data, pending)
            expected = self.question.judge(data)
            verdict = verdict if expected.settled is not None else expected
        return self.question.most_telling(data, verdict, rng)

    def certificate(self, state: Known, goal: Goal | None = None) -> FamilyCertificate:
        """Whether the goal is decided, and if not, which queries leave it open; or the same for another goal."""
        question = self.question if goal is None else self.model.question(goal)
        verdict = state.verdict if goal is None else question.judge(state.data)
        name, data = question.name(verdict.answer), deepcopy(state.data)
        return FamilyCertificate(
            answer=None if state.is_refuted else name,
            is_proven=verdict.settled is not None and not state.is_refuted,
            delta=self.delta,
            remaining=[] if state.is_refuted else Late(partial(self._remaining, question, data, verdict)),
            objectors=[] if verdict.settled is not None else Late(partial(self._objectors, question, data, verdict)),
            statement=(self.goal if goal is None else goal).sentence(name),
            known=partial(self.model.intervals, data),
        )

    def _remaining(self, question: Question, data: Any, verdict: Verdict) -> Sequence[Any]:
        """The query that looks best, and those that leave the answer open."""
        return [self.problem.queries[self.model.leader(data)], *self._objectors(question, data, verdict)]

    def _objectors(self, question: Question, data: Any, verdict: Verdict) -> Sequence[Any]:
        return [self.problem.queries[query] for query in question.open(data, verdict)]

    def check_declared(self) -> None:
        """Some target of the class is the truth, exactly: nothing more need be declared."""

    def _judged(self, data: Any, n_answers: int, was_refuted: bool = False) -> Known:
        is_refuted = was_refuted or self.model.is_refuted(data)
        verdict = self.question.judge(data)
        return Known(data, n_answers, verdict._replace(settled=None) if is_refuted else verdict, is_refuted)
