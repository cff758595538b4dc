"""The loop as it is defined: a learner asks, an environment answers. Compiled runs give the same arrays."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from warmer.certification.state import Evidence
from warmer.model import Array, Environment, Learner
from warmer.model.contracts import CertifyingLearner
from warmer.model.time_limit import Clock
from warmer.simulation.streams import ENVIRONMENT, LEARNER, stream

_BLOCK = 256
"""Rounds whose noise is drawn at once, and after which progress is reported."""
_PATIENCE = 16
"""Rounds between two looks at Ctrl-C."""

Until = Callable[[Any], bool] | None


def play(
    learners: Sequence[Learner[Any]],
    environments: Sequence[Environment],
    key: Array,
    first: int,
    queries: Array,
    rewards: Array,
    *,
    until: Until,
    state: Any,
    progress: Callable[[int], None] | None,
) -> tuple[list[int], list[Any]]:
    """Play runs number `first` and following into the rows of the arrays: the length and the last state of each.

    Each starts from a copy of the state, from nothing where it is None. Fewer than there are rows where Ctrl-C came;
    none is left half-played.
    """
    lengths: list[int] = []
    states: list[Any] = []
    try:
        for k, (learner, environment) in enumerate(zip(learners, environments, strict=True)):
            chance = stream(key, first + k, LEARNER), stream(key, first + k, ENVIRONMENT)
            start = learner.init(chance[0]) if state is None else _copied(learner, state)
            last, length = _run(learner, environment, start, *chance, queries[k], rewards[k], until, progress)
            lengths.append(length)
            states.append(last)
    except KeyboardInterrupt:
        pass
    return lengths, states


def _copied(learner: Any, state: Any) -> Any:
    """A state to be written over: with memory of its own, and the same problem and certifier."""
    shared = [learner, learner.problem]
    if isinstance(learner, CertifyingLearner):
        evidence = learner.evidence(state)
        part = evidence.part if isinstance(evidence, Evidence) else None
        shared += [learner.certifier, *([] if part is None else [part.process])]
    return copy.deepcopy(state, {id(each): each for each in shared})


def _run(
    learner: Learner[Any],
    environment: Environment,
    state: Any,
    learner_rng: np.random.Generator,
    environment_rng: np.random.Generator,
    queries: Array,
    rewards: Array,
    until: Until,
    progress: Callable[[int], None] | None,
) -> tuple[Any, int]:
    """Play one run of at most `len(rewards)` rounds; the last state and the length."""
    horizon, clock = rewards.size, Clock(None)
    ask, tell, answer = learner.ask, learner.tell, environment.reward
    for start in range(0, horizon, _BLOCK):
        end = min(start + _BLOCK, horizon)
        noise = environment.noise(end - start, environment_rng)
        rows = noise.tolist() if noise.ndim == 1 else noise  # plain floats are the faster ones to reckon with
        for t, row in enumerate(rows, start):
            if t % _PATIENCE == 0:
                clock.check()
            if until is not None and until(state):
                end = t
                break
            query = ask(state, learner_rng)
            reward = answer(query, row)
            state = tell(state, query, reward)
            queries[t] = query
            rewards[t] = reward
        if progress is not None:
            progress(end - start)
        if end - start < _BLOCK:
            return state, end
    return state, horizon
