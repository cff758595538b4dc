"""The one place where something becomes proven: every candidate that the data leave possible accepts one answer."""

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warmer.certification.answers import Answers, Relation
from warmer.certification.certificate import Certificate
from warmer.certification.goals import Goal, preferred_queries
from warmer.certification.goals.goal import check_goal
from warmer.certification.goals.own import answers_of, sentence_of
from warmer.certification.memory import Batch
from warmer.certification.noise import Bounded, Process, evidence_process
from warmer.certification.parts import is_worth_it
from warmer.certification.state import Evidence, Part, Sample, Watched
from warmer.model import Array, Problem, Selection
from warmer.model.checks import check_not_negative, check_probability
from warmer.model.errors import InvalidValueError
from warmer.model.numbers import as_array

_MOST_TURNED = 1 << 25
"""Entries of a table up to which it is also kept turned round: a quarter of a gigabyte in double precision."""
_ALL = np.empty(0, dtype=np.intp)


@dataclass(frozen=True, eq=False)
class Declared:
    """What is to be decided, what is declared, and how sure a proof must be: for certifiers and learners that prove."""

    problem: Any
    goal: Goal
    _: KW_ONLY
    noise: Any = None
    delta: float = 0.05
    prior: Any = None
    tolerance: float | None = None

    @property
    def declared(self) -> dict[str, Any]:
        """All of it, for whoever keeps the evidence."""
        return {"noise": self.noise, "delta": self.delta, "prior": self.prior, "tolerance": self.tolerance}


@dataclass(frozen=True, eq=False)
class Certifier(Declared):
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

    def __post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise InvalidValueError(
                f"evidence against candidates needs a table of them in memory, got {type(self.problem).__name__}."
            )
        check_goal(self.goal)
        check_probability("delta", self.delta)
        _ = self.process, self.answers  # raise for what does not fit the table
        sentence_of(self.goal, self.answers.names[int(self.answers.preferred[0])], self.margin)

    def start(self) -> Evidence:
        """Every candidate is possible."""
        n = self.problem.n_targets
        watched, process, possible = self.answers.watch(), self.process.start(), np.ones(n, dtype=bool)
        return self.judged(Evidence(process, possible, n, 0, watched, None))

    def update(self, state: Evidence, query: int, reward: float, count: int = 1) -> Evidence:
        """One more answer, or the mean of `count` of them; it may reuse the memory of the given state."""
        return self._told(state, Batch.one(query, reward, count))

    def replay(
        self, state: Evidence, queries: Sequence[int], rewards: Sequence[float], counts: Sequence[int]
    ) -> Evidence:
        """Many answers at once, in order: the same state, bit for bit, as one `update` for each, in a compiled loop.

        The memory of the given state may be reused.

        Examples
        --------
        >>> from warmer.certification.goals import WhichTarget
        >>> certifier = Certifier(Problem.from_table([[0.0, 1.0], [0.5, 0.0]]), WhichTarget())
        >>> state = certifier.replay(certifier.start(), [0, 1] * 20, [1.0, 0.0] * 20, [1] * 40)
        >>> state.n_answers, certifier.answer(state)
        (40, 1)
        """
        told = Batch(np.array(queries, dtype=np.intp), np.array(rewards, dtype=float), np.array(counts, dtype=float))
        return self._told(state, told)

    def is_settled(self, state: Evidence) -> bool:
        """Whether an answer is proven."""
        return state.settled is not None and self.is_declared

    def is_misspecified(self, state: Evidence) -> bool:
        """Whether the data contradict every candidate."""
        return state.n_possible == 0

    def leader(self, state: Evidence) -> int:
        """The likeliest of the remaining candidates."""
        process, places, possible = self._watching(state)
        leader = process.weights(state.process).leader(possible)
        return leader if places is None else int(places[leader])

    def likely(self, state: Evidence, among: Array | None = None) -> tuple[Array, Array]:
        """The remaining candidates (of some) with noticeable weight, and their weights, which sum to 1; for
        choosing.
        """
        process, places, possible = self._watching(state)
        if among is not None:
            possible = possible & (among if places is None else among[places])
        found, weights = process.weights(state.process).likely(possible)
        return found if places is None else places[found], weights

    def sample(self, state: Evidence, rng: np.random.Generator) -> Sample:
        """The likely candidates, or a systematic sample where they are many; for choosing."""
        process, _, possible = self._watching(state)
        return self._some(state, *process.weights(state.process).drawn(possible, rng))

    def watched(self, state: Evidence) -> Watched | None:
        """Those that `sample` draws from; None where it takes more than one compiled call to draw from them."""
        process, places, possible = self._watching(state)
        weights, answers, columns = process.weights(state.process), self.answers, self._columns
        is_simple = weights.table.log_prior.size == 0 and possible[weights.best]  # so that some weight is possible
        if not is_simple or columns is None or not isinstance(answers, Relation):
            return None
        places, values = _ALL if places is None else places, answers.values
        values = columns if values is self.problem.rho else values.T
        return Watched(weights.memory.weights, possible, places, columns, answers.preferred, values, answers.limits)

    def objectors(self, state: Evidence) -> Sample:
        """The likely ones among those who object to the leader's answer, each half its share; and last the leader."""
        process, places, possible = self._watching(state)
        weights, watched = process.weights(state.process), slice(None) if places is None else places
        leader = weights.leader(possible)
        answer = int(self.answers.preferred[watched][leader])
        found, shares = weights.likely(possible & ~self.answers.accepts(answer, watched))
        return self._some(state, np.append(found, leader), np.append(shares / 2, 0.5))

    def variances(self, state: Evidence, queries: Array, means: Array) -> Array:
        """The variance of an answer to each of some queries, where these are their means; for choosing."""
        return self._watching(state)[0].variances(state.process, queries, means)

    def log_evidence(self, state: Evidence) -> Array:
        r"""The evidence against each candidate as a logarithm: at $\ln(1/\delta)$ it is ruled out.

        To be read while a candidate remains; NaN for those that were ruled out and put aside.
        """
        process, places, _ = self._watching(state)
        if places is None:
            return process.log_evidence(state.process)
        found = np.full(self.problem.n_targets, np.nan)
        found[places] = process.log_evidence(state.process)
        return found

    def answer(self, state: Evidence) -> int:
        """The proven answer; before, the one that the leader would give."""
        return int(self.answers.preferred[self.leader(state)]) if state.settled is None else state.settled

    def recommended_query(self, state: Evidence) -> int:
        """The answer where the goal is a query; else the best allowed query of the leader."""
        return self.query_for(self.answer(state), self.leader(state))

    def query_for(self, answer: int, leader: int) -> int:
        """The answer where the goal is a query; else the best allowed query of the leader."""
        if self.answers.names is self.problem.queries:
            return answer
        return int(preferred_queries(self.problem, np.array([leader]))[0])

    def certificate(self, state: Evidence, goal: Goal | None = None) -> Certificate:
        """Whether the goal is decided, and if not, who objects; or the same for another goal."""
        self.check_declared()
        answers = self.answers if goal is None else answers_of(check_goal(goal), self.problem)
        goal = self.goal if goal is None else goal
        settled = state.settled if answers is self.answers else self._settled(answers, answers.watch(), state)
        answer = int(answers.preferred[self.leader(state)]) if settled is None else settled
        objecting = np.flatnonzero(state.possible & ~answers.accepts(answer))
        remaining = np.flatnonzero(state.possible)
        name = answers.names[answer]
        targets = self.problem.targets
        return Certificate(
            answer=name if state.n_possible else None,
            is_proven=settled is not None,
            delta=self.delta,
            remaining=Selection(targets, remaining, self._behind(state, remaining)),
            objectors=Selection(targets, objecting, self._behind(state, objecting)),
            statement=sentence_of(goal, name, self.margin),
            conditions=self._conditions,
        )

    def check_declared(self) -> None:
        """Raise `HypothesisError` where nobody has declared how wrong the table may be."""
        if self.tolerance is None:
            self.problem.check_certifiable()

    @cached_property
    def process(self) -> Process[Any]:
        """The e-processes of all candidates."""
        noise = Bounded() if self.noise is None else self.noise
        return evidence_process(noise, self.problem, self._log_prior, self.margin)

    @cached_property
    def answers(self) -> Answers:
        """The goal, read for this table."""
        return answers_of(self.goal, self.problem)

    @property
    def _conditions(self) -> tuple[str, ...]:
        """What was declared that a reader of a proof must know."""
        resolution = getattr(self.noise, "resolution", None)
        return () if resolution is None else (f"readings are rounded to multiples of {resolution:g}",)

    @property
    def is_declared(self) -> bool:
        """Whether somebody has said how wrong the table may be."""
        return self.tolerance is not None or self.problem.tolerance is not None

    @cached_property
    def margin(self) -> float:
        """How wrong an entry of the table may be: what is declared, 0 where nothing is."""
        tolerance = self.problem.tolerance if self.tolerance is None else self.tolerance
        return 0.0 if tolerance is None else check_not_negative("tolerance", tolerance)

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

    def _told(self, state: Evidence, told: Batch) -> Evidence:
        n_told = 0
        while n_told < told.queries.size:
            process, _, possible = self._watching(state)
            threshold = -math.log(self.delta)
            inner, n_more, struck = process.advance(state.process, told.after(n_told), possible, threshold)
            n_told += n_more
            state = Evidence(inner, state.whole, state.n_possible - struck, state.n_answers + n_more, *state[4:])
            if struck:
                state = self._reduced(self.judged(state))
        return state

    def _watching(self, state: Evidence) -> tuple[Process[Any], Array | None, Array]:
        """The process that watches candidates, which (None for all of them), and which of these are possible."""
        return (self.process, None, state.whole) if state.part is None else state.part

    def _behind(self, state: Evidence, targets: Array) -> Array:
        """Minus the log weights of some remaining candidates, up to a constant."""
        process, places, _ = self._watching(state)
        return process.weights(state.process).behind(targets if places is None else places.searchsorted(targets))

    def judged(self, state: Evidence) -> Evidence:
        """With the answer that is settled, if any; objectors that are found are remembered."""
        settled = self._settled(self.answers, state.watched, state)
        return state if settled == state.settled else state._replace(settled=settled)

    def _settled(self, answers: Answers, watched: Array, state: Evidence) -> int | None:
        _, places, possible = self._watching(state)
        if state.n_possible == 0 or answers.settled(watched, possible, -1, places) is None:
            return None
        return answers.settled(watched, possible, int(answers.preferred[self.leader(state)]), places)

    def _reduced(self, state: Evidence) -> Evidence:
        """Watch the remaining candidates alone, where that pays."""
        process, places, possible = self._watching(state)
        if not is_worth_it(self.problem, possible.size, state.n_possible):
            return state
        remaining = np.flatnonzero(possible)
        part = process.part(state.process, remaining)
        if part is None:
            return state
        kept = remaining if places is None else places.take(remaining)
        watching = Part(part[0], kept, np.ones(kept.size, dtype=bool))
        return state._replace(process=part[1], watched=self.answers.watch(), part=watching)

    def _some(self, state: Evidence, found: Array, weights: Array) -> Sample:
        """Some of the candidates that are watched."""
        targets = found if state.part is None else state.part.places.take(found)
        if self._columns is not None:
            return Sample(targets, weights, self.answers, self._columns, targets)
        columns = np.ascontiguousarray(self.problem.rho.take(targets, axis=1).T)
        return Sample(targets, weights, self.answers, columns, np.arange(targets.size))

    @cached_property
    def _columns(self) -> Array | None:
        """The table turned round, a row for each candidate, unless it is large: a few candidates are read sooner so."""
        rho = self.problem.rho
        return np.ascontiguousarray(rho.T) if rho.size <= _MOST_TURNED else None
