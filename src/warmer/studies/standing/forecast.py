"""How many more answers it will probably take: the rest of the study, played many times in memory."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from warmer import environments
from warmer.certification.noise import BoundedNoise, Coin, Gaussian, SubGaussian
from warmer.environments import TargetEnvironment
from warmer.learners import UntilCertified
from warmer.learners.until_certified import Watched
from warmer.model import Array, StoppingLearner
from warmer.model.checks import check_count
from warmer.model.contracts import CertifyingLearner
from warmer.model.errors import ProtocolError
from warmer.simulation import simulate
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
    player, state, until = _player(engine, learner)
    runs = simulate(
        player,
        _environments(engine, player.problem, truths.tolist()),
        horizon=most,
        seed=int(rng.integers(2**63)),
        until=until,
        state=state,
    )
    if runs.is_interrupted:
        raise KeyboardInterrupt
    lengths = np.where([answer is not None for answer in runs.proven], runs.n_answers, most)
    low, median, high = (_quantile(lengths, share, most) for share in (0.1, 0.5, 0.9))
    return Forecast(median, low, high, n_runs, most)


def _player(engine: Engine, learner: Any) -> tuple[Any, Any, Callable[[Any], bool]]:
    """Who asks until the study's own goal is proven, what it remembers by now, and when it ends."""
    certifier = engine.certifier
    if isinstance(learner, CertifyingLearner) and learner.certifier is certifier:
        if isinstance(learner, StoppingLearner):
            return learner, engine.state, learner.is_done
        return learner, engine.state, lambda state: certifier.is_settled(learner.evidence(state))
    declared = {name: getattr(certifier, name) for name in ("noise", "delta", "prior", "tolerance")}
    player, state = UntilCertified(engine.learner, certifier.goal, **declared), Watched(engine.state, engine.evidence)
    if learner is engine.learner:
        return player, state, player.is_done
    among = copy.copy(player)  # it chooses among open queries, and proves about all: for the plain loop alone
    object.__setattr__(among, "base", learner)
    return among, state, lambda state: among.is_done(state)


def _environments(engine: Engine, problem: Any, truths: list[int]) -> list[TargetEnvironment]:
    """One for each truth, with the noise that is declared or seen."""
    noise = engine.certifier.noise
    kind: Callable[..., TargetEnvironment] = environments.TruncatedGaussian
    if isinstance(noise, Coin):
        kind, settings = environments.Coin, {}
    elif isinstance(noise, BoundedNoise):
        kind, settings = environments.UniformNoise, {"width": float(noise.width)}
    elif isinstance(noise, Gaussian) and noise.resolution is not None:
        kind = environments.RoundedGaussian
        settings = {"sigma": _deviation(engine, noise), "resolution": noise.resolution}
    else:
        settings = {"sigma": _deviation(engine, noise)}
    built = {truth: kind(problem, problem.targets[truth], **settings) for truth in sorted(set(truths))}
    return [built[truth] for truth in truths]


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


def _quantile(lengths: Array, share: float, most: int) -> int | None:
    """The shortest length that at least this share of runs did not exceed; None where they were given up."""
    length = int(np.sort(lengths)[min(int(np.ceil(share * lengths.size)), lengths.size) - 1])
    return length if length < most else None
