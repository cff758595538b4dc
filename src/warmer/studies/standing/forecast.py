"""How many more answers it will probably take: the rest of the study, played many times in memory."""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer import environments
from warmer.certification.noise import BoundedNoise, Coin, SubGaussian
from warmer.environments import TargetEnvironment
from warmer.model import Array
from warmer.model.checks import check_count
from warmer.model.contracts import CertifyingLearner
from warmer.model.errors import ProtocolError
from warmer.studies.engine import Engine
from warmer.studies.standing.noise_check import check_noise
from warmer.studies.standing.residuals import check_table

_WORK = 200_000_000
"""Candidates looked at in all runs together: it keeps a forecast to seconds."""
_ENOUGH_REPLICATES = 5


@dataclass(frozen=True)
class Forecast:
    """How many more answers are needed, by simulated runs from here on; None where that is more than `most`."""

    median: int | None
    low: int | None
    """A tenth of the runs needed fewer."""
    high: int | None
    """A tenth of the runs needed more."""
    n_runs: int
    most: int
    """Answers after which a run was given up."""

    def __str__(self) -> str:
        if self.high == 0:
            return "no more answers are needed"
        if self.median is None:
            return f"more than {self.most} more to a proof ({self.n_runs} simulated runs)"
        high = f"more than {self.most}" if self.high is None else f"{self.high}"
        return f"about {self.median} more to a proof ({self.low} to {high} in 80% of {self.n_runs} simulated runs)"


def forecast_of(engine: Engine, learner: Any, *, n_runs: int, most: int) -> Forecast:
    """Play the rest of a study with truths drawn from the remaining candidates by their weights.

    Answers come with the declared noise; where none is declared, with the deviation that replicates or the residuals
    of the likeliest candidate show. The same state gives the same forecast.
    """
    check_table(engine)
    check_count("n_runs", n_runs)
    check_count("most", most)
    engine.certificate()  # raises where nothing is to be decided
    certifier, evidence = engine.certifier, engine.evidence
    if not evidence.n_possible:
        raise ProtocolError("the data contradict every candidate, so there is none to play with; look at what is odd.")
    rng = engine.chance(2, len(engine.readings))
    targets, weights = certifier.likely(evidence)
    truths = targets[_systematic(weights, n_runs, rng)]
    most = max(1, min(most, _WORK // (n_runs * max(evidence.n_possible, 100))))
    lengths = [_rest(engine, learner, _environment(engine, int(truth)), rng, most) for truth in truths.tolist()]
    low, median, high = (_quantile(lengths, share) for share in (0.1, 0.5, 0.9))
    return Forecast(median, low, high, n_runs, most)


def _rest(engine: Engine, learner: Any, environment: TargetEnvironment, rng: np.random.Generator, most: int) -> float:
    """How many answers one run needs; infinite where it is given up."""
    certifier = engine.certifier
    state, own = _copied(engine)
    ask_rng, answer_rng = rng.spawn(2)
    for n, chance in enumerate(environment.noise(most, answer_rng)):
        evidence = learner.evidence(state) if own is None else own
        if certifier.is_settled(evidence) or certifier.is_misspecified(evidence):
            return n
        query = learner.ask(state, ask_rng)
        reward = environment.reward(query, chance)
        state = learner.tell(state, query, reward)
        own = None if own is None else certifier.update(own, query, reward)
    return np.inf


def _copied(engine: Engine) -> tuple[Any, Any]:
    """The learner's state and, where that does not hold it, the evidence, to be written over."""
    learner, certifier, evidence = engine.learner, engine.certifier, engine.evidence
    shared = [learner, certifier, engine.problem, *([] if evidence.part is None else [evidence.part.process])]
    state = copy.deepcopy(engine.state, {id(each): each for each in shared})
    if isinstance(learner, CertifyingLearner) and learner.certifier is certifier:
        return state, None
    return state, copy.deepcopy(evidence, {id(each): each for each in shared})


def _environment(engine: Engine, truth: int) -> TargetEnvironment:
    problem, noise = engine.problem, engine.certifier.noise
    if isinstance(noise, Coin):
        return environments.Coin(problem, problem.targets[truth])
    if isinstance(noise, BoundedNoise):
        return environments.UniformNoise(problem, problem.targets[truth], width=float(noise.width))
    return environments.TruncatedGaussian(problem, problem.targets[truth], sigma=_deviation(engine, noise))


def _deviation(engine: Engine, noise: Any) -> float:
    if isinstance(noise, SubGaussian):
        return float(np.sqrt((noise.sigmas(engine.problem) ** 2).mean()))
    seen = check_noise(engine)
    if seen is not None and seen.deviation and seen.n_replicates >= _ENOUGH_REPLICATES:
        return seen.deviation
    middle = np.array([sum(engine.problem.reward_range) / 2])
    return float(np.sqrt(engine.certifier.variances(engine.evidence, np.array([0]), middle)[0]))


def _systematic(weights: Array, n: int, rng: np.random.Generator) -> Array:
    """Places drawn by weights, spread evenly."""
    steps = (np.arange(n) + rng.random()) / n
    return np.asarray(np.minimum(weights.cumsum().searchsorted(steps * weights.sum()), weights.size - 1))


def _quantile(lengths: list[float], share: float) -> int | None:
    """The shortest length that at least this share of runs did not exceed."""
    length = sorted(lengths)[min(int(np.ceil(share * len(lengths))), len(lengths)) - 1]
    return int(length) if np.isfinite(length) else None
