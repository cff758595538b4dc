"""The certifier of a table in shards; when few candidates remain, that of a table in memory goes on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from warmer.certification import kernels
from warmer.certification.bets import Bets
from warmer.certification.certificate import Certificate
from warmer.certification.certifier import Certifier, Declared
from warmer.certification.goals import BestAbove, BestQuery, Goal, WhichTarget
from warmer.certification.memory import cut_for
from warmer.certification.noise import Bounded, evidence_process
from warmer.certification.parts import MOST, PartOfTable, is_worth_it
from warmer.certification.sharded import part as on_shards
from warmer.certification.sharded.sampling import drawn
from warmer.certification.sharded.steps import advance, log_numerator, start, step_of
from warmer.certification.state import Evidence, Part, Sample, Watched
from warmer.certification.weights import MOST_LIKELY, N_DRAWN
from warmer.estimation.table_fit import first_least
from warmer.model import Array, Selection
from warmer.model.errors import InvalidValueError
from warmer.model.sharded import Pieces, ShardedProblem


class Few(NamedTuple):
    """The remaining candidates once they fit into memory: their numbers, and their own certifier and evidence."""

    places: Array
    certifier: Certifier
    evidence: Evidence


class ShardedEvidence(NamedTuple):
    """What a process remembers beside its arrays, the candidates of each shard, and the answer that is settled."""

    process: Any
    parts: Pieces
    n_possible: int
    n_answers: int
    settled: int | None
    few: Few | None = None


@dataclass(frozen=True, eq=False)
class ShardedCertifier(Declared):
    """Keeps the evidence against each candidate of a table in shards: what `Certifier` does, and the same parameters.

    It agrees with that of the whole table up to the rounding of sums over candidates, which are taken shard by shard.

    Examples
    --------
    >>> import dask.array as da
    >>> from warmer import goals, noise
    >>> table = da.from_array(np.array([[1.0, 0.0], [0.0, 1.0]]), chunks=(2, 1))
    >>> problem = ShardedProblem.from_dask(table, queries=["a", "b"])
    >>> certifier = ShardedCertifier(problem, goals.BestQuery(0.1), noise=noise.SubGaussian(0.5))
    >>> state = certifier.update(certifier.start(), query=0, reward=0.75)
    >>> print(certifier.certificate(state))
    not yet proven: 1 of 2 remaining candidates object to 'a'
    """

    problem: ShardedProblem

    def __post_init__(self) -> None:
        _check_goal(self.goal)
        if self.prior is not None:
            raise InvalidValueError("a table in shards takes no prior: all its candidates weigh the same.")
        _ = self._frame, self.process  # raise for what does not fit the table

    def start(self) -> ShardedEvidence:
        """Every candidate is possible."""
        parts = self.problem.shards.map(on_shards.start, self._answers, isinstance(self.process, Bets))
        numbers = start(self.process, self.problem)
        return self._judged(ShardedEvidence(numbers, parts, self.problem.n_targets, 0, None))

    def update(self, state: ShardedEvidence, query: int, reward: float, count: int = 1) -> ShardedEvidence:
        """One more answer, or the mean of `count` of them; it may reuse the memory of the given state."""
        if state.few is not None:
            few = state.few.certifier.update(state.few.evidence, query, reward, count)
            return self._with(state, state.few._replace(evidence=few))
        told = int(query), float(reward), float(count)
        threshold = -math.log(self.delta)
        numbers, parts, struck = advance(self.process, self.problem, state.process, state.parts, told, threshold)
        state = ShardedEvidence(numbers, parts, state.n_possible - struck, state.n_answers + 1, state.settled)
        return self._reduced(self._judged(state)) if struck else state

    def replay(
        self, state: ShardedEvidence, queries: Sequence[int], rewards: Sequence[float], counts: Sequence[int]
    ) -> ShardedEvidence:
        """Many answers, in order: one `update` for each."""
        for told in zip(queries, rewards, counts, strict=True):
            state = self.update(state, *told)
        return state

    def is_settled(self, state: ShardedEvidence) -> bool:
        """Whether an answer is proven."""
        return state.settled is not None and self._frame.is_declared

    def is_misspecified(self, state: ShardedEvidence) -> bool:
        """Whether the data contradict every candidate."""
        return state.n_possible == 0

    def leader(self, state: ShardedEvidence) -> int:
        """The likeliest of the remaining candidates; of all where none remains."""
        if state.few is not None:
            return int(state.few.places[state.few.certifier.leader(state.few.evidence)])
        return first_least(state.parts.each(on_shards.leading, state.n_possible == 0), self.problem.firsts)[1]

    def sample(self, state: ShardedEvidence, rng: np.random.Generator) -> Sample:
        """The likely candidates, or a systematic sample where they are many; for choosing."""
        if state.few is not None:
            return state.few.certifier.sample(state.few.evidence, rng)
        places, shares = drawn(state.parts, self.problem.firsts, rng.random())
        if places.size == 0:  # the heaviest of all was ruled out
            places, weights = self._likely(state, None)
            everyone = np.ones(places.size, dtype=bool)
            picked, shares = kernels.evidence.draw(weights, everyone, MOST_LIKELY, N_DRAWN, rng.random())
            places = places[picked]
        return self._some(places, shares)

    def watched(self, state: ShardedEvidence) -> Watched | None:
        """Those that `sample` draws from; None while they are in shards."""
        return None if state.few is None else state.few.certifier.watched(state.few.evidence)

    def objectors(self, state: ShardedEvidence) -> Sample:
        """The likely ones among those who object to the leader's answer, each half its share; and last the leader."""
        if state.few is not None:
            return state.few.certifier.objectors(state.few.evidence)
        leader = self.leader(state)
        found, shares = self._likely(state, self._preferred(self.goal, leader))
        return self._some(np.append(found, leader), np.append(shares / 2, 0.5))

    def variances(self, state: ShardedEvidence, queries: Array, means: Array) -> Array:
        """The variance of an answer to each of some queries, where these are their means; for choosing."""
        if state.few is not None:
            return state.few.certifier.variances(state.few.evidence, queries, means)
        return np.asarray(self.process.variances(state.process, queries, means))

    def log_evidence(self, state: ShardedEvidence) -> Array:
        """The evidence against each candidate as a logarithm, all of it brought here; NaN for those put aside."""
        if state.few is not None:
            found = np.full(self.problem.n_targets, np.nan)
            found[state.few.places] = state.few.certifier.log_evidence(state.few.evidence)
            return found
        evidence = np.concatenate(state.parts.each(on_shards.evidence_of))
        return evidence if isinstance(self.process, Bets) else evidence + log_numerator(self.problem, state.process)

    def answer(self, state: ShardedEvidence) -> int:
        """The proven answer; before, the one that the leader would give."""
        return self._preferred(self.goal, self.leader(state)) if state.settled is None else state.settled

    def recommended_query(self, state: ShardedEvidence) -> int:
        """The answer where the goal is a query; else the best allowed query of the leader."""
        return self.query_for(self.answer(state), self.leader(state))

    def query_for(self, answer: int, leader: int) -> int:
        """The answer where the goal is a query; else the best allowed query of the leader."""
        return answer if isinstance(self.goal, BestQuery) else self.problem.best_query(leader)

    def certificate(self, state: ShardedEvidence, goal: Goal | None = None) -> Certificate:
        """Whether the goal is decided, and if not, who objects; or the same for another goal.

        The numbers of all remaining candidates are brought here.
        """
        self.check_declared()
        if state.few is not None:
            return state.few.certifier.certificate(state.few.evidence, goal)
        goal, answers = (self.goal, self._answers) if goal is None else (_check_goal(goal), self._answers_to(goal))
        settled = state.settled if goal is self.goal else self._settled(state, goal, answers)
        answer = self._preferred(goal, self.leader(state)) if settled is None else settled
        name = self.problem.targets[answer] if isinstance(goal, WhichTarget) else self._frame_names(goal)[answer]
        remaining, objecting = (self._heaviest(state, answers, who, state.n_possible)[0] for who in (None, answer))
        return Certificate(
            answer=name if state.n_possible else None,
            is_proven=settled is not None,
            delta=self.delta,
            remaining=Selection(self.problem.targets, *remaining),
            objectors=Selection(self.problem.targets, *objecting),
            statement=goal.sentence(name, tolerance=self._frame.margin),
        )

    def check_declared(self) -> None:
        """Raise `HypothesisError` where nobody has declared how wrong the table may be."""
        self._frame.check_declared()

    @cached_property
    def process(self) -> Any:
        """The e-processes of all candidates."""
        problem: Any = self.problem
        noise = Bounded() if self.noise is None else self.noise
        process = evidence_process(noise, problem, np.empty(0), self._frame.margin)
        step_of(process)  # raises where shards cannot do it
        return process

    @cached_property
    def _frame(self) -> Certifier:
        """The certifier of the first candidate alone, which knows what is declared."""
        return Certifier(self.problem.frame, self.goal, **self.declared)

    @cached_property
    def _answers(self) -> Pieces:
        return self._answers_to(self.goal)

    def _answers_to(self, goal: Goal) -> Pieces:
        return self.problem.shards.map(on_shards.answers_of, goal, Pieces(tuple(self.problem.firsts.tolist())))

    def _frame_names(self, goal: Goal) -> Sequence[Any]:
        return goal.answers(self.problem.frame).names

    def _preferred(self, goal: Goal, target: int) -> int:
        """The answer to give if a target is the truth."""
        if isinstance(goal, WhichTarget):
            return target
        return int(goal.answers(self.problem.columns([target])).preferred[0])

    def _judged(self, state: ShardedEvidence) -> ShardedEvidence:
        parts = state.parts.map(on_shards.judged, self.problem.shards, self._answers)
        state = state._replace(parts=parts)
        return state._replace(settled=self._settled(state, self.goal, self._answers))

    def _settled(self, state: ShardedEvidence, goal: Goal, answers: Pieces) -> int | None:
        """The answer that all possible candidates of all shards accept."""
        parts = state.parts
        if answers is not self._answers:
            parts = parts.map(on_shards.watching, answers).map(on_shards.judged, self.problem.shards, answers)
        found = [each for each in parts.each(on_shards.acceptable, answers) if each is not None]
        if not found:
            return None
        common = set(found[0].tolist()).intersection(*(each.tolist() for each in found[1:]))
        if not common:
            return None
        preferred = self._preferred(goal, self.leader(state))
        return preferred if preferred in common else min(common)

    def _reduced(self, state: ShardedEvidence) -> ShardedEvidence:
        """Go on in memory with the remaining candidates alone, when a table in memory would too."""
        problem: Any = self.problem
        if not is_worth_it(problem, problem.n_targets, state.n_possible):
            return state
        (places, losses), evidence = self._heaviest(state, self._answers, None, state.n_possible)
        few = problem.columns(places)
        everyone, possible = np.arange(places.size), np.ones(places.size, dtype=bool)
        numbers = state.process._replace(memory=state.process.memory._replace(losses=losses))
        if isinstance(self.process, Bets):
            numbers = numbers._replace(capital=evidence)
        watching = replace(self.process, watched=PartOfTable(few.rho, everyone))
        process, inner = watching.part(numbers, everyone)
        certifier = replace(self._frame, problem=few)
        watched, part = certifier.answers.watch(), Part(process, everyone, possible.copy())
        found = certifier.judged(Evidence(inner, possible, places.size, state.n_answers, watched, None, part))
        return self._with(state, Few(places, certifier, found))

    def _with(self, state: ShardedEvidence, few: Few) -> ShardedEvidence:
        """As the few remaining candidates have it; the shards are let go."""
        settled = few.evidence.settled
        if settled is not None and isinstance(self.goal, WhichTarget):
            settled = int(few.places[settled])
        return ShardedEvidence(state.process, Pieces(()), few.evidence.n_possible, few.evidence.n_answers, settled, few)

    def _heaviest(
        self, state: ShardedEvidence, answers: Pieces, objecting_to: int | None, most: int
    ) -> tuple[tuple[Array, Array], Array]:
        """Possible candidates, all or those that object to an answer: their numbers, losses and evidence."""
        found = state.parts.each(on_shards.heaviest, self.problem.shards, answers, objecting_to, most)
        places = [own + first for (own, _, _), first in zip(found, self.problem.firsts.tolist(), strict=True)]
        losses, evidence = (np.concatenate([each[k] for each in found]) for k in (1, 2))
        return (np.concatenate(places), losses), evidence

    def _likely(self, state: ShardedEvidence, objecting_to: int | None) -> tuple[Array, Array]:
        """Those of them with noticeable weight, as many as fit into memory, and their weights, which sum to 1."""
        most = max(MOST // self.problem.n_queries, 1)
        (places, losses), _ = self._heaviest(state, self._answers, objecting_to, most)
        log_weights = -self.process.rate(state.process) * (losses.astype(float) - float(losses.min()))
        near = np.flatnonzero(log_weights >= -cut_for(self.problem.n_targets))
        near = np.sort(near[np.argsort(-log_weights[near], kind="stable")[:most]])
        weights = np.exp(log_weights[near])
        return places[near], weights / weights.sum()

    def _some(self, places: Array, weights: Array) -> Sample:
        columns = self.problem.columns(places)
        everyone = np.arange(places.size)
        return Sample(everyone, weights, self.goal.answers(columns), np.ascontiguousarray(columns.rho.T), everyone)


def _check_goal(goal: Any) -> Goal:
    if not isinstance(goal, BestQuery | BestAbove | WhichTarget):
        raise InvalidValueError(
            f"over a table in shards the goal is BestQuery, BestAbove or WhichTarget, got {type(goal).__name__}; "
            "read the table into memory for any other."
        )
    return goal
