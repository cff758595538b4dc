"""What compiled runs read: learners and environments as numbers and arrays."""

from typing import Any, NamedTuple

from warmer.model import Array

EXACT, COIN, UNIFORM, GAUSSIAN, MEAN, ADVERSARY, SIMULATED = range(7)
"""The noise models."""
TRUTHFUL, UP, DOWN, RANDOM = range(4)
"""The strategies of an adversary, in the order of `environments.STRATEGIES`."""
ANY, INDEX, LEAST_LOSS, LOSS_BALL, DISTANCE_BALL, DRAWN, SURVIVORS, LIFTED, TOPS, DISTANCE_TOPS = range(10)
"""The rules: uniform, UCB1, least squares, two optimistic ones, Thompson, elimination; K arms: least squares and two
optimistic ones."""


NOTHING, RATIO, BETS = range(3)
"""What is watched: no evidence, likelihood ratios, or bets."""


class Answering(NamedTuple):
    """A noise model by number, the mean of each query, the range, and what the model needs besides."""

    model: int
    means: Array
    low: float
    high: float
    width: float
    """The half-width of uniform noise, the deviation of Gaussian noise, or the tolerance of an adversary."""
    n_draws: int
    """How many uniform numbers a round takes."""
    strategy: int


class Rule(NamedTuple):
    """A learner's rule by number, the table, and what the rule needs besides; where there is no table, empty ones."""

    kind: int
    rho: Array
    best: Array
    """The best query of each target."""
    start: Array
    """The losses before the first answer: infinite for targets that are not considered."""
    values: Array
    """What each target's best query earns."""
    tops: Array
    """The largest of them in each block."""
    legal: Array
    """The allowed queries."""
    radius: float
    """Of the confidence set; the level to reach for K arms; the length of the reward range for UCB1."""
    scale: float
    """Twice the variance of the noise, for posteriors; the variance for K arms."""
    low: float
    high: float
    """The interval of means of K arms."""
    log_arms: float


class Watch(NamedTuple):
    """Evidence against candidates and what would settle the goal; `process` is `NOTHING` where nobody watches."""

    process: int
    table: Any
    accepts: Array
    """Which candidates accept each answer."""
    names: Array
    """The answers, by index."""
    own: Array
    """The answer that each candidate would settle on by itself, where the lowest of these counts; else empty."""
    preferred: Array
    """The answer to give for each candidate, where several are settled."""
    threshold: float
    sigmas: Array
    stakes: Any
    share: float
