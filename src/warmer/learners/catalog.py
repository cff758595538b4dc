"""Every learner by name, built from the same few settings."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from warmer.bounds import pac_candidates
from warmer.certification.goals import BestQuery
from warmer.certification.noise import SubGaussian
from warmer.estimation import AggregatingForecaster
from warmer.learners.baselines import UCB1, Uniform
from warmer.learners.elimination import Elimination
from warmer.learners.exact_pac import ExactPAC
from warmer.learners.least_squares import LeastSquares
from warmer.learners.optimistic import Optimistic
from warmer.learners.oracle import OracleLeastSquares
from warmer.learners.pac import PAC
from warmer.learners.posterior import InformationDirected, Thompson
from warmer.learners.proving import MaxInformation, TopTwo
from warmer.learners.track_and_stop import TrackAndStop
from warmer.learners.until_certified import UntilCertified
from warmer.model import Learner, Problem
from warmer.model.errors import InvalidValueError


@dataclass(frozen=True)
class Settings:
    """What a learner may need to be told; each takes what it uses."""

    alpha: float
    delta: float
    sigma: float
    horizon: int
    epsilon: float = 0.1
    goal: Any = None
    """What is to be decided; a query within epsilon of the best where None."""
    noise: Any = None
    """What is declared about the noise; sub-Gaussian with deviation sigma where None."""

    def __post_init__(self) -> None:
        if self.goal is None:
            object.__setattr__(self, "goal", BestQuery(self.epsilon))
        if self.noise is None:
            object.__setattr__(self, "noise", SubGaussian(self.sigma))


CATALOG: dict[str, Callable[[Problem, Settings], Learner[Any]]] = {
    "least-squares": lambda problem, s: LeastSquares(problem, alpha=s.alpha),
    "optimistic": lambda problem, s: Optimistic(problem, "anytime", delta=s.delta, sigma=s.sigma),
    "optimistic-paper": lambda problem, s: Optimistic(problem, "paper", delta=s.delta, horizon=s.horizon),
    "thompson": lambda problem, s: Thompson(problem, **_belief(s)),
    "information-directed": lambda problem, s: InformationDirected(problem, **_belief(s)),
    "elimination": lambda problem, s: Elimination(problem, delta=s.delta, sigma=s.sigma),
    "ucb1": lambda problem, s: UCB1(problem),
    "uniform": lambda problem, s: Uniform(problem),
    "oracle": lambda problem, s: OracleLeastSquares(problem, AggregatingForecaster(problem), alpha=s.alpha),
    "oracle-optimistic": lambda problem, s: OracleLeastSquares(
        problem, AggregatingForecaster(problem), radius="anytime", delta=s.delta, sigma=s.sigma
    ),
    "pac": lambda problem, s: _in_two_halves(LeastSquares(problem, alpha=s.alpha), s),
    "pac-theorem": lambda problem, s: PAC(LeastSquares(problem, alpha=s.alpha), epsilon=s.epsilon, delta=s.delta),
    "exact-pac": lambda problem, s: ExactPAC(LeastSquares(problem, alpha=s.alpha), epsilon=s.epsilon),
    "until-certified": lambda problem, s: UntilCertified(
        Optimistic(problem, "anytime", delta=s.delta, sigma=s.sigma), s.goal, noise=s.noise, delta=s.delta
    ),
    "top-two": lambda problem, s: TopTwo(problem, s.goal, noise=s.noise, delta=s.delta),
    "track-and-stop": lambda problem, s: TrackAndStop(problem, s.goal, noise=s.noise, delta=s.delta),
    "max-information": lambda problem, s: MaxInformation(problem, s.goal, noise=s.noise, delta=s.delta),
}


def build(name: str, problem: Problem, settings: Settings) -> Learner[Any]:
    """The learner of that name for this problem.

    Examples
    --------
    >>> settings = Settings(alpha=0.5, delta=0.05, sigma=0.5, horizon=100)
    >>> type(build("ucb1", Problem.from_table([[0.5]]), settings)).__name__
    'UCB1'
    """
    if not isinstance(name, str):
        raise InvalidValueError(f"learners are named here, such as 'top-two'; got the object {type(name).__name__}.")
    if name not in CATALOG:
        raise InvalidValueError(f"there is no learner {name!r}; choose one of {', '.join(CATALOG)}.")
    return CATALOG[name](problem, settings)


def _belief(settings: Settings) -> dict[str, Any]:
    """What a posterior is worked out by: the noise model, which is a plain deviation where that says the same."""
    if settings.noise == SubGaussian(settings.sigma):
        return {"sigma": settings.sigma}
    return {"noise": settings.noise}


def _in_two_halves(base: Learner[Any], settings: Settings) -> PAC:
    """Algorithm 2 within the horizon: half of the rounds search, the other half verify."""
    half = max(1, settings.horizon // 2)
    n_left = max(1, settings.horizon - half)
    n_candidates = min(pac_candidates(delta=settings.delta), n_left)
    return PAC(
        base,
        epsilon=settings.epsilon,
        delta=settings.delta,
        horizon=half,
        n_candidates=n_candidates,
        n_repeats=n_left // n_candidates,
    )
