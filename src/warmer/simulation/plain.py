"""The loop as it is defined: a learner asks, an environment answers. Compiled runs give the same arrays.

Learners and environments of a user's own are played here, so each query and each answer is looked at before anybody
else hears of it.
"""

import copy
import reprlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from warmer.certification.state import Evidence
from warmer.model import Array, Environment, Learner, StoppingLearner
from warmer.model.contracts import CertifyingLearner, ClaimingLearner
from warmer.model.errors import InvalidValueError, WarmerError, blamed, giver_of, is_own
from warmer.model.rewards import read_reward
from warmer.model.time_limit import Clock
from warmer.simulation.own_parts import LegalQueries, read_noise
from warmer.simulation.players import own_within, reset
from warmer.simulation.streams import ENVIRONMENT, LEARNER, stream

BLOCK = 256
"""Rounds whose noise is drawn at once, and after which progress is reported."""
_PATIENCE = 16
"""Rounds between two looks at Ctrl-C."""
KEEP = 'Honest readings beyond the range are kept with outside="keep".'
"""What to do about answers beyond the range that are no mistake."""

Until = Callable[[Any], bool] | None


class Finished(NamedTuple):
    """What is known of the runs that were played to their end: none is left half-played."""

    lengths: list[int]
    recommended: list[Any]
    """What each run of a stopping learner settled on, None where it was not done."""
    proven: list[int | None]
    """What each run of a learner with evidence proved."""
    broken: list[str]
    """Where a claim that each run of a learner rests on was broken; empty where it was kept."""
    error: WarmerError | None
    """What ended the run after them; None where all were played, or Ctrl-C came."""
    blocks: list[Any]
    """The first two blocks of noise of the first run."""

    @classmethod
    def nothing(cls) -> Self:
        """Before the first run."""
        return cls([], [], [], [], None, [])


@dataclass(frozen=True)
class Game:
    """What all runs share: the problem, the streams of chance, and how runs start and end."""

    problem: Any
    key: Array
    seed: int
    until: Until = None
    state: Any = None
    """What each run starts from, as a copy; nothing where None."""
    outside: str = "refuse"
    advice: str = ""
    """What to do about answers outside the range, where that can be helped."""
    progress: Callable[[int], None] | None = None

    @cached_property
    def legal(self) -> LegalQueries:
        """The queries that may be asked."""
        return LegalQueries(self.problem)

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Between which answers must lie."""
        most = sys.float_info.max
        low, high = map(float, self.problem.reward_range)
        return (low, high) if self.outside == "refuse" else (-most, most)


def play(
    game: Game,
    learners: Sequence[Learner[Any]],
    environments: Sequence[Environment],
    first: int,
    queries: Array,
    rewards: Array,
) -> Finished:
    """Play runs number `first` and following into the rows of the arrays.

    Fewer than there are rows where Ctrl-C came, or a learner or an environment made a mistake.
    """
    finished = Finished.nothing()
    try:
        for k, (learner, environment) in enumerate(zip(learners, environments, strict=True)):
            if k == 0 or learner is not learners[k - 1]:
                roles = Roles.of(learner)
            run = Run(game, learner, environment, first + k, None if k else finished.blocks)
            last, length = run.play(queries[k], rewards[k])
            run.conclude(last, length, roles, finished)
    except KeyboardInterrupt:
        pass
    except Mistake as mistake:
        return finished._replace(error=mistake.error)
    return finished


class Roles(NamedTuple):
    """What else a learner is; a look at a protocol takes as long as several rounds."""

    stops: bool
    certifies: bool
    claims: bool

    @classmethod
    def of(cls, learner: Learner[Any]) -> Self:
        """By its methods."""
        return cls(*(isinstance(learner, each) for each in (StoppingLearner, CertifyingLearner, ClaimingLearner)))


class Mistake(Exception):  # noqa: N818 - it never leaves this room
    """A run that cannot go on, and why."""

    def __init__(self, error: WarmerError, doing: str) -> None:
        self.error, self.doing = error, doing


@dataclass(frozen=True)
class Run:
    """One run."""

    game: Game
    learner: Learner[Any]
    environment: Environment
    number: int
    blocks: list[Any] | None = None
    """Where the first two blocks of noise are kept."""

    def play(self, queries: Array, rewards: Array) -> tuple[Any, int]:
        """Play at most `len(rewards)` rounds into the arrays; the last state and the length."""
        game, learner, environment = self.game, self.learner, self.environment
        doing, t, query = "reset", 0, None
        learner_rng, environment_rng = (stream(game.key, self.number, role) for role in (LEARNER, ENVIRONMENT))
        horizon, clock, until, progress = rewards.size, Clock(None), game.until, game.progress
        read, n_queries, is_allowed, (low, high) = game.legal.read, game.legal.size, game.legal.is_allowed, game.bounds
        asker = giver_of(next(own_within(learner), learner), "ask")
        try:
            reset(learner)
            reset(environment)
            doing = "init"
            ask, tell, answer = learner.ask, learner.tell, environment.reward
            state = learner.init(learner_rng) if game.state is None else _copied(learner, game.state)
            for start in range(0, horizon, BLOCK):
                t, end = start, min(start + BLOCK, horizon)
                doing = "noise"
                rows = read_noise(environment, end - start, environment_rng, start)
                if start <= BLOCK and self.blocks is not None:
                    self.blocks.append(rows)
                for t, row in enumerate(rows, start):
                    if t % _PATIENCE == 0:
                        clock.check()
                    if until is not None:
                        doing = "until"
                        if (is_over := until(state)) is not False and _read_flag(is_over):
                            end = t
                            break
                    doing = "ask"
                    query = ask(state, learner_rng)
                    if type(query) is not int or not 0 <= query < n_queries or not is_allowed[query]:
                        doing = ""
                        query = read(query, asker)
                    doing = "reward"
                    reward = answer(query, row)
                    if not isinstance(reward, float) or not low <= reward <= high:
                        doing = ""
                        reward = self._reward(query, reward)
                    doing = "tell"
                    state = tell(state, query, reward)
                    queries[t] = query
                    rewards[t] = reward
                if progress is not None:
                    doing = "progress"
                    progress(end - start)
                if end - start < BLOCK:
                    return state, end
        except Exception as error:  # whatever a user's own code raises
            if doing == "progress":
                raise
            place = "before round 1" if doing in ("reset", "init") else f"round {t + 1}"
            raise Mistake(self._blamed(error, doing, place, query), doing) from error
        return state, horizon

    def conclude(self, state: Any, length: int, roles: "Roles", finished: Finished) -> None:
        """Add a run that was played to its end."""
        learner: Any = self.learner
        doing = "is_done"
        recommended, proven = list[Any](), list[int | None]()
        try:
            if roles.stops:
                is_done, doing = learner.is_done(state), "recommend"
                given = learner.recommend(state) if is_done else None
                doing = ""
                if is_done and is_own(learner):
                    given = self.game.legal.read(given, giver_of(learner, "recommend"))
                recommended.append(given)
            if roles.certifies:
                doing = "evidence"
                evidence = learner.evidence(state)
                proven.append(evidence.settled if learner.certifier.is_settled(evidence) else None)
            if roles.claims:
                doing = "broken_claim"
                finished.broken.append(learner.broken_claim(state))
        except Exception as error:  # whatever a user's own code raises
            raise Mistake(self._blamed(error, doing, f"after {length} rounds"), doing) from error
        finished.lengths.append(length)
        finished.recommended.extend(recommended)
        finished.proven.extend(proven)

    def _reward(self, query: Any, reward: Any) -> float:
        """An answer that is not simply a float within the bounds, if it is one at all."""
        giver = giver_of(self.environment, "reward")
        return read_reward(reward, *self.game.bounds, self.game.legal.label(query), giver, self.game.advice)

    def _blamed(self, error: Exception, doing: str, place: str, query: Any = None) -> WarmerError:
        """The error to raise instead: where it came from, and who made it."""
        part = self.environment if doing in ("noise", "reward") else self.learner
        where = f"run {self.number}, {place}, seed {self.game.seed}"
        if doing in ("reward", "tell"):
            where += f", query {self.game.legal.label(query)}"
        found = blamed(error, f"{doing}()" if doing in ("reset", "until") else giver_of(part, doing), where)
        found.__cause__ = error if doing else error.__cause__  # what reads queries and answers is no cause
        return found


def _read_flag(given: Any) -> bool:
    """What `until` says."""
    if not isinstance(given, bool | np.bool_):
        raise InvalidValueError(f"until must give True or False, got {reprlib.repr(given)}.")
    return bool(given)


def _copied(learner: Any, state: Any) -> Any:
    """A state to be written over: with memory of its own, and the same problem and certifier."""
    shared = [learner, learner.problem]
    if isinstance(learner, CertifyingLearner):
        evidence = learner.evidence(state)
        part = evidence.part if isinstance(evidence, Evidence) else None
        shared += [learner.certifier, *([] if part is None else [part.process])]
    return copy.deepcopy(state, {id(each): each for each in shared})
